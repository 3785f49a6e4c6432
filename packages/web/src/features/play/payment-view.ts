import type { OrderPayment, OrderStatusAnswer } from '@fairball/contract/schemas/order'

/** What step 3 shows: it asks, or the payment is confirmed, still processing (in four ways), or refunded. */
export type PaymentView = 'checking' | 'confirmed' | 'unpaid' | 'processing' | 'underpaid' | 'expired' | 'refunded'

/** Delay between checks of the status, in ms, so that the page turns to "confirmed" automatically. */
const LOOK_AGAIN_MS = 5_000
/** And that of an order whose time is over, in ms: money sent late may still arrive. */
const EXPIRED_MS = 15_000

/**
 * @param payment undefined before the first answer
 * @param isOver whether its time to pay is over: nobody is invited to pay then, a moment before the server says the same
 * @returns what to show of a payment
 */
export function paymentViewOf(payment: Omit<OrderPayment, 'game_key'> | undefined, isOver = false): PaymentView {
  switch (payment?.status) {
    case undefined:
      return 'checking'
    case 'PAID':
      return 'confirmed'
    case 'PENDING':
      return isOver ? 'expired' : 'unpaid'
    case 'UNDERPAID':
      return isOver ? 'expired' : 'underpaid'
    case 'PROCESSING':
      return 'processing'
    case 'EXPIRED':
      // Seen in time, and in no block in time: it may still count, or goes back.
      return payment.block_by === undefined ? 'expired' : 'processing'
    case 'REFUNDED':
      return 'refunded'
  }
}

/** @returns after how many ms the status is asked for again; false once nothing can change. An expired order is answered with its lines. */
export function lookAgainAfterMs(status: OrderStatusAnswer | undefined): number | false {
  if (status === 'EXPIRED') return EXPIRED_MS
  return status === 'PAID' || status === 'REFUNDED' ? false : LOOK_AGAIN_MS
}
