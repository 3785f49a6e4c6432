import { btcToSats } from '@fairball/domain/money'
import type { Checkout } from '@fairball/contract/schemas/order'
import { promiseFault, type PromiseParts } from './check-promise.ts'

/** The result of this browser's check of a payment. */
export type PaymentCheck =
  /** The operator has promised it, for the order that was made here. */
  | { readonly kind: 'promised' }
  /** The order was not made in this browser, so there is nothing to check it against. */
  | { readonly kind: 'unknown' }
  /** It must not be paid; `why` is a sentence. */
  | { readonly kind: 'wrong'; readonly why: string }

type Payment = Pick<Checkout, 'transaction_id' | 'address' | 'uri' | 'amount' | 'missing' | 'received'>

/**
 * Checks a payment against the promise for its order.
 *
 * @throws the error of a failed fetch, without a verdict on the payment
 */
export async function checkPayment(parts: PromiseParts, payment: Payment): Promise<PaymentCheck> {
  const orders = await parts.store.all('orders')
  const order = orders.find(({ transactionId }) => transactionId === payment.transaction_id)
  if (order === undefined) return { kind: 'unknown' }
  const { address } = payment
  if (address === null || !isAskedFor(payment, address)) {
    return { kind: 'wrong', why: 'The code to scan does not match this page.' }
  }
  const shown = { pay: { by: 'bitcoin', address }, sats: btcToSats(payment.amount.crypto.value) } as const
  const why = await promiseFault(parts, order, shown)
  return why === null ? { kind: 'promised' } : { kind: 'wrong', why }
}

/** Whether the code to scan asks for exactly the missing amount at the address. */
function isAskedFor({ uri, amount, missing, received }: Payment, address: string): boolean {
  const [due, left, seen] = [amount.crypto, missing, received].map(({ value }) => btcToSats(value))
  const isRest = due !== undefined && left !== undefined && seen !== undefined && left + seen === due
  return isRest && uri === `bitcoin:${address}?amount=${missing.value}`
}
