import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import { LotteryError } from '@fairball/domain/errors'
import { gameByKey } from '@fairball/domain/games'
import { satsToBtc } from '@fairball/domain/money'
import type { OrderStatus } from '@fairball/domain/order-status'
import type { AnswerOf } from '@fairball/contract/calls'
import type { Db } from '../../db/pool.ts'
import type { InvoiceSnapshot, PaymentNetwork, PaymentProvider } from '../../ports/payment-provider/payment-provider.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { amountOf, cryptoOf } from './amounts.ts'
import { explorerLink } from './explorer.ts'
import { missingOf, sumPayments } from './order-payments.ts'
import * as queries from './queries.ts'
import { currentRates } from './rates.ts'

/** How long what the provider said of an order's payments is shown again before it is asked anew, in ms: the page is public. */
const KEPT_MS = 5_000
/** So long the page waits for the provider; then it shows what is known without it, in ms. */
const PATIENCE_MS = 3_000
/** Answers kept at once; the oldest goes first. */
const KEPT_MOST = 500

/** In place of an answer where everything is known without one. */
const NOTHING_ASKED: InvoiceSnapshot = { outputs: [] }

/** A payment as it is kept. */
interface StoredPayment {
  readonly outpoint: string
  readonly sats: bigint
  readonly confirmed_at: number | null
  readonly network: PaymentNetwork
}

/** What the checkout page needs to know of an order. */
export interface CheckoutOrder {
  readonly id: string
  readonly status: OrderStatus
  readonly game_key: string
  readonly line_count: number
  readonly draw_ids: readonly bigint[]
  readonly due_sats: bigint
  /** what has to come in all; more or less than `due_sats` once a payment was reorganised away */
  readonly needed_sats: bigint
  /** sats a pound cost when the order was made */
  readonly rate_sats: bigint
  readonly expires_at: number
}

export interface CheckoutDeps {
  readonly db: Db
  readonly runtime: Runtime
  readonly provider: PaymentProvider
  readonly network: BitcoinNetwork
  /** an explorer's address up to the transaction's id; the network's usual one without it */
  readonly explorerUrl?: string | null
  readonly canPayFromTestWallet: boolean
  readonly requiredConfirmations: number
  /** @throws LotteryError NOT_FOUND */
  readonly findOrder: (orderId: string) => Promise<CheckoutOrder>
  /** the play page that shows how an order's payment stands */
  readonly returnUrlOf: (order: CheckoutOrder) => string
}

/** The page where an order is paid at an address of our own. */
export function createCheckout(deps: CheckoutDeps) {
  const { db, runtime, provider, requiredConfirmations } = deps
  const kept = new Map<string, { readonly at: number; readonly answer: Promise<InvoiceSnapshot | null> }>()

  /**
   * Everything the checkout page shows of an order, to whoever has its unguessable id: it is often opened on the phone
   * that holds the wallet, where nobody is signed in. So there is nothing in it but what is needed to pay, and what the
   * chain tells everybody of these payments.
   *
   * @throws LotteryError NOT_FOUND: unknown, or not paid at an address of ours
   */
  async function checkoutOf(orderId: string): Promise<AnswerOf<'getCheckout'>> {
    const order = await deps.findOrder(orderId)
    const invoice = await db.maybeOne(queries.findInvoice, [order.id])
    // A provider with a page of its own takes the money there, over Lightning too.
    const isHere = invoice?.checkout_url.endsWith(`/checkout/${order.id}`) === true
    if (invoice === null || invoice.address === null || !isHere)
      throw new LotteryError('NOT_FOUND', 'No such checkout.')
    const { address } = invoice
    const payments = await db.run(queries.findPayments, [order.id])
    const { seenSats, coveredAt } = sumPayments(payments, order.needed_sats)
    const missingSats = missingOf(order, seenSats)
    const excessSats = seenSats > order.needed_sats ? seenSats - order.needed_sats : 0n
    const { transactions, confirmations, isLive } = await transactionsOf(order.id, invoice, payments)
    const moves = order.status === 'PAID' ? await db.run(queries.findMoves, [order.id]) : []
    const isTakenBack = await db.one(queries.findTakenBack, [order.id])
    const rates = await currentRates(db, runtime.clock.now())
    return {
      transaction_id: order.id,
      status: order.status,
      game_key: order.game_key,
      game_name: gameByKey(order.game_key)?.name ?? order.game_key,
      lines: order.line_count,
      draws: order.draw_ids.length,
      network: deps.network,
      address,
      uri: paymentUri(address, missingSats),
      amount: amountOf(order.due_sats, rates.set('GBP', order.rate_sats)),
      received: cryptoOf(seenSats),
      missing: cryptoOf(missingSats),
      excess: cryptoOf(excessSats),
      confirmations,
      confirmations_needed: requiredConfirmations,
      is_live: isLive,
      transactions,
      is_late: coveredAt !== null && coveredAt > order.expires_at,
      is_taken_back: isTakenBack.taken_back && order.status !== 'PAID' && order.status !== 'REFUNDED',
      moved: moves.map((move) => ({ from: move.left_number, to: move.joined_number, date: move.start_at })),
      expires_at: order.expires_at,
      return_url: deps.returnUrlOf(order),
      can_pay_from_test_wallet: deps.canPayFromTestWallet,
    }
  }

  /** What pays an order, each as deep as it counts; the whole is as deep as the least confirmed of it. */
  async function transactionsOf(
    orderId: string,
    invoice: { readonly provider: string; readonly ref: string },
    payments: readonly StoredPayment[],
  ) {
    const isConfirmed = payments.every((payment) => payment.confirmed_at !== null)
    // Another provider than the one that has the invoice would say that there is none.
    const isAsked = invoice.provider === provider.name
    const shown = isConfirmed ? NOTHING_ASKED : isAsked ? await shownBy(orderId, invoice.ref) : null
    const depths = new Map(shown?.outputs.map((output) => [output.outpoint, output.confirmations]))
    const depthOf = ({ outpoint, confirmed_at }: StoredPayment): number =>
      confirmed_at === null
        ? Math.min(requiredConfirmations, Math.max(0, depths.get(outpoint) ?? 0))
        : requiredConfirmations
    const transactions = payments
      .filter((payment) => payment.network === 'ONCHAIN')
      .map((payment) => {
        const txid = txidOf(payment.outpoint)
        const link = explorerLink(deps.network, deps.explorerUrl ?? null, txid)
        return {
          outpoint: payment.outpoint,
          txid,
          link,
          amount: cryptoOf(payment.sats),
          confirmations: depthOf(payment),
        }
      })
    const confirmations = payments.length === 0 ? 0 : Math.min(...payments.map(depthOf))
    return { transactions, confirmations, isLive: shown !== null }
  }

  /** What pays an invoice, a few seconds old at most; null while the provider does not answer. */
  async function shownBy(orderId: string, ref: string): Promise<InvoiceSnapshot | null> {
    const now = runtime.steady.nowMs()
    const known = kept.get(orderId)
    if (known !== undefined && now - known.at < KEPT_MS) return await known.answer
    const answer = inTime(provider.get(ref), orderId)
    kept.delete(orderId)
    kept.set(orderId, { at: now, answer })
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT_MOST) break
      kept.delete(oldest)
    }
    return await answer
  }

  async function inTime(asked: Promise<InvoiceSnapshot>, orderId: string): Promise<InvoiceSnapshot | null> {
    const done = new AbortController()
    const answered = asked.then(
      (snapshot) => (snapshot.isUnknown === true ? null : snapshot),
      (error: unknown) => {
        runtime.log.warn({ err: error, orderId }, 'the checkout page could not read the confirmations')
        return null
      },
    )
    const waited = runtime.steady.sleep(PATIENCE_MS, done.signal).then(
      () => null,
      () => null,
    )
    try {
      return await Promise.race([answered, waited])
    } finally {
      done.abort()
    }
  }

  return { checkoutOf }
}

/** BIP 21: without an amount once nothing is missing. */
function paymentUri(address: string, missingSats: bigint): string {
  return missingSats === 0n ? `bitcoin:${address}` : `bitcoin:${address}?amount=${satsToBtc(missingSats)}`
}

/** The transaction of an outpoint. */
export function txidOf(outpoint: string): string {
  return outpoint.slice(0, outpoint.lastIndexOf(':'))
}
