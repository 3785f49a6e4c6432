/**
 * What became of an order (decisions sections 2 and 5).
 * PENDING waits for money; PROCESSING has enough of it, not yet confirmed; UNDERPAID has some; REFUNDED is final, and PAID
 * is left only when the chain itself takes the payment back; EXPIRED did not come into a block in time, and may still be paid late or refunded.
 */
export type OrderStatus = 'PENDING' | 'PROCESSING' | 'UNDERPAID' | 'PAID' | 'EXPIRED' | 'REFUNDED'

/** Which statuses an order may move to, from each. A payment can vanish before it is confirmed, so three move freely. */
const MOVES: Record<OrderStatus, readonly OrderStatus[]> = {
  PENDING: ['PROCESSING', 'UNDERPAID', 'PAID', 'EXPIRED'],
  PROCESSING: ['PENDING', 'UNDERPAID', 'PAID', 'EXPIRED'],
  UNDERPAID: ['PENDING', 'PROCESSING', 'PAID', 'EXPIRED'],
  EXPIRED: ['PAID', 'REFUNDED'],
  PAID: ['PROCESSING'],
  REFUNDED: [],
}

/**
 * Whether an order's price and draws stand by its payments (decision 38): `kept` where those that were seen in time and came
 * into a block in time are confirmed and cover it, `open` while that may still come, `lost` otherwise.
 */
export type Quote = 'kept' | 'open' | 'lost'

/** Why an open order ended before its time: its player began a time-out or an exclusion, or lowered the weekly limit. */
export type EndReason = 'PAUSE' | 'WEEKLY_LIMIT'

/** Every status of an order. */
// Object.keys is typed as string[]; the table above has exactly these keys.
export const ORDER_STATUSES = Object.keys(MOVES) as readonly OrderStatus[]

/** Lifetime of an invoice, in seconds (decisions section 5). */
export const INVOICE_SECONDS = 15 * 60
/** Time after the expiry for which a payment seen in time keeps price and draws without a block, in seconds. */
export const HOLD_SECONDS = 90 * 60
/** Time after the expiry within which a confirmed payment still counts, in seconds (decisions section 5). */
export const LATE_PAYMENT_SECONDS = 24 * 60 * 60
/** And must be worth at least this percentage of the present price (decisions section 5). */
const LATE_PAYMENT_PERCENT = 98n

/** The statuses from which an order may move to this one. Moving to the status it has is not a move. */
export function statusesBefore(to: OrderStatus): OrderStatus[] {
  return ORDER_STATUSES.filter((from) => MOVES[from].includes(to))
}

/** Whether an order may move from one status to the other. */
export function canMoveOrder({ from, to }: { from: OrderStatus; to: OrderStatus }): boolean {
  return MOVES[from].includes(to)
}

/** Whether an order is decided: what comes for it now is given back. */
export function isDecided(status: OrderStatus): boolean {
  return status === 'PAID' || status === 'REFUNDED'
}

/** A payment that came, or was confirmed, too late for its order to keep price and draws; times in epoch seconds. */
interface LatePayment {
  /** when it came into a block */
  readonly minedAt: number
  readonly now: number
  readonly expiresAt: number
  /** when sales close of every draw of the order; 0 for one that is not open any more */
  readonly closesAt: readonly number[]
  /** the satoshis the order asked for, and got */
  readonly dueSats: bigint
  /** what the same order would cost now */
  readonly presentPriceSats: bigint
  /** the free tickets the order needs again, 0 while it still holds them */
  readonly freeTicketsNeeded: number
  /** the free tickets its player has left for the game */
  readonly freeTicketsLeft: number
}

/**
 * Whether an order paid after its invoice expired becomes PAID (decisions section 5): in a block within 24 hours of the
 * expiry, confirmed before the close of every draw of the order, at satoshis that are at least 98% of the present price, and with
 * its free tickets still free. Otherwise it is refunded.
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
