// G3: watchers of one draw who poll each second through nginx with the project's configuration.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '@fairball/server/testing/fixtures'
import { hasNginx, startNginx } from '../../nginx.ts'
import type { CrowdFigures, CrowdSettings } from './crowd.ts'
import { type Figure, inMs, judged, whole } from './figures.ts'
import { processorMs } from './process.ts'
import type { Draw, Stage } from './stage.ts'

const GOAL_WATCHERS = 20_000
const MAX_MS = 200
/** Connections of one process: a usual limit of descriptors is 20,000, of which it needs some for itself. */
const MOST_OF_A_CROWD = 10_000
/** Time in which the watchers come, in ms. */
const COMING_MS = 15_000
/** How long before the start they begin to come, in seconds. */
export const COME_BEFORE_SECONDS = 20
/** Time after the first ball in which they still poll, in ms. */
const AFTER_MS = 5_000
const ROUTE = '/api/v1/games/:key/watch'

/**
 * @param draw that is about to start: the watchers poll until after its first ball
 * @param firstBallMs when that ball is due, by this computer's clock
 */
export async function watchersOfCache(
  { product }: Stage,
  { draw, firstBallMs, watchers }: { draw: Draw; firstBallMs: number; watchers: number },
): Promise<Figure[]> {
  if (!hasNginx()) {
    process.stdout.write('nginx is not installed, so G3 is left out\n')
    return []
  }
  const listenPort = await freePort()
  const nginx = await startNginx({ listenPort, servers: [`server 127.0.0.1:${product.port};`] })
  try {
    const before = { own: await processorMs(product.pid), answers: await watchAnswers(product.port) }
    const beganMs = Date.now()
    const settings = {
      port: listenPort,
      path: `/api/v1/games/${draw.game_key}/watch`,
      comingMs: COMING_MS,
      untilMs: firstBallMs + AFTER_MS,
    }
    const sizes = Array.from({ length: Math.ceil(watchers / MOST_OF_A_CROWD) }, (_, nr) =>
      Math.min(MOST_OF_A_CROWD, watchers - nr * MOST_OF_A_CROWD),
    )
    const crowds = await Promise.all(sizes.map((size) => crowd({ ...settings, watchers: size })))
    const seconds = (Date.now() - beganMs) / 1000
    const reached = (await watchAnswers(product.port)) - before.answers
    const ownMs = (await processorMs(product.pid)) - before.own
    const nginxMs = (await Promise.all(nginx.workers().map(processorMs))).reduce((sum, ms) => sum + ms, 0)
    return figuresOf(crowds, { watchers, seconds, reached, ownMs, nginxMs, firstBallMs })
  } finally {
    await nginx.stop()
  }
}

interface Seen {
  readonly watchers: number
  readonly seconds: number
  /** requests for the draw that the product answered */
  readonly reached: number
  /** CPU time of the product meanwhile, in ms */
  readonly ownMs: number
  /** the same of nginx */
  readonly nginxMs: number
  readonly firstBallMs: number
}

function figuresOf(crowds: readonly CrowdFigures[], seen: Seen): Figure[] {
  const sum = (of: (one: CrowdFigures) => number): number => crowds.reduce((total, one) => total + of(one), 0)
  const p99 = Math.max(...crowds.map((one) => one.p99))
  const [answers, errors] = [sum((one) => one.answers), sum((one) => one.errors)]
  const late = Math.max(0, Math.max(...crowds.map((one) => one.lastHiddenMs)) - seen.firstBallMs)
  const judgedHere = (isGood: boolean): boolean | null => judged(isGood, seen.watchers, GOAL_WATCHERS)
  const rate = seen.reached / seen.seconds
  const clientMs = sum((one) => one.processorMs)
  return [
    {
      id: 'G3',
      what: `${whole(seen.watchers)} watchers poll each second through nginx`,
      figure: `p99 ${inMs(p99)} of ${whole(answers)}, ${whole(errors)} errors; CPU of nginx ${whole(seen.nginxMs)} ms, of the bench itself ${whole(Math.round(clientMs))} ms`,
      goal: `p99 ≤ ${MAX_MS} ms, 0 errors`,
      isMet: judgedHere(p99 <= MAX_MS && errors === 0),
    },
    {
      id: 'G3',
      what: 'their requests that reached the product',
      figure: `${whole(seen.reached)} in ${seen.seconds.toFixed(0)} s, ${rate.toFixed(2)}/s; its CPU ${whole(Math.round(seen.ownMs))} ms`,
      goal: '≤ 1/s',
      isMet: judgedHere(rate <= 1),
    },
    {
      id: 'G3',
      what: 'the last of their answers without the first ball',
      figure: `${inMs(late)} after it was due`,
      isMet: null,
    },
  ]
}

async function crowd(settings: CrowdSettings): Promise<CrowdFigures> {
  const child = fork(join(import.meta.dirname, 'crowd.ts'), [JSON.stringify(settings)])
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('watchers ended without their figures')))
  const [figures] = (await Promise.race([once(child, 'message'), ended])) as [CrowdFigures] // by contract
  return figures
}

/** How many requests for a watch page's data the product has answered, by its own measurements. */
async function watchAnswers(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith('fairball_http_requests_total{'))
  const ofWatch = lines.filter((line) => line.includes(`route="${ROUTE}"`))
  return ofWatch.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}
