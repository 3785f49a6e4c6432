import { HOLD_SECONDS, isDecided, type OrderStatus } from '@fairball/domain/order-status'
import type { Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { Unreachable } from '../../kernel/errors.ts'
import type { InvoiceSnapshot, PaymentProvider, SeenOutput } from '../../ports/payment-provider/payment-provider.ts'
import { lightning, received, wallet } from '../ledger/accounts.ts'
import { postTransfer } from '../ledger/service.ts'
import { applyPayments, holdFrom, lockPlayerOf, noteRead, takeBackPayment } from '../orders/service.ts'
import type { PaymentsContext } from './context.ts'
import { txidOf } from './explorer.ts'
import { isAtOurNode } from './following.ts'
import { closeWhenPaidOnChain, settleLightning } from './lightning.ts'
import { addLook } from './looks.ts'
import {
  isNothingNew,
  isWatched,
  type KnownPayment,
  LONGEST_WAIT_SECONDS,
  type LookedAt,
  MISSING_SECONDS,
  nextLookAt,
  type PaymentChanges,
  paymentChanges,
  type PaymentSums,
  sumPayments,
  WATCH_SECONDS,
} from './order-payments.ts'
import { confirmationsFor, findBeforeLook, type OrderBeforeLook } from './orders-to-pay.ts'
import { paymentsOf, withEarlier } from './payment-rows.ts'
import * as queries from './queries.ts'
import { storeLook, storeWords } from './storing-looks.ts'

/**
 * Delay before a payment that came while the clock was slow is checked again; until then it has no effect (fairness
 * section 9).
 */
const CLOCK_LOOK_SECONDS = 60

/** Immediate retries of an answer too late to store; then the job retries. */
const LOOKS_AT_ONCE = 3
/** Cap on remembered warnings; beyond it one may repeat. */
const MAX_TOLD = 10_000

/** The log's name for the provider that an order is paid at. */
export const PROVIDER = 'the provider of payments'

/** In place of the provider when it is not asked. */
const NEVER_ASKED: Pick<PaymentProvider, 'nextLookAt'> = { nextLookAt: () => null }

/** An order that has no invoice shows nothing. */
const NOTHING_SHOWN: InvoiceSnapshot = { outputs: [] }

/** Delay of a check beyond which its provider counts as unread, in seconds. */
const LATE_LOOK_SECONDS = 60

/** What else a transaction does at its end. */
type Finish = (tx: Tx) => Promise<unknown>

/** What the next check of an order depends on. */
type LookFacts = Pick<LookedAt, 'isDecided' | 'isCovered' | 'hasUnconfirmed' | 'hasWatched'>

/**
 * Checks an order's payments again and moves the order accordingly. Safe to call at any time, any number of times:
 * money is counted once per outpoint.
 *
 * @param finish what else is done in the transaction that stores what was seen
 * @throws LotteryError NOT_FOUND for an unknown order; whatever the provider throws when it does not answer
 */
export async function refreshPayments(
  ctx: PaymentsContext,
  orderId: string,
  finish: Finish = async () => undefined,
): Promise<OrderStatus> {
  for (let left = LOOKS_AT_ONCE; left > 0; left -= 1) {
    const status = await lookOnce(ctx, orderId, finish)
    if (status !== null) return status
    ctx.runtime.log.warn({ orderId }, 'an answer of the payment provider came too late to be stored: it is asked again')
  }
  throw new Unreachable(PROVIDER)
}

/** @returns null if the answer came so late that it is stale */
async function lookOnce(ctx: PaymentsContext, orderId: string, finish: Finish): Promise<OrderStatus | null> {
  const known = await findBeforeLook(ctx, orderId)
  const { invoice, payments: before, expiresAt } = known
  if (invoice !== null && invoice.provider !== ctx.provider.name)
    return await leaveElsewhere(ctx, orderId, invoice.provider, finish)
  const ask = async () => {
    const asked = { lookedAt: ctx.runtime.clock.now(), askedMs: ctx.runtime.monotonic.nowMs() }
    return { ...asked, shown: invoice === null ? NOTHING_SHOWN : await ctx.provider.get(invoice.ref) }
  }
  const { lookedAt, askedMs, shown } = await ctx.asking(ask)
  const answer = { ...shown, outputs: await withoutOwn(ctx, orderId, shown.outputs, before) }
  if (answer.isUnknown === true && isAtStake(ctx, expiresAt, before)) throw new Unreachable(PROVIDER)
  const look = { requiredConfirmations: confirmationsFor(ctx, known), now: lookedAt }
  const expected = paymentChanges(before, answer, look)
  if (isSettled(known) && isNothingNew(before, expected)) {
    await leaveSettled(ctx, orderId, known, { raw: answer.raw, lookedAt }, finish)
    return known.status
  }
  // What is paid late has to fit the player's limits.
  const isLate = lookedAt >= expiresAt && !isDecided(known.status)
  const store = async (tx: Tx): Promise<OrderStatus | null> => {
    const [, locked, outputs] = await Promise.all([
      isLate ? lockPlayerOf(tx, orderId) : null,
      tx.one(queries.lockOrder, [orderId]),
      withoutUnknown(ctx, tx, orderId, answer.outputs, before),
    ])
    // Two checks that doubt a payment have to be apart: a stale answer, stored late, would count one check twice.
    if (ctx.runtime.monotonic.nowMs() - askedMs >= MISSING_SECONDS * 1000) return null
    const snapshot = { ...answer, outputs }
    const changes = paymentChanges(before, snapshot, look)
    const { counted, payments: stored } = await storeLook(ctx, tx, orderId, { changes, raw: snapshot.raw, lookedAt })
    const isLonger = await lengthenHold(ctx, tx, locked, { changes, before, lookedAt })
    const { order, payments } =
      changes.reversed.length === 0
        ? { order: isLonger ? await tx.one(queries.lockOrder, [orderId]) : locked, payments: stored }
        : await reversePayments(ctx, tx, orderId, changes.reversed, snapshot, lookedAt)

    const isGivenUp = ctx.runtime.clock.now() >= order.expiresAt + LONGEST_WAIT_SECONDS
    const counting = isGivenUp ? payments.filter((payment) => payment.confirmedAt !== null) : payments
    const sums = sumPayments(counting, order, lookedAt)
    const [, , status] = await Promise.all([
      bookPayments(ctx, tx, counted, outputs),
      closeWhenPaidOnChain(ctx.lightning, tx, orderId, changes.appeared),
      applyPayments(ctx.orders, tx, orderId, { ...sums, now: ctx.runtime.clock.now() }),
    ])
    const facts = factsOf(status, { ...order, payments, sums })
    const waitsForClock = facts.isCovered && !facts.hasUnconfirmed && !facts.isDecided
    await Promise.all([
      waitsForClock ? addLook(tx, ctx.jobs, orderId, ctx.runtime.clock.now() + CLOCK_LOOK_SECONDS) : null,
      addNextLook(ctx, tx, order, facts),
      finish(tx),
    ])
    return status
  }
  // Both lock more than what is the order's own.
  const isAlone = isLate || expected.reversed.length > 0
  return await (isAlone ? ctx.db.transaction(store) : ctx.portions.run(String(known.playerId), store))
}

/**
 * Nothing new was found of an order that is settled: what it became of the same payments still holds, so it is neither
 * locked nor decided again. Most checks are like this: they wait until a payment is deep enough.
 */
async function leaveSettled(
  ctx: PaymentsContext,
  orderId: string,
  known: OrderBeforeLook,
  look: { readonly raw: unknown; readonly lookedAt: number },
  finish: Finish,
): Promise<void> {
  const hasWatched = known.payments.some(isWatched)
  const facts = { isDecided: true, isCovered: true, hasUnconfirmed: false, hasWatched }
  await ctx.portions.run(String(known.playerId), async (tx) => {
    await Promise.all([
      storeWords(tx, orderId, look),
      addNextLook(ctx, tx, { id: orderId, expiresAt: known.expiresAt, heldUntil: known.heldUntil }, facts),
      finish(tx),
    ])
  })
}

/**
 * Extends the hold of an order if its payments could not be read, the clock rule stopped us, or the chain took a block
 * back.
 *
 * @returns whether it may be held for longer than before
 */
async function lengthenHold(
  ctx: PaymentsContext,
  tx: Tx,
  order: RowOf<typeof queries.lockOrder>,
  look: { readonly changes: PaymentChanges; readonly before: readonly KnownPayment[]; readonly lookedAt: number },
): Promise<boolean> {
  const { changes, before, lookedAt } = look
  const isOpen = !isDecided(order.status) && order.status !== 'EXPIRED' && lookedAt > order.expiresAt
  const isWaiting =
    before.length > 0 ||
    // It could not be read before, and it may have been in its block for long.
    changes.appeared.some((output) => output.seenAt <= order.expiresAt)
  // While the clock is wrong a check says nothing about when a payment came into its block, so it counts as no check.
  const isRead = isOpen && !ctx.provider.tellsBlockTime && isWaiting && !(await ctx.orders.isClockWrong(tx))
  const isTakenBack = changes.unmined.length > 0 || changes.reversed.length > 0
  if (isRead) await noteRead(tx, order.id, lookedAt, usualGapAfter(ctx, Math.max(order.readAt ?? 0, order.expiresAt)))
  if (isTakenBack) await holdFrom(tx, order.id, lookedAt)
  return isRead || isTakenBack
}

/** The seconds between two checks of what waits for its block, plus a minute in case the next one is late. */
function usualGapAfter(ctx: PaymentsContext, at: number): number {
  return (ctx.provider.nextLookAt(at, 'confirmation') ?? at + WATCH_SECONDS) - at + LATE_LOOK_SECONDS
}

/** Whether an order has money that may still vanish, or may get some: then "unknown invoice" is no answer. */
function isAtStake(ctx: PaymentsContext, expiresAt: number, payments: readonly { finalAt: number | null }[]): boolean {
  const hasOpenMoney = payments.some((payment) => payment.finalAt === null)
  return ctx.runtime.clock.now() < expiresAt + (hasOpenMoney ? LONGEST_WAIT_SECONDS : 0)
}

/** Coins of ours pay no order: someone with our keys moved them. What counted once stays. */
async function withoutOwn(
  ctx: PaymentsContext,
  orderId: string,
  outputs: readonly SeenOutput[],
  before: readonly KnownPayment[],
): Promise<readonly SeenOutput[]> {
  const counted = new Set(before.filter((one) => one.confirmedAt !== null).map((one) => one.outpoint))
  const own = outputs.filter(({ isOwn, outpoint }) => isOwn === true && !counted.has(outpoint))
  if (own.length === 0) return outputs
  const outpoints = own.map((output) => output.outpoint)
  logOnce(ctx, outpoints.join(' '), { orderId, outpoints }, 'coins of ours were sent to the address of an order')
  await ctx.onOwnCoins([...new Set(outpoints.map(txidOf))])
  return outputs.filter((output) => !own.includes(output))
}

/** Those of these outputs that can pay an order: unattributed money in suspense is counted there. */
async function withoutUnknown(
  ctx: PaymentsContext,
  tx: Tx,
  orderId: string,
  outputs: readonly SeenOutput[],
  before: readonly { readonly outpoint: string }[],
): Promise<readonly SeenOutput[]> {
  const known = new Set(before.map((payment) => payment.outpoint))
  const appeared = outputs.map((output) => output.outpoint).filter((outpoint) => !known.has(outpoint))
  if (appeared.length === 0) return outputs
  const unknown = await tx.run(queries.findUnknownAmong, [appeared])
  for (const { outpoint, sats } of unknown)
    logOnce(
      ctx,
      outpoint,
      { orderId, outpoint, sats: String(sats) },
      'an unattributed payment came to the address of an order',
    )
  const names = new Set(unknown.map((deposit) => deposit.outpoint))
  return outputs.filter((output) => !names.has(output.outpoint))
}

function logOnce(ctx: PaymentsContext, subject: string, facts: object, message: string): void {
  if (ctx.alreadyLogged.has(subject)) return
  if (ctx.alreadyLogged.size >= MAX_TOLD) ctx.alreadyLogged.clear()
  ctx.alreadyLogged.add(subject)
  ctx.runtime.log.error(facts, message)
}

/**
 * An order whose invoice is with another provider, the one configured when it was made. The present one knows nothing
 * of it, so nothing changes: if no money was ever seen, the order expires; otherwise it waits for the operator.
 */
async function leaveElsewhere(
  ctx: PaymentsContext,
  orderId: string,
  holder: string,
  finish: Finish,
): Promise<OrderStatus> {
  logOnce(ctx, orderId, { orderId, provider: holder }, 'an order is paid at a provider that is not configured any more')
  return await ctx.db.transaction(async (tx) => {
    const order = await tx.one(queries.lockOrder, [orderId])
    const payments = (await tx.run(queries.findAllPayments, [orderId])).map(withEarlier)
    const sums = sumPayments(
      payments.filter((payment) => payment.goneAt === null),
      order,
      ctx.runtime.clock.now(),
    )
    const status =
      payments.length === 0
        ? await applyPayments(ctx.orders, tx, orderId, { ...sums, now: ctx.runtime.clock.now() })
        : order.status
    // For when its provider is configured again.
    await addNextLook(ctx, tx, order, factsOf(status, { ...order, payments, sums }), NEVER_ASKED)
    await finish(tx)
    return status
  })
}

/** Open orders of a provider other than the configured one: the operator has to be notified. */
export async function tellElsewhere(ctx: PaymentsContext): Promise<void> {
  const { orders, providers } = await ctx.db.one(queries.countElsewhere, [ctx.provider.name])
  if (orders === 0) return
  const facts = { orders, providers, provider: ctx.provider.name }
  ctx.runtime.log.error(facts, 'open orders use a provider that is no longer configured')
}

/**
 * Payments that counted were reorganised away: the ledger follows the chain in the transaction that marks them.
 *
 * @returns the order and its payments as they are then: a reversed payment changes what the order needs
 */
async function reversePayments(
  ctx: PaymentsContext,
  tx: Tx,
  orderId: string,
  outpoints: readonly string[],
  snapshot: InvoiceSnapshot,
  lookedAt: number,
) {
  const onTheirWay = snapshot.outputs.map((output) => output.outpoint)
  const lost = await tx.run(queries.reversePayments, {
    orderId,
    outpoints: [...outpoints],
    onTheirWay,
    missingSince: lookedAt - MISSING_SECONDS,
    now: ctx.runtime.clock.now(),
  })
  const left = (await paymentsOf(tx, orderId)).filter((payment) => payment.confirmedAt !== null)
  let restSats = [...left, ...lost].reduce((sum, payment) => sum + payment.sats, 0n)
  for (const { outpoint, sats, timesReversed: times } of lost) {
    restSats -= sats
    const subject = `${outpoint}:${times}`
    const lostSats = await takeBackPayment(ctx.orders, tx, orderId, {
      subject,
      sats,
      confirmedSats: restSats,
      now: ctx.runtime.clock.now(),
    })
    const facts = { orderId, outpoint, sats: String(sats), lostSats: String(lostSats) }
    ctx.runtime.log.error(facts, 'a payment that counted was reorganised away')
  }
  return {
    order: await tx.one(queries.lockOrder, [orderId]),
    payments: await paymentsOf(tx, orderId),
  }
}

/** Confirmed money enters the ledger in the transaction that marks it. */
async function bookPayments(
  ctx: PaymentsContext,
  tx: Tx,
  counted: readonly RowOf<typeof queries.confirmPayments>[],
  outputs: readonly SeenOutput[],
): Promise<void> {
  const posts = counted.flatMap(({ outpoint, sats, timesReversed: times, network }) => {
    const isLightning = isAtOurNode(ctx, { network })
    const moves = [{ from: isLightning ? lightning : wallet, to: received, sats }]
    // The same payment can be confirmed again after it was reorganised away.
    const subject = times === 0 ? outpoint : `${outpoint}:${times}`
    return [
      postTransfer(tx, { event: 'payment.confirmed', subject, at: ctx.runtime.clock.now(), moves }),
      ...(isLightning ? [settleLightning(tx, outpoint, outputs)] : []),
    ]
  })
  await Promise.all(posts)
}

async function addNextLook(
  ctx: PaymentsContext,
  tx: Tx,
  order: { id: string; expiresAt: number; heldUntil: number },
  facts: LookFacts,
  askedBy: Pick<PaymentProvider, 'nextLookAt'> = ctx.provider,
): Promise<void> {
  const runAt = lookAfter(ctx, order, facts, askedBy)
  if (runAt !== null) await addLook(tx, ctx.jobs, order.id, runAt)
}

/** When an order has to be checked again, in epoch seconds; null if nothing more is expected. */
function lookAfter(
  ctx: PaymentsContext,
  order: { expiresAt: number; heldUntil: number },
  facts: LookFacts,
  askedBy: Pick<PaymentProvider, 'nextLookAt'>,
): number | null {
  const at = ctx.runtime.clock.now()
  const asked = { paymentAt: askedBy.nextLookAt(at, 'payment'), blockAt: askedBy.nextLookAt(at, 'confirmation') }
  return nextLookAt({ expiresAt: order.expiresAt, heldUntil: order.heldUntil, now: at, ...facts, provider: asked })
}

/**
 * When the first check of an order with a new invoice is due; null if the check at its expiry, which was added with the
 * order, suffices.
 */
export function firstLookAt(ctx: PaymentsContext, order: { expiresAt: number }): number | null {
  const facts = { isDecided: false, isCovered: false, hasUnconfirmed: false, hasWatched: false }
  const runAt = lookAfter(ctx, { ...order, heldUntil: order.expiresAt + HOLD_SECONDS }, facts, ctx.provider)
  return runAt === order.expiresAt ? null : runAt
}

/** Whether an order is decided, and all that came for it counts. */
function isSettled({ status, payments }: OrderBeforeLook): boolean {
  return isDecided(status) && payments.every((payment) => payment.confirmedAt !== null)
}

function factsOf(
  status: OrderStatus,
  order: {
    readonly neededSats: bigint
    readonly payments: readonly Pick<KnownPayment, 'confirmedAt' | 'finalAt'>[]
    readonly sums: PaymentSums
  },
): LookFacts {
  const { neededSats, payments, sums } = order
  return {
    isDecided: isDecided(status),
    isCovered: sums.seenSats >= neededSats,
    hasUnconfirmed: sums.seenSats > sums.confirmedSats,
    hasWatched: payments.some(isWatched),
  }
}
