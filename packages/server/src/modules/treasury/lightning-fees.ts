import type { Tx } from '../../db/pool.ts'
import type { LightningFees } from '../../ports/lightning/lightning-node.ts'
import { lightning, networkFees, operatorFee } from '../ledger/accounts.ts'
import { type Move, postTransfer } from '../ledger/service.ts'
import type { TreasuryContext } from './context.ts'
import * as queries from './queries.ts'

const MSAT_PER_SAT = 1000n
const DAY_SECONDS = 86_400

/**
 * Books what the Lightning node earned by passing payments on, and what it paid to the chain, since the last time. The
 * node tells sums and corrects them, so the difference to what is booked counts. The first reading of a node books
 * nothing: what it held then was counted with its fees paid.
 *
 * @returns what the node told; null without a node
 */
export async function bookLightningFees(ctx: TreasuryContext): Promise<LightningFees | null> {
  if (ctx.lightning === null) return null
  const told = await ctx.lightning.fees()
  await ctx.db.transaction(async (tx) => {
    const node = await tx.maybeOne(queries.lockLightningNode, [])
    if (node === null) return
    const { nodeId, routedMsat, chainFeeMsat, bookings, roundedUntil } = node
    await bookRemainders(ctx, tx, roundedUntil)
    if (routedMsat === null || chainFeeMsat === null) {
      await tx.execute(queries.keepLightningFees, [told.routedMsat, told.chainFeeMsat])
      return
    }
    // Earned is rounded down and paid is rounded up: the node never holds less than is booked.
    const earnedSats = floorSats(told.routedMsat - routedMsat)
    const paidSats = -floorSats(chainFeeMsat - told.chainFeeMsat)
    if (earnedSats === 0n && paidSats === 0n) return
    const moves = [...movesOf(earnedSats, lightning, operatorFee), ...movesOf(paidSats, networkFees, lightning)]
    const subject = `${nodeId}:${bookings + 1}`
    await postTransfer(tx, { event: 'lightning.fees', subject, at: ctx.runtime.clock.now(), moves })
    const booked = [routedMsat + earnedSats * MSAT_PER_SAT, chainFeeMsat + paidSats * MSAT_PER_SAT] as const
    await tx.execute(queries.keepLightningFees, booked)
  })
  return told
}

/** Books, once a day, what rounding left of the payments until midnight: it is the operator's. */
async function bookRemainders(ctx: TreasuryContext, tx: Tx, roundedUntil: number): Promise<void> {
  const at = ctx.runtime.clock.now()
  const midnightAt = at - (at % DAY_SECONDS)
  if (roundedUntil >= midnightAt) return
  const { msat } = await tx.one(queries.sumLightningRemainders, [roundedUntil, midnightAt])
  await tx.execute(queries.keepRounded, [midnightAt])
  const moves = [{ from: lightning, to: operatorFee, sats: floorSats(msat) }]
  await postTransfer(tx, { event: 'lightning.rounding', subject: String(midnightAt), at, moves })
}

/** A move, or the way back for a negative amount. */
function movesOf(sats: bigint, from: Move['from'], to: Move['to']): Move[] {
  return sats < 0n ? [{ from: to, to: from, sats: -sats }] : [{ from, to, sats }]
}

/** Whole satoshis, rounded down also below 0. */
function floorSats(msat: bigint): bigint {
  const sats = msat / MSAT_PER_SAT
  return msat < 0n && msat % MSAT_PER_SAT !== 0n ? sats - 1n : sats
}
