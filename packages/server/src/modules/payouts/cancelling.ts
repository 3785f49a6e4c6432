import { WalletRefused, WalletUnfit } from '../../ports/wallet/wallet.ts'
import { type Batch, bookCancelled, type Version } from './booking.ts'
import type { PayoutsContext } from './context.ts'
import { isDead, newestOf, outcomeOf, paymentVersion } from './outcome.ts'
import * as queries from './queries.ts'
import {
  addStep,
  addStepAt,
  type BatchState,
  FUNDS_SECONDS,
  LATE_SECONDS,
  nextLookAt,
  RESEND_SECONDS,
  schedulePayouts,
} from './steps.ts'
import { finalSpenders, requestOf, sightingsOf, storeVersion, versionsOf } from './versions.ts'

// Takes back a batch once its bytes exist: by a spend of its coins to ourselves (payments.md section 5).

/** The time that six blocks may take; beyond it a batch that is taken back is late as well. */
export const CANCEL_SECONDS = 3600

/** Takes back a batch whose bytes exist, with a spend of its coins to ourselves, which counts once it is six deep. */
export async function cancelBatch(ctx: PayoutsContext, batchId: bigint): Promise<void> {
  const batch = await ctx.db.one(queries.findBatch, [batchId])
  const versions = await versionsOf(ctx, batchId)
  const isOnItsWay = batch.state === 'SIGNED' || batch.state === 'SENT' || batch.haltedFrom !== null
  const hasNoSelfSpend = batch.state === 'CANCELLING' && versions.every((version) => version.kind === 'pay')
  if (!(isOnItsWay || hasNoSelfSpend) || versions.length === 0) return
  if (!(await ctx.reconciling.mayWork())) {
    const step = { kind: 'payouts.cancel', batchId, runAt: nextLookAt(ctx.runtime.clock.now()) } as const
    return await ctx.db.transaction((tx) => addStepAt(tx, ctx.jobs, step))
  }
  const request = { ...(await requestOf(ctx, batchId)), versions: versions.map(paymentVersion) }
  const number = newestOf(versions).version + 1
  const from: BatchState[] = [batch.state]
  const again = (runAt: number): Promise<void> =>
    ctx.db.transaction((tx) => addStepAt(tx, ctx.jobs, { kind: 'payouts.cancel', batchId, runAt }))
  try {
    const prepared = await ctx.wallet.cancel(request)
    const isStored = await storeVersion(ctx, batchId, { number, kind: 'cancel', from, to: 'CANCELLING', prepared })
    // Another worker bumped the payment's fee meanwhile, or cancelled it: the next attempt finds out which.
    if (!isStored) await again(ctx.runtime.clock.now() + RESEND_SECONDS)
  } catch (error) {
    if (error instanceof WalletUnfit) {
      ctx.runtime.log.error({ batchId: String(batchId), err: error }, 'a payout batch cannot be cancelled yet')
      return await again(ctx.runtime.clock.now() + FUNDS_SECONDS)
    }
    if (!(error instanceof WalletRefused)) throw error
    await cancelWithout(ctx, batch, versions, error)
  }
}

/**
 * No self-spend can be made. If the payment is mined, or never can be, following it is all there is to do. Otherwise
 * the coin is in no block for the moment, or a stranger's spend of it is not deep enough: retry later, and until then
 * the batch keeps its state.
 */
async function cancelWithout(
  ctx: PayoutsContext,
  batch: Batch,
  versions: readonly Version[],
  error: WalletRefused,
): Promise<void> {
  const { is } = outcomeOf(await sightingsOf(ctx, versions))
  const isMined = is === 'confirmed' || is === 'final'
  const isDecided = isMined || isDead(versions, await finalSpenders(ctx, versions))
  const reason = `it cannot be taken back yet: ${error.message}`
  const isNew = await ctx.db.transaction(async (tx) => {
    if (isDecided) {
      if ((await tx.execute(queries.moveBatch, [batch.id, [batch.state], 'CANCELLING', error.message])) === 0)
        return false
      await addStep(tx, ctx.jobs, 'payouts.confirm', batch.id)
      return true
    }
    await addStepAt(tx, ctx.jobs, {
      kind: 'payouts.cancel',
      batchId: batch.id,
      runAt: nextLookAt(ctx.runtime.clock.now()),
    })
    return (await tx.execute(queries.noteReason, [batch.id, [batch.state], reason])) > 0
  })
  if (isNew)
    ctx.runtime.log.error({ batchId: String(batch.id), err: error }, 'nothing can be spent to cancel a payout batch')
}

/** Ends a batch if none of its versions can be mined any more. */
export async function endCancelled(ctx: PayoutsContext, batch: Batch, versions: readonly Version[]): Promise<void> {
  const spenders = await finalSpenders(ctx, versions)
  if (!isDead(versions, spenders)) return await waitForCancelled(ctx, batch, versions)
  const txids = new Set(spenders.values())
  const feeSats = versions.find(({ kind, txid }) => kind === 'cancel' && txids.has(txid))?.feeSats ?? 0n
  await ctx.db.transaction(async (tx) => {
    const locked = await tx.one(queries.lockBatch, [batch.id])
    if ((await tx.execute(queries.moveBatch, [batch.id, ['CANCELLING'], 'CANCELLED', null])) === 0) return
    await bookCancelled(tx, locked, feeSats, ctx.runtime.clock.now())
    await tx.execute(queries.closeInputs, [batch.id])
    await schedulePayouts(ctx, tx)
  })
  ctx.runtime.log.warn({ batchId: String(batch.id) }, 'a payout batch was cancelled')
}

/** The payment was mined when it was to be taken back, and no longer is: it needs a self-spend after all. */
async function waitForCancelled(ctx: PayoutsContext, batch: Batch, versions: readonly Version[]): Promise<void> {
  const newest = newestOf(versions)
  if (ctx.runtime.clock.now() - newest.createdAt >= LATE_SECONDS + CANCEL_SECONDS)
    ctx.runtime.log.error({ batchId: String(batch.id) }, 'a payout batch is still not taken back')
  if (newest.kind === 'cancel') return
  await ctx.db.transaction((tx) =>
    addStepAt(tx, ctx.jobs, { kind: 'payouts.cancel', batchId: batch.id, runAt: nextLookAt(ctx.runtime.clock.now()) }),
  )
}
