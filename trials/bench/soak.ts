// L9: half of the product's capacity, for a long time. Does its memory or its number of descriptors keep growing? The
// capacity is measured first, with the same mixture in a closed loop. Five minutes reveal a coarse leak; the goal is
// for an hour.
// Run: node trials/bench/soak.ts [--minutes=5] [--hour]
import { setTimeout as sleep } from 'node:timers/promises'
import { inMs, perSecond, report, whole } from './load/figures.ts'
import { hasFlag, wholeFlag } from './load/flags.ts'
import { closedLoop, pacedLoop, type RawAnswer, requestBytes } from './load/http-load.ts'
import { payOrders } from './load/payments.ts'
import { headersOf, inTurn, orderBytes, seedPlayers, type SeededPlayer, signIn } from './load/players.ts'
import { openDescriptors } from './load/process.ts'
import { onStage, type Stage } from './load/stage.ts'
import { slopeOf } from './load/slope.ts'
import { memoryMiB } from '../product.ts'

const MINUTES = wholeFlag('minutes', hasFlag('hour') ? 60 : 5)
const GAME = 'bitcoin-hero'
const PLAYERS = 5000
const CONNECTIONS = 32
const CAPACITY_SECONDS = 15
/** Share of the time that is warm-up and not judged. */
const WARM_UP_PART = 0.25
const SAMPLE_MS = 1000
/** Interval at which tokens are renewed, in ms; they are valid for ten minutes. */
const SIGN_MS = 240_000
/** Out of a hundred requests: orders, each of which is paid, and a player's own pages. The rest are public pages. */
const ORDERS_OF_100 = 2
const OWN_OF_100 = 18
const LEAST_SLOPE_MINUTES = 60
const MAX_MB_IN_10_MINUTES = 1
const MB_IN_MIB = 1.048576
const MAX_MORE_DESCRIPTORS = 5
const PAY_MS = 500

await onStage(async (stage) => {
  const { product } = stage
  const seeded = await seedPlayers(stage, PLAYERS)
  const mixture = await mixtureOf(stage, seeded)
  const whole_ = await closedLoop({ ...mixture.load, connections: CONNECTIONS, seconds: CAPACITY_SECONDS })
  const rate = Math.max(1, Math.round(whole_.perSecond / 2))

  const memory: { minutes: number; value: number }[] = []
  const descriptors: { minutes: number; value: number }[] = []
  const startMs = performance.now()
  let isOver = false
  const looking = (async () => {
    for (let isFirst = true; !isOver; isFirst = false) {
      if (!isFirst) await sleep(SAMPLE_MS)
      const minutes = (performance.now() - startMs) / 60_000
      memory.push({ minutes, value: await memoryMiB(product.pid) })
      descriptors.push({ minutes, value: await openDescriptors(product.pid) })
    }
  })()
  const result = await pacedLoop({
    ...mixture.load,
    connections: CONNECTIONS,
    seconds: MINUTES * 60,
    perSecond: rate,
  })
  isOver = true
  await looking
  await mixture.stop()

  const warmUp = MINUTES * WARM_UP_PART
  const warm = <T extends { minutes: number }>(samples: readonly T[]): T[] =>
    samples.filter(({ minutes }) => minutes >= warmUp)
  const slope = slopeOf(warm(memory).map(({ minutes, value }) => ({ x: minutes / 10, y: value * MB_IN_MIB })))
  const open = warm(descriptors).map(({ value }) => value)
  const middle = Math.floor(open.length / 2)
  const more = Math.max(...open.slice(middle)) - Math.max(...open.slice(0, middle))
  const problems = await stage.violations()
  if (whole_.errors.size > 0) problems.push(whole_.firstError)
  if (result.errors.size > 0) problems.push(result.firstError)
  for (const problem of problems.slice(0, 20)) process.stdout.write(`${problem}\n`)
  const held = warm(memory).map(({ value }) => value)
  const isLong = MINUTES >= LEAST_SLOPE_MINUTES
  report([
    {
      id: 'L9',
      what: `${MINUTES} min of ${perSecond(rate)}: ${ORDERS_OF_100} % orders that are paid, ${OWN_OF_100} % own plays and wins, games and draws`,
      figure: `${whole(result.answers)} answers, p99 ${inMs(result.latencies.quantile(0.99))}, ${problems.length} problems`,
      baseline: `whole load ${perSecond(whole_.perSecond)}`,
      ratio: rate / whole_.perSecond,
      goal: 'no error, no invariant broken',
      isMet: problems.length === 0,
    },
    {
      id: 'L9',
      what: `memory after a warm-up of ${warmUp} min`,
      figure: `${slope.toFixed(2)} MB in 10 min, from ${Math.min(...held).toFixed(0)} to ${Math.max(...held).toFixed(0)} MiB`,
      goal: `< ${MAX_MB_IN_10_MINUTES} MB in 10 min${isLong ? '' : ', judged over an hour'}`,
      // A few minutes of a young heap say little, so only the hour is compared with the goal.
      isMet: isLong ? slope < MAX_MB_IN_10_MINUTES : null,
    },
    {
      id: 'L9',
      what: 'descriptors in the second half, compared with the first',
      figure: `${more <= 0 ? '' : '+'}${more}, ${Math.max(...open)} at most`,
      goal: `no growth (≤ ${MAX_MORE_DESCRIPTORS})`,
      isMet: more <= MAX_MORE_DESCRIPTORS,
    },
  ])
})

/** The mixture of requests, and the payment of its orders. */
async function mixtureOf(stage: Stage, seeded: readonly SeededPlayer[]) {
  const { product, db, clock } = stage
  const nextPublic = inTurn([
    requestBytes({ path: '/api/v1/games' }),
    requestBytes({ path: `/api/v1/games/${GAME}/watch` }),
    requestBytes({ path: `/api/v1/games/${GAME}/draws` }),
  ])
  let nextPlayer = inTurn(seeded)
  let asked = 0
  const unpaid: string[] = []
  let isOver = false

  const paying = (async () => {
    while (!isOver || unpaid.length > 0) {
      await sleep(PAY_MS)
      await payOrders(db, unpaid.splice(0), clock.now())
    }
  })()
  const signing = (async () => {
    for (let signedMs = performance.now(); !isOver; await sleep(PAY_MS)) {
      if (performance.now() - signedMs < SIGN_MS) continue
      signedMs = performance.now()
      nextPlayer = inTurn(await signIn(stage, seeded))
    }
  })()

  const next = (): Buffer => {
    const kind = asked % 100
    asked += 1
    if (kind < ORDERS_OF_100) return orderBytes(nextPlayer(), { gameKey: GAME, days: [2, 5], lines: 3 })
    if (kind >= ORDERS_OF_100 + OWN_OF_100) return nextPublic()
    const what = kind % 2 === 0 ? 'plays' : 'wins'
    return requestBytes({ path: `/api/v1/games/${GAME}/${what}`, headers: headersOf(nextPlayer()) })
  }
  const onAnswer = ({ status, body }: RawAnswer): void => {
    if (status === 201) unpaid.push((JSON.parse(body.toString()) as { transaction_id: string }).transaction_id) // by contract
  }
  return {
    load: { port: product.port, next, onAnswer, isGood: (status: number) => status === 200 || status === 201 },
    async stop(): Promise<void> {
      isOver = true
      await Promise.all([paying, signing])
    },
  }
}
