import { createHash } from 'node:crypto'
import type { Game } from '@fairball/contract/schemas/game'
import { LotteryError } from '@fairball/domain/errors'
import { DEFAULT_CURRENCY_CODE } from '@fairball/domain/fiat'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasTag } from '../../http/entity-tags.ts'
import { API_POLICY } from '../../http/security-headers.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { SharedAnswer } from '../../runtime/shared-answer.ts'
import { storedGames } from '../catalogue/service.ts'
import { boardOf, type GamesContext, knownGame, listGames, shownUntil } from '../games/service.ts'
import { latestDraws, newestResults, type ResultsContext } from '../results/service.ts'
import { type CalendarDraw, calendarOf } from './calendar.ts'
import { atomFeedOf, jsonFeedOf } from './feeds.ts'
import { missingWidget, type WidgetGame, widgetOf } from './widget.ts'

/** What feeds and widgets are made from. */
interface PublicContext {
  readonly results: ResultsContext
  readonly games: GamesContext
  readonly runtime: Pick<Runtime, 'clock'>
  readonly publicUrl: string
  readonly isDemo: boolean
  /** the site's name, now */
  readonly siteName: () => string
}

/** Maximum number of results in a feed. */
const MAX_RESULTS = 50
/** How long others may keep an answer. */
const MAX_AGE_SECONDS = 60
/** A result is read once for all who ask within a second of the system's clock. */
const SHARED_SECONDS = 1

/**
 * What other sites and programs read: feeds of results, calendars of draws, and the widget of a game. They tell what
 * the public pages tell, at the same moment: a result exists once the last ball of its draw has been shown.
 */
export function publicIntegrationRoutes(app: FastifyInstance, ctx: PublicContext): void {
  const { clock } = ctx.runtime
  const feed = new SharedAnswer<Parameters<typeof jsonFeedOf>[0]>(() => clock.now(), SHARED_SECONDS)
  const latest = new SharedAnswer<Awaited<ReturnType<typeof latestDraws>>>(() => clock.now(), SHARED_SECONDS)

  app.get('/feeds/results.json', async (request, reply) => {
    const text = jsonFeedOf(await feed.get(() => readFeed(ctx)))
    return await sendOpen(request, reply, 'application/feed+json; charset=utf-8', text)
  })
  app.get('/feeds/results.atom', async (request, reply) => {
    const text = atomFeedOf(await feed.get(() => readFeed(ctx)))
    return await sendOpen(request, reply, 'application/atom+xml; charset=utf-8', text)
  })
  app.get<{ Params: { game: string } }>('/feeds/:game.ics', async (request, reply) => {
    const text = await readCalendar(ctx, request.params.game)
    if (text === null) return reply.code(404).type('text/plain; charset=utf-8').send('This game does not exist.\n')
    return await sendOpen(request, reply, 'text/calendar; charset=utf-8', text)
  })
  app.get<{ Params: { game: string } }>('/embed/:game', async (request, reply) => {
    const site = { name: ctx.siteName(), publicUrl: ctx.publicUrl, isDemo: ctx.isDemo, now: clock.now() }
    const game = await orNull(readWidget(ctx, request.params.game, () => latest.get(() => latestDraws(ctx.results))))
    const { html, policy } = game === null ? missingWidget(site) : widgetOf(game, site)
    void reply
      .removeHeader('x-frame-options')
      .header('content-security-policy', policy)
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('x-robots-tag', 'noindex')
    if (game === null) void reply.code(404)
    return await sendTagged(request, reply, 'text/html; charset=utf-8', html)
  })
}

async function readFeed(ctx: PublicContext): Promise<Parameters<typeof jsonFeedOf>[0]> {
  const [results, games] = await Promise.all([newestResults(ctx.results, MAX_RESULTS), storedGames(ctx.games.db)])
  const names = new Map(games.map(({ key, name }) => [key, name]))
  return {
    siteName: ctx.siteName(),
    publicUrl: ctx.publicUrl,
    results: results.map((result) => ({ ...result, gameName: names.get(result.gameKey) ?? result.gameKey })),
    begunAt: games.reduce((newest, { createdAt }) => Math.max(newest, createdAt), 0),
  }
}

async function readCalendar(ctx: PublicContext, keyOrAlias: string): Promise<string | null> {
  const game = await orNull(knownGame(ctx.games, keyOrAlias))
  if (game === null) return null
  const board = await boardOf(ctx.games, game.key)
  const draws = (board?.forSale ?? []).map((draw): CalendarDraw => ({
    number: draw.number,
    startAt: draw.startAt,
    endAt: shownUntil(draw),
    closesAt: draw.closesAt,
  }))
  const { siteName, publicUrl } = ctx
  const { key: gameKey, name: gameName, createdAt: gameAddedAt } = game
  return calendarOf({ gameKey, gameName, gameAddedAt, siteName: siteName(), publicUrl, draws })
}

/** @throws LotteryError NOT_FOUND */
async function readWidget(
  ctx: PublicContext,
  keyOrAlias: string,
  latest: () => ReturnType<typeof latestDraws>,
): Promise<WidgetGame> {
  const stored = await knownGame(ctx.games, keyOrAlias)
  const [listed, draws] = await Promise.all([listedGame(ctx, stored.key), latest()])
  const last = draws.find(({ game_key }) => game_key === stored.key)?.draw ?? null
  const now = ctx.runtime.clock.now()
  const draw = listed === null ? null : [listed.next_draw, ...listed.open_draws].find(({ end_at }) => end_at > now)
  return {
    ...stored,
    jackpot:
      listed === null
        ? null
        : { crypto: listed.jackpot.crypto, fiat: listed.jackpot.fiat[DEFAULT_CURRENCY_CODE] ?? null },
    draw: draw === null || draw === undefined ? null : { ...draw, startAt: draw.start_at, endAt: draw.end_at },
    note: listed === null ? (stored.state === 'active' ? 'Sales open soon' : 'This game has ended') : listed.sales_note,
    last: last === null ? null : { number: last.number, startAt: last.datetime, numbers: last.numbers },
  }
}

/** The game as the catalogue has it; null if it is not drawn, or no rate is new enough to say anything of it. */
async function listedGame(ctx: PublicContext, key: string): Promise<Game | null> {
  try {
    return (await listGames(ctx.games, null)).find((game) => game.key === key) ?? null
  } catch (error) {
    if (error instanceof LotteryError && error.code === 'RATE_UNAVAILABLE') return null
    throw error
  }
}

async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof LotteryError && error.code === 'NOT_FOUND') return null
    throw error
  }
}

/** Answers scripts of any site. */
async function sendOpen(request: FastifyRequest, reply: FastifyReply, type: string, text: string): Promise<unknown> {
  void reply
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('content-security-policy', API_POLICY)
  return await sendTagged(request, reply, type, text)
}

/** Answers with the text, or with 304 to a caller that has it. The tag is strong: nothing here compresses it. */
async function sendTagged(request: FastifyRequest, reply: FastifyReply, type: string, text: string): Promise<unknown> {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
  void reply.header('etag', etag).header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`)
  if (reply.statusCode === 200 && hasTag(request.headers['if-none-match'], etag)) return await reply.code(304).send()
  return await reply.type(type).send(text)
}
