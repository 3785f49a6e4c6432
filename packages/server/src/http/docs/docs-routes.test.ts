import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { createHttpApp } from '../app.ts'
import { docsRoutes } from './docs-routes.ts'
import { type Document, Documents, READERS } from './documents.ts'

const ROOT = join(import.meta.dirname, '../../../../..')
const SITE = { name: 'Luck & Co', logo: null, icon: null, colors: { paper: '#F0FFF0', ink: '#102010' } }
const app = createHttpApp({
  runtime: testRuntime(),
  authenticate: async () => null,
  isDemo: false,
  publicUrl: 'https://lottery.example',
  checksAnswers: true,
})
// Only what pages show of a site.
docsRoutes(app, { publicUrl: 'https://lottery.example', version: '1.2.3', site: () => SITE as never })
const get = (url: string, headers = {}) => app.inject({ method: 'GET', url, headers })

let documents: ReadonlyMap<string, Document>
beforeAll(async () => void (documents = await new Documents().all()))

/** Whether a link leads to a folder without a page of its own. */
function isFolder(file: string, href: string): boolean {
  const path = join(ROOT, file, '..', href.split('#')[0] ?? '')
  return !/^(?:https?:|\/|#)/.test(href) && statSync(path).isDirectory() && !existsSync(join(path, 'README.md'))
}

/** The addresses in a page's own text. */
const addressesIn = (html: string): string[] => [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, one = '']) => one)

describe('the documentation of a running copy', () => {
  it('every document answers as a page without a foreign script, and as Markdown', async () => {
    expect(documents.size).toBeGreaterThan(90)
    for (const { name, source } of documents.values()) {
      const page = await get(name === '' ? '/docs' : `/docs/${name}`)
      expect([name, page.statusCode, page.headers['content-type']]).toEqual([name, 200, 'text/html; charset=utf-8'])
      expect(page.headers['content-security-policy']).toContain("script-src 'self';")
      expect(page.body.match(/<script/g)).toHaveLength(1)
      expect(page.body.match(/<h1[ >]/g), name).toHaveLength(1)
      expect(page.body).toContain('Luck &amp; Co')
      const text = await get(`/docs/${name === '' ? 'index' : name}.md`)
      expect([text.body === source, text.headers['content-type']]).toEqual([true, 'text/markdown; charset=utf-8'])
    }
  })

  it('each page is kept for five minutes, compressed, and answered with 304 while it is the same', async () => {
    const page = await get('/docs/fairness', { 'accept-encoding': 'gzip' })
    expect(page.headers).toMatchObject({ 'cache-control': 'public, max-age=300', 'content-encoding': 'gzip' })
    expect(
      (await get('/docs/fairness', { 'accept-encoding': 'gzip', 'if-none-match': page.headers['etag'] })).statusCode,
    ).toBe(304)
  })

  it('nothing but the listed documents and files is served', async () => {
    for (const path of [
      '/docs/nowhere',
      '/docs/package.json',
      '/docs/decisions/../../package.json',
      '/docs/files/package.json',
      '/docs/files/../deploy/private/web/secret_key',
      '/docs/files/deploy/private/settings.env',
      '/docs/files/__proto__',
      '/docs/files/docs%2F..%2Fpackage.json',
      '/docs/.env.md',
    ]) {
      const answer = await get(path)
      expect([path, answer.statusCode]).toEqual([path, 404])
      expect(answer.body).not.toContain('workspaces')
    }
    expect((await get('/docs/')).headers['location']).toBe('/docs')
  })

  it('the style has the tokens of the pages, and the site’s own colours in the light theme', async () => {
    const { body, headers } = await get('/docs/style.css')
    expect(headers['content-type']).toBe('text/css; charset=utf-8')
    expect(body).toContain(readFileSync(join(ROOT, 'packages/ui/src/tokens.css'), 'utf8'))
    expect(body.toLowerCase()).toContain('--paper: #f0fff0;')
  })

  it('the script shows the theme that was chosen on the pages', async () => {
    const theme = readFileSync(join(ROOT, 'packages/web/src/app/document/theme.ts'), 'utf8')
    const [, key = ''] = /^export const THEME_KEY = '([^']+)'$/m.exec(theme) ?? []
    expect((await get('/docs/script.js')).body).toContain(`localStorage.getItem('${key}')`)
  })

  it('llms.txt lists every document with its title, its address and a sentence', async () => {
    const { body, headers } = await get('/llms.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(body).toMatch(/^# Luck & Co\n\n> /)
    for (const { name, title, reader } of documents.values())
      if (reader !== null) expect(body).toContain(`- [${title}](https://lottery.example/docs/${name}.md): `)
    for (const line of body.split('\n').filter((one) => one.startsWith('- '))) expect(line).toMatch(/\): \S.{10,}[.]$/)
  })
})

describe('links between documents', () => {
  it('every relative link leads to a file of the repository, and on the site to the same document', async () => {
    const broken: string[] = []
    for (const { file, source, html } of documents.values()) {
      const text = source.replaceAll(/^ *```[\s\S]*?^ *```$|`[^`]*`/gm, '')
      const written = [...text.matchAll(/\]\(([^)\s]+)\)|<(https?:[^>\s]+)>/g)].map(
        ([, one, other]) => one ?? other ?? '',
      )
      for (const href of written.filter((one) => !/^(?:https?:|mailto:|\/|#)/.test(one))) {
        const [path = ''] = href.split('#')
        if (!existsSync(join(ROOT, file, '..', path))) broken.push(`${file}: ${href} is no file`)
      }
      const shown = addressesIn(html.replaceAll(/<a class="self"[^>]*>/g, ''))
      // A folder has no page: its name is shown.
      const folders = written.filter((href) => isFolder(file, href))
      if (file !== 'docs/decisions/README.md' && shown.length !== written.length - folders.length)
        broken.push(
          `${file}: a link leads to a file that is not served: ${written.length} written, ${shown.length} shown`,
        )
    }
    expect(broken).toEqual([])
  })

  it('every link with an anchor leads to a heading', () => {
    const broken: string[] = []
    for (const { name, file, html } of documents.values())
      for (const href of addressesIn(html)) {
        const [, path, anchor] = /^(\/docs(?:\/[\w./-]*)?)?#(.+)$/.exec(href) ?? []
        if (anchor === undefined) continue
        const target = path === undefined ? name : path.slice('/docs/'.length)
        if (documents.get(target)?.html.includes(` id="${anchor}"`) !== true) broken.push(`${file}: ${href}`)
      }
    expect(broken).toEqual([])
  })

  it('every picture and file that a document leads to is served', async () => {
    const wanted = [...documents.values()]
      .flatMap(({ html }) => addressesIn(html))
      .filter((one) => one.startsWith('/docs/files/'))
    expect(wanted.length).toBeGreaterThan(5)
    for (const address of new Set(wanted)) expect([address, (await get(address)).statusCode]).toEqual([address, 200])
  })

  it('each reader has documents, and every page leads to all of them', async () => {
    const index = addressesIn((await get('/docs')).body)
    for (const reader of READERS) {
      const names = [...documents.values()].filter((one) => one.reader === reader).map(({ name }) => name)
      expect(names.length, reader).toBeGreaterThan(0)
      for (const name of names) expect(index, name).toContain(`/docs/${name}`)
    }
  })
})
