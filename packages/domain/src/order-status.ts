/**
 * The status of an order (decisions sections 2 and 5). PENDING waits for money; PROCESSING has all of it, not yet
 * confirmed; UNDERPAID has some; REFUNDED is final, and PAID is left only if the chain reverses the payment; EXPIRED
 * was in no block in time, and may still be paid late or refunded.
 */
export type OrderStatus = 'PENDING' | 'PROCESSING' | 'UNDERPAID' | 'PAID' | 'EXPIRED' | 'REFUNDED'

/** The statuses an order may move to, from each. A payment can vanish before it is confirmed, so three move freely. */
const MOVES: Record<OrderStatus, readonly OrderStatus[]> = {
  PENDING: ['PROCESSING', 'UNDERPAID', 'PAID', 'EXPIRED'],
  PROCESSING: ['PENDING', 'UNDERPAID', 'PAID', 'EXPIRED'],
  UNDERPAID: ['PENDING', 'PROCESSING', 'PAID', 'EXPIRED'],
  EXPIRED: ['PAID', 'REFUNDED'],
  PAID: ['PROCESSING'],
  REFUNDED: [],
}

/**
 * Whether the payments of an order keep its price and draws (decision 38): `kept` if those seen in time and in a block
 * in time are confirmed and cover it, `open` while that is possible, `lost` otherwise.
 */
export type Quote = 'kept' | 'open' | 'lost'

/** Why an open order ended early: its player began a time-out or an exclusion, or lowered the weekly limit. */
export type EndReason = 'PAUSE' | 'WEEKLY_LIMIT'

/** Every status of an order. */
// Object.keys is typed as string[]; the table above has exactly these keys.
export const ORDER_STATUSES = Object.keys(MOVES) as readonly OrderStatus[]

/** Lifetime of an invoice, in seconds (decisions section 5). */
export const INVOICE_SECONDS = 15 * 60
/** Time after the expiry during which an unconfirmed payment seen in time keeps price and draws, in seconds. */
export const HOLD_SECONDS = 90 * 60
/** Time after the expiry during which a confirmed payment still counts, in seconds (decisions section 5). */
export const LATE_PAYMENT_SECONDS = 24 * 60 * 60
/** Least part of the current price that a late payment must cover, in percent (decisions section 5). */
const LATE_PAYMENT_PERCENT = 98n

/** The statuses an order may move to this one from, without this one. */
export function statusesBefore(to: OrderStatus): OrderStatus[] {
  return ORDER_STATUSES.filter((from) => MOVES[from].includes(to))
}

/** Whether an order may move from one status to the other. */
export function canMoveOrder({ from, to }: { from: OrderStatus; to: OrderStatus }): boolean {
  return MOVES[from].includes(to)
}

/** Whether an order is decided: further money for it is returned. */
export function isDecided(status: OrderStatus): boolean {
  return status === 'PAID' || status === 'REFUNDED'
}

/** A payment seen or confirmed too late for its order to keep price and draws; times in epoch seconds. */
interface LatePayment {
  /** time of its block */
  readonly minedAt: number
  readonly now: number
  readonly expiresAt: number
  /** when sales close, for every draw of the order; 0 for a draw that is no longer open */
  readonly closesAt: readonly number[]
  /** the price of the order in satoshis, fully paid */
  readonly dueSats: bigint
  /** the price of the same order now */
  readonly presentPriceSats: bigint
  /** free tickets that the order needs again; 0 if it still has them */
  readonly freeTicketsNeeded: number
  /** free tickets that the player has left for the game */
  readonly freeTicketsLeft: number
}

/**
 * Whether an order paid after its invoice expired becomes PAID (decisions section 5): in a block within 24 hours of the
 * expiry, confirmed before the close of every draw of the order, with at least 98% of the current price, and with its
 * free tickets still available. Otherwise it is refunded.
 */
export function latePaymentAccepted(payment: LatePayment): boolean {
  return (
    payment.minedAt <= payment.expiresAt + LATE_PAYMENT_SECONDS &&
    payment.closesAt.every((closesAt) => payment.now < closesAt) &&
    payment.dueSats * 100n >= payment.presentPriceSats * LATE_PAYMENT_PERCENT &&
    payment.freeTicketsLeft >= payment.freeTicketsNeeded
  )
}

/** A payment status as the history shows it (spec section 4; PENDING is shown as PROCESSING, decisions section 5). */
export function shownStatus(status: OrderStatus): Exclude<OrderStatus, 'PENDING'> {
  return status === 'PENDING' ? 'PROCESSING' : status
}
