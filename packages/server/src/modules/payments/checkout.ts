import type { AnswerOf } from '@fairball/contract/calls'
import { LotteryError } from '@fairball/domain/errors'
import { satsToBtc } from '@fairball/domain/money'
import { isDecided, type OrderStatus } from '@fairball/domain/order-status'
import type { InvoiceSnapshot, PaymentNetwork } from '../../ports/payment-provider/payment-provider.ts'
import { amountOf, cryptoOf, drawRefOf, priceIn } from './amounts.ts'
import type { PaymentsContext } from './context.ts'
import { explorerLink, txidOf } from './explorer.ts'
import { lightningOf, type OfferedInvoice } from './lightning.ts'
import { missingOf, sumPayments } from './order-payments.ts'
import { confirmationsFor, findOrder, returnUrlOf } from './orders-to-pay.ts'
import { paymentsOf } from './payment-rows.ts'
import * as queries from './queries.ts'
import { currentRates } from './rates.ts'

/** How long a provider's answer about an order's payments is reused, in ms: the page is public. */
const KEPT_MS = 5_000
/** Longest wait for the provider before the page shows what is known without it, in ms. */
const PATIENCE_MS = 3_000
/** Maximum number of cached answers; the oldest is dropped first. */
const KEPT_MOST = 500

/** In place of an answer when everything is known without one. */
const NOTHING_ASKED: InvoiceSnapshot = { outputs: [] }

/** A cached payment. */
interface StoredPayment {
  readonly outpoint: string
  readonly sats: bigint
  readonly confirmedAt: number | null
  readonly network: PaymentNetwork
}

/**
 * Everything the checkout page shows of an order, to anyone with its unguessable id: it is often opened on the phone
 * that holds the wallet, where no one is logged in. So it contains only what is needed to pay, and what the chain shows
 * everyone of these payments.
 *
 * @throws LotteryError NOT_FOUND: unknown, or not paid at one of our addresses
 */
export async function checkoutOf(ctx: PaymentsContext, orderId: string): Promise<AnswerOf<'getCheckout'>> {
  const order = await findOrder(ctx, orderId)
  const invoice = await ctx.db.maybeOne(queries.findInvoice, [order.id])
  // A provider with a page of its own takes the money there, over Lightning too.
  const isHere = invoice?.checkoutUrl.endsWith(`/checkout/${order.id}`) === true
  if (invoice === null || invoice.address === null || !isHere) throw new LotteryError('NOT_FOUND', 'No such checkout.')
  const { address } = invoice
  const payments = await paymentsOf(ctx.db, order.id)
  const { seenSats, coveredAt, blockBy } = sumPayments(payments, order, ctx.runtime.clock.now())
  const missingSats = missingOf(order, seenSats)
  const excessSats = seenSats > order.neededSats ? seenSats - order.neededSats : 0n
  const needed = confirmationsFor(ctx, order)
  const { transactions, confirmations, isLive } = await transactionsOf(
    ctx,
    { ...invoice, orderId: order.id },
    payments,
    needed,
  )
  const moves = order.status === 'PAID' ? await ctx.db.run(queries.findMoves, [order.id]) : []
  const isTakenBack = await ctx.db.one(queries.findTakenBack, [order.id])
  const draws = await ctx.db.run(queries.findDrawsOfOrder, [order.id])
  const rates = await currentRates(ctx.db, ctx.runtime.clock.now())
  const lightning = await lightningAt(ctx, order, invoice.provider)
  // What was paid over Lightning is paid: nothing may follow on the chain.
  const isHidden = order.endedBecause !== null || (order.status === 'PAID' && lightning?.state === 'paid')
  const uri = isHidden ? null : paymentUri(address, missingSats)
  return {
    transaction_id: order.id,
    status: order.status,
    game_key: order.gameKey,
    game_name: order.gameName,
    lines: order.lineCount,
    draws: order.drawIds.length,
    draw_refs: draws.map(drawRefOf),
    network: ctx.network,
    address: isHidden ? null : address,
    uri,
    unified_uri: uri === null ? null : unifiedUri(uri, lightning),
    lightning,
    amount: amountOf(order.dueSats, rates.set(order.currency, order.rateSats)),
    line_prices: [...Map.groupBy(order.drawPricesMinor, (minor) => minor)].map(([minor, draws]) => ({
      draws: draws.length,
      price: { fiat: priceIn(Number(minor), rates, order.currency) },
    })),
    received: cryptoOf(seenSats),
    missing: cryptoOf(missingSats),
    excess: cryptoOf(excessSats),
    confirmations,
    confirmations_needed: needed,
    is_live: isLive,
    transactions,
    ended_because: order.endedBecause,
    block_by: isDecided(order.status) ? null : blockBy,
    is_late: coveredAt !== null && coveredAt > order.expiresAt,
    is_taken_back: isTakenBack.takenBack && order.status !== 'PAID' && order.status !== 'REFUNDED',
    moved: moves.map((move) => ({ from: move.leftNumber, to: move.joinedNumber, date: move.startAt })),
    expires_at: order.expiresAt,
    return_url: returnUrlOf(ctx, order),
    can_pay_from_test_wallet: ctx.canPayFromTestWallet,
  }
}

/** The Lightning invoice of an order; null if it has none, or another provider takes its money. */
async function lightningAt(
  ctx: PaymentsContext,
  order: { readonly id: string; readonly status: OrderStatus },
  provider: string,
): Promise<OfferedInvoice | null> {
  if (ctx.lightning === null || provider !== ctx.provider.name) return null
  const isPayable = order.status === 'PENDING' || order.status === 'UNDERPAID'
  return await lightningOf(ctx.lightning, order.id, isPayable)
}

/** What pays an order, each payment with its confirmations; the whole has those of the least confirmed. */
async function transactionsOf(
  ctx: PaymentsContext,
  invoice: { readonly orderId: string; readonly provider: string; readonly ref: string },
  payments: readonly StoredPayment[],
  needed: number,
) {
  const isConfirmed = payments.every((payment) => payment.confirmedAt !== null)
  // A provider other than the invoice's own would say that there is none.
  const isAsked = invoice.provider === ctx.provider.name
  const shown = isConfirmed ? NOTHING_ASKED : isAsked ? await shownBy(ctx, invoice.orderId, invoice.ref) : null
  const depths = new Map(shown?.outputs.map((output) => [output.outpoint, output.confirmations]))
  const depthOf = ({ outpoint, confirmedAt }: StoredPayment): number =>
    confirmedAt === null ? Math.min(needed, Math.max(0, depths.get(outpoint) ?? 0)) : needed
  const transactions = payments
    .filter((payment) => payment.network === 'ONCHAIN')
    .map((payment) => {
      const txid = txidOf(payment.outpoint)
      const link = explorerLink(ctx.network, ctx.explorerUrl, txid)
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
async function shownBy(ctx: PaymentsContext, orderId: string, ref: string): Promise<InvoiceSnapshot | null> {
  const now = ctx.runtime.monotonic.nowMs()
  const known = ctx.answers.get(orderId)
  if (known !== undefined && now - known.at < KEPT_MS) return await known.answer
  const answer = inTime(ctx, ctx.provider.get(ref), orderId)
  ctx.answers.delete(orderId)
  ctx.answers.set(orderId, { at: now, answer })
  for (const oldest of ctx.answers.keys()) {
    if (ctx.answers.size <= KEPT_MOST) break
    ctx.answers.delete(oldest)
  }
  return await answer
}

async function inTime(
  ctx: PaymentsContext,
  asked: Promise<InvoiceSnapshot>,
  orderId: string,
): Promise<InvoiceSnapshot | null> {
  const done = new AbortController()
  const answered = asked.then(
    (snapshot) => (snapshot.isUnknown === true ? null : snapshot),
    (error: unknown) => {
      ctx.runtime.log.warn({ err: error, orderId }, 'the checkout page could not read the confirmations')
      return null
    },
  )
  const waited = ctx.runtime.monotonic.sleep(PATIENCE_MS, done.signal).then(
    () => null,
    () => null,
  )
  try {
    return await Promise.race([answered, waited])
  } finally {
    done.abort()
  }
}

/** BIP 21: without an amount once nothing is missing. */
function paymentUri(address: string, missingSats: bigint): string {
  return missingSats === 0n ? `bitcoin:${address}` : `bitcoin:${address}?amount=${satsToBtc(missingSats)}`
}

/** One address for every wallet: those that know Lightning take the invoice, the others the address (BIP 21). */
function unifiedUri(uri: string, lightning: OfferedInvoice | null): string {
  if (lightning?.state !== 'open' || lightning.bolt11 === null || !uri.includes('?')) return uri
  return `${uri}&lightning=${lightning.bolt11}`
}
