/**
 * What became of an order (decisions sections 2 and 5).
 * PENDING waits for money; PROCESSING has enough of it, not yet confirmed; UNDERPAID has some; REFUNDED is final, and PAID
 * is left only when the chain itself takes the payment back; EXPIRED got none in time, and may still be paid late or refunded.
 */
export type OrderStatus = 'PENDING' | 'PROCESSING' | 'UNDERPAID' | 'PAID' | 'EXPIRED' | 'REFUNDED'

/** Which statuses an order may move to, from each. A payment can vanish before it is confirmed, so three move freely. */
const MOVES: Record<OrderStatus, readonly OrderStatus[]> = {
  PENDING: ['PROCESSING', 'UNDERPAID', 'PAID', 'EXPIRED', 'REFUNDED'],
  PROCESSING: ['PENDING', 'UNDERPAID', 'PAID', 'EXPIRED', 'REFUNDED'],
  UNDERPAID: ['PENDING', 'PROCESSING', 'PAID', 'EXPIRED', 'REFUNDED'],
  EXPIRED: ['PAID', 'REFUNDED'],
  PAID: ['PROCESSING'],
  REFUNDED: [],
}

/** Every status of an order. */
// Object.keys is typed as string[]; the table above has exactly these keys.
export const ORDER_STATUSES = Object.keys(MOVES) as readonly OrderStatus[]

/** An invoice expires so long after it is made, in seconds (decisions section 5). */
export const INVOICE_SECONDS = 15 * 60
/** A payment may be confirmed so long after the expiry and still count, in seconds (decisions section 5). */
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

/** A payment confirmed after its invoice expired; times in epoch seconds. */
export interface LatePayment {
  readonly confirmedAt: number
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
 * Whether an order paid after its invoice expired becomes PAID (decisions section 5): confirmed within 24 hours of the
 * expiry, before the close of every draw of the order, at satoshis that are at least 98% of the present price, and with
 * its free tickets still free. Otherwise it is refunded.
 */
export function latePaymentAccepted(payment: LatePayment): boolean {
  return (
    payment.confirmedAt <= payment.expiresAt + LATE_PAYMENT_SECONDS &&
    payment.closesAt.every((closesAt) => payment.confirmedAt < closesAt) &&
    payment.dueSats * 100n >= payment.presentPriceSats * LATE_PAYMENT_PERCENT &&
    payment.freeTicketsLeft >= payment.freeTicketsNeeded
  )
}

/** A payment status as the history shows it (spec section 4; PENDING is shown as PROCESSING, decisions section 5). */
export function shownStatus(status: OrderStatus): Exclude<OrderStatus, 'PENDING'> {
  return status === 'PENDING' ? 'PROCESSING' : status
}
