import type { Tx } from '../../db/pool.ts'
import { inFlight } from '../ledger/accounts.ts'
import { postTransfer } from '../ledger/service.ts'
import type { PlannedPayout } from './batch.ts'
import { owingTo } from './booking.ts'
import type { PayoutsContext } from './context.ts'
import * as queries from './queries.ts'
import { addStep } from './steps.ts'

/** A planned batch. */
interface NewBatch {
  /** when it was planned, which decides each payee's address; epoch seconds */
  readonly at: number
  readonly class: 'prizes' | 'returns'
  readonly payouts: readonly PlannedPayout[]
  /** the rate for the shares of its returns, in sats per 1,000 virtual bytes; null for prizes */
  readonly feeRate: bigint | null
  /** why a person has to approve it before it is signed; null if that is not needed */
  readonly approvalReason: string | null
}

/**
 * Binds what is owed to a new batch, in the transaction of `lockMaking`: each row of payables is taken once, and the
 * ledger no longer owes it. It is signed next, unless a person has to approve it.
 *
 * @returns the batch's id
 */
export async function addBatch(
  { runtime, jobs }: Pick<PayoutsContext, 'runtime' | 'jobs'>,
  tx: Tx,
  batch: NewBatch,
): Promise<bigint> {
  const { at, payouts, approvalReason } = batch
  const { id: batchId } = await tx.one(queries.insertBatch, [at, batch.class, batch.feeRate, approvalReason])
  const made = await tx.run(queries.insertPayouts, {
    batchId,
    createdAt: at,
    playerIds: payouts.map(({ payee }) => ('playerId' in payee ? payee.playerId : 0n)),
    partnerIds: payouts.map(({ payee }) => ('playerId' in payee ? '' : payee.partnerId)),
    sats: payouts.map(({ sats }) => sats),
    feeShareSats: payouts.map(({ feeShareSats }) => feeShareSats),
    addresses: payouts.map(({ address }) => address),
  })
  const bound = payouts.flatMap((payout, place) => {
    const id = made[place]?.id
    if (id === undefined) throw new Error(`batch ${batchId} has ${made.length} of ${payouts.length} payouts`)
    return [{ ...payout, id }]
  })
  await takeUp(tx, bound)
  for (const { id, payee, sats } of bound) {
    const [playerId, partnerId] = 'playerId' in payee ? [payee.playerId, null] : [null, payee.partnerId]
    const moves = [{ from: owingTo({ playerId, partnerId }), to: inFlight, sats }]
    await postTransfer(tx, { event: 'payout.made', subject: String(id), at, moves })
  }
  const fields = { batchId: String(batchId), class: batch.class, payouts: payouts.length }
  if (approvalReason === null) {
    await addStep(tx, jobs, 'payouts.sign', batchId)
    runtime.log.info(fields, 'payouts made')
  } else runtime.log.error({ ...fields, reason: approvalReason }, 'a payout batch waits for approval: payouts-approve')
  return batchId
}

/** Binds payables to payouts. @throws Error if one of them is in a payout already */
export async function takeUp(
  tx: Tx,
  payouts: readonly { readonly id: bigint; readonly payableIds: readonly bigint[] }[],
): Promise<void> {
  const payoutIds = payouts.flatMap(({ id, payableIds }) => payableIds.map(() => id))
  const payableIds = payouts.flatMap((payout) => payout.payableIds)
  const taken = await tx.execute(queries.takeUpPayables, [payoutIds, payableIds])
  if (taken !== payableIds.length)
    throw new Error(`payouts ${payouts.map(({ id }) => id).join(' ')} found ${taken} of ${payableIds.length} payables`)
}
