import { splitStake } from '@fairball/domain/price'
import { type OrderStatus, statusesBefore } from '@fairball/domain/order-status'
import type { Tx } from '../../db/pool.ts'
import * as queries from './queries.ts'

/** An order whose row is held until the transaction ends: what is decided of it is decided one after the other. */
export type LockedOrder = Awaited<ReturnType<typeof lockOrder>>

/** Waits for any other decision about the order. @param orderId of an order that is there */
export async function lockOrder(tx: Tx, orderId: string) {
  return await tx.one(queries.lockOrder, [orderId])
}

/** Moves an order's status where that is a move. @returns the status it has then */
export async function moveOrder(tx: Tx, order: LockedOrder, to: OrderStatus, now: number): Promise<OrderStatus> {
  if (order.status !== to) await tx.execute(queries.moveOrder, [order.id, to, [...statusesBefore(to)], now])
  return to
}

/** What has to be confirmed for an order in all before it is PAID, in sats: a reorganisation before may have changed it. */
export function neededSats(order: LockedOrder): bigint {
  return order.needed_sats ?? order.due_sats
}

/** What every piece of news about an order begins with. */
export function aboutOrder(order: LockedOrder) {
  const { id: orderId, player_id: playerId, game_key: gameKey, times_reversed: timesReversed } = order
  return { orderId, playerId, gameKey, timesReversed }
}

/** Names a fact of an order's money for the ledger: what happens again after a reorganisation is another fact. */
export function subjectOf(order: { readonly times_reversed: number }, name: string): string {
  return order.times_reversed === 0 ? name : `${name}:after-${order.times_reversed}`
}

/**
 * How an order's free tickets and stakes are spread over its draws, by place: the free ones first, then equal satoshis
 * a paid entry, remainders one each to the first (decisions section 5).
 */
export function sharesOf(order: { due_sats: bigint; entry_count: number; free_count: number; line_count: number }) {
  const stakeOf = splitStake(order.due_sats, order.entry_count - order.free_count)
  const freeAt = (place: number): number =>
    Math.min(order.line_count, Math.max(0, order.free_count - place * order.line_count))
  const stakeAt = (place: number): bigint => {
    let stakeSats = 0n
    const first = place * order.line_count
    for (let line = freeAt(place); line < order.line_count; line += 1)
      stakeSats += stakeOf(first + line - order.free_count)
    return stakeSats
  }
  return { freeAt, stakeAt }
}

/** The plays an order has already, by their places, with what was staked and used for them. */
export interface StandingPlays {
  readonly drawIds: ReadonlySet<bigint>
  readonly places: ReadonlySet<number>
  /** sats */
  readonly stakeSats: bigint
  /** free tickets */
  readonly freeCount: number
}

/** The plays an order has although it is not PAID: of draws that closed before its money went away for a time. */
export async function standingPlays(tx: Tx, order: LockedOrder): Promise<StandingPlays> {
  const plays = order.times_reversed === 0 ? [] : await tx.run(queries.findStandingPlays, [order.id])
  const { freeAt, stakeAt } = sharesOf(order)
  const places = plays.map((play) => play.place)
  return {
    drawIds: new Set(plays.map((play) => play.draw_id)),
    places: new Set(places),
    stakeSats: places.reduce((sum, place) => sum + stakeAt(place), 0n),
    freeCount: places.reduce((sum, place) => sum + freeAt(place), 0),
  }
}

/** Confirmed money of an order that is in `received` no longer, in sats. @param keptSats what the order keeps as stakes */
export async function appliedSats(tx: Tx, order: LockedOrder, keptSats: bigint): Promise<bigint> {
  if (order.applied_sats !== null) return order.applied_sats
  return keptSats + (await tx.one(queries.sumGivenBack, [order.id])).sats
}
