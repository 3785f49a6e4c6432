/** Buying: an order, its status, and its checkout page. */
import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { ADDRESSES } from '../paths.ts'
import {
  checkoutAddressSchema,
  checkoutSchema,
  orderInput,
  orderPaymentSchema,
  paymentSchema,
  quoteSchema,
} from '../schemas/order.ts'
import { rowId } from '../schemas/params.ts'

/** Why what a player wants to play is refused, whether it is ordered or only quoted. */
const REFUSALS = [
  'NOT_FOUND',
  'GAME_NOT_AVAILABLE',
  'LIMIT_REACHED',
  'SELF_EXCLUDED',
  'ACCOUNT_BLOCKED',
  'ACCESS_DENIED',
  'RATE_UNAVAILABLE',
  'TOO_MANY_REQUESTS',
] as const

const IDEMPOTENCY_MESSAGE = 'Must be 1 to 255 printable ASCII characters.'

export const paymentCalls = {
  createPayment: defineCall(ADDRESSES.createPayment, {
    tag: 'Payments',
    summary: 'Creates an order and returns its checkout page. The same idempotency key and body return the same order.',
    headers: z.object({
      'idempotency-key': z.optional(
        z.string(IDEMPOTENCY_MESSAGE).check(z.regex(/^[\x20-\x7e]{1,255}$/, IDEMPOTENCY_MESSAGE)),
      ),
    }),
    body: orderInput,
    answer: paymentSchema,
    errors: [...REFUSALS, 'IDEMPOTENCY_CONFLICT'],
  }),
  quotePayment: defineCall(ADDRESSES.quotePayment, {
    tag: 'Payments',
    summary: 'Shows the draws and the price of an order without making it. Limits apply to the player of the bearer.',
    body: orderInput,
    answer: quoteSchema,
    errors: REFUSALS,
  }),
  getPayment: defineCall(ADDRESSES.getPayment, {
    tag: 'Payments',
    summary: 'Shows the status of the payment of an order of the player.',
    query: z.object({ transaction_id: rowId }),
    answer: orderPaymentSchema,
    errors: ['NOT_FOUND'],
  }),
  getCheckout: defineCall(ADDRESSES.getCheckout, {
    tag: 'Payments',
    summary: 'Shows address, amount, expiry and status of an order, for the checkout page. Its id cannot be guessed.',
    params: z.object({ transaction_id: rowId }),
    answer: checkoutSchema,
    errors: ['NOT_FOUND'],
  }),
  getCheckoutAddress: defineCall(ADDRESSES.getCheckoutAddress, {
    tag: 'Payments',
    summary: 'Returns the checkout page of an order of the player: our own, or one of the payment provider.',
    params: z.object({ transaction_id: rowId }),
    answer: checkoutAddressSchema,
    errors: ['NOT_FOUND'],
  }),
}
