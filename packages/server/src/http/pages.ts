import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyMiddie from '@fastify/middie'
import fastifyStatic from '@fastify/static'
import { createClient } from '@fairball/contract/client'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SocialLogins } from '../config.ts'
import type { OperatorContent } from '../modules/content/operator-content.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { isApiPath } from './app.ts'
import { builtFiles, buildHash } from './build-hash.ts'
import { sendPage } from './page-answer.ts'
import { pagePolicy } from './security-headers.ts'
import { siteRoutes } from './site-routes.ts'

/** The web's package: its build, or in development its sources. It is the only thing the server knows of the web. */
const WEB = new URL('../../../web/', import.meta.url)
const ONE_YEAR_SECONDS = 31_536_000

/** What the web is told to render one page (packages/web/src/entry-server.tsx). */
interface PageRequest {
  readonly url: string
  readonly api: ReturnType<typeof createClient>
  readonly now: number
  readonly nonce: string
  readonly config: {
    readonly testMode: boolean
    readonly publicUrl: string
    readonly network: string
    readonly socialLogins: { readonly google: SocialLoginButton | null; readonly facebook: SocialLoginButton | null }
    readonly supportEmail: string | null
    readonly content: Pick<OperatorContent, 'operator' | 'social' | 'feedbackFormUrl'>
    readonly build: Build | null
  }
}

/** What is served, so that everybody can make the same again and compare. */
interface Build {
  readonly version: string
  /** of the files that this server found at its start (docs/supply-chain.md), in hex */
  readonly hash: string
}

/** What a page needs for a button of a social network: nothing of it is secret. */
interface SocialLoginButton {
  readonly clientId: string
  readonly authUrl: string
}

/** Renders one page. */
type Render = (page: PageRequest) => Promise<Response>

export interface PagesOptions {
  readonly runtime: Pick<Runtime, 'clock' | 'random' | 'log'>
  readonly publicUrl: string
  readonly network: string
  readonly isDemo: boolean
  /** Serve the web from its sources with hot reload. */
  readonly isDevelopment: boolean
  readonly supportEmail: string | null
  readonly socialLogins: SocialLogins
  readonly content: OperatorContent
  /** The version of the product. */
  readonly version: string
}

/** The pages of the site: the files of the web's build, and every other address rendered on the server. */
export async function pages(app: FastifyInstance, options: PagesOptions): Promise<{ close(): Promise<void> }> {
  const { runtime, publicUrl } = options
  const { operator, social, feedbackFormUrl } = options.content
  const {
    render,
    close,
    builtAt = runtime.clock.now(),
    hash = null,
  } = options.isDevelopment ? await fromSources(app) : await fromBuild(app)
  const api = inProcessClient(app)
  const config: PageRequest['config'] = {
    testMode: options.isDemo,
    publicUrl,
    network: options.network,
    socialLogins: buttonsOf(options.socialLogins),
    supportEmail: options.supportEmail,
    content: { operator, social, feedbackFormUrl },
    build: hash === null ? null : { version: options.version, hash },
  }
  const isHttps = publicUrl.startsWith('https:')

  async function answerPage(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const nonce = Buffer.from(runtime.random.bytes(16)).toString('base64url')
    const policy = pagePolicy({
      nonce,
      frameOrigins: framesOf(request.url, feedbackFormUrl),
      isHttps,
      isDemo: options.isDemo,
      isDevelopment: options.isDevelopment,
    })
    const now = runtime.clock.now()
    const page = await render({ url: request.url, api, now, nonce, config })
    page.headers.forEach((value, name) => void reply.header(name, value))
    return await sendPage(request, reply, { status: page.status, html: await page.text(), policy, nonce, now })
  }

  siteRoutes(app, { api, clock: runtime.clock, publicUrl, builtAt })

  // A file that an older build had, or nobody: whoever asks for one has no use for a page.
  app.get('/assets/*', async (_request, reply) =>
    reply.code(404).type('text/plain; charset=utf-8').send('There is no such file.\n'),
  )
  app.get('/*', async (request, reply) => {
    if (isApiPath(request.url)) return reply.callNotFound()
    return await answerPage(request, reply)
  })
  return { close }
}

/**
 * The origins that the page at an address may frame: the feedback form's, on the feedback page alone. A spelling of that
 * address which is not known here frames nothing.
 */
export function framesOf(url: string, feedbackFormUrl: string | null): string[] {
  const [path = ''] = url.split('?')
  return feedbackFormUrl !== null && /^\/feedback\/?$/.test(path) ? [new URL(feedbackFormUrl).origin] : []
}

/** Facebook's secret, and where the APIs are, stay on the server. */
function buttonsOf({ google, facebook }: SocialLogins): PageRequest['config']['socialLogins'] {
  return {
    google: google === null ? null : { clientId: google.clientId, authUrl: google.authUrl },
    facebook: facebook === null ? null : { clientId: facebook.appId, authUrl: facebook.authUrl },
  }
}

/** What renders the pages. */
interface Renderer {
  readonly render: Render
  /** When the pages were built, in epoch seconds. */
  readonly builtAt?: number
  /** The build's hash, where there is a build. */
  readonly hash?: string
  close(): Promise<void>
}

async function fromBuild(app: FastifyInstance): Promise<Renderer> {
  const client = new URL('dist/client/', WEB)
  const manifest = await stat(new URL('.vite/manifest.json', client)).catch((cause: unknown) => {
    throw new Error('The web has not been built: run npm run build.', { cause })
  })
  const root = fileURLToPath(client)
  const hash = buildHash(await builtFiles(fileURLToPath(new URL('dist/', WEB))))
  const [assets, programs] = [join(root, 'assets/'), join(root, 'fairness/')]
  await app.register(fastifyStatic, {
    root,
    wildcard: false,
    index: false,
    globIgnore: ['**/.vite/**', '**/*.br', '**/*.gz'],
    // The build has put a smaller copy beside each file that is worth it.
    preCompressed: true,
    setHeaders(reply, path) {
      // A built file carries its content's hash in its name; what does not is looked at again each time.
      const isNamedByContent = path.startsWith(assets)
      const control = isNamedByContent ? `public, max-age=${ONE_YEAR_SECONDS}, immutable` : 'no-cache'
      reply.header('cache-control', control)
      // Programs to be kept and run away from this site, which may not lend them its name.
      if (path.startsWith(programs)) reply.header('content-disposition', 'attachment')
    },
  })
  // The entry of the web's own build; its source exports `render` with the type written above.
  const entry = (await import(new URL('dist/server/entry-server.js', WEB).href)) as { render: Render }
  return { render: entry.render, builtAt: Math.floor(manifest.mtimeMs / 1000), hash, close: async () => undefined }
}

async function fromSources(app: FastifyInstance): Promise<Renderer> {
  interface DevRenderer {
    readonly middlewares: Parameters<FastifyInstance['use']>[1]
    readonly render: Render
    close(): Promise<void>
  }
  // packages/web/dev-server.ts exports this function with the type written above.
  const module = (await import(new URL('dev-server.ts', WEB).href)) as { createDevRenderer(): Promise<DevRenderer> }
  const renderer = await module.createDevRenderer()
  await app.register(fastifyMiddie)
  app.use('/', renderer.middlewares)
  return { render: renderer.render, close: renderer.close }
}

/** The API as the pages call it while they are rendered: through the routes, without a network in between. */
function inProcessClient(app: FastifyInstance) {
  return createClient({
    baseUrl: '',
    async fetch(address: string | URL | Request, init?: RequestInit) {
      const { statusCode, headers, payload } = await app.inject({
        method: (init?.method ?? 'GET') as 'GET',
        url: address instanceof Request ? address.url : address.toString(),
        headers: Object.fromEntries(new Headers(init?.headers).entries()),
        ...(typeof init?.body === 'string' ? { payload: init.body } : {}),
      })
      const answerHeaders = new Headers()
      for (const [name, value] of Object.entries(headers))
        if (value !== undefined) answerHeaders.set(name, String(value))
      return new Response(statusCode === 204 || statusCode === 304 ? null : payload, {
        status: statusCode,
        headers: answerHeaders,
      })
    },
  })
}
