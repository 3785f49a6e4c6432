import { LATE_PAYMENT_SECONDS } from '@fairball/domain/order-status'
import type { Db, Tx } from '../../db/pool.ts'
import { exported } from '../../kernel/personal-data.ts'
import { LONGEST_WAIT_SECONDS } from '../payments/service.ts'
import { isPayable, LEAST_DUST_SATS } from './batch.ts'
import { CANCEL_SECONDS } from './cancelling.ts'
import type { PayoutsContext } from './context.ts'
import { findOwed } from './prizes.ts'
import * as queries from './queries.ts'
import { canReturnsBePaid, returnedStatus, type ReturnedStatus } from './returns.ts'
import type { BatchState } from './steps.ts'

/** How the money of a player stands. */
export interface OpenMoney {
  /** owed, and not yet in a payout */
  readonly waits: boolean
  /** in a payout that has not left */
  readonly leaves: boolean
  /** may come to be owed: a draw to come, an order that is not decided, a payment that is not confirmed */
  readonly comes: boolean
  /** an order ran out unpaid less than a day ago: a payment that is late may still arrive */
  readonly late: boolean
}

/** How payouts stand, for a monitor. */
interface PayoutsStatus {
  /** batches that are not done, by state */
  readonly batches: ReadonlyMap<BatchState, number>
  /** why nothing is signed or sent; null while payouts work */
  readonly stopReason: string | null
  /**
   * how long the longest unconfirmed batch waits since it was signed or sent, in seconds; 0 when none does. One that is
   * taken back counts from when its six blocks should be there.
   */
  readonly unconfirmedSeconds: number
  readonly returned: ReturnedStatus
}

export async function payoutsStatus(ctx: PayoutsContext): Promise<PayoutsStatus> {
  const rows = await ctx.db.run(queries.countStates, [CANCEL_SECONDS])
  const waitingSince = rows.flatMap((row) => row.oldestAt ?? [])
  return {
    batches: new Map(rows.map((row) => [row.state, row.batches])),
    stopReason: await ctx.reconciling.stopReason(),
    unconfirmedSeconds: Math.max(0, ...waitingSince.map((at) => ctx.runtime.clock.now() - at)),
    returned: await returnedStatus(ctx),
  }
}

/** What is owed to a player, is leaving, or may still come: see the query. */
export async function openMoney(ctx: PayoutsContext, tx: Db | Tx, playerId: bigint): Promise<OpenMoney> {
  const nowAt = ctx.runtime.clock.now()
  return await tx.one(queries.readOpenMoney, [
    playerId,
    LEAST_DUST_SATS,
    nowAt - LONGEST_WAIT_SECONDS,
    nowAt - LATE_PAYMENT_SECONDS,
  ])
}

/** Whether what waits for a player will be paid: there is an address, and enough for it. */
export async function canBePaid(ctx: PayoutsContext, tx: Tx, playerId: bigint): Promise<boolean> {
  // It waits until somebody has looked.
  if ((await tx.one(queries.isSetAside, [playerId])).isSetAside) return true
  const { owed, isAll } = await findOwed(ctx, tx, ctx.runtime.clock.now())
  const isLookedAt = owed.some(({ payee }) => 'playerId' in payee && payee.playerId === playerId)
  // So many wait longer that this player is not looked at yet.
  if (!isLookedAt && !isAll) return true
  return isPayable(owed, ctx.network, playerId) || (await canReturnsBePaid(ctx, tx, playerId))
}

/** What was owed and paid out to a player, for the export of personal data; satoshis and ids are texts. */
export async function payoutsOf(ctx: PayoutsContext, playerId: bigint) {
  const payouts = await ctx.db.run(queries.exportPayouts, [playerId])
  const owed = await ctx.db.run(queries.exportPayables, [playerId])
  return {
    payouts: payouts.map(({ id, sats, feeShareSats, ...payout }) => ({
      ...exported(payout),
      id: String(id),
      sats: String(sats),
      fee_share_sats: String(feeShareSats),
    })),
    owed: owed.map(({ sats, drawId, payoutId, ...one }) => ({
      ...exported(one),
      sats: String(sats),
      draw_id: drawId === null ? null : String(drawId),
      payout_id: payoutId === null ? null : String(payoutId),
    })),
  }
}
