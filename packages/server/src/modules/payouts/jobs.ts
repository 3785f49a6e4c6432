import type { JobHandler, JobPayload } from '../../jobs/job.ts'
import { cancelBatch } from './cancelling.ts'
import type { PayoutsContext } from './context.ts'
import { beginPartners, makePayouts } from './prizes.ts'
import { makeReturns } from './returns.ts'
import { confirmBatch, sendBatch } from './sending.ts'
import { signBatch } from './signing.ts'
import { batchIdOf, RECONCILE_SECONDS } from './steps.ts'
import { reconcileWallet } from './wallet-checks.ts'

/** Background jobs of payouts. */
export function payoutJobs(ctx: PayoutsContext): JobHandler[] {
  const asking = { mode: 'outside', asks: 'wallet' } as const
  return [
    { kind: 'payouts.make', mode: 'transaction', run: async (tx) => void (await makePayouts(ctx, tx)) },
    { kind: 'payouts.partners', mode: 'outside', run: () => beginPartners(ctx) },
    { kind: 'payouts.return', ...asking, run: () => makeReturns(ctx) },
    { kind: 'payouts.sign', ...asking, run: (payload: JobPayload) => signBatch(ctx, batchIdOf(payload)) },
    { kind: 'payouts.send', ...asking, run: (payload: JobPayload) => sendBatch(ctx, batchIdOf(payload)) },
    { kind: 'payouts.confirm', ...asking, run: (payload: JobPayload) => confirmBatch(ctx, batchIdOf(payload)) },
    { kind: 'payouts.cancel', ...asking, run: (payload: JobPayload) => cancelBatch(ctx, batchIdOf(payload)) },
    { kind: 'payouts.reconcile', ...asking, everySeconds: RECONCILE_SECONDS, run: () => reconcileWallet(ctx) },
  ]
}
