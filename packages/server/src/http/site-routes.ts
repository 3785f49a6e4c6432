import { createHash } from 'node:crypto'
import type { Client } from '@fairball/contract/client'
import { ApiError } from '@fairball/contract/client'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../runtime/runtime.ts'
import { SharedAnswer } from '../runtime/shared-answer.ts'
import { hasTag } from './entity-tags.ts'
import { PRIVATE_PATHS } from './private-paths.ts'
import { imageStore } from './share/image-store.ts'
import type { Image } from './share/image-store.ts'
import { drawImage, gameImage, siteImage } from './share/share-image.ts'
import type { SharedGame } from './share/share-image.ts'
import { sitemapOf } from './sitemap.ts'

/** How long a sitemap is served before it is made again: search engines request it a few times a day. */
const SITEMAP_SECONDS = 600
const ONE_DAY_SECONDS = 86_400

/** A game of the site, offered or retired. */
export type NamedGame = Omit<SharedGame, 'pick' | 'pool'>

interface SiteRoutesOptions {
  /** Answers the calls of the contract in-process, as for a visitor without a token. */
  readonly api: Pick<Client, 'call'>
  /** Every game there is, by its key and by each alias. */
  readonly games: () => Promise<ReadonlyMap<string, NamedGame>>
  readonly clock: Pick<Clock, 'now'>
  readonly publicUrl: string
  /** When the pages were built, in epoch seconds. */
  readonly builtAt: number
  /** The name of the site, now. */
  readonly siteName: () => string
  /** The pages of the sitemap, from the web's table of pages. */
  readonly listedPages: readonly string[]
}

/**
 * What search engines and other sites request: `/robots.txt`, `/sitemap.xml`, and the pictures that go with links; and
 * for the pages `/now`, the lottery's time.
 */
export function siteRoutes(app: FastifyInstance, options: SiteRoutesOptions): void {
  const { api, clock, publicUrl, siteName } = options
  // The time of the lottery, for pages that visitors share: they are older than it, by a second or by a minute.
  app.get('/now', async (_request, reply) =>
    reply.code(204).header('cache-control', 'no-store').header('x-fairball-now', String(clock.now())).send(),
  )
  app.get('/robots.txt', async (request, reply) =>
    answer(request, reply, { type: 'text/plain; charset=utf-8', body: robotsOf(publicUrl), maxAge: SITEMAP_SECONDS }),
  )

  const sitemap = new SharedAnswer<string>(() => clock.now(), SITEMAP_SECONDS)
  app.get('/sitemap.xml', async (request, reply) => {
    const body = await sitemap.get(() => sitemapOf(options))
    return await answer(request, reply, { type: 'application/xml; charset=utf-8', body, maxAge: SITEMAP_SECONDS })
  })

  const images = imageStore()
  const pictureOf = (of: string, make: (siteName: string) => Promise<Buffer>, maxAge: number) => {
    const name = siteName()
    return images.get(`${of} ${name}`, () => make(name), maxAge)
  }
  const answerImage = async (request: FastifyRequest, reply: FastifyReply, image: Promise<Image | null>) => {
    const made = await image
    if (made === null)
      return await reply.code(404).type('text/plain; charset=utf-8').send('There is no such picture.\n')
    return await answer(request, reply, { type: 'image/png', ...made })
  }
  app.get('/share/fairball.png', async (request, reply) => {
    const games = await sharedGames(api)
    const of = `site ${games.map(lookOf).join(' ')}`
    return await answerImage(
      request,
      reply,
      pictureOf(of, (name) => siteImage(games, name), ONE_DAY_SECONDS),
    )
  })
  app.get<{ Params: { key: string } }>('/share/game/:key.png', async (request, reply) => {
    const game = await gameOf(options, request.params.key)
    const image = game === null ? null : pictureOf(lookOf(game), (name) => gameImage(game, name), ONE_DAY_SECONDS)
    return await answerImage(request, reply, Promise.resolve(image))
  })
  app.get<{ Params: { key: string; number: string } }>('/share/game/:key/draw/:number.png', async (request, reply) =>
    answerImage(request, reply, drawPicture(request.params.key, request.params.number)),
  )

  async function drawPicture(key: string, text: string): Promise<Image | null> {
    const game = await gameOf(options, key)
    if (game === null || !/^[1-9]\d{0,8}$/u.test(text)) return null
    const number = Number(text)
    try {
      const { datetime, numbers, status } = await api.call('getDraw', { params: { key, number } })
      const isVoid = status === 'VOID'
      // The numbers of a draw never change once they exist; until then the picture may be about to.
      const maxAge = status === 'DRAWN' || isVoid ? ONE_DAY_SECONDS : 60
      const draw = { number, startAt: datetime, numbers, isVoid }
      return await pictureOf(`${lookOf(game)} ${number} ${status}`, (name) => drawImage(game, draw, name), maxAge)
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null
      throw error
    }
  }
}

/** @returns the content of a game's pictures, which links to a retired one need too; null for an unknown key */
async function gameOf(
  { api, games }: Pick<SiteRoutesOptions, 'api' | 'games'>,
  keyOrAlias: string,
): Promise<SharedGame | null> {
  const game = (await games()).get(keyOrAlias)
  if (game === undefined) return null
  const { key, name, accent, pattern } = game
  const [newest] = await api.call('getGameVersions', { params: { key } })
  return newest === undefined ? null : { key, name, accent, pattern, pick: newest.rules.pick, pool: newest.rules.pool }
}

async function sharedGames(api: Pick<Client, 'call'>): Promise<SharedGame[]> {
  const games = await api.call('getGames')
  return games.map(({ key, name, color, pattern, sets: [set] }) => {
    return { key, name, accent: color, pattern, pick: set?.n ?? 0, pool: set?.N ?? 0 }
  })
}

/** All that a game's picture shows of it, as the picture's name. */
function lookOf({ key, name, accent, pattern }: SharedGame): string {
  return [key, name, accent, pattern].join(' ')
}

function robotsOf(publicUrl: string): string {
  return [
    'User-agent: *',
    ...PRIVATE_PATHS.map((path) => `Disallow: ${path}`),
    'Disallow: /api/v1/dev/',
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n')
}

/** Answers with the content, or with 304 to a caller that has it already. */
async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body, maxAge }: { type: string; body: string | Buffer; maxAge: number },
): Promise<unknown> {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  void reply.header('etag', etag).header('cache-control', `public, max-age=${maxAge}`)
  if (hasTag(request.headers['if-none-match'], etag)) return await reply.code(304).send()
  return await reply.type(type).send(body)
}
