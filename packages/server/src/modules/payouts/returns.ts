import type { Queries, Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import type { FeeEstimate } from '../../ports/wallet/wallet.ts'
import { LEAST_DUST_SATS, MAX_OUTPUTS } from './batch.ts'
import { type Batch, bookCancelled } from './booking.ts'
import type { PayoutsContext } from './context.ts'
import { makeLightning } from './lightning-making.ts'
import { addBatch } from './making.ts'
import * as queries from './queries.ts'
import { isReturnPayable, leastReturnSats, type OwedReturn, planReturns, returnLimitOf } from './returns-plan.ts'
import * as returnsQueries from './returns-queries.ts'
import { addStepAt, FUNDS_SECONDS, WAITS_FOR_FUNDS } from './steps.ts'

// Returns are what players get back: refunds, and excess payments. They leave after every prize that can be paid, and
// never use what one needs (docs/decisions/0039).

/** Returns leave at each full hour. */
export const RETURN_SECONDS = 3600
const DAY_SECONDS = 86_400
/** Number of returns checked together, oldest first. */
const MAX_RETURNS = 20_000n
/** The most bytes an output takes (taproot), to estimate the cost of sending prizes. */
const MAX_OUTPUT_VBYTES = 43n
/**
 * Prizes may leave in more transactions, at a higher rate than the present one: this multiple of their fee is kept for
 * them.
 */
const FEE_MARGIN = 3n
/** The lowest fee that any wallet of ours pays. */
const LOWEST_FEE: FeeEstimate = { rate: 2_000n, bareVbytes: 78n }

/** What was returned in 24 hours without a person's approval, and how much may be, in sats; null without a limit. */
export interface ReturnedStatus {
  readonly returnedSats: bigint
  readonly limitSats: bigint | null
}

/** Why a batch of returns waits. */
export interface WhyNot {
  readonly reason: string
  /** the hot wallet could not pay it, even if nothing else waited */
  readonly isShort: boolean
}

/** The wallet's answer, and the batches whose money was in it before the request: the rest had left. */
interface Asked {
  readonly fee: FeeEstimate
  readonly spendableSats: bigint
  readonly unsentIds: bigint[]
  readonly newestId: bigint
}

/** Schedules the next return, if any waits. */
export async function scheduleReturns(ctx: PayoutsContext, tx: Tx): Promise<void> {
  if (!(await tx.one(returnsQueries.hasReturns, [])).hasReturns) return
  if (!isAtOnce(ctx)) return await scheduleNext(ctx, tx)
  // A running job may have read what waits already, so each call adds a job of its own.
  await ctx.jobs.add(tx, 'payouts.return', {}, { key: `payouts.return:${ctx.runtime.random.uuid()}` })
}

async function scheduleNext(ctx: PayoutsContext, tx: Tx): Promise<void> {
  const seconds = isAtOnce(ctx) ? RETURN_SECONDS : ctx.returnSeconds
  const runAt = (Math.floor(ctx.runtime.clock.now() / seconds) + 1) * seconds
  await ctx.jobs.add(tx, 'payouts.return', {}, { key: `payouts.return:${runAt}`, runAt })
}

async function askWallet(ctx: PayoutsContext): Promise<Asked> {
  const { unsentIds, newestId } = await ctx.db.one(returnsQueries.findUnsent, [])
  const fee = await ctx.wallet.estimateFee()
  const { spendableSats } = await ctx.wallet.balances()
  return { fee, spendableSats, unsentIds, newestId }
}

/**
 * What the wallet holds beyond everything that takes precedence over returns, without batch `before`; may be negative.
 * Earlier returns come first: those that it can pay, oldest first. A larger one waits and holds up no other.
 */
async function freeSats(ctx: PayoutsContext, from: Queries, asked: Asked, before: bigint | null = null) {
  const { fee, spendableSats, unsentIds, newestId } = asked
  const partners = [...ctx.partnerAddresses().keys()]
  const claims = await from.one(returnsQueries.findFirstClaims, {
    at: ctx.runtime.clock.now(),
    partnerIds: partners,
    unsentIds,
    newestId,
    before: before ?? 0n,
  })
  const transactions = (claims.payees + BigInt(MAX_OUTPUTS) - 1n) / BigInt(MAX_OUTPUTS)
  const vbytes = MAX_OUTPUT_VBYTES * claims.payees + fee.bareVbytes * transactions
  const afterPrizes = spendableSats - claims.sats - (FEE_MARGIN * vbytes * fee.rate) / 1000n
  const earlier = await from.run(returnsQueries.listUnsigned, [before])
  const free = earlier.reduce((left, { sats }) => (sats <= left ? left - sats : left), afterPrizes)
  return { afterPrizes, free }
}

/** Makes batches of the returns that may leave now. Earlier ones that are not signed yet are planned with them. */
export async function makeReturns(ctx: PayoutsContext): Promise<void> {
  const asked = await askWallet(ctx)
  const room = (await ctx.lightning?.watch.room()) ?? null
  await ctx.db.transaction(async (tx) => {
    await tx.run(queries.lockMaking, [])
    if ((await tx.maybeOne(queries.findStop, [])) !== null) return await scheduleNext(ctx, tx)
    await makeLightning(ctx, tx, room)
    for (const { id } of await tx.run(returnsQueries.listReplannable, [])) await releaseBatch(ctx, tx, id)
    const at = ctx.runtime.clock.now()
    const owed = await listOwed(tx, { at, leastSats: leastReturnSats(asked.fee) })
    const returned = await returnedSince(ctx, tx, asked.spendableSats)
    const planned = planReturns(owed, {
      network: ctx.network,
      fee: asked.fee,
      freeSats: (await freeSats(ctx, tx, asked)).free,
      approvalSats: ctx.limits().approvalSats,
      limits: isAtOnce(ctx) ? null : returned,
    })
    for (const { payouts, approvalReason } of planned)
      await addBatch(ctx, tx, { at, class: 'returns', payouts, feeRate: asked.fee.rate, approvalReason })
    await keepFloat(ctx, tx, returned.floatSats)
    const taken = planned.flatMap(({ payouts }) => payouts.flatMap(({ payableIds }) => payableIds))
    const { hasReturns } = await tx.one(returnsQueries.hasReturns, [])
    // In the demo what is too small waits for more, and nothing else changes by the hour.
    if (isAtOnce(ctx) ? taken.length < owed.length : hasReturns) await scheduleNext(ctx, tx)
  })
}

async function listOwed(
  from: Queries,
  { at, leastSats }: { readonly at: number; readonly leastSats: bigint },
): Promise<OwedReturn[]> {
  return (await from.run(returnsQueries.listReturns, [at, leastSats, MAX_RETURNS])).map(owedReturn)
}

function owedReturn(row: RowOf<typeof returnsQueries.listReturns>): OwedReturn {
  const { id, playerId, sats, address, dueSats, poundSats, excessSats } = row
  return {
    payee: { playerId },
    payableIds: [id],
    sats,
    address,
    order: dueSats === null || poundSats === null || excessSats === null ? null : { dueSats, poundSats, excessSats },
  }
}

/** What was returned in the last 24 hours, and the float that limits it: the intended one, or the actual one. */
async function returnedSince(ctx: PayoutsContext, from: Queries, spendableSats: bigint) {
  const rows = await from.run(returnsQueries.sumReturned, [ctx.runtime.clock.now() - DAY_SECONDS])
  const leftSats = rows.reduce((sum, row) => sum + row.leftSats, 0n)
  const floatSats = ctx.limits().floatSats ?? spendableSats + leftSats
  return { floatSats, returned: new Map(rows.map(({ address, sats }) => [address, sats])) }
}

async function keepFloat(ctx: PayoutsContext, tx: Tx, floatSats: bigint): Promise<void> {
  if (!isAtOnce(ctx)) await tx.execute(returnsQueries.storeFloat, [floatSats])
}

/** Gives up a batch that was never signed: what it held is owed again. False if another worker was first. */
async function releaseBatch(
  ctx: PayoutsContext,
  tx: Tx,
  batchId: bigint,
  reason: string | null = null,
): Promise<boolean> {
  const batch = await tx.one(queries.lockBatch, [batchId])
  if ((await tx.execute(queries.moveBatch, [batchId, ['BATCHED', 'WAITING_FUNDS'], 'CANCELLED', reason])) === 0)
    return false
  await bookCancelled(tx, batch, 0n, ctx.runtime.clock.now())
  return true
}

/** Postpones what a batch of returns holds: to the next full hour, or unchanged if a person has approved it. */
export async function keepReturnsWaiting(
  ctx: PayoutsContext,
  batch: Batch,
  { reason, isShort }: WhyNot,
): Promise<void> {
  const isNew = await ctx.db.transaction(async (tx) => {
    if (batch.needsApproval) {
      const moved = await tx.execute(queries.moveBatch, [batch.id, ['BATCHED'], 'WAITING_FUNDS', reason])
      await addStepAt(tx, ctx.jobs, {
        kind: 'payouts.sign',
        batchId: batch.id,
        runAt: ctx.runtime.clock.now() + FUNDS_SECONDS,
      })
      return moved > 0 || (await tx.execute(queries.noteReason, [batch.id, ['WAITING_FUNDS'], reason])) > 0
    }
    const isGivenUp = await releaseBatch(ctx, tx, batch.id, reason)
    await scheduleNext(ctx, tx)
    return isGivenUp
  })
  const fields = { batchId: String(batch.id), reason }
  if (isNew && isShort && batch.needsApproval) ctx.runtime.log.error(fields, WAITS_FOR_FUNDS)
  else if (isNew) ctx.runtime.log.warn(fields, 'returns wait')
}

/** Why a batch of returns cannot be signed now without using what takes precedence; null if it can. */
export async function whyReturnsWait(ctx: PayoutsContext, batchId: bigint): Promise<WhyNot | null> {
  const asked = await askWallet(ctx)
  const { sats } = await ctx.db.one(returnsQueries.sumBatch, [batchId])
  if (sats > asked.spendableSats) return { reason: `the hot wallet holds less than ${sats} sats`, isShort: true }
  const { afterPrizes, free } = await freeSats(ctx, ctx.db, asked, batchId)
  if (sats > afterPrizes) return { reason: 'prizes come first', isShort: false }
  return sats > free ? { reason: 'earlier returns come first', isShort: false } : null
}

/** How much of a batch's fee its returns bear, in sats. */
export async function feeSharesOf(ctx: PayoutsContext, batchId: bigint): Promise<bigint> {
  return (await ctx.db.one(returnsQueries.sumBatch, [batchId])).shareSats
}

/** Whether a player's waiting returns are sent once fees are low. */
export async function canReturnsBePaid(ctx: PayoutsContext, from: Queries, playerId: bigint): Promise<boolean> {
  const look = [ctx.runtime.clock.now(), LEAST_DUST_SATS, playerId] as const
  const rows = await from.run(returnsQueries.listReturnsBeside, look)
  return isReturnPayable(rows.map(owedReturn), ctx.network, LOWEST_FEE)
}

/** Keeps the wallet's present float, for `status`. */
export async function noteFloat(ctx: PayoutsContext, spendableSats: bigint): Promise<void> {
  await ctx.db.transaction(async (tx) => keepFloat(ctx, tx, (await returnedSince(ctx, tx, spendableSats)).floatSats))
}

export async function returnedStatus(ctx: PayoutsContext): Promise<ReturnedStatus> {
  const rows = await ctx.db.run(returnsQueries.sumReturned, [ctx.runtime.clock.now() - DAY_SECONDS])
  const float = isAtOnce(ctx) ? null : await ctx.db.maybeOne(returnsQueries.findFloat, [])
  return {
    returnedSats: rows.reduce((sum, row) => sum + row.sats, 0n),
    limitSats: float === null ? null : returnLimitOf(float.sats),
  }
}

function isAtOnce({ returnSeconds }: PayoutsContext): boolean {
  return returnSeconds === 0
}
