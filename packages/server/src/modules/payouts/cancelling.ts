import { WalletRefused, WalletUnfit } from '../../ports/wallet/wallet.ts'
import type { Batch, Version } from './booking.ts'
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
} from './steps.ts'
import type { StepDeps } from './versions.ts'

/** What six blocks may take, beyond which a batch that is taken back is late as well. */
export const CANCEL_SECONDS = 3600

/** A batch that is taken back once its bytes exist: by a spend of its coins to ourselves (payments.md section 5). */
export function createCancelling(deps: StepDeps) {
  const { db, runtime, jobs, wallet, reconciling, booking } = deps
  const { requestOf, versionsOf, storeVersion, sightingsOf, finalSpenders } = deps.versions
  const now = (): number => runtime.clock.now()

  /** Takes back a batch whose bytes exist: a spend of its coins to ourselves, which has to be six deep before it counts. */
  async function cancel(batchId: bigint): Promise<void> {
    const batch = await db.one(queries.findBatch, [batchId])
    const versions = await versionsOf(batchId)
    const isOnItsWay = batch.state === 'SIGNED' || batch.state === 'SENT' || batch.halted_from !== null
    const hasNoSelfSpend = batch.state === 'CANCELLING' && versions.every((version) => version.kind === 'pay')
    if (!(isOnItsWay || hasNoSelfSpend) || versions.length === 0) return
    if (!(await reconciling.mayWork())) {
      const step = { kind: 'payouts.cancel', batchId, runAt: nextLookAt(now()) } as const
      return await db.transaction((tx) => addStepAt(tx, jobs, step))
    }
    const request = { ...(await requestOf(batchId)), versions: versions.map(paymentVersion) }
    const number = newestOf(versions).version + 1
    const from: BatchState[] = [batch.state]
    const again = (runAt: number): Promise<void> =>
      db.transaction((tx) => addStepAt(tx, jobs, { kind: 'payouts.cancel', batchId, runAt }))
    try {
      const prepared = await wallet.cancel(request)
      const isStored = await storeVersion(batchId, { number, kind: 'cancel', from, to: 'CANCELLING', prepared })
      // Another worker made the payment dearer meanwhile, or cancelled it: the next try finds out which.
      if (!isStored) await again(now() + RESEND_SECONDS)
    } catch (error) {
      if (error instanceof WalletUnfit) {
        runtime.log.error({ batchId: String(batchId), err: error }, 'a payout batch cannot be cancelled yet')
        return await again(now() + FUNDS_SECONDS)
      }
      if (!(error instanceof WalletRefused)) throw error
      await cancelWithout(batch, versions, error)
    }
  }

  /**
   * No self-spend can be made. Where the payment is mined, or can never be, following it is all there is to do; otherwise
   * the coin is in no block for the moment, or somebody else's spend of it is not deep enough: later again, and until
   * then the batch stays what it is.
   */
  async function cancelWithout(batch: Batch, versions: readonly Version[], error: WalletRefused): Promise<void> {
    const { is } = outcomeOf(await sightingsOf(versions))
    const isMined = is === 'confirmed' || is === 'final'
    const isDecided = isMined || isDead(versions, await finalSpenders(versions))
    const reason = `it cannot be taken back yet: ${error.message}`
    const isNew = await db.transaction(async (tx) => {
      if (isDecided) {
        if ((await tx.execute(queries.moveBatch, [batch.id, [batch.state], 'CANCELLING', error.message])) === 0)
          return false
        await addStep(tx, jobs, 'payouts.confirm', batch.id)
        return true
      }
      await addStepAt(tx, jobs, { kind: 'payouts.cancel', batchId: batch.id, runAt: nextLookAt(now()) })
      return (await tx.execute(queries.noteReason, [batch.id, [batch.state], reason])) > 0
    })
    if (isNew)
      runtime.log.error({ batchId: String(batch.id), err: error }, 'nothing can be spent to cancel a payout batch')
  }

  /** Ends a batch none of whose versions can be mined any more. */
  async function endCancelled(batch: Batch, versions: readonly Version[]): Promise<void> {
    const spenders = await finalSpenders(versions)
    if (!isDead(versions, spenders)) return await waitForCancelled(batch, versions)
    const txids = new Set(spenders.values())
    const feeSats = versions.find(({ kind, txid }) => kind === 'cancel' && txids.has(txid))?.fee_sats ?? 0n
    await db.transaction(async (tx) => {
      const locked = await tx.one(queries.lockBatch, [batch.id])
      if ((await tx.execute(queries.moveBatch, [batch.id, ['CANCELLING'], 'CANCELLED', null])) === 0) return
      await booking.bookCancelled(tx, locked, feeSats, now())
      await tx.run(queries.closeInputs, [batch.id])
      await deps.onOwed(tx)
    })
    runtime.log.warn({ batchId: String(batch.id) }, 'a payout batch was cancelled')
  }

  /** The payment was mined when it was to be taken back, and is not any more: it needs a self-spend after all. */
  async function waitForCancelled(batch: Batch, versions: readonly Version[]): Promise<void> {
    const newest = newestOf(versions)
    if (now() - newest.created_at >= LATE_SECONDS + CANCEL_SECONDS)
      runtime.log.error({ batchId: String(batch.id) }, 'a payout batch is still not taken back')
    if (newest.kind === 'cancel') return
    await db.transaction((tx) =>
      addStepAt(tx, jobs, { kind: 'payouts.cancel', batchId: batch.id, runAt: nextLookAt(now()) }),
    )
  }

  return { cancel, endCancelled }
}
