// L7: two thousand browsers poll the watch page's data every second, and two thousand receive it as a stream, through
// one draw. Measures how late the balls arrive (from their due time by the product's clock), the response time, and the
// event loop delay that the process reports in /metrics.
// G3: twenty thousand poll through nginx (load/watchers-of-cache.ts), until after the first ball of another draw.
// Run: node trials/bench/watchers.ts [--watchers=2000] [--balls=5] [--through=20000] [--only=live,cache]
import { setTimeout as sleep } from 'node:timers/promises'
import { SECONDS_AFTER_LAST_BALL } from '@fairball/domain/draw-phase'
import { type Figure, inMs, judged, report, whole } from './load/figures.ts'
import { fillDraw } from './load/fill.ts'
import { namesOf, wholeFlag } from './load/flags.ts'
import { openEvents, requestBytes } from './load/http-load.ts'
import { Latencies } from './load/latencies.ts'
import { rulesOfGame, seedPlayers } from './load/players.ts'
import { pollEachSecond } from './load/polling.ts'
import { metricOf } from './load/process.ts'
import { addressOf } from '../product.ts'
import { type Draw, findDraw, onStage, type Stage } from './load/stage.ts'
import { COME_BEFORE_SECONDS, watchersOfCache } from './load/watchers-of-cache.ts'

const GAME = 'bitcoin-hero'
const GOAL_WATCHERS = 2000
const WATCHERS = wholeFlag('watchers', GOAL_WATCHERS)
const THROUGH = wholeFlag('through', 20_000)
const PARTS = namesOf('only') ?? ['live', 'cache']
const BALLS = Math.min(wholeFlag('balls', rulesOfGame(GAME).pick), rulesOfGame(GAME).pick)
const SECONDS_A_BALL = 20
const PLAYERS = 10
const LINES_A_PLAY = 100
/** Number of watchers that connect at a time. */
const COME_AT_ONCE = 100
const LEAD_SECONDS = 15
const MAX_MS = 200
const MAX_DELAY_MS = 50
/** Time after the last due event in which late ones are still awaited, in ms. */
const PATIENCE_MS = 5000
const METRIC = 'nodejs_eventloop_lag_p99_seconds'
const LOOK_MS = 5000

await onStage(async (stage) => {
  const figures: Figure[] = []
  const players = await seedPlayers(stage, PLAYERS)
  const playerIds = players.map(({ id }) => id)
  if (PARTS.includes('live')) figures.push(...(await liveWatchers(stage, playerIds)))
  if (PARTS.includes('cache')) {
    const draw = await playedDraw(stage, playerIds)
    await stage.moveClock(draw.start_at - COME_BEFORE_SECONDS)
    const firstBallMs = (draw.start_at + SECONDS_A_BALL - stage.clock.offsetSeconds()) * 1000
    figures.push(...(await watchersOfCache(stage, { draw, firstBallMs, watchers: THROUGH })))
  }
  report(figures)
})

/** Those who poll the product itself, next to those who follow its stream, through one draw. */
async function liveWatchers(stage: Stage, playerIds: readonly string[]): Promise<Figure[]> {
  const { client } = stage
  const draw = await playedDraw(stage, playerIds)
  await stage.moveClock(draw.start_at - LEAD_SECONDS - WATCHERS / COME_AT_ONCE)

  const arrivals = new Map<string, Latencies>()
  const listeners = await open(stage, (data, nowMs) => {
    const due = dueMsOf(stage, draw, data)
    if (due === null) return
    const latencies = arrivals.get(data) ?? new Latencies()
    arrivals.set(data, latencies)
    latencies.add(Math.max(0, nowMs - due))
  })
  let isOver = false
  let most = 0
  await metricOf(client, METRIC)
  const watching = (async () => {
    while (!isOver) {
      await sleep(LOOK_MS)
      most = Math.max(most, await metricOf(client, METRIC))
    }
  })()
  const lastAt =
    BALLS < rulesOfGame(GAME).pick ? draw.start_at + BALLS * SECONDS_A_BALL : draw.end_at - SECONDS_AFTER_LAST_BALL
  const polled = await pollEachSecond({
    port: stage.product.port,
    path: `/api/v1/games/${GAME}/watch`,
    watchers: WATCHERS,
    untilMs: (lastAt - stage.clock.offsetSeconds()) * 1000 + PATIENCE_MS,
  })
  isOver = true
  await watching
  for (const listener of listeners) listener.close()

  const shown = [...arrivals].filter(([, latencies]) => latencies.count > 0)
  const missing = shown.reduce((sum, [, latencies]) => sum + WATCHERS - latencies.count, 0)
  const worst = Math.max(...shown.map(([, latencies]) => latencies.quantile(0.99)))
  const { errors } = polled
  const p99 = polled.latencies.quantile(0.99)
  return [
    {
      id: 'L7',
      what: `${whole(WATCHERS)} watchers poll each second, next to as many live ones`,
      figure: `p99 ${inMs(p99)} of ${whole(polled.latencies.count)}, ${whole(errors)} errors`,
      goal: `p99 ≤ ${MAX_MS} ms, 0 errors`,
      isMet: judgedHere(p99 <= MAX_MS && errors === 0),
    },
    {
      id: 'L7',
      what: `${whole(shown.length)} changes of a draw to ${whole(WATCHERS)} live watchers`,
      figure: `p99 ${inMs(worst)} after it is due, of the slowest change; ${whole(missing)} missing`,
      goal: `p99 ≤ ${MAX_MS} ms, none missing`,
      isMet: judgedHere(shown.length >= BALLS && worst <= MAX_MS && missing === 0),
    },
    {
      id: 'L7',
      what: 'event loop delay p99 meanwhile, from /metrics',
      figure: inMs(most * 1000),
      goal: `≤ ${MAX_DELAY_MS} ms`,
      isMet: judgedHere(most * 1000 <= MAX_DELAY_MS),
    },
  ]
}

function judgedHere(isGood: boolean): boolean | null {
  return judged(isGood, WATCHERS, GOAL_WATCHERS)
}

/** A draw with entries: an empty one is not held. */
async function playedDraw(stage: Stage, playerIds: readonly string[]): Promise<Draw> {
  const draw = await findDraw(stage, { secondsOpen: 600, gameKey: GAME })
  const entries = PLAYERS * LINES_A_PLAY
  await fillDraw(stage.db, { draw, entries, linesAPlay: LINES_A_PLAY, playerIds, at: stage.clock.now() })
  return draw
}

/**
 * The due time of a change of the show, derived from the number of balls it shows. Null if it is not a ball of this
 * draw. The prizes follow the settlement, so they have no due time.
 */
function dueMsOf({ clock }: Stage, draw: Draw, data: string): number | null {
  const { draw: balls, prizes } = JSON.parse(data) as { draw: (number | boolean)[]; prizes: unknown } // by contract
  if (prizes !== false) return null
  const shown = balls.filter((ball) => typeof ball === 'number').length
  if (shown === 0) return null
  return (draw.start_at + shown * SECONDS_A_BALL - clock.offsetSeconds()) * 1000
}

/** Opens all streams. @param onData receives the data of each event of the draw, and its arrival time */
async function open({ product }: Stage, onData: (data: string, nowMs: number) => void) {
  const listeners = []
  for (let come = 0; come < WATCHERS; come += COME_AT_ONCE) {
    const step = Array.from({ length: Math.min(COME_AT_ONCE, WATCHERS - come) }, (_, place) =>
      openEvents(product.port, requestFrom(come + place), (text) => {
        const nowMs = Date.now()
        for (const [, data] of text.matchAll(/event: watch\ndata: (.+)\n\n/g))
          if (data !== undefined) onData(data, nowMs)
      }),
    )
    await Promise.all(step.map(({ opened }) => opened))
    listeners.push(...step)
  }
  return listeners
}

/** The request for the stream; 50 watchers share a network address. */
function requestFrom(watcher: number): Buffer {
  const headers = { 'x-forwarded-for': addressOf(Math.floor(watcher / 50)) }
  return requestBytes({ path: `/api/v1/games/${GAME}/watch/stream`, headers })
}
