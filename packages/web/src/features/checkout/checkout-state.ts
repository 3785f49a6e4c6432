import type { Checkout, OrderStatusAnswer } from '@fairball/contract/schemas/order'

/** The state of a payment on the page. */
export type CheckoutState =
  | 'waiting'
  | 'underpaid'
  | 'confirming'
  /** It was seen in time but was not in a block in time: it may still count, or is refunded. */
  | 'unconfirmed'
  /** It counted until the chain reversed it; it waits for its next block. */
  | 'reversed'
  | 'paid'
  | 'expired'
  /** The whole amount was seen, but after the deadline. */
  | 'late'
  /** The player began a pause. */
  | 'paused'
  /** The player lowered the weekly limit. */
  | 'limited'
  /** The deadline has passed and part of the payment arrived: it is refunded. */
  | 'returning'
  | 'refunded'

/** Delay between checks of an awaited payment, in ms: over Lightning it comes within seconds. */
const WAITING_MS = 2_000
/** Delay between tries before the first answer, in ms. */
const UNANSWERED_MS = 2_500
/** Delay between checks of an expired one, in ms: money sent late may still arrive. */
const EXPIRED_MS = 15_000
/** Seconds before the end from which the countdown warns: a wallet takes a moment. */
const LAST_SECONDS = 3 * 60

/** The part of an answer that decides the state. */
type Standing = Pick<
  Checkout,
  'status' | 'expires_at' | 'block_by' | 'ended_because' | 'is_late' | 'is_taken_back' | 'received' | 'missing'
>

/**
 * The state of a payment to show. A payment past its deadline counts as expired immediately: a countdown at zero and an
 * invitation to pay contradict each other, and the server says the same a moment later.
 *
 * @param nowAt the present time in epoch seconds
 */
export function checkoutStateAt(checkout: Standing, nowAt: number): CheckoutState {
  const isOver = nowAt >= checkout.expires_at
  const isUnconfirmed = checkout.block_by !== null && nowAt >= checkout.block_by
  switch (checkout.status) {
    case 'PENDING':
      return isOver ? 'expired' : 'waiting'
    case 'UNDERPAID':
      return isOver ? 'returning' : 'underpaid'
    case 'PROCESSING':
      if (checkout.is_taken_back) return 'reversed'
      if (isUnconfirmed) return 'unconfirmed'
      return checkout.is_late ? 'late' : 'confirming'
    case 'PAID':
      return 'paid'
    case 'EXPIRED':
      if (checkout.ended_because !== null) return checkout.ended_because === 'PAUSE' ? 'paused' : 'limited'
      if (!isSome(checkout.received)) return 'expired'
      if (isUnconfirmed) return 'unconfirmed'
      return isSome(checkout.missing) ? 'returning' : 'late'
    case 'REFUNDED':
      return 'refunded'
  }
}

/** Whether the player may still send money. */
export function canPay(state: CheckoutState): state is 'waiting' | 'underpaid' {
  return state === 'waiting' || state === 'underpaid'
}

/** Whether the deadline is near. */
export function isLastMoment(expiresAt: number, nowAt: number): boolean {
  return expiresAt - nowAt <= LAST_SECONDS
}

/** Whether an amount is above zero. */
export function isSome({ value }: { value: string }): boolean {
  return /[1-9]/u.test(value)
}

/** @returns the delay before the next check of the payment, in ms; false when nothing can change any more */
export function pollAfterMs(status: OrderStatusAnswer | undefined): number | false {
  switch (status) {
    case undefined:
      return UNANSWERED_MS
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

/** @returns the page of an absolute address of this site: its path and query */
export function pageOfAddress(address: string): string {
  const { pathname, search } = new URL(address)
  return `${pathname}${search}`
}
