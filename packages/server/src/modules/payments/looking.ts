import { isDecided, type OrderStatus } from '@fairball/domain/order-status'
import type { Db, Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { Unreachable } from '../../http/errors.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { InvoiceSnapshot, PaymentProvider, SeenOutput } from '../../ports/payment-provider/payment-provider.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { received, wallet } from '../ledger/accounts.ts'
import type { Ledger } from '../ledger/service.ts'
import type { LostPayment, PaymentTotals } from '../orders/service.ts'
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
} from './order-payments.ts'
import * as queries from './queries.ts'

/** What is paid while the clock is slow becomes nothing yet, and is looked at again after this (fairness section 9). */
const CLOCK_LOOK_SECONDS = 60

/** An answer that was stored too late is asked for again, so often; then the look ends, and is made again by its job. */
const LOOKS_AT_ONCE = 3
/** Orders of which is remembered that the log has something of them; then it may say so once more. */
const MOST_TOLD = 10_000

/** How the log names whom an order is paid at. */
export const PROVIDER = 'the provider of payments'

/** In place of the provider where it is not asked. */
const NEVER_ASKED: Pick<PaymentProvider, 'nextLookAt'> = { nextLookAt: () => null }

/** An order that has no invoice shows nothing. */
const NOTHING_SHOWN: InvoiceSnapshot = { outputs: [] }

export interface LookingDeps {
  readonly db: Db
  readonly runtime: Runtime
  readonly jobs: Jobs
  readonly ledger: Ledger
  readonly provider: PaymentProvider
  readonly requiredConfirmations: number
  /** Decides what an order becomes of its payments, inside the transaction that counted them. */
  readonly applyPayments: (tx: Tx, orderId: string, totals: PaymentTotals) => Promise<OrderStatus>
  /** Books that a payment which counted is in the chain no longer, see orders. @returns what the operator lost, in sats */
  readonly takeBack: (tx: Tx, orderId: string, lost: LostPayment) => Promise<bigint>
  /** @throws LotteryError NOT_FOUND */
  readonly findBeforeLook: (orderId: string) => Promise<OrderBeforeLook>
}

/** What is known of an order before its provider is asked. */
export interface OrderBeforeLook {
  readonly status: OrderStatus
  /** epoch seconds */
  readonly expiresAt: number
  /** null where it has none */
  readonly invoice: { readonly provider: string; readonly ref: string } | null
  readonly payments: readonly KnownPayment[]
}

/** What else a transaction does at its end. */
type Finish = (tx: Tx) => Promise<unknown>

/** What the next look at an order hangs on. */
export type LookFacts = Pick<LookedAt, 'isDecided' | 'isCovered' | 'hasUnconfirmed' | 'hasWatched'>

/** Looks at an order's payments: what the provider shows is counted, once each, and the order moves as it says. */
export function createLooking(deps: LookingDeps) {
  const { db, runtime, jobs, ledger, provider, requiredConfirmations } = deps
  const now = (): number => runtime.clock.now()
  const told = new Set<string>()

  /**
   * Looks at an order's payments again and moves the order as they say. Safe to call at any time, any number of times:
   * money is counted once per outpoint, whoever looks.
   *
   * @param finish what else is done in the transaction that stores what was seen
   * @throws LotteryError NOT_FOUND for an unknown order; what the provider throws when it does not answer
   */
  async function refresh(orderId: string, finish: Finish = async () => undefined): Promise<OrderStatus> {
    for (let left = LOOKS_AT_ONCE; left > 0; left -= 1) {
      const status = await lookOnce(orderId, finish)
      if (status !== null) return status
      runtime.log.warn({ orderId }, 'an answer of the payment provider came too late to be stored: it is asked again')
    }
    throw new Unreachable(PROVIDER)
  }

  /** @returns null where so much time went by between the question and its storing that the answer says nothing any more */
  async function lookOnce(orderId: string, finish: Finish): Promise<OrderStatus | null> {
    const known = await deps.findBeforeLook(orderId)
    const { invoice, payments: before, expiresAt } = known
    if (invoice !== null && invoice.provider !== provider.name)
      return await leaveElsewhere(orderId, invoice.provider, finish)
    const lookedAt = now()
    const askedMs = runtime.steady.nowMs()
    const answer = invoice === null ? NOTHING_SHOWN : await provider.get(invoice.ref)
    if (answer.isUnknown === true && isAtStake(expiresAt, before)) throw new Unreachable(PROVIDER)
    const look = { requiredConfirmations, now: lookedAt }
    if (isSettled(known) && isNothingNew(before, paymentChanges(before, answer, look))) {
      await leaveSettled(orderId, known, { raw: answer.raw, lookedAt }, finish)
      return known.status
    }
    return await db.transaction(async (tx) => {
      const [locked, outputs] = await Promise.all([
        tx.one(queries.lockOrder, [orderId]),
        withoutUnknown(tx, orderId, answer.outputs, before),
      ])
      // Two looks that doubt a payment have to be apart: an old answer, stored late, would be one look counted twice.
      if (runtime.steady.nowMs() - askedMs >= MISSING_SECONDS * 1000) return null
      const snapshot = { ...answer, outputs }
      const changes = paymentChanges(before, snapshot, look)
      const { counted, payments: stored } = await storeLook(tx, orderId, { changes, raw: snapshot.raw, lookedAt })
      const { order, payments } =
        changes.reversed.length === 0
          ? { order: locked, payments: stored }
          : await reversePayments(tx, orderId, changes.reversed, snapshot, lookedAt)

      const isGivenUp = now() >= order.expires_at + LONGEST_WAIT_SECONDS
      const counting = isGivenUp ? payments.filter((payment) => payment.confirmed_at !== null) : payments
      const sums = sumPayments(counting, order.needed_sats)
      const [, status] = await Promise.all([
        bookPayments(tx, counted),
        deps.applyPayments(tx, orderId, { ...sums, now: now() }),
      ])
      const facts = factsOf(status, { ...order, payments, sums })
      const waitsForClock = facts.isCovered && !facts.hasUnconfirmed && !facts.isDecided
      await Promise.all([
        waitsForClock ? addLook(tx, jobs, orderId, now() + CLOCK_LOOK_SECONDS) : null,
        addNextLook(tx, order, facts),
        finish(tx),
      ])
      return status
    })
  }

  /**
   * Nothing new was found of an order that is settled: what it became of the same payments holds, so it is neither held nor decided
   * again. Most looks are such: those that wait until a payment is deep enough.
   */
  async function leaveSettled(
    orderId: string,
    known: OrderBeforeLook,
    look: { readonly raw: unknown; readonly lookedAt: number },
    finish: Finish,
  ): Promise<void> {
    const hasWatched = known.payments.some(isWatched)
    const facts = { isDecided: true, isCovered: true, hasUnconfirmed: false, hasWatched }
    await db.transaction(async (tx) => {
      await Promise.all([
        storeWords(tx, orderId, look),
        addNextLook(tx, { id: orderId, expires_at: known.expiresAt }, facts),
        finish(tx),
      ])
    })
  }

  /**
   * Stores what a look has changed in the payments of an order, all of it at once.
   *
   * @returns the payments that begin to count with it, and all that the order has now
   */
  async function storeLook(
    tx: Tx,
    orderId: string,
    look: { readonly changes: PaymentChanges; readonly raw: unknown; readonly lookedAt: number },
  ) {
    const { appeared, vanished, confirmed, final, found, missing } = look.changes
    // In this order: what has just appeared may count at once, and be final at once.
    const first = [
      storeWords(tx, orderId, look),
      insertPayments(tx, orderId, appeared),
      forgetPayments(tx, orderId, vanished),
    ]
    const counted = confirmed.length === 0 ? [] : tx.run(queries.confirmPayments, [orderId, [...confirmed], now()])
    const then = [
      final.length === 0 ? null : tx.run(queries.markFinal, [orderId, [...final], now()]),
      found.length === 0 ? null : tx.run(queries.markFound, [orderId, [...found]]),
      doubtPayments(tx, orderId, missing),
    ]
    const payments = tx.run(queries.findPayments, [orderId])
    await Promise.all([...first, counted, ...then, payments])
    return { counted: await counted, payments: await payments }
  }

  /** What the provider said is kept as it said it, where it says anything. */
  async function storeWords(
    tx: Tx,
    orderId: string,
    { raw, lookedAt }: { readonly raw: unknown; readonly lookedAt: number },
  ): Promise<void> {
    if (raw !== undefined) await tx.run(queries.storeWords, [orderId, wordsOf(raw), lookedAt])
  }

  /** Whether an order has money that may still go, or may get some yet: that its provider does not know it is no answer then. */
  function isAtStake(expiresAt: number, payments: readonly { final_at: number | null }[]): boolean {
    const hasOpenMoney = payments.some((payment) => payment.final_at === null)
    return now() < expiresAt + (hasOpenMoney ? LONGEST_WAIT_SECONDS : 0)
  }

  /** What of these can pay an order: money that stands in suspense as nobody's was counted there. */
  async function withoutUnknown(
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
      sayOnce(outpoint, { orderId, outpoint, sats: String(sats) }, 'money of nobody came to the address of an order')
    const names = new Set(unknown.map((deposit) => deposit.outpoint))
    return outputs.filter((output) => !names.has(output.outpoint))
  }

  function sayOnce(subject: string, facts: object, message: string): void {
    if (told.has(subject)) return
    if (told.size >= MOST_TOLD) told.clear()
    told.add(subject)
    runtime.log.error(facts, message)
  }

  /**
   * An order whose invoice another provider has, which was configured when it was made. The present one knows nothing of
   * it, so nothing changes: where no money was ever seen the order ends by its expiry, any other waits for the operator.
   */
  async function leaveElsewhere(orderId: string, holder: string, finish: Finish): Promise<OrderStatus> {
    sayOnce(orderId, { orderId, provider: holder }, 'an order is paid at a provider that is not configured any more')
    return await db.transaction(async (tx) => {
      const order = await tx.one(queries.lockOrder, [orderId])
      const payments = await tx.run(queries.findAllPayments, [orderId])
      const sums = sumPayments(
        payments.filter((payment) => payment.gone_at === null),
        order.needed_sats,
      )
      const status =
        payments.length === 0 ? await deps.applyPayments(tx, orderId, { ...sums, now: now() }) : order.status
      // For when its provider is configured again.
      await addNextLook(tx, order, factsOf(status, { ...order, payments, sums }), NEVER_ASKED)
      await finish(tx)
      return status
    })
  }

  /** Open orders of another provider than the one that is asked now: the operator has to hear of them. */
  async function tellElsewhere(): Promise<void> {
    const { orders, providers } = await db.one(queries.countElsewhere, [provider.name])
    if (orders === 0) return
    const facts = { orders, providers, provider: provider.name }
    runtime.log.error(facts, 'open orders are paid at a provider that is not configured any more: nobody looks at them')
  }

  /** What counts and is in no block may be a stale answer: it is looked at once more before anything is undone. */
  async function doubtPayments(tx: Tx, orderId: string, outpoints: readonly string[]): Promise<void> {
    if (outpoints.length === 0) return
    runtime.log.error({ orderId, outpoints }, 'payments that count are in no block: they are looked at once more')
    await Promise.all([
      tx.run(queries.markMissing, [orderId, [...outpoints], now()]),
      addLook(tx, jobs, orderId, now() + MISSING_SECONDS),
    ])
  }

  /** What never counted goes; what counted once stays as a row, so that it is known when it comes back. */
  async function forgetPayments(tx: Tx, orderId: string, outpoints: readonly string[]): Promise<void> {
    if (outpoints.length === 0) return
    runtime.log.warn({ orderId, outpoints }, 'payments vanished before they were confirmed')
    await Promise.all([
      tx.run(queries.deleteUnconfirmed, [orderId, [...outpoints]]),
      tx.run(queries.markGone, [orderId, [...outpoints], now()]),
    ])
  }

  /**
   * Payments that counted were reorganised away: the ledger follows the chain in the transaction that marks them.
   *
   * @returns the order and its payments as they are then: one that was taken back changes what the order needs
   */
  async function reversePayments(
    tx: Tx,
    orderId: string,
    outpoints: readonly string[],
    snapshot: InvoiceSnapshot,
    lookedAt: number,
  ) {
    const onTheirWay = snapshot.outputs.map((output) => output.outpoint)
    const lost = await tx.run(queries.reversePayments, [
      orderId,
      [...outpoints],
      onTheirWay,
      lookedAt - MISSING_SECONDS,
      now(),
    ])
    const { confirmedSats } = sumPayments(await tx.run(queries.findPayments, [orderId]), 0n)
    let restSats = confirmedSats + lost.reduce((sum, payment) => sum + payment.sats, 0n)
    for (const { outpoint, sats, times_reversed: times } of lost) {
      restSats -= sats
      const subject = `${outpoint}:${times}`
      const lostSats = await deps.takeBack(tx, orderId, { subject, sats, confirmedSats: restSats, now: now() })
      const facts = { orderId, outpoint, sats: String(sats), lostSats: String(lostSats) }
      runtime.log.error(facts, 'a payment that counted was reorganised away')
    }
    return {
      order: await tx.one(queries.lockOrder, [orderId]),
      payments: await tx.run(queries.findPayments, [orderId]),
    }
  }

  async function insertPayments(tx: Tx, orderId: string, outputs: readonly SeenOutput[]): Promise<void> {
    if (outputs.length === 0) return
    // Each is locked while it is inserted: in one order everywhere.
    const sorted = outputs.toSorted((one, other) => (one.outpoint < other.outpoint ? -1 : 1))
    await tx.run(queries.insertPayments, [
      orderId,
      sorted.map((output) => output.outpoint),
      sorted.map((output) => output.sats),
      sorted.map((output) => output.seenAt),
      sorted.map((output) => output.network),
    ])
  }

  /** Confirmed money enters the ledger in the transaction that marks it. */
  async function bookPayments(tx: Tx, counted: readonly RowOf<typeof queries.confirmPayments>[]): Promise<void> {
    const posts = counted.map(({ outpoint, sats, times_reversed: times }) => {
      const moves = [{ from: wallet, to: received, sats }]
      // The same payment can be confirmed again after it was reorganised away.
      const subject = times === 0 ? outpoint : `${outpoint}:${times}`
      return ledger.post(tx, { event: 'payment.confirmed', subject, at: now(), moves })
    })
    await Promise.all(posts)
  }

  async function addNextLook(
    tx: Tx,
    order: { id: string; expires_at: number },
    facts: LookFacts,
    askedBy: Pick<PaymentProvider, 'nextLookAt'> = provider,
  ): Promise<void> {
    const runAt = lookAfter(order, facts, askedBy)
    if (runAt !== null) await addLook(tx, jobs, order.id, runAt)
  }

  /** When an order has to be looked at again, in epoch seconds; null when nothing is to come. */
  function lookAfter(
    order: { expires_at: number },
    facts: LookFacts,
    askedBy: Pick<PaymentProvider, 'nextLookAt'>,
  ): number | null {
    const at = now()
    const asked = { paymentAt: askedBy.nextLookAt(at, 'payment'), blockAt: askedBy.nextLookAt(at, 'confirmation') }
    return nextLookAt({ expiresAt: order.expires_at, now: at, ...facts, provider: asked })
  }

  /** When the first look at an order is due whose invoice was just made; null where the one at its expiry, which was added with the order, will do. */
  function firstLookAt(order: { expires_at: number }): number | null {
    const facts = { isDecided: false, isCovered: false, hasUnconfirmed: false, hasWatched: false }
    const runAt = lookAfter(order, facts, provider)
    return runAt === order.expires_at ? null : runAt
  }

  return { refresh, firstLookAt, tellElsewhere }
}

/** Whether an order is decided, and all that came for it counts. */
function isSettled({ status, payments }: OrderBeforeLook): boolean {
  return isDecided(status) && payments.every((payment) => payment.confirmed_at !== null)
}

function factsOf(
  status: OrderStatus,
  order: {
    readonly needed_sats: bigint
    readonly payments: readonly Pick<KnownPayment, 'confirmed_at' | 'final_at'>[]
    readonly sums: PaymentSums
  },
): LookFacts {
  const { needed_sats: neededSats, payments, sums } = order
  return {
    isDecided: isDecided(status),
    isCovered: sums.seenSats >= neededSats,
    hasUnconfirmed: sums.seenSats > sums.confirmedSats,
    hasWatched: payments.some(isWatched),
  }
}

/** As much of a provider's words as is kept of an invoice. */
const LONGEST_WORDS = 16_000

function wordsOf(raw: unknown): string {
  return JSON.stringify(raw).slice(0, LONGEST_WORDS)
}
