import type { OrderPayment } from '@fairball/contract/schemas/order'
import type { Api } from '../api.ts'
import { msSinceArrival } from '../arrival.ts'
import { runtime } from '../runtime.ts'
import type { Session } from '../session/session.ts'

/** Delay between the arrival and the first look at a payment, in ms (specification, section 9). */
const FIRST_LOOK_MS = 1_000

/** What was seen of a payment before the page could show it. */
let early: {
  readonly transactionId: string
  readonly payment: OrderPayment
  /** whether it is still the same player at this browser */
  readonly isTheirs: () => boolean
} | null = null

/** @returns the milliseconds until a payment may be looked at for the first time */
export function msToFirstLook(transactionId: string): number {
  return Math.max(0, FIRST_LOOK_MS - msSinceArrival(`transaction_id=${transactionId}`))
}

/**
 * Looks at the payment that the document's address names, while the scripts that show it are on their way.
 *
 * @returns null if there is nothing for this player to see
 */
export async function lookEarly(api: Api, session: Session): Promise<OrderPayment | null> {
  const transactionId = new URLSearchParams(location.search).get('transaction_id')
  if (transactionId === null) return null
  await session.ready()
  await new Promise<void>((due) => runtime.after(msToFirstLook(transactionId), due))
  if (session.state().status !== 'player') return null
  const visit = session.visit()
  // What fails is asked for again.
  const payment = await api.call('getPayment', { query: { transaction_id: transactionId } }).catch(() => null)
  early = payment && { transactionId, payment, isTheirs: () => session.visit() === visit }
  return payment
}

/** Takes over what was seen of a payment, once. @returns undefined if there is nothing: it has to be asked for */
export function takeEarlyLook(transactionId: string): OrderPayment | undefined {
  if (early?.transactionId !== transactionId) return undefined
  const { payment, isTheirs } = early
  early = null
  return isTheirs() ? payment : undefined
}
