import { freeLinesOfPlays, stakesOfPlays } from '@fairball/domain/price'
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
  return order.neededSats ?? order.dueSats
}

/** What every piece of news about an order begins with. */
export function aboutOrder(order: LockedOrder) {
  const { id: orderId, playerId, gameKey, timesReversed } = order
  return { orderId, playerId, gameKey, timesReversed }
}

/** Names a fact of an order's money for the ledger: what happens again after a reorganisation is another fact. */
export function subjectOf(order: { readonly timesReversed: number }, name: string): string {
  return order.timesReversed === 0 ? name : `${name}:after-${order.timesReversed}`
}

/** What each of an order's plays costs in sats, and how many of its lines are free, by place: in order of the draws' starts (fairness section 6). */
export function sharesOf(order: SharedOrder): { stakes: bigint[]; free: number[] } {
  const plays = { lines: order.lineCount, draws: order.drawIds.length, free: order.freeCount }
  const stakes = stakesOfPlays(plays, Number(order.ticketPriceMinor), order.rateSats)
  return { stakes, free: freeLinesOfPlays(plays) }
}

/** What the shares of an order follow from. */
interface SharedOrder {
  readonly lineCount: number
  readonly drawIds: readonly bigint[]
  readonly freeCount: number
  /** pence a line */
  readonly ticketPriceMinor: bigint
  /** satoshis a pound */
  readonly rateSats: bigint
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
  const plays = order.timesReversed === 0 ? [] : await tx.run(queries.findStandingPlays, [order.id])
  const { stakes, free } = sharesOf(order)
  const places = plays.map((play) => play.place)
  return {
    drawIds: new Set(plays.map((play) => play.drawId)),
    places: new Set(places),
    stakeSats: places.reduce((sum, place) => sum + (stakes[place] ?? 0n), 0n),
    freeCount: places.reduce((sum, place) => sum + (free[place] ?? 0), 0),
  }
}

/** Confirmed money of an order that is in `received` no longer, in sats. @param keptSats what the order keeps as stakes */
export async function appliedSats(tx: Tx, order: LockedOrder, keptSats: bigint): Promise<bigint> {
  if (order.appliedSats !== null) return order.appliedSats
  return keptSats + (await tx.one(queries.sumGivenBack, [order.id])).sats
}
