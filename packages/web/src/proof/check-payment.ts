import { readBolt11 } from '@fairball/domain/bolt11'
import { btcToSats } from '@fairball/domain/money'
import type { PayBy } from '@fairball/domain/protocol/statements'
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

const MSAT_PER_SAT = 1000n
const OTHER_CODE = { kind: 'wrong', why: 'The code to scan does not match this page.' } as const

type Payment = Pick<Checkout, 'transaction_id' | 'address' | 'uri' | 'amount' | 'missing' | 'received'> &
  // A server of the release before has no Lightning.
  Partial<Pick<Checkout, 'unified_uri' | 'lightning' | 'network'>>

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
  const sats = btcToSats(payment.amount.crypto.value)
  const invoice = payment.lightning?.state === 'open' ? payment.lightning.bolt11 : null
  if (address === null || !isAskedFor(payment, address, invoice)) return OTHER_CODE
  const read = invoice === null ? null : readBolt11(invoice)
  if (invoice !== null && (read?.network !== payment.network || read?.amountMsat !== sats * MSAT_PER_SAT))
    return OTHER_CODE
  const over: { also?: PayBy } = read === null ? {} : { also: { by: 'lightning', hash: read.hash } }
  const why = await promiseFault(parts, order, { pay: { by: 'bitcoin', address }, sats, ...over })
  return why === null ? { kind: 'promised' } : { kind: 'wrong', why }
}

/** Whether the code to scan asks for exactly the missing amount at the address, or by the invoice. */
function isAskedFor(
  { uri, unified_uri: unified, amount, missing, received }: Payment,
  address: string,
  invoice: string | null,
): boolean {
  const [due, left, seen] = [amount.crypto, missing, received].map(({ value }) => btcToSats(value))
  const isRest = due !== undefined && left !== undefined && seen !== undefined && left + seen === due
  const wanted = `bitcoin:${address}?amount=${missing.value}`
  return isRest && uri === wanted && (invoice === null || unified === `${wanted}&lightning=${invoice}`)
}
