// The best that this computer can do with minimal overhead. The other benches measure the same baselines in their own
// runs, and compare the product with them.
// Run: node trials/bench/baselines.ts [--seconds=10]
import { type BaselineName, measurePgbench, NO_PGBENCH, startBaselines } from './load/baselines.ts'
import { type Figure, inMs, perSecond, report } from './load/figures.ts'
import { wholeFlag } from './load/flags.ts'
import { onStage } from './load/stage.ts'

const SECONDS = wholeFlag('seconds', 10)

const BASELINES = [
  ['A', 'bare', 'bare Fastify route'],
  ['B', 'row', 'SELECT of one row through our pool'],
  ['C', 'transaction', 'durable transaction of two statements'],
] as const satisfies readonly (readonly [string, BaselineName, string])[]

await onStage(async ({ product }) => {
  const figures: Figure[] = []
  const baselines = await startBaselines(product.dataDir)
  try {
    for (const [id, name, what] of BASELINES) {
      const { perSecond: rate, latencies } = await baselines.measure(name, SECONDS)
      figures.push({ id, what, figure: `${perSecond(rate)}, p99 ${inMs(latencies.quantile(0.99))}`, isMet: null })
    }
  } finally {
    await baselines.stop()
  }
  const tps = await measurePgbench(product.dataDir, SECONDS)
  if (tps === null) process.stdout.write(`${NO_PGBENCH}.\n`)
  else figures.push({ id: 'D', what: 'pgbench (TPC-B like)', figure: perSecond(tps), isMet: null })
  report(figures)
})
