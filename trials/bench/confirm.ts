// L4: from the confirmed payment to the PAID order with its plays, postings and message to the player. For a minute
// payments are confirmed slightly faster than the goal, through the product's job queue. Then no more arrive, and the
// queue drains.
// Run: node trials/bench/confirm.ts [--seconds=60] [--rate=200] [--long] (--long takes five minutes)
import { setTimeout as sleep } from 'node:timers/promises'
import { startBaselines } from './load/baselines.ts'
import { perSecond, report, whole } from './load/figures.ts'
import { hasFlag, wholeFlag } from './load/flags.ts'
import { isWorkDue, payOrders, standingOf, writeOpenOrders } from './load/payments.ts'
import { seedPlayers } from './load/players.ts'
import { nextDraws, onStage, type Stage } from './load/stage.ts'

const SECONDS = wholeFlag('seconds', hasFlag('long') ? 300 : 60)
const BASELINE_SECONDS = 10
const GAME = 'bitcoin-hero'
const LINES = 3
const LEAST_RATIO = 0.1
/** Factor by which the load exceeds the goal: at exactly the goal's rate, nothing could reach it. */
const SURPLUS = 1.25
const PLAYERS = 1000
const STEP_MS = 50
const LOOK_MS = 250

await onStage(async (stage) => {
  const { product, db, clock } = stage
  const baselines = await startBaselines(product.dataDir)
  const before = await baselines.measure('transaction', BASELINE_SECONDS)
  const rate = wholeFlag('rate', Math.ceil(before.perSecond * LEAST_RATIO * SURPLUS))
  const orders = rate * SECONDS
  const playerIds = (await seedPlayers(stage, PLAYERS)).map(({ id }) => id)
  const draws = await nextDraws(stage, GAME)
  const ids = await writeOpenOrders(db, { orders, lines: LINES, draws, playerIds, at: clock.now() })

  const startMs = performance.now()
  for (let paid = 0; paid < orders;) {
    const due = Math.min(orders, Math.ceil(((performance.now() - startMs) / 1000) * rate))
    await payOrders(db, ids.slice(paid, due), clock.now())
    paid = due
    await sleep(STEP_MS)
  }
  const burstMs = performance.now() - startMs
  const meanwhile = await standingOf(db, clock.now())
  // Leased jobs and later retries are not due, so the orders are only counted once nothing is due.
  while ((await isWorkDue(db, clock.now())) || (await standingOf(db, clock.now())).paid < orders) {
    if (performance.now() - startMs > 10 * burstMs)
      throw new Error(`not drained: ${JSON.stringify(await standingOf(db, clock.now()))}`)
    await sleep(LOOK_MS)
  }
  const drainMs = performance.now() - startMs - burstMs
  const after = await baselines.measure('transaction', BASELINE_SECONDS)
  await baselines.stop()

  const problems = await problemsOf(stage, { orders, plays: orders * draws.length })
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  const baseline = (before.perSecond + after.perSecond) / 2
  const paidRate = (meanwhile.paid * 1000) / burstMs
  const ratio = paidRate / baseline
  const isWhole = problems.length === 0
  report([
    {
      id: 'L4',
      what: `payment confirmed → PAID, plays, postings, news; ${rate}/s confirmed for ${SECONDS} s`,
      figure: `${perSecond(paidRate)}, ${whole(orders)} orders in all`,
      baseline: `C ${perSecond(baseline)}`,
      ratio,
      goal: `≥ ${LEAST_RATIO.toFixed(2)} C, every order whole`,
      isMet: ratio >= LEAST_RATIO && isWhole,
    },
    {
      id: 'L4',
      what: 'the queue drains',
      figure: `${(drainMs / 1000).toFixed(1)} s after the burst, ${whole(orders - meanwhile.paid)} orders left by it`,
      baseline: `the burst, ${(burstMs / 1000).toFixed(1)} s`,
      ratio: drainMs / burstMs,
      goal: '≤ 1 × the burst',
      isMet: drainMs <= burstMs,
    },
  ])
})

/** Checks that every order has its plays, its transfer and its message, and that no invariant is broken. */
async function problemsOf(stage: Stage, wanted: { orders: number; plays: number }): Promise<string[]> {
  const { rows } = await stage.db.query<{ plays: number; transfers: number; messages: number }>(
    `select (select count(*)::int from plays) as plays, (select count(*)::int from messages) as messages,
       (select count(*)::int from transfers where event = 'order.paid') as transfers`,
  )
  const [found] = rows
  const isWhole = found?.plays === wanted.plays && found.transfers === wanted.orders && found.messages === wanted.orders
  const missing = isWhole ? [] : [`${wanted.orders} orders are PAID, and there are ${JSON.stringify(found)}`]
  return [...missing, ...(await stage.violations())]
}
