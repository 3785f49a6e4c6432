import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import type { Tx } from '../../db/pool.ts'
import type { JobHandler } from '../../jobs/job.ts'
import type { FairnessContext, LogContext } from './context.ts'
import { DAY_SECONDS } from './days.ts'
import { statePaid } from './paid.ts'
import { stateSolvency } from './solvency.ts'
import { witnessJobs } from './witness-jobs.ts'

const PAID = 'fairness.paid'
const SOLVENCY = 'fairness.solvency'

/** What the daily statements need beside the ledger. */
interface Money {
  readonly network: BitcoinNetwork
  /** what the wallets hold, in sats */
  readonly heldSats: () => Promise<bigint>
}

/** Adds the daily statements of the next day: one of each, however many processes ask. */
export async function stateDaily(ctx: Pick<LogContext, 'jobs' | 'runtime'>, tx: Tx): Promise<void> {
  for (const kind of [PAID, SOLVENCY]) await addNext(ctx, tx, kind)
}

/** Background jobs of the log: requests to its witnesses and its daily statements. */
export function fairnessJobs(ctx: FairnessContext, { network, heldSats }: Money): JobHandler[] {
  const daily = (kind: string, state: () => Promise<void>): JobHandler => ({
    kind,
    mode: 'outside',
    everySeconds: DAY_SECONDS,
    run: async () => {
      await ctx.db.transaction((tx) => addNext(ctx, tx, kind))
      await state()
    },
  })
  return [
    ...witnessJobs(ctx),
    daily(PAID, () => statePaid(ctx, network)),
    daily(SOLVENCY, async () => stateSolvency(ctx, await heldSats())),
  ]
}

async function addNext({ jobs, runtime }: Pick<LogContext, 'jobs' | 'runtime'>, tx: Tx, kind: string): Promise<void> {
  const runAt = (Math.floor(runtime.clock.now() / DAY_SECONDS) + 1) * DAY_SECONDS
  await jobs.add(tx, kind, {}, { key: `${kind}:${runAt}`, runAt })
}
