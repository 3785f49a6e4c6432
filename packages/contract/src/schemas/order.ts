/** Orders and their payment, as sent and as answered. */
import { MAX_LINES } from '@fairball/domain/games'
import { TEXT_MAX } from '@fairball/domain/validation'
import * as z from 'zod/mini'
import { lineInput, linesSchema } from './lines.ts'
import { amountSchema, cryptoSchema } from './money.ts'
import { INTEGER_MAX, textUpTo, wholeNumber } from './text.ts'

/** What `GET /payment` answers about an order. */
export const orderStatusSchema = z.enum(['PENDING', 'PROCESSING', 'UNDERPAID', 'PAID', 'EXPIRED', 'REFUNDED'])
export type OrderStatusAnswer = z.output<typeof orderStatusSchema>

/** One line of an order, as sent. */
const ticketInput = z.strictObject({ isLuckyDip: z.boolean(), numbers: lineInput })

/** An order: lines, the weekdays to play them on (1 Monday to 7 Sunday, UTC), and for how many weeks. */
export const orderInput = z.strictObject({
  type: z.literal('lotto', 'Must be "lotto".'),
  key: textUpTo(TEXT_MAX),
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
})

/**
 * Entries that play in a later draw than the order named, because it was confirmed after that one's close or the draw was void:
 * the numbers of the draw left and of the draw joined, and when the latter starts.
 */
const movedSchema = z.array(z.object({ from: z.int(), to: z.int(), date: z.int() }))

/** Why an order that nothing covered ended before its time: a time-out or an exclusion began, or the weekly limit was lowered. */
const endReasonSchema = z.enum(['PAUSE', 'WEEKLY_LIMIT'])

/** What an order that is not paid waits for. */
const unpaidOrderSchema = z.object({
  /** Until when it can be paid. */
  expires_at: z.int(),
  /** What is to be paid, after free tickets. */
  price: amountSchema,
  /** What has not been seen of it; null once it is covered, and where nothing can be paid any more. */
  missing: z.nullable(cryptoSchema),
})
export type UnpaidOrder = z.output<typeof unpaidOrderSchema>

/** How far the payment of an order is. */
export const orderPaymentSchema = z.object({
  status: orderStatusSchema,
  /** The game that the order is for. */
  game_key: z.string(),
  /** There only where the player's own limits ended the order: what was or is paid for it goes back. */
  ended_because: z.optional(endReasonSchema),
  /** There only while the order is neither PAID nor REFUNDED. */
  order: z.optional(unpaidOrderSchema),
  /** The order's lines, to order them again: there only where it is EXPIRED. */
  lines: z.optional(linesSchema),
  /** There only while a payment seen in time is in no block that keeps price and draws: by when it has to be, or had to. */
  block_by: z.optional(z.int()),
  /** There only where entries have moved. */
  moved: z.optional(movedSchema),
})
export type OrderPayment = z.output<typeof orderPaymentSchema>

/** Where an order is paid, and its id. */
/** Where an order is paid: our own checkout page, or one of the payment provider's. */
export const checkoutAddressSchema = z.object({ checkout_url: z.string() })

export const paymentSchema = z.object({ checkout_url: z.string(), transaction_id: z.string() })

/** One bitcoin transaction's output that pays an order. */
const checkoutTransactionSchema = z.object({
  /** `txid:vout`: several outputs of one transaction may pay an order. */
  outpoint: z.string(),
  txid: z.string(),
  /** The explorer's page that shows the transaction; null on a network that has none. */
  link: z.nullable(z.string()),
  amount: cryptoSchema,
  /** As far as they count. */
  confirmations: z.int(),
})
export type CheckoutTransaction = z.output<typeof checkoutTransactionSchema>

/**
 * Everything the checkout page shows of an order that is paid at an address of our own. Anyone who knows the order's id sees
 * it, so it tells nothing of the player.
 */
export const checkoutSchema = z.object({
  transaction_id: z.string(),
  status: orderStatusSchema,
  game_key: z.string(),
  game_name: z.string(),
  lines: z.int(),
  draws: z.int(),
  network: z.enum(['mainnet', 'testnet4', 'signet', 'regtest']),
  /** Null once the player's own limits ended the order. */
  address: z.nullable(z.string()),
  /** The payment as a `bitcoin:` address with the amount still missing, for the QR code and wallets. Null as the address is. */
  uri: z.nullable(z.string()),
  amount: amountSchema,
  /** What has been seen so far, confirmed or not. */
  received: cryptoSchema,
  missing: cryptoSchema,
  /** What was sent beyond the price. */
  excess: cryptoSchema,
  /** How many confirmations the least confirmed payment has, as far as they count, and how many it needs. */
  confirmations: z.int(),
  confirmations_needed: z.int(),
  /** Whether the confirmations are those of this moment; false while the bitcoin node does not answer. */
  is_live: z.boolean(),
  /** What pays the order, in the order it was seen. */
  transactions: z.array(checkoutTransactionSchema),
  /** Why the order ended before its time; null where it did not. What was or is paid for it goes back. */
  ended_because: z.nullable(endReasonSchema),
  /**
   * By when the payment has to be in a block to keep price and draws, or had to. Null while no payment seen in time covers the
   * order, once it is in a block in time, and once the order is PAID or REFUNDED.
   */
  block_by: z.nullable(z.int()),
  /** Whether the whole amount was there only after the time to pay was over. */
  is_late: z.boolean(),
  /** Whether the chain took a payment back that was confirmed before, and it does not count again yet. */
  is_taken_back: z.boolean(),
  moved: movedSchema,
  expires_at: z.int(),
  /** The play page with the order's `transaction_id`, where the player goes next. */
  return_url: z.string(),
  /** Whether the test wallet can pay it: demo mode only. */
  can_pay_from_test_wallet: z.boolean(),
})
export type Checkout = z.output<typeof checkoutSchema>
