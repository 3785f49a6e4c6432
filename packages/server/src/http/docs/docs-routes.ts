import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Site } from '../../modules/settings/service.ts'
import { sendWritten, type WrittenAnswer, writtenOnce } from '../written-once.ts'
import { colorRules, docsPage, llmsText, missingDocument } from './docs-page.ts'
import { DOCS_SCRIPT, DOCS_STYLE } from './docs-style.ts'
import { Documents } from './documents.ts'

/** Own styles, script, pictures and fonts; nothing inline, no requests, no frames. */
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
/** Documents change with the program's version alone, but the site's name and colours may change at any time. */
const CACHE_SECONDS = 300
const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'

const PACKAGES = new URL('../../../../', import.meta.url)
const CLIENT = new URL('web/dist/client/', PACKAGES)
/** The pages' own faces, by their names in the build's list of files. */
const FACES = [
  ['Anybody Variable', '100 900', /\/anybody-latin-wght-normal\.woff2$/u],
  ['Figtree Variable', '300 900', /\/figtree-latin-wght-normal\.woff2$/u],
] as const

interface DocsOptions {
  readonly publicUrl: string
  readonly version: string
  /** The site as it is now. */
  readonly site: () => Site
}

/** The documentation: `/docs` and what is under it, and `/llms.txt`. */
export function docsRoutes(app: FastifyInstance, { publicUrl, version, site }: DocsOptions): void {
  const documents = new Documents()
  const shell = async () => ({ site: site(), version, documents: await documents.all() })
  const write = textsWrittenOnce()
  let look: Promise<string> | null = null

  app.get('/docs/style.css', async (request, reply) => {
    look ??= commonStyle()
    return send(request, reply, 'text/css; charset=utf-8', write('style.css', (await look) + colorRules(site().colors)))
  })
  app.get('/docs/script.js', (request, reply) =>
    send(request, reply, 'text/javascript; charset=utf-8', write('script.js', DOCS_SCRIPT)),
  )
  app.get('/llms.txt', async (request, reply) =>
    send(request, reply, 'text/plain; charset=utf-8', write('llms.txt', llmsText(await shell(), publicUrl))),
  )
  app.get<{ Params: { '*': string } }>('/docs/files/*', async (request, reply) => {
    const file = await documents.file(request.params['*'])
    if (file === null) return await sendMissing(reply, missingDocument(await shell()))
    void reply.header('cache-control', `public, max-age=${CACHE_SECONDS}`)
    return await reply.type(file.type).send(file.content)
  })
  const answer = async (request: FastifyRequest, reply: FastifyReply, name: string) => {
    const parts = await shell()
    if (name.endsWith('.md')) {
      const source = parts.documents.get(name === 'index.md' ? '' : name.slice(0, -3))?.source
      if (source !== undefined) return send(request, reply, MARKDOWN, write(name, source))
    }
    const found = parts.documents.get(name)
    if (found === undefined) return sendMissing(reply, missingDocument(parts))
    void reply.header('content-security-policy', POLICY)
    return send(request, reply, HTML, write(`/${name}`, docsPage(found, parts)))
  }
  app.get('/docs', (request, reply) => answer(request, reply, ''))
  app.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const name = request.params['*']
    if (name === '' || name.endsWith('/'))
      return await reply.redirect(`/docs${name === '' ? '' : `/${name.slice(0, -1)}`}`, 301)
    return await answer(request, reply, name)
  })
}

/** Keeps the newest text of each name, so that it is compressed and named once. */
function textsWrittenOnce(): (name: string, text: string) => WrittenAnswer {
  const written = writtenOnce((answer) => (answer as { readonly text: string }).text)
  const kept = new Map<string, { readonly text: string }>()
  return (name, text) => {
    const known = kept.get(name)
    const entry = known?.text === text ? known : { text }
    kept.set(name, entry)
    return written(entry)
  }
}

function send(request: FastifyRequest, reply: FastifyReply, type: string, answer: WrittenAnswer) {
  void reply.header('cache-control', `public, max-age=${CACHE_SECONDS}`).header('vary', 'accept-encoding')
  return sendWritten(request, reply.type(type), answer)
}

function sendMissing(reply: FastifyReply, html: string) {
  void reply.code(404).header('cache-control', 'no-store').header('content-security-policy', POLICY)
  return reply.type(HTML).send(html)
}

/** The pages' tokens, element defaults and faces, then the documentation's own style. */
async function commonStyle(): Promise<string> {
  const [tokens, base, faces] = await Promise.all([
    readFile(new URL('ui/src/tokens.css', PACKAGES), 'utf8'),
    readFile(new URL('ui/src/base.css', PACKAGES), 'utf8'),
    builtFaces(),
  ])
  return `@layer tokens, base;\n${tokens}\n${base}\n${faces}\n${DOCS_STYLE}`
}

/** The faces at the addresses that the build gave them; none where the pages are served from their sources. */
async function builtFaces(): Promise<string> {
  const list = await readFile(new URL('.vite/manifest.json', CLIENT), 'utf8').catch(() => '{}')
  const built = JSON.parse(list) as Readonly<Record<string, { readonly file: string }>>
  return FACES.map(([family, weights, name]) => {
    const [, entry] = Object.entries(built).find(([source]) => name.test(source)) ?? []
    return entry === undefined
      ? ''
      : `@font-face { font-family: '${family}'; font-weight: ${weights}; font-display: swap; src: url('/${entry.file}') format('woff2-variations'); }\n`
  }).join('')
}
