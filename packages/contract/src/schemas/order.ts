/** Orders and their payment, in requests and answers. */
import { MAX_LINES } from '@fairball/domain/games'
import * as z from 'zod/mini'
import { secretInput } from './fairness.ts'
import { drawRefSchema } from './game.ts'
import { lineInput, orderedLinesSchema } from './lines.ts'
import { amountSchema, cryptoSchema, fiatSchema } from './money.ts'
import { gameKey } from './params.ts'
import { INTEGER_MAX, wholeNumber } from './text.ts'

/** The status of an order in `GET /payment`. */
export const orderStatusSchema = z.enum(['PENDING', 'PROCESSING', 'UNDERPAID', 'PAID', 'EXPIRED', 'REFUNDED'])
export type OrderStatusAnswer = z.output<typeof orderStatusSchema>

/** One line of an order in a request. */
const ticketInput = z.strictObject({ isLuckyDip: z.boolean(), numbers: lineInput })

/** An order: lines, weekdays to play on (1 Monday to 7 Sunday, UTC), and the number of weeks. */
export const orderInput = z.strictObject({
  type: z.literal('lotto', 'Must be "lotto".'),
  key: gameKey,
  days: z.array(wholeNumber({ min: 1, max: 7 })).check(
    z.minLength(1, 'Must name at least one day.'),
    z.maxLength(7, 'Must name at most seven days.'),
    z.refine((days) => new Set(days).size === days.length, 'Must not repeat a day.'),
  ),
  weeks: wholeNumber({ min: 1, max: INTEGER_MAX }),
  tickets: z
    .array(ticketInput)
    .check(
      z.minLength(1, 'Must hold at least one line.'),
      z.maxLength(MAX_LINES, `Must hold at most ${MAX_LINES} lines.`),
    ),
  /** Made in the browser for this order alone; if it is missing, the server makes one. */
  secret: z.optional(secretInput),
})

/**
 * Entries moved to a later draw, because the order was confirmed after its draw's close or the draw was void: the
 * numbers of the old and the new draw, and the start of the new one.
 */
const movedSchema = z.array(z.object({ from: z.int(), to: z.int(), date: z.int() }))

/** Why an unpaid order ended early: a time-out or an exclusion began, or the weekly limit was lowered. */
const endReasonSchema = z.enum(['PAUSE', 'WEEKLY_LIMIT'])

/** What an order is for, and what it costs. */
const paidForSchema = z.object({
  game_key: z.string(),
  created_at: z.int(),
  /** When it became PAID; null before. */
  paid_at: z.nullable(z.int()),
  /** Deadline for payment. */
  expires_at: z.int(),
  /** The price after free tickets. */
  price: amountSchema,
  /** The part not seen yet; null once it is covered, and if nothing can be paid any more. */
  missing: z.nullable(cryptoSchema),
  /** The draws, by start; once it is PAID, those that its lines play in. `play_id` is null before. */
  draws: z.array(z.extend(drawRefSchema, { play_id: z.nullable(z.string()) })),
  lines: orderedLinesSchema,
})
export type PaidFor = z.output<typeof paidForSchema>

/** The status of an order's payment. */
export const orderPaymentSchema = z.object({
  status: orderStatusSchema,
  /** The game that the order is for. */
  game_key: z.string(),
  /** Only present if the player's own limits ended the order: payments for it are refunded. */
  ended_because: z.optional(endReasonSchema),
  order: paidForSchema,
  /**
   * Deadline for the block of a payment seen in time to keep price and draws; only present while there is no such
   * block.
   */
  block_by: z.optional(z.int()),
  /** Only present if entries have moved. */
  moved: z.optional(movedSchema),
})
export type OrderPayment = z.output<typeof orderPaymentSchema>

/** What an order would be for, and cost: the draws by start, and the entries that free tickets pay for. */
export const quoteSchema = z.object({
  draws: z.array(drawRefSchema),
  entries: z.int(),
  free_tickets_used: z.int(),
  price: amountSchema,
})

/** The checkout page of an order: our own, or one of the payment provider. */
export const checkoutAddressSchema = z.object({ checkout_url: z.string() })

/**
 * The checkout page of an order, its id, and the operator's promise for it before any money moves (docs/fairness.md,
 * section 10).
 */
export const paymentSchema = z.object({
  checkout_url: z.string(),
  transaction_id: z.string(),
  /** Signed note. */
  promise: z.string(),
  /** Only present if the order was sent without one. */
  secret: z.optional(z.string()),
})

/** An output of a bitcoin transaction that pays an order. */
const checkoutTransactionSchema = z.object({
  /** `txid:vout`: several outputs of one transaction may pay an order. */
  outpoint: z.string(),
  txid: z.string(),
  /** The explorer's page that shows the transaction; null on a network without one. */
  link: z.nullable(z.string()),
  amount: cryptoSchema,
  /** Capped at the number needed. */
  confirmations: z.int(),
})
export type CheckoutTransaction = z.output<typeof checkoutTransactionSchema>

/** The Lightning invoice of an order. A payment over Lightning is whole and final at once. */
const lightningSchema = z.object({
  /** Null until the node has made it. */
  bolt11: z.nullable(z.string()),
  /** Hex; the operator's promise names it. */
  payment_hash: z.string(),
  /** Deadline for payment over Lightning: never after that of the order. */
  expires_at: z.int(),
  /** Only `open` may be paid. `unavailable` while the node cannot be used, and in the last minute. */
  state: z.enum(['open', 'paid', 'closed', 'unavailable']),
  /** Null before it is paid. */
  paid_at: z.nullable(z.int()),
  /** Whether the page offers it before the address. */
  is_first: z.boolean(),
})

/**
 * The data of the checkout page for an order with an address of our own. Anyone with the order's id can see it, so it
 * contains nothing about the player.
 */
export const checkoutSchema = z.object({
  transaction_id: z.string(),
  status: orderStatusSchema,
  game_key: z.string(),
  game_name: z.string(),
  lines: z.int(),
  draws: z.int(),
  /** The draws, by start. */
  draw_refs: z.array(drawRefSchema),
  network: z.enum(['mainnet', 'testnet4', 'signet', 'regtest']),
  /** Null once the player's own limits ended the order, or it was paid over Lightning. */
  address: z.nullable(z.string()),
  /**
   * The payment as a `bitcoin:` address with the missing amount, for the QR code and wallets. Null if the address is.
   */
  uri: z.nullable(z.string()),
  /** The same, with the Lightning invoice while it is open, for wallets that know both. */
  unified_uri: z.nullable(z.string()),
  lightning: z.nullable(lightningSchema),
  amount: amountSchema,
  /** What a line costs, and in how many of the draws: more than one if the game's price changes between them. */
  line_prices: z.array(z.object({ draws: z.int(), price: z.object({ fiat: fiatSchema }) })),
  /** The amount seen so far, confirmed or not. */
  received: cryptoSchema,
  missing: cryptoSchema,
  /** The amount sent beyond the price. */
  excess: cryptoSchema,
  /** Confirmations of the least confirmed payment, capped at the number needed, and that number. */
  confirmations: z.int(),
  confirmations_needed: z.int(),
  /** Whether the confirmations are current; false while the bitcoin node does not answer. */
  is_live: z.boolean(),
  /** The payments of the order, in the order seen. */
  transactions: z.array(checkoutTransactionSchema),
  /** Why the order ended early, in which case payments for it are refunded; null if it did not. */
  ended_because: z.nullable(endReasonSchema),
  /**
   * Deadline for the payment's block to keep price and draws. Null while no payment seen in time covers the order, once
   * it is in a block in time, and once the order is PAID or REFUNDED.
   */
  block_by: z.nullable(z.int()),
  /** Whether the whole amount was only seen after the deadline. */
  is_late: z.boolean(),
  /** Whether the chain reversed a confirmed payment that is not confirmed again yet. */
  is_taken_back: z.boolean(),
  moved: movedSchema,
  expires_at: z.int(),
  /** The play page with the order's `transaction_id`, the player's next page. */
  return_url: z.string(),
  /** Whether the test wallet can pay it: demo mode only. */
  can_pay_from_test_wallet: z.boolean(),
})
export type Checkout = z.output<typeof checkoutSchema>
