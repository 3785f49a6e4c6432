/** The demo's controls (decisions, section 3). In production each of them answers 404. */
import { TEXT_MAX } from '@fairball/domain/validation'
import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { OPERATION_ADDRESSES } from '../operation-paths.ts'
import { ADDRESSES } from '../paths.ts'
import { orderStatusSchema } from '../schemas/order.ts'
import { rowId } from '../schemas/params.ts'
import { EPOCH_MAX, textUpTo, wholeNumber } from '../schemas/text.ts'

/** Maximum jump of the clock, in seconds: 400 days. */
export const CLOCK_JUMP_MAX = 400 * 86_400
/** Maximum number of confirmations of a demo payment: each one is a block to mine. */
const CONFIRMATIONS_MAX = 1000

const BTC_MESSAGE = 'Must be an amount of BTC above zero, as a decimal text with at most 8 decimals.'

/** An amount of bitcoin in a request: a decimal text. */
const btcText = z.string(BTC_MESSAGE).check(
  z.regex(/^[0-9]{1,8}(?:\.[0-9]{1,8})?$/, BTC_MESSAGE),
  z.refine((text) => /[1-9]/.test(text), BTC_MESSAGE),
)

/** The system's clock, in epoch seconds. */
const clockSchema = z.object({ now: z.int() })

/** A mail in the outbox, with its links. */
const mailSchema = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  sent_at: z.int(),
  links: z.array(z.string()),
})
export type Mail = z.output<typeof mailSchema>

/** A payment of the test Lightning node that arrived at its payee. */
const lightningSentSchema = z.object({
  payment_hash: z.string(),
  preimage: z.string(),
  /** the Lightning address as the player saved it */
  destination: z.string(),
  amount: z.string(),
  at: z.int(),
})

/**
 * The lottery's incoming and outgoing payments, on the chain and, if there is a test node, over Lightning; amounts in
 * BTC with 8 decimals.
 */
const testWalletSchema = z.object({
  received: z.string(),
  sent: z.array(z.object({ txid: z.string(), address: z.string(), amount: z.string(), at: z.int() })),
  lightning: z.nullable(z.object({ received: z.string(), sent: z.array(lightningSentSchema) })),
})
export type TestWallet = z.output<typeof testWalletSchema>

/** How the test Lightning node behaves. */
const lightningModeSchema = z.enum(['ok', 'down', 'hold', 'fail'], 'Must be "ok", "down", "hold" or "fail".')

export const demoCalls = {
  getClock: defineCall(OPERATION_ADDRESSES.getClock, {
    tag: 'Demo',
    summary: 'Shows the clock of the system.',
    answer: clockSchema,
    errors: ['NOT_FOUND'],
  }),
  moveClock: defineCall(ADDRESSES.moveClock, {
    tag: 'Demo',
    summary: 'Moves the clock of the system forward, and answers after all work due by then is done.',
    body: z
      .strictObject({
        advance: z.optional(wholeNumber({ min: 0, max: CLOCK_JUMP_MAX })),
        to: z.optional(wholeNumber({ min: 0, max: EPOCH_MAX })),
      })
      .check(
        z.refine((body) => (body.advance === undefined) !== (body.to === undefined), {
          path: ['advance'],
          error: 'Exactly one of advance and to is required.',
        }),
      ),
    answer: clockSchema,
    errors: ['NOT_FOUND'],
  }),
  payFromTestWallet: defineCall(ADDRESSES.payFromTestWallet, {
    tag: 'Demo',
    summary:
      'Pays the invoice of an order from the test wallet: the missing amount, or a given amount of BTC; on the chain, or its Lightning invoice.',
    body: z.strictObject({
      transaction_id: rowId,
      amount: z.optional(btcText),
      confirmations: z.optional(wholeNumber({ min: 0, max: CONFIRMATIONS_MAX })),
      method: z.optional(z.enum(['bitcoin', 'lightning'], 'Must be "bitcoin" or "lightning".')),
    }),
    answer: z.object({ status: orderStatusSchema }),
    errors: ['NOT_FOUND'],
  }),
  getMail: defineCall(ADDRESSES.getMail, {
    tag: 'Demo',
    summary: 'Lists the mails of the outbox, newest first; if an address is given, only those to it.',
    query: z.object({ to: z.optional(textUpTo(TEXT_MAX)) }),
    answer: z.array(mailSchema),
    errors: ['NOT_FOUND'],
  }),
  getTestWallet: defineCall(ADDRESSES.getTestWallet, {
    tag: 'Demo',
    summary: 'Shows the incoming and outgoing payments of the test wallet, and of the test Lightning node.',
    answer: testWalletSchema,
    errors: ['NOT_FOUND'],
  }),
  setLightning: defineCall(OPERATION_ADDRESSES.setLightning, {
    tag: 'Demo',
    summary: 'Has the test Lightning node answer, be down, hold what it sends, or have it refused by the payee.',
    body: z.strictObject({ mode: lightningModeSchema }),
    answer: z.object({ mode: lightningModeSchema }),
    errors: ['NOT_FOUND'],
  }),
}
