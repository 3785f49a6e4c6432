// L1 and L2: public pages against a bare route, and a logged-in player's pages against a row read through our pool.
// G1 and G2: pages from the process's own cache and from nginx's, against a bare route with the same bytes.
// Each baseline is measured before and after the loads compared with it.
// Run: node trials/bench/reads.ts [--seconds=15]
import { type BaselineName, type Baselines, CONNECTIONS, startBaselines } from './load/baselines.ts'
import { type Figure, inMs, perSecond, report } from './load/figures.ts'
import { fillDraw } from './load/fill.ts'
import { wholeFlag } from './load/flags.ts'
import { closedLoop, requestBytes } from './load/http-load.ts'
import { pageFigures } from './load/page-figures.ts'
import { headersOf, inTurn, seedPlayers, type SeededPlayer, signIn } from './load/players.ts'
import { findDraw, onStage, type Stage } from './load/stage.ts'

const SECONDS = wholeFlag('seconds', 15)
const GAME = 'bitcoin-hero'
/** Players whose pages are read in turn, each with plays in settled draws and in an open one. */
const PLAYERS = 2000
const SETTLED_DRAWS = 3
const LINES_A_PLAY = 10
const LEAST_RATIO = 0.4
/** The watch page changes every second during a draw's show. After this many seconds the last show is over. */
const AFTER_SHOW_SECONDS = 1200

/** The encodings that every browser accepts, and Node's own client too. */
const AS_BROWSERS = { 'accept-encoding': 'gzip, deflate, br' }
const ANONYMOUS = ['/api/v1/games', `/api/v1/games/${GAME}/watch`] as const
const SIGNED_IN = [`/api/v1/games/${GAME}/watch`, `/api/v1/games/${GAME}/plays`, `/api/v1/games/${GAME}/wins`] as const

await onStage(async (stage) => {
  const players = await play(stage)
  const baselines = await startBaselines(stage.product.dataDir)
  try {
    const anonymous = ANONYMOUS.map((path) => {
      const request = requestBytes({ path, headers: AS_BROWSERS })
      return { path, title: `${path}, as browsers ask for it`, next: inTurn([request]) }
    })
    const signedIn = SIGNED_IN.map((path) => {
      const requests = players.map((player) => requestBytes({ path, headers: headersOf(player) }))
      return { path, title: `${path}, signed in`, next: inTurn(requests) }
    })
    const { port } = stage.product
    report([
      ...(await pageFigures(stage, baselines, { gameKey: GAME, seconds: SECONDS })),
      ...(await against(baselines, 'bare', { id: 'L1', letter: 'A', loads: anonymous, port, mostMs: 20 })),
      ...(await against(baselines, 'row', { id: 'L2', letter: 'B', loads: signedIn, port, mostMs: 50 })),
    ])
  } finally {
    await baselines.stop()
  }
})

/** Makes all players play, and passes some draws. */
async function play(stage: Stage): Promise<SeededPlayer[]> {
  const owners = await seedPlayers(stage, PLAYERS)
  const playerIds = owners.map(({ id }) => id)
  const entries = PLAYERS * LINES_A_PLAY
  for (let nr = 0; nr <= SETTLED_DRAWS; nr += 1) {
    const draw = await findDraw(stage, { secondsOpen: 60, gameKey: GAME })
    await fillDraw(stage.db, { draw, entries, linesAPlay: LINES_A_PLAY, playerIds, at: stage.clock.now() })
    if (nr < SETTLED_DRAWS) await stage.moveClock(draw.end_at + AFTER_SHOW_SECONDS)
  }
  return await signIn(stage, owners)
}

async function against(
  baselines: Baselines,
  name: BaselineName,
  with_: {
    readonly id: string
    readonly letter: string
    readonly port: number
    readonly mostMs: number
    readonly loads: readonly { readonly title: string; readonly next: () => Buffer }[]
  },
): Promise<Figure[]> {
  const { id, letter, port, mostMs, loads } = with_
  const before = await baselines.measure(name, SECONDS)
  const results = []
  for (const { title, next } of loads) {
    const result = await closedLoop({ port, connections: CONNECTIONS, seconds: SECONDS, next })
    if (result.errors.size > 0) process.stdout.write(`${title} failed: ${result.firstError}\n`)
    results.push({ title, result })
  }
  const after = await baselines.measure(name, SECONDS)
  const baseline = (before.perSecond + after.perSecond) / 2
  return results.map(({ title, result }) => {
    const ratio = result.perSecond / baseline
    const p99 = result.latencies.quantile(0.99)
    const errors = [...result.errors.values()].reduce((sum, count) => sum + count, 0)
    return {
      id,
      what: `GET ${title}`,
      figure: `${perSecond(result.perSecond)}, p99 ${inMs(p99)}, ${errors} errors`,
      baseline: `${letter} ${perSecond(baseline)}`,
      ratio,
      goal: `≥ ${LEAST_RATIO.toFixed(2)} ${letter}, p99 ≤ ${mostMs} ms, 0 errors`,
      isMet: ratio >= LEAST_RATIO && p99 <= mostMs && errors === 0,
    }
  })
}
