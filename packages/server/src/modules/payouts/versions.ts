import { FINAL_CONFIRMATIONS } from '@fairball/domain/finality'
import type { PreparedTx, PrepareRequest } from '../../ports/wallet/wallet.ts'
import type { Version } from './booking.ts'
import type { PayoutsContext } from './context.ts'
import type { Sighting } from './outcome.ts'
import * as queries from './queries.ts'
import { sumBatch } from './returns-queries.ts'
import { addSend, addStepAt, type BatchState, nextLookAt } from './steps.ts'

// The versions of a batch's transaction: what it is to pay, the bytes that were signed, and what the network knows of
// them.

/** Another worker stored a version of this number first: what this one would have stored with it is rolled back. */
class Superseded extends Error {
  override readonly name = 'Superseded'
}

/** The request to the wallet: outputs, the coins of other batches, and what sending returns may cost. */
export async function requestOf(ctx: PayoutsContext, batchId: bigint): Promise<PrepareRequest> {
  const outputs = await ctx.db.run(queries.findOutputs, [batchId])
  const reserved = (await ctx.db.run(queries.findReserved, [batchId])).map((row) => row.outpoint)
  const request = { label: `payout batch ${batchId}`, outputs, reserved }
  const { sats, feeRate: leastRate } = await ctx.db.one(sumBatch, [batchId])
  return leastRate === null ? request : { ...request, leastRate, worthFeeSats: sats / 2n }
}

/** From the first one on. */
export async function versionsOf(ctx: PayoutsContext, batchId: bigint): Promise<Version[]> {
  return await ctx.db.run(queries.findVersions, [batchId])
}

/**
 * Stores signed bytes with the coins they spend, in one commit, before anything leaves. False if another worker was
 * first.
 */
export async function storeVersion(
  ctx: PayoutsContext,
  batchId: bigint,
  step: {
    number: number
    kind: 'pay' | 'cancel'
    from: BatchState[]
    to: BatchState
    prepared: PreparedTx
    /** of the first version */
    outputsSeal?: Uint8Array
  },
): Promise<boolean> {
  const { number, kind, from, to, prepared, outputsSeal = null } = step
  const { txid, raw, feeSats, inputs } = prepared
  let isStored = false
  try {
    isStored = await ctx.db.transaction(async (tx) => {
      if ((await tx.execute(queries.moveBatch, [batchId, from, to, null])) === 0) return false
      const stored = await tx.execute(queries.insertTx, {
        batchId,
        version: number,
        kind,
        txid,
        raw,
        feeSats,
        inputs: [...inputs],
        createdAt: ctx.runtime.clock.now(),
        outputsSeal,
      })
      if (stored === 0) throw new Superseded()
      await tx.execute(queries.insertInputs, [batchId, [...inputs]])
      await addSend(tx, ctx.jobs, batchId, number)
      // After a halt the batch is no longer followed.
      if (kind === 'cancel')
        await addStepAt(tx, ctx.jobs, { kind: 'payouts.confirm', batchId, runAt: nextLookAt(ctx.runtime.clock.now()) })
      return true
    })
  } catch (error) {
    if (!(error instanceof Superseded)) throw error
  } finally {
    if (!isStored) await ctx.reconciling.release(inputs)
  }
  return isStored
}

/** What the network knows of each version now, which is also kept for the operator. */
export async function sightingsOf(ctx: PayoutsContext, versions: readonly Version[]): Promise<Sighting[]> {
  const sightings: Sighting[] = []
  for (const version of versions) {
    sightings.push({ version, confirmations: await ctx.wallet.confirmations(version.txid) })
  }
  const txids = versions.map(({ txid }) => txid)
  await ctx.db.execute(queries.keepConfirmations, [txids, sightings.map(({ confirmations }) => confirmations ?? -1)])
  return sightings
}

/**
 * The transaction that spent each coin of the versions that is spent for good, or `never` if the coin itself is lost.
 */
export async function finalSpenders(ctx: PayoutsContext, versions: readonly Version[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const coins = [...new Set(versions.flatMap((version) => version.inputs))]
  // A reorganisation may leave a batch with a coin of a version that another has replaced for good.
  for (const { outpoint } of await ctx.db.run(queries.findLostCoins, [coins])) found.set(outpoint, 'never')
  for (const outpoint of coins) {
    if (await ctx.wallet.isLost(outpoint)) found.set(outpoint, 'never')
    const spender = await ctx.wallet.spender(outpoint)
    if (spender !== null && spender.confirmations >= FINAL_CONFIRMATIONS) found.set(outpoint, spender.txid)
  }
  return found
}
