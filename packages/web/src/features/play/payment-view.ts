import type { OrderStatusAnswer } from '@fairball/contract/schemas/order'

/** What step 3 shows: it asks, or the payment is confirmed, still processing (in four ways), or refunded. */
export type PaymentView = 'checking' | 'confirmed' | 'unpaid' | 'processing' | 'underpaid' | 'expired' | 'refunded'

/** How often the status is looked at again, in ms, so that the page turns to "confirmed" by itself. */
const LOOK_AGAIN_MS = 5_000

/**
 * Whether an order is paid: only PAID means so, everything else does not; null while the answer is not there (specification,
 * section 4).
 */
export function isPaid(status: OrderStatusAnswer | undefined): boolean | null {
  return status === undefined ? null : status === 'PAID'
}

/** @returns what to show of a status; `checking` before the first answer */
export function paymentViewOf(status: OrderStatusAnswer | undefined): PaymentView {
  switch (status) {
    case undefined:
      return 'checking'
    case 'PAID':
      return 'confirmed'
    case 'PENDING':
      return 'unpaid'
    case 'PROCESSING':
      return 'processing'
    case 'UNDERPAID':
      return 'underpaid'
    case 'EXPIRED':
      return 'expired'
    case 'REFUNDED':
      return 'refunded'
  }
}

/** @returns after how many ms the status is asked for again; false once nothing can change */
export function lookAgainAfterMs(status: OrderStatusAnswer | undefined): number | false {
  return status === 'PAID' || status === 'REFUNDED' ? false : LOOK_AGAIN_MS
}
