import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyMiddie from '@fastify/middie'
import fastifyStatic from '@fastify/static'
import { createClient } from '@fairball/contract/client'
import type { ComingText, PageRequest, Web } from '@fairball/contract/pages'
import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import type { FastifyInstance } from 'fastify'
import type { SocialLogins } from '../ports/social-login/social-login.ts'
import type { Site } from '../modules/settings/service.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { isApiPath } from './app.ts'
import { builtFiles, buildHash } from './build-hash.ts'
import { pageAnswers } from './page-answers.ts'
import { configOf, lookOf, manifestOf } from './site-look.ts'
import { type NamedGame, siteRoutes } from './site-routes.ts'

/** The web's package: its build, or in development its sources. It is the only thing the server knows of the web. */
const WEB = new URL('../../../web/', import.meta.url)
/** What a browser installs the site by. */
const MANIFEST = 'manifest.webmanifest'
const ONE_YEAR_SECONDS = 31_536_000

interface PagesOptions {
  readonly runtime: Pick<Runtime, 'clock' | 'monotonic' | 'random' | 'log'>
  readonly publicUrl: string
  readonly network: BitcoinNetwork
  readonly isDemo: boolean
  /** Serve the web from its sources with hot reload. */
  readonly isDevelopment: boolean
  /** The site as it is now. */
  readonly site: () => Site
  /** The legal texts that are announced and not yet in force. */
  readonly comingTexts: () => readonly ComingText[]
  readonly socialLogins: SocialLogins
  /** Every game there is, by its key and by each alias. */
  readonly games: () => Promise<ReadonlyMap<string, NamedGame>>
  /** The version of the product. */
  readonly version: string
}

/** The pages of the site: the files of the web's build, and every other address rendered on the server. */
export async function pages(app: FastifyInstance, options: PagesOptions): Promise<{ close(): Promise<void> }> {
  const { runtime, publicUrl } = options
  const {
    web,
    close,
    builtAt = runtime.clock.now(),
    hash = null,
  } = options.isDevelopment ? await fromSources(app) : await fromBuild(app, options.site)
  const api = inProcessClient(app)
  const fixed = {
    testMode: options.isDemo,
    publicUrl,
    network: options.network,
    socialLogins: buttonsOf(options.socialLogins),
    build: hash === null ? null : { version: options.version, hash },
  }
  const configNow = (): PageRequest['config'] => ({
    ...fixed,
    ...configOf(options.site(), options.comingTexts()),
  })
  const siteName = () => options.site().name
  const { isDemo, isDevelopment } = options
  const answerPage = pageAnswers({
    web,
    api,
    runtime,
    games: options.games,
    configNow,
    lookNow: () => lookOf(options.site()),
    shield: { isHttps: publicUrl.startsWith('https:'), isDemo, isDevelopment },
  })

  siteRoutes(app, {
    api,
    games: options.games,
    clock: runtime.clock,
    publicUrl,
    builtAt,
    listedPages: web.listedPages(),
    siteName,
  })

  // A file of an older build, or of none: the client has no use for a page.
  app.get('/assets/*', async (_request, reply) =>
    reply.code(404).type('text/plain; charset=utf-8').send('There is no such file.\n'),
  )
  app.get('/*', async (request, reply) => {
    if (isApiPath(request.url)) return reply.callNotFound()
    return await answerPage(request, reply)
  })
  return { close }
}

/** Facebook's secret, and the addresses of the APIs, stay on the server. */
function buttonsOf({ google, facebook, twitter }: SocialLogins): PageRequest['config']['socialLogins'] {
  return {
    google: google === null ? null : { clientId: google.clientId, authUrl: google.authUrl },
    facebook: facebook === null ? null : { clientId: facebook.appId, authUrl: facebook.authUrl },
    twitter: twitter === null ? null : { clientId: twitter.clientId, authUrl: twitter.authUrl },
  }
}

/** What renders the pages. */
interface Renderer {
  readonly web: Web<Response>
  /** When the pages were built, in epoch seconds. */
  readonly builtAt?: number
  /** The build's hash, if there is a build. */
  readonly hash?: string
  close(): Promise<void>
}

async function fromBuild(app: FastifyInstance, site: () => Site): Promise<Renderer> {
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
    globIgnore: ['**/.vite/**', '**/*.br', '**/*.gz', MANIFEST],
    // The build has put a compressed copy beside each file worth it.
    preCompressed: true,
    setHeaders(reply, path) {
      // A built file has its content's hash in its name; other files are checked again each time.
      const isNamedByContent = path.startsWith(assets)
      const control = isNamedByContent ? `public, max-age=${ONE_YEAR_SECONDS}, immutable` : 'no-cache'
      reply.header('cache-control', control)
      // Programs to be saved and run away from this site, which may not lend them its name.
      if (path.startsWith(programs)) reply.header('content-disposition', 'attachment')
    },
  })
  const installed = JSON.parse(await readFile(new URL(MANIFEST, client), 'utf8')) as Record<string, unknown>
  app.get(`/${MANIFEST}`, async (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .type('application/manifest+json')
      .send(JSON.stringify(manifestOf(installed, site()))),
  )
  // The entry of the web's own build; its source exports the type above.
  const entry = (await import(new URL('dist/server/entry-server.js', WEB).href)) as Web<Response>
  return { web: entry, builtAt: Math.floor(manifest.mtimeMs / 1000), hash, close: async () => undefined }
}

async function fromSources(app: FastifyInstance): Promise<Renderer> {
  interface DevRenderer {
    readonly middlewares: Parameters<FastifyInstance['use']>[1]
    readonly render: Web<Response>['render']
    readonly listedPages: Web<Response>['listedPages']
    close(): Promise<void>
  }
  // packages/web/dev-server.ts exports this function with the type above.
  const module = (await import(new URL('dev-server.ts', WEB).href)) as { createDevRenderer(): Promise<DevRenderer> }
  const renderer = await module.createDevRenderer()
  await app.register(fastifyMiddie)
  app.use('/', renderer.middlewares)
  // While pages are edited each is rendered.
  const { render, listedPages } = renderer
  const web: Web<Response> = {
    render,
    listedPages,
    renderMissing: async () => null,
    sharedAddress: () => null,
    leadsNowhere: () => false,
    spelledRight: () => null,
  }
  return { web, close: renderer.close }
}

/** The API for the pages while they are rendered: through the routes, without a network in between. */
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
