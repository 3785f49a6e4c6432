import { freeLinesOfPlays, stakesOfPlays } from '@fairball/domain/price'
import { type OrderStatus, statusesBefore } from '@fairball/domain/order-status'
import type { Tx } from '../../db/pool.ts'
import * as queries from './queries.ts'

/** An order whose row is locked until the transaction ends, so decisions about it come one after the other. */
export type LockedOrder = Awaited<ReturnType<typeof lockOrder>>

/** Waits for any other decision about the order. @param orderId of an existing order */
export async function lockOrder(tx: Tx, orderId: string) {
  return await tx.one(queries.lockOrder, [orderId])
}

/** Moves an order's status if it differs. @returns the new status */
export async function moveOrder(tx: Tx, order: LockedOrder, to: OrderStatus, now: number): Promise<OrderStatus> {
  if (order.status !== to)
    await tx.execute(queries.moveOrder, { orderId: order.id, wanted: to, fromAny: [...statusesBefore(to)], now })
  return to
}

/**
 * What has to be confirmed for an order in total before it is PAID, in sats: an earlier reorganisation may have changed
 * it.
 */
export function neededSats(order: LockedOrder): bigint {
  return order.neededSats ?? order.dueSats
}

/** The common fields of all news about an order. */
export function aboutOrder(order: LockedOrder) {
  const { id: orderId, playerId, gameKey, timesReversed } = order
  return { orderId, playerId, gameKey, timesReversed }
}

/** Names a fact of an order's money for the ledger: the same event after a reorganisation is another fact. */
export function subjectOf(order: { readonly timesReversed: number }, name: string): string {
  return order.timesReversed === 0 ? name : `${name}:after-${order.timesReversed}`
}

/**
 * The cost of each of an order's plays in sats, and how many of its lines are free, by place: in order of the draws'
 * starts (fairness section 6).
 */
export function sharesOf(order: SharedOrder): { stakes: bigint[]; free: number[] } {
  const plays = { lines: order.lineCount, draws: order.drawIds.length, free: order.freeCount }
  const stakes = stakesOfPlays(plays, order.drawPricesMinor.map(Number), order.rateSats)
  return { stakes, free: freeLinesOfPlays(plays) }
}

/** What determines the shares of an order. */
interface SharedOrder {
  readonly lineCount: number
  readonly drawIds: readonly bigint[]
  readonly freeCount: number
  /** of a line in each draw, in hundredths of the order's currency */
  readonly drawPricesMinor: readonly bigint[]
  /** satoshis per unit of that currency */
  readonly rateSats: bigint
}

/** The plays an order already has, by their places, with the stake and the free tickets of each. */
export interface StandingPlays {
  readonly drawIds: ReadonlySet<bigint>
  readonly places: ReadonlySet<number>
  /** sats */
  readonly stakeSats: bigint
  /** free tickets */
  readonly freeCount: number
}

/** The plays an order has although it is not PAID: of draws that closed before its payment was reversed for a time. */
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

/**
 * Confirmed money of an order that is no longer in `received`, in sats. @param keptSats what the order keeps as stakes
 */
export async function appliedSats(tx: Tx, order: LockedOrder, keptSats: bigint): Promise<bigint> {
  if (order.appliedSats !== null) return order.appliedSats
  return keptSats + (await tx.one(queries.sumGivenBack, [order.id])).sats
}
