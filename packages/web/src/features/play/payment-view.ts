import type { Amount } from '@fairball/contract/schemas/money'
import type { OrderPayment, OrderStatusAnswer } from '@fairball/contract/schemas/order'
import { btcToSats } from '@fairball/domain/money'

/** The state of step 3: asking, or the payment is confirmed, still processing (in four ways), or refunded. */
export type PaymentView = 'checking' | 'confirmed' | 'unpaid' | 'processing' | 'underpaid' | 'expired' | 'refunded'

/**
 * Delay between checks of the status, in ms: the ticket is there within a second of the payment's confirmation. A page in
 * the background does not ask.
 */
const LOOK_AGAIN_MS = 600
/** The same for an expired order, in ms: late money may still arrive. */
const EXPIRED_MS = 15_000

/**
 * @param payment undefined before the first answer
 * @param isOver whether its deadline has passed: the invitation to pay then disappears, a moment before the server
 *   agrees
 * @returns the state to show
 */
export function paymentViewOf(
  payment: Pick<OrderPayment, 'status' | 'block_by'> | undefined,
  isOver = false,
): PaymentView {
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
      // Seen in time but not in a block in time: it may still count, or is refunded.
      return payment.block_by === undefined ? 'expired' : 'processing'
    case 'REFUNDED':
      return 'refunded'
  }
}

/**
 * @returns the delay before the next status check, in ms; false once nothing can change
 */
export function lookAgainAfterMs(status: OrderStatusAnswer | undefined): number | false {
  if (status === 'EXPIRED') return EXPIRED_MS
  return status === 'PAID' || status === 'REFUNDED' ? false : LOOK_AGAIN_MS
}

/** Whether free tickets pay for all of an order. @param price what is left to pay in bitcoin */
export function isFree({ crypto }: Amount): boolean {
  return btcToSats(crypto.value) === 0n
}
