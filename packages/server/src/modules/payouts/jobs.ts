import type { Tx } from '../../db/pool.ts'
import type { JobHandler, JobPayload } from '../../jobs/job.ts'
import { cancelBatch } from './cancelling.ts'
import type { PayoutsContext } from './context.ts'
import type { LightningPayouts } from './lightning-context.ts'
import { stepLightning } from './lightning-steps.ts'
import { COMPARE_SECONDS, watchLightning } from './lightning-watching.ts'
import { beginPartners, makePayouts } from './prizes.ts'
import { makeReturns } from './returns.ts'
import { confirmBatch, sendBatch } from './sending.ts'
import { signBatch } from './signing.ts'
import { batchIdOf, RECONCILE_SECONDS } from './steps.ts'
import { reconcileWallet } from './wallet-checks.ts'

/** Background jobs of payouts. */
export function payoutJobs(ctx: PayoutsContext): JobHandler[] {
  const { lightning } = ctx
  const asking = { mode: 'outside', asks: 'wallet' } as const
  return [
    lightning === null
      ? { kind: 'payouts.make', mode: 'transaction', run: async (tx) => void (await makePayouts(ctx, tx)) }
      : { kind: 'payouts.make', mode: 'outside', run: (_payload, { finish }) => makeBothWays(ctx, lightning, finish) },
    ...lightningJobs(ctx),
    { kind: 'payouts.partners', mode: 'outside', run: () => beginPartners(ctx) },
    { kind: 'payouts.return', ...asking, run: () => makeReturns(ctx) },
    { kind: 'payouts.sign', ...asking, run: (payload: JobPayload) => signBatch(ctx, batchIdOf(payload)) },
    { kind: 'payouts.send', ...asking, run: (payload: JobPayload) => sendBatch(ctx, batchIdOf(payload)) },
    { kind: 'payouts.confirm', ...asking, run: (payload: JobPayload) => confirmBatch(ctx, batchIdOf(payload)) },
    { kind: 'payouts.cancel', ...asking, run: (payload: JobPayload) => cancelBatch(ctx, batchIdOf(payload)) },
    { kind: 'payouts.reconcile', ...asking, everySeconds: RECONCILE_SECONDS, run: () => reconcileWallet(ctx) },
  ]
}

/** Asks the node what it can send, and makes what goes over Lightning and over the chain, in one transaction. */
async function makeBothWays(
  ctx: PayoutsContext,
  { watch }: LightningPayouts,
  finish: (tx: Tx) => Promise<void>,
): Promise<void> {
  const room = await watch.room()
  await ctx.db.transaction(async (tx) => {
    // First, so that what becomes payable from now on adds a job of its own.
    await finish(tx)
    await makePayouts(ctx, tx, room)
  })
}

function lightningJobs({ lightning, ...ctx }: PayoutsContext): JobHandler[] {
  if (lightning === null) return []
  const sending = { ...ctx, lightning }
  return [
    {
      kind: 'lightning.step',
      mode: 'outside',
      asks: 'lightning',
      mostlyWaits: true,
      run: (payload) => stepLightning(sending, BigInt(payload['payoutId'] as string)), // see addLightningStep
    },
    {
      kind: 'lightning.compare',
      mode: 'outside',
      asks: 'lightning',
      everySeconds: COMPARE_SECONDS,
      run: () => watchLightning(sending),
    },
  ]
}
