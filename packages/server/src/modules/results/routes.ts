import { calls } from '@fairball/contract/calls'
import type { WatchData } from '@fairball/contract/schemas/game'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { LIVE_CACHE, route, stream } from '../../http/route.ts'
import type { RateLimit, RateLimits } from '../../kernel/limits.ts'
import { knownGame } from '../games/service.ts'
import {
  checkNumbers,
  latestDraws,
  listDraws,
  listPlays,
  listTickets,
  listWins,
  readDraw,
  readStatistics,
  readWatch,
  type ResultsContext,
} from './service.ts'
import type { WatchTicker } from './watch-ticker.ts'

/** A settled draw never changes again. */
const SETTLED_CACHE = { seconds: 60 } as const
/** Checking numbers is open to everyone, and each check compares with half a year of draws. */
const CHECKS_OF_ADDRESS = { name: 'check-numbers', most: 600, seconds: 900 } as const satisfies RateLimit
/** A watcher with this much unread data is disconnected; its browser reconnects. */
const MAX_BYTES_WAITING = 256 * 1024

/** The calls about the results of draws and plays. */
export function resultsRoutes(
  app: FastifyInstance,
  { results, ticker, limits }: { results: ResultsContext; ticker: WatchTicker; limits: Pick<RateLimits, 'take'> },
): void {
  const okOnce = wrappedOnce()
  route(app, calls.getWins, async ({ player, params }) => okWith(await listWins(results, player.id, params.key)))
  route(app, calls.getPlays, async ({ player, params, query }) =>
    okWith(await listPlays(results, player.id, params.key, query._page)),
  )
  route(app, calls.getTickets, ({ player, query: { _page: page, ...only } }) =>
    listTickets(results, player.id, { page, ...only }),
  )
  route(app, calls.getLatestDraws, () => latestDraws(results), { cache: LIVE_CACHE })
  route(app, calls.getDraws, ({ params, query }) => listDraws(results, params.key, query._page), { cache: LIVE_CACHE })
  route(
    app,
    calls.getDraw,
    async ({ params, cacheFor }) => {
      const draw = await readDraw(results, params.key, params.number)
      if (draw.status === 'DRAWN') cacheFor(SETTLED_CACHE)
      return draw
    },
    { cache: LIVE_CACHE, isOpenToAllOrigins: true },
  )
  route(app, calls.checkNumbers, async ({ params, body, address }) => {
    await limits.take(CHECKS_OF_ADDRESS, address)
    return { results: await checkNumbers(results, params.key, body.lines) }
  })
  route(app, calls.getStatistics, ({ params }) => readStatistics(results, params.key), { cache: LIVE_CACHE })
  route(
    app,
    calls.getWatch,
    async ({ params, player }) => okOnce(await readWatch(results, params.key, player?.id ?? null)),
    { cache: LIVE_CACHE, isShared: true },
  )
  stream(app, calls.streamWatch, async ({ params, player, address }, reply) => {
    const { key } = await knownGame(results.games, params.key)
    sendEvents(reply, (events) => ticker.join(key, { playerId: player?.id ?? null, address, ...events }))
  })
  // Before the server waits for its connections: these would never end on their own.
  app.addHook('preClose', async () => ticker.close())
}

/** What is written to one connection of server-sent events. */
interface EventWriter {
  readonly send: (json: string) => void
  readonly beat: (now: number) => void
  readonly end: () => void
}

/**
 * Turns a reply into server-sent events: `watch` with the draw's data, and `now` with the system's time every few
 * seconds.
 *
 * @param join starts the events and returns what ends them; what it throws is an ordinary error answer
 */
function sendEvents(reply: FastifyReply, join: (events: EventWriter) => () => void): void {
  const { raw } = reply
  if (raw.destroyed) {
    reply.hijack() // the caller hung up before this: no event would remove the watcher
    return
  }
  const write = (text: string): void => {
    if (raw.writableEnded) return // the process ends the watching while others are still being sent data
    if (raw.writableLength > MAX_BYTES_WAITING) raw.destroy()
    else raw.write(text)
  }
  const leave = join({
    send: (json) => write(`event: watch\ndata: ${json}\n\n`),
    beat: (now) => write(`event: now\ndata: ${now}\n\n`),
    end: () => void raw.end(),
  })
  raw.on('close', leave)
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  raw.setHeader('content-type', 'text/event-stream; charset=utf-8')
  raw.setHeader('cache-control', 'no-store')
  // A proxy that collects answers before passing them on would hold the balls back.
  raw.setHeader('x-accel-buffering', 'no')
  raw.flushHeaders()
}

/** Visitors at the same moment get the same data: wrapped as one object, it is serialised once (`isShared`). */
function wrappedOnce() {
  const wrapped = new WeakMap<WatchData, Ok<WatchData>>()
  return (data: WatchData): Ok<WatchData> => {
    const known = wrapped.get(data)
    if (known !== undefined) return known
    const fresh = okWith(data)
    wrapped.set(data, fresh)
    return fresh
  }
}

interface Ok<Data> {
  ok: true
  data: Data
}

function okWith<Data>(data: Data): Ok<Data> {
  return { ok: true, data }
}
