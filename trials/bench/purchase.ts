// L3: buying. An order of three lines in two draws, with a new key each time, against a durable transaction of two
// statements and against pgbench on the same server.
// Run: node trials/bench/purchase.ts [--seconds=20]
import { CONNECTIONS, measurePgbench, NO_PGBENCH, startBaselines } from './load/baselines.ts'
import { type Figure, inMs, perSecond, report, whole } from './load/figures.ts'
import { wholeFlag } from './load/flags.ts'
import { closedLoop } from './load/http-load.ts'
import { inTurn, orderBytes, seedPlayers } from './load/players.ts'
import { onStage } from './load/stage.ts'

const SECONDS = wholeFlag('seconds', 20)
const WARM_UP_SECONDS = 3
const GAME = 'bitcoin-hero'
const LINES = 3
const DAYS = [2, 5] as const
const LEAST_RATIO = 0.1
const MAX_MS = 250
/**
 * Highest expected rate, in orders a second. It sets the number of players, so that none exceeds the limit of unpaid
 * orders.
 */
const MAX_PER_SECOND = 3000
const ORDERS_A_PLAYER = 40

await onStage(async (stage) => {
  const { product, db } = stage
  const players = await seedPlayers(stage, Math.ceil(((SECONDS + WARM_UP_SECONDS) * MAX_PER_SECOND) / ORDERS_A_PLAYER))
  const nextPlayer = inTurn(players)
  const baselines = await startBaselines(product.dataDir)
  const before = await baselines.measure('transaction', SECONDS)
  let answered = 0
  const result = await closedLoop({
    port: product.port,
    connections: CONNECTIONS,
    seconds: SECONDS,
    warmUpSeconds: WARM_UP_SECONDS,
    isGood: (status) => status === 201,
    next: () => orderBytes(nextPlayer(), { gameKey: GAME, days: DAYS, lines: LINES }),
    onAnswer: () => (answered += 1),
  })
  const after = await baselines.measure('transaction', SECONDS)
  await baselines.stop()
  const tps = await measurePgbench(product.dataDir, SECONDS)
  if (tps === null) process.stdout.write(`${NO_PGBENCH}.\n`)

  const problems = await problemsOf(answered)
  if (result.errors.size > 0) problems.push(result.firstError)
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  const baseline = (before.perSecond + after.perSecond) / 2
  const ratio = result.perSecond / baseline
  const p99 = result.latencies.quantile(0.99)
  const what = `POST /payment, ${LINES} lines × ${DAYS.length} draws`
  const figure: Figure = {
    id: 'L3',
    what,
    figure: `${perSecond(result.perSecond)}, p99 ${inMs(p99)}, ${whole(answered)} orders`,
    baseline: `C ${perSecond(baseline)}`,
    ratio,
    goal: `≥ ${LEAST_RATIO.toFixed(2)} C, p99 ≤ ${MAX_MS} ms, 0 errors`,
    isMet: ratio >= LEAST_RATIO && p99 <= MAX_MS && problems.length === 0,
  }
  if (tps === null) return report([figure])
  const besidePgbench: Figure = {
    id: 'L3',
    what: `${what}, beside pgbench`,
    figure: perSecond(result.perSecond),
    baseline: `D ${perSecond(tps)}`,
    ratio: result.perSecond / tps,
    isMet: null,
  }
  report([figure, besidePgbench])

  /** Checks that every acknowledged order exists and is complete. */
  async function problemsOf(orders: number): Promise<string[]> {
    const { rows } = await db.query<{ orders: number; lines: number; invoices: number }>(
      `select count(*)::int as orders, (select sum(cardinality(masks))::int from order_lines) as lines,
         (select count(*)::int from invoices) as invoices from orders`,
    )
    const [found] = rows
    if (found?.orders === orders && found.lines === orders * LINES && found.invoices === orders)
      return await stage.violations()
    return [`${orders} orders were answered, and there are ${JSON.stringify(found)}`, ...(await stage.violations())]
  }
})
