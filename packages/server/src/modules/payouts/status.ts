import { LATE_PAYMENT_SECONDS } from '@fairball/domain/order-status'
import type { Db, Tx } from '../../db/pool.ts'
import { exported } from '../../kernel/personal-data.ts'
import { LONGEST_WAIT_SECONDS } from '../payments/service.ts'
import { LEAST_DUST_SATS } from './batch.ts'
import { CANCEL_SECONDS } from './cancelling.ts'
import type { PayoutsContext } from './context.ts'
import { canPrizesBePaid } from './prizes.ts'
import { goesOverLightning } from './owed.ts'
import * as queries from './queries.ts'
import { canReturnsBePaid, returnedStatus, type ReturnedStatus } from './returns.ts'
import type { BatchState } from './steps.ts'

/** The state of a player's money. */
export interface OpenMoney {
  /** owed, and not yet in a payout */
  readonly waits: boolean
  /** in a payout that has not left */
  readonly leaves: boolean
  /** may come to be owed: from a coming draw, an undecided order, or an unconfirmed payment */
  readonly comes: boolean
  /** an order expired unpaid less than a day ago: a late payment may still arrive */
  readonly late: boolean
}

/** The state of payouts, for a monitor. */
interface PayoutsStatus {
  /** batches that are not done, by state */
  readonly batches: ReadonlyMap<BatchState, number>
  /** why nothing is signed or sent; null while payouts work */
  readonly stopReason: string | null
  /**
   * how long the longest unconfirmed batch has waited since it was signed or sent, in seconds; 0 for none. A batch that
   * is taken back counts from the time its six blocks are due.
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
    (await goesOverLightning(ctx, tx, playerId)) ? 1n : LEAST_DUST_SATS,
    nowAt - LONGEST_WAIT_SECONDS,
    nowAt - LATE_PAYMENT_SECONDS,
  ])
}

/** Whether a player's waiting money will be paid: there is an address, and enough for it. */
export async function canBePaid(ctx: PayoutsContext, tx: Tx, playerId: bigint): Promise<boolean> {
  // It waits until the operator has looked.
  if ((await tx.one(queries.isSetAside, [playerId, ctx.runtime.clock.now()])).isSetAside) return true
  if (await goesOverLightning(ctx, tx, playerId)) return true
  return (await canPrizesBePaid(ctx, tx, playerId)) || (await canReturnsBePaid(ctx, tx, playerId))
}

/** What was owed and paid to a player, for the personal data export; satoshis and ids are strings. */
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
