import type { AnswerOf } from '@fairball/contract/calls'
import { LotteryError } from '@fairball/domain/errors'
import { maskNumbers } from '@fairball/domain/lines'
import { isDecided, type OrderStatus } from '@fairball/domain/order-status'
import type { Queries, Tx } from '../../db/pool.ts'
import type { JobHandler } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/queue.ts'
import { Unreachable } from '../../kernel/errors.ts'
import type { Checkout } from '../../ports/payment-provider/payment-provider.ts'
import { giveUpOrder, type NewOrder, promisedOrder } from '../orders/service.ts'
import { amountOf, cryptoOf, drawRefOf } from './amounts.ts'
import type { PaymentsContext } from './context.ts'
import { lightningJobs, openLightning } from './lightning.ts'
import { PROVIDER, tellElsewhere } from './looking.ts'
import { addLook } from './looks.ts'
import { missingOf, sumPayments } from './order-payments.ts'
import { findOrder, returnUrlOf } from './orders-to-pay.ts'
import { paymentsOf } from './payment-rows.ts'
import { promiseFor, promiseOfOrder } from './promises.ts'
import * as queries from './queries.ts'
import { currentRates } from './rates.ts'

export { addLook } from './looks.ts'
export { checkoutOf } from './checkout.ts'
export { type PaymentsContext, paymentsContext } from './context.ts'
export { bookUnknown, followProvider, startFollowing, stopFollowing, takeMessage } from './following.ts'
export { historyOf } from './history.ts'
export { acceptLightning, assertLightningFit } from './lightning-start.ts'
export { closeLightning, type LightningDesk, offerLightning } from './lightning.ts'
export { refreshPayments } from './looking.ts'
export { allPapersOf, papersOf } from './receipts.ts'
import { firstLookAt, refreshPayments } from './looking.ts'
import { followingJobs, beginFollowing } from './following.ts'

export { amountOf, drawRefOf } from './amounts.ts'
export { explorerLink } from './explorer.ts'
export { priceIn } from './amounts.ts'
export { fiatOf } from './amounts.ts'
export { LONGEST_WAIT_SECONDS } from './order-payments.ts'
export { currentRates } from './rates.ts'
export { playedRates, quotedRates } from './rates.ts'
export { ratesAt } from './rates.ts'

/** What is known of an order's money. */
interface OrderMoney {
  readonly status: OrderStatus
  /** null if the provider does not disclose it, or nothing is to be paid */
  readonly address: string | null
  readonly dueSats: bigint
  readonly seenSats: bigint
  /** what still has to be sent, 0 when it is covered */
  readonly missingSats: bigint
}

/**
 * Schedules the payment check that lets an order expire, in the transaction that makes the order: an order whose
 * invoice was never made (the process died in between) ends too.
 */
export async function watchOrder(tx: Tx, jobs: Jobs, order: { orderId: string; expiresAt: number }): Promise<void> {
  await addLook(tx, jobs, order.orderId, order.expiresAt)
}

/** Another player's order is not found either: ids cannot be probed. */
async function findOrderOf(ctx: PaymentsContext, orderId: string, playerId: bigint) {
  const order = await findOrder(ctx, orderId)
  if (order.playerId !== playerId) throw new LotteryError('NOT_FOUND', 'No such order.')
  return order
}

/** Where an order is paid, and the promise for it. */
interface OpenedInvoice {
  readonly checkoutUrl: string
  /** signed note */
  readonly promise: string
  /** of the order, 32 bytes */
  readonly secret: Uint8Array
}

/**
 * Makes the invoice of an order, and the promise that names it. Idempotent, even if two calls meet. An order that costs
 * nothing has no invoice: its page is the play page.
 *
 * If the provider does not answer, the order ends: one that waits for money and cannot be paid would hold free tickets.
 *
 * @param made the order if this very request has made it: what it knows of it is not read again
 * @throws LotteryError NOT_FOUND for an unknown order
 * @throws Unreachable when the provider does not answer or is not ready
 */
export async function openInvoice(
  ctx: PaymentsContext,
  orderId: string,
  made: NewOrder | null = null,
): Promise<OpenedInvoice> {
  const order = made ?? (await findOrder(ctx, orderId))
  if (order.dueSats === 0n) return await promiseFree(ctx, order)
  const stored = made === null ? await storedInvoice(ctx, orderId) : null
  if (stored !== null) return stored

  const [checkout, lightning] = await Promise.all([
    checkoutFor(ctx, order),
    ctx.lightning === null ? null : openLightning(ctx.lightning, orderId),
  ])
  const onChain = { by: 'bitcoin', address: checkout.address } as const
  const promised = made?.promised ?? (await promisedOrder(ctx.db, ctx.orders.fairness, orderId))
  const ways = lightning === null ? [onChain] : [onChain, { by: 'lightning', hash: lightning.hash } as const]
  const opened = { checkout, promise: promiseFor(ctx, orderId, promised, ways), bolt11: lightning?.bolt11 ?? null }
  return await storeInvoice(ctx, order, opened)
}

/** An order as its invoice needs it, made by this request or found. */
type InvoicedOrder = Omit<NewOrder, 'promised'>

async function promiseFree(ctx: PaymentsContext, order: InvoicedOrder): Promise<OpenedInvoice> {
  return { checkoutUrl: returnUrlOf(ctx, order), promise: await promiseOfOrder(ctx, order.id), secret: order.secret }
}

/** Stores an invoice that the provider made, unless another call was first: then the order has that one. */
async function storeInvoice(
  ctx: PaymentsContext,
  order: InvoicedOrder,
  opened: { readonly checkout: Checkout; readonly promise: string; readonly bolt11: string | null },
): Promise<OpenedInvoice> {
  const { checkout, promise, bolt11 } = opened
  const { ref, address, checkoutUrl, expiresAt } = checkout
  const made = { orderId: order.id, provider: ctx.provider.name, ref, address, checkoutUrl, expiresAt, promise, bolt11 }
  const invoice = { ...made, now: ctx.runtime.clock.now() }
  const key = String(order.playerId)
  const lookAt = firstLookAt(ctx, order)
  const { isGivenUp, isStored } =
    lookAt === null
      ? await ctx.portions.one(key, queries.storeInvoice, invoice)
      : await ctx.portions.run(key, async (tx) => {
          const look = addLook(tx, ctx.jobs, order.id, lookAt)
          const [stored] = await Promise.all([tx.one(queries.storeInvoice, invoice), look])
          return stored
        })
  // Another call found the provider silent and ended the order early: it must not be paid now.
  if (isGivenUp) throw new Unreachable(PROVIDER)
  const stored = isStored ? { checkoutUrl, promise, secret: order.secret } : await storedInvoice(ctx, order.id)
  if (stored === null) throw new Error(`order ${order.id} has no invoice`)
  return stored
}

async function storedInvoice({ db }: PaymentsContext, orderId: string): Promise<OpenedInvoice | null> {
  const opened = await db.maybeOne(queries.findOpened, [orderId])
  if (opened === null) return null
  const { checkoutUrl, promise, secret } = opened
  if (promise === null) throw new Error(`order ${orderId} has an invoice without a promise`)
  return { checkoutUrl, promise, secret }
}

/** An order's invoice at the provider. If none is available, the order ends, unless another call has one. */
async function checkoutFor(
  ctx: PaymentsContext,
  order: InvoicedOrder,
): Promise<Checkout & { readonly address: string }> {
  try {
    const checkout = await ctx.provider.createCheckout({
      orderId: order.id,
      amountSats: order.dueSats,
      description: `${order.gameName}: ${order.lineCount} lines`,
      expiresAt: order.expiresAt,
      returnUrl: returnUrlOf(ctx, order),
    })
    const { address } = checkout
    // A promise says where the order is paid.
    if (address === null) throw new Unreachable(PROVIDER)
    return { ...checkout, address }
  } catch (cause) {
    await ctx.db.transaction(async (tx) => {
      await tx.one(queries.lockOrder, [order.id])
      if ((await tx.maybeOne(queries.findInvoice, [order.id])) === null)
        await giveUpOrder(tx, order.id, ctx.runtime.clock.now())
    })
    throw new Unreachable(PROVIDER, cause)
  }
}

/** The status of an order's money. @throws LotteryError NOT_FOUND */
export async function moneyOf(ctx: PaymentsContext, orderId: string): Promise<OrderMoney> {
  const order = await findOrder(ctx, orderId)
  const invoice = await ctx.db.maybeOne(queries.findInvoice, [orderId])
  const { seenSats } = sumPayments(await paymentsOf(ctx.db, orderId), order, ctx.runtime.clock.now())
  const missingSats = missingOf(order, seenSats)
  return { status: order.status, address: invoice?.address ?? null, dueSats: order.dueSats, seenSats, missingSats }
}

/** The status of a player's own order. @throws LotteryError NOT_FOUND */
export async function statusOf(ctx: PaymentsContext, orderId: string, playerId: bigint): Promise<OrderStatus> {
  return (await findOrderOf(ctx, orderId, playerId)).status
}

/**
 * Before the first request: schedules the removal of old messages, and reports open orders that no configured provider
 * covers.
 */
export async function beginPayments(ctx: PaymentsContext): Promise<void> {
  await beginFollowing(ctx)
  await tellElsewhere(ctx)
}

/**
 * Whether payments are taken at an address: no payout may go there, since the money would come in again as a payment.
 */
export async function takesPaymentsAt(from: Queries, address: string): Promise<boolean> {
  return (await from.one(queries.takesPaymentsAt, [address])).isOurs
}

/** What an operator has to look at: unattributed money, and payments that the chain undid or may have undone. */
export async function paymentTroubles(
  from: Queries,
): Promise<{ unknownDeposits: number; reversed: number; missing: number }> {
  const { deposits } = await from.one(queries.sumUnknown, [])
  return { unknownDeposits: deposits, ...(await from.one(queries.countReversed, [])) }
}

/**
 * What the payment page shows of a player's own order: its status and game. Until it is decided, also the amount and
 * the deadline, and when its payment has to be in a block; once it has expired, its lines; and if entries are in later
 * draws than the order named, which.
 *
 * @throws LotteryError NOT_FOUND
 */
export async function paymentOf(
  ctx: PaymentsContext,
  orderId: string,
  playerId: bigint,
): Promise<AnswerOf<'getPayment'>> {
  const order = await findOrderOf(ctx, orderId, playerId)
  const { status, gameKey } = order
  const now = ctx.runtime.clock.now()
  const [draws, lines, present] = await Promise.all([
    ctx.db.run(queries.findDrawsOfOrder, [orderId]),
    ctx.db.run(queries.findLines, [orderId]),
    currentRates(ctx.db, now),
  ])
  const sums = isDecided(status) ? null : sumPayments(await paymentsOf(ctx.db, orderId), order, now)
  const missingSats = sums === null || status === 'EXPIRED' ? 0n : missingOf(order, sums.seenSats)
  const moves = status === 'PAID' ? await ctx.db.run(queries.findMoves, [orderId]) : []
  const moved = moves.map((move) => ({ from: move.leftNumber, to: move.joinedNumber, date: move.startAt }))
  return {
    status,
    game_key: gameKey,
    order: {
      game_key: gameKey,
      created_at: order.createdAt,
      paid_at: order.paidAt,
      expires_at: order.expiresAt,
      price: amountOf(order.dueSats, present.set(order.currency, order.rateSats)),
      missing: missingSats === 0n ? null : cryptoOf(missingSats),
      draws: draws.map((draw) => ({ ...drawRefOf(draw), play_id: draw.playId })),
      lines: lines.flatMap(orderedLines),
    },
    ...(order.endedBecause === null || sums === null ? {} : { ended_because: order.endedBecause }),
    ...(sums === null || sums.blockBy === null ? {} : { block_by: sums.blockBy }),
    ...(moved.length === 0 ? {} : { moved }),
  }
}

/** The lines of a part of an order, in API bodies. */
function orderedLines(part: { readonly masks: readonly bigint[]; readonly dips: readonly boolean[] }) {
  return part.masks.map((mask, place) => ({ numbers: maskNumbers(mask), is_lucky_dip: part.dips[place] ?? false }))
}

/** Where a player's own order is paid. @throws LotteryError NOT_FOUND: unknown, or without an invoice */
export async function checkoutAddressOf(
  ctx: PaymentsContext,
  orderId: string,
  playerId: bigint,
): Promise<AnswerOf<'getCheckoutAddress'>> {
  const order = await findOrderOf(ctx, orderId, playerId)
  const invoice = await ctx.db.maybeOne(queries.findInvoice, [order.id])
  if (invoice === null) throw new LotteryError('NOT_FOUND', 'No such checkout.')
  return { checkout_url: invoice.checkoutUrl }
}

export function paymentJobs(ctx: PaymentsContext): JobHandler[] {
  return [
    {
      kind: 'payments.refresh',
      mode: 'outside',
      asks: 'provider',
      sharesTransactions: true,
      // Every job of this kind was added with an order's id, see addLook.
      run: async (payload, { finish }) => void (await refreshPayments(ctx, payload['orderId'] as string, finish)),
    },
    ...followingJobs(ctx),
    ...(ctx.lightning === null ? [] : lightningJobs(ctx.lightning)),
  ]
}
export { findAllPayments, orderStatus } from './queries.ts'
