import type { OrderStatusAnswer } from '@fairball/contract/schemas/order'

/** What the page shows of a payment. */
export type CheckoutState = 'waiting' | 'underpaid' | 'confirming' | 'paid' | 'expired' | 'refunded'

const STATES = {
  PENDING: 'waiting',
  UNDERPAID: 'underpaid',
  PROCESSING: 'confirming',
  PAID: 'paid',
  EXPIRED: 'expired',
  REFUNDED: 'refunded',
} satisfies Record<OrderStatusAnswer, CheckoutState>

/** How often a payment that is being waited for is looked at, in ms. */
const WAITING_MS = 2_500
/** How often an expired one is looked at, in ms: money sent late may still arrive. */
const EXPIRED_MS = 15_000

/**
 * What to show of a payment. One whose time is over counts as expired at once: the countdown at zero and an invitation to
 * pay do not go together, and the server says the same a moment later.
 *
 * @param nowAt the present time in epoch seconds
 */
export function checkoutStateAt(
  checkout: { status: OrderStatusAnswer; expires_at: number },
  nowAt: number,
): CheckoutState {
  const state = STATES[checkout.status]
  return state === 'waiting' && nowAt >= checkout.expires_at ? 'expired' : state
}

/** @returns after how many ms the payment is looked at again; false when nothing can change any more */
export function pollAfterMs(status: OrderStatusAnswer | undefined): number | false {
  switch (status) {
    case undefined:
    case 'PENDING':
    case 'UNDERPAID':
    case 'PROCESSING':
      return WAITING_MS
    case 'EXPIRED':
      return EXPIRED_MS
    case 'PAID':
    case 'REFUNDED':
      return false
  }
}

/** @returns the page of this site that an absolute address of it names: its path and query */
export function pageOfAddress(address: string): string {
  const { pathname, search } = new URL(address)
  return `${pathname}${search}`
}
