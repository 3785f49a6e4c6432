import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import { LotteryError } from '@fairball/domain/errors'
import { gameByKey } from '@fairball/domain/games'
import { type OrderStatus, shownStatus } from '@fairball/domain/order-status'
import type { AnswerOf } from '@fairball/contract/calls'
import type { TransactionRow } from '@fairball/contract/schemas/account'
import type { Db, Queries, Tx } from '../../db/pool.ts'
import { Unreachable } from '../../http/errors.ts'
import { pageRange, totalPages } from '../../http/paging.ts'
import type { JobHandler } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { InvoiceSnapshot, PaymentProvider, SeenOutput } from '../../ports/payment-provider/payment-provider.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { received, wallet } from '../ledger/accounts.ts'
import type { Ledger } from '../ledger/service.ts'
import type { LostPayment, PaymentTotals } from '../orders/service.ts'
import { amountOf } from './amounts.ts'
import { createCheckout, txidOf } from './checkout.ts'
import { explorerLink } from './explorer.ts'
import { createFollowing } from './following.ts'
import { addLook } from './looks.ts'
import {
  LONGEST_WAIT_SECONDS,
  type LookedAt,
  MISSING_SECONDS,
  missingOf,
  nextLookAt,
  paymentChanges,
  sumPayments,
} from './order-payments.ts'
import * as queries from './queries.ts'
import { currentRates, ratesAt } from './rates.ts'

/** A payment counts from this many confirmations on. One block is what a test network needs. */
export const REQUIRED_CONFIRMATIONS = 1

/** What is paid while the clock is slow becomes nothing yet, and is looked at again after this (fairness section 9). */
const CLOCK_LOOK_SECONDS = 60

/** An answer that was stored too late is asked for again, so often; then the look ends, and is made again by its job. */
const LOOKS_AT_ONCE = 3
/** Orders of which is remembered that the log has something of them; then it may say so once more. */
const MOST_TOLD = 10_000

/** As the log names it. */
const PROVIDER = 'the provider of payments'

/** In place of the provider where it is not asked. */
const NEVER_ASKED: Pick<PaymentProvider, 'nextLookAt'> = { nextLookAt: () => null }

/** An order that has no invoice shows nothing. */
const NOTHING_SHOWN: InvoiceSnapshot = { outputs: [] }

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export interface PaymentsDeps {
  readonly db: Db
  readonly runtime: Runtime
  readonly jobs: Jobs
  readonly ledger: Ledger
  readonly provider: PaymentProvider
  /** Decides what an order becomes of its payments, inside the transaction that counted them. */
  readonly applyPayments: (tx: Tx, orderId: string, totals: PaymentTotals) => Promise<OrderStatus>
  /** Ends an order for which no invoice could be made. @param now epoch seconds */
  readonly giveUp: (tx: Tx, orderId: string, now: number) => Promise<void>
  /** Books that a payment which counted is in the chain no longer, see orders. @returns what the operator lost, in sats */
  readonly takeBack: (tx: Tx, orderId: string, lost: LostPayment) => Promise<bigint>
  /** the site's address without a slash at the end */
  readonly publicUrl: string
  readonly network: BitcoinNetwork
  /** whether the checkout page may offer the button that pays: demo mode */
  readonly canPayFromTestWallet: boolean
  /** The address of an explorer's page up to the transaction's id. Default: the network's usual one. */
  readonly explorerUrl?: string | null
  /** default `REQUIRED_CONFIRMATIONS` */
  readonly requiredConfirmations?: number
}

/** What is known of an order's money. */
export interface OrderMoney {
  readonly status: OrderStatus
  /** null where the provider keeps it to itself, or nothing is to be paid */
  readonly address: string | null
  readonly dueSats: bigint
  readonly seenSats: bigint
  /** what still has to be sent, 0 when it is covered */
  readonly missingSats: bigint
}

export type Payments = ReturnType<typeof createPayments>

/**
 * Adds the look at an order's payments that lets it expire, in the transaction that makes the order: an order whose
 * invoice was never made (the process died in between) ends all the same.
 */
export async function watchOrder(tx: Tx, jobs: Jobs, order: { orderId: string; expiresAt: number }): Promise<void> {
  await addLook(tx, jobs, order.orderId, order.expiresAt)
}

/** Invoices, what arrives for them, and the history a player sees. */
export function createPayments(deps: PaymentsDeps) {
  const { db, runtime, jobs, ledger, provider } = deps
  const requiredConfirmations = deps.requiredConfirmations ?? REQUIRED_CONFIRMATIONS
  const now = (): number => runtime.clock.now()
  const told = new Set<string>()
  const following = createFollowing({ db, runtime, jobs, ledger, provider, requiredConfirmations })
  const { checkoutOf } = createCheckout({ ...deps, requiredConfirmations, findOrder, returnUrlOf })

  /** The play page that shows how an order's payment stands. */
  function returnUrlOf(order: { id: string; game_key: string }): string {
    return `${deps.publicUrl}/game/${order.game_key}?transaction_id=${order.id}`
  }

  async function findOrder(orderId: string) {
    const order = UUID.test(orderId) ? await db.maybeOne(queries.findOrder, [orderId]) : null
    if (order === null) throw new LotteryError('NOT_FOUND', 'No such order.')
    return order
  }

  /** Another's order is not found either: ids cannot be probed. */
  async function findOrderOf(orderId: string, playerId: bigint) {
    const order = await findOrder(orderId)
    if (order.player_id !== playerId) throw new LotteryError('NOT_FOUND', 'No such order.')
    return order
  }

  /**
   * Makes the invoice of an order that was just stored. Calling it again gives the same one, also when two calls meet.
   * An order that costs nothing has none: its page is the play page.
   *
   * Where the provider does not answer, the order ends: one that waits for money and cannot be paid would hold free tickets.
   *
   * @throws LotteryError NOT_FOUND for an unknown order
   * @throws Unreachable when the provider does not answer, or is not fit
   */
  async function openInvoice(orderId: string): Promise<{ checkoutUrl: string }> {
    const order = await findOrder(orderId)
    if (order.due_sats === 0n) return { checkoutUrl: returnUrlOf(order) }
    const stored = await db.maybeOne(queries.findInvoice, [orderId])
    if (stored !== null) return { checkoutUrl: stored.checkout_url }

    const checkout = await checkoutFor(order)
    return await db.transaction(async (tx) => {
      const { ref, address, checkoutUrl, expiresAt } = checkout
      const { status } = await tx.one(queries.lockOrder, [orderId])
      // Another call found the provider silent, and gave the order up before its time: nobody is to pay it now.
      if (status === 'EXPIRED' && now() < order.expires_at) throw new Unreachable(PROVIDER)
      await tx.run(queries.insertInvoice, [
        orderId,
        provider.name,
        ref,
        address,
        checkoutUrl,
        order.due_sats,
        expiresAt,
      ])
      // Another call may have stored its own first; that one is the invoice then.
      const invoice = await tx.one(queries.findInvoice, [orderId])
      const facts = { isDecided: false, isCovered: false, hasUnconfirmed: false, hasWatched: false }
      await addNextLook(tx, order, facts)
      return { checkoutUrl: invoice.checkout_url }
    })
  }

  /** An order's invoice at the provider. Where none is to be had, the order ends, unless another call has one. */
  async function checkoutFor(order: Awaited<ReturnType<typeof findOrder>>) {
    try {
      return await provider.createCheckout({
        orderId: order.id,
        amountSats: order.due_sats,
        description: `${gameByKey(order.game_key)?.name ?? order.game_key}: ${order.line_count} lines`,
        expiresAt: order.expires_at,
        returnUrl: returnUrlOf(order),
      })
    } catch (cause) {
      await db.transaction(async (tx) => {
        await tx.one(queries.lockOrder, [order.id])
        if ((await tx.maybeOne(queries.findInvoice, [order.id])) === null) await deps.giveUp(tx, order.id, now())
      })
      throw new Unreachable(PROVIDER, cause)
    }
  }

  /**
   * Looks at an order's payments again and moves the order as they say. Safe to call at any time, any number of times:
   * money is counted once per outpoint, whoever looks.
   *
   * @throws LotteryError NOT_FOUND for an unknown order; what the provider throws when it does not answer
   */
  async function refresh(orderId: string): Promise<OrderStatus> {
    for (let left = LOOKS_AT_ONCE; left > 0; left -= 1) {
      const status = await lookOnce(orderId)
      if (status !== null) return status
      runtime.log.warn({ orderId }, 'an answer of the payment provider came too late to be stored: it is asked again')
    }
    throw new Unreachable(PROVIDER)
  }

  /** @returns null where so much time went by between the question and its storing that the answer says nothing any more */
  async function lookOnce(orderId: string): Promise<OrderStatus | null> {
    const found = await findOrder(orderId)
    const before = await db.run(queries.findPayments, [orderId])
    const invoice = await db.maybeOne(queries.findInvoice, [orderId])
    if (invoice !== null && invoice.provider !== provider.name) return await leaveElsewhere(orderId, invoice.provider)
    const lookedAt = now()
    const askedMs = runtime.steady.nowMs()
    const answer = invoice === null ? NOTHING_SHOWN : await provider.get(invoice.ref)
    if (answer.isUnknown === true && isAtStake(found, before)) throw new Unreachable(PROVIDER)
    return await db.transaction(async (tx) => {
      await tx.one(queries.lockOrder, [orderId])
      // Two looks that doubt a payment have to be apart: an old answer, stored late, would be one look counted twice.
      if (runtime.steady.nowMs() - askedMs >= MISSING_SECONDS * 1000) return null
      const snapshot = { ...answer, outputs: await withoutUnknown(tx, orderId, answer.outputs, before) }
      if (snapshot.raw !== undefined) await tx.run(queries.storeWords, [orderId, wordsOf(snapshot.raw), lookedAt])
      const changes = paymentChanges(before, snapshot, { requiredConfirmations, now: lookedAt })
      await storePayments(tx, orderId, changes.appeared)
      if (changes.vanished.length > 0) {
        runtime.log.warn({ orderId, outpoints: changes.vanished }, 'payments vanished before they were confirmed')
        await tx.run(queries.deleteUnconfirmed, [orderId, [...changes.vanished]])
        await tx.run(queries.markGone, [orderId, [...changes.vanished], now()])
      }
      await confirmPayments(tx, orderId, changes.confirmed)
      if (changes.final.length > 0) await tx.run(queries.markFinal, [orderId, [...changes.final], now()])
      if (changes.found.length > 0) await tx.run(queries.markFound, [orderId, [...changes.found]])
      if (changes.missing.length > 0) await doubtPayments(tx, orderId, changes.missing)
      if (changes.reversed.length > 0) await reversePayments(tx, orderId, changes.reversed, snapshot, lookedAt)

      // Read after the payments are stored: one that was taken back changes what the order needs.
      const order = await tx.one(queries.lockOrder, [orderId])
      const payments = await tx.run(queries.findPayments, [orderId])
      const isGivenUp = now() >= order.expires_at + LONGEST_WAIT_SECONDS
      const counting = isGivenUp ? payments.filter((payment) => payment.confirmed_at !== null) : payments
      const sums = sumPayments(counting, order.needed_sats)
      const status = await deps.applyPayments(tx, orderId, { ...sums, now: now() })
      const isDecided = status === 'PAID' || status === 'REFUNDED'
      const isCovered = sums.seenSats >= order.needed_sats
      const hasUnconfirmed = sums.seenSats > sums.confirmedSats
      const waitsForClock = isCovered && !hasUnconfirmed && !isDecided
      if (waitsForClock) await addLook(tx, jobs, orderId, now() + CLOCK_LOOK_SECONDS)
      const hasWatched = payments.some((payment) => payment.confirmed_at !== null && payment.final_at === null)
      await addNextLook(tx, order, { isDecided, isCovered, hasUnconfirmed, hasWatched })
      return status
    })
  }

  /** Whether an order has money that may still go, or may get some yet: that its provider does not know it is no answer then. */
  function isAtStake(order: { expires_at: number }, payments: readonly { final_at: number | null }[]): boolean {
    const hasOpenMoney = payments.some((payment) => payment.final_at === null)
    return now() < order.expires_at + (hasOpenMoney ? LONGEST_WAIT_SECONDS : 0)
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
  async function leaveElsewhere(orderId: string, holder: string): Promise<OrderStatus> {
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
      const facts = {
        isDecided: status === 'PAID' || status === 'REFUNDED',
        isCovered: sums.seenSats >= order.needed_sats,
        hasUnconfirmed: sums.seenSats > sums.confirmedSats,
        hasWatched: payments.some((payment) => payment.confirmed_at !== null && payment.final_at === null),
      }
      // For when its provider is configured again.
      await addNextLook(tx, order, facts, NEVER_ASKED)
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
    runtime.log.error({ orderId, outpoints }, 'payments that count are in no block: they are looked at once more')
    await tx.run(queries.markMissing, [orderId, [...outpoints], now()])
    await addLook(tx, jobs, orderId, now() + MISSING_SECONDS)
  }

  /** Payments that counted were reorganised away: the ledger follows the chain in the transaction that marks them. */
  async function reversePayments(
    tx: Tx,
    orderId: string,
    outpoints: readonly string[],
    snapshot: InvoiceSnapshot,
    lookedAt: number,
  ): Promise<void> {
    const onTheirWay = snapshot.outputs.map((output) => output.outpoint)
    const lost = await tx.run(queries.reversePayments, [
      orderId,
      [...outpoints],
      onTheirWay,
      lookedAt - MISSING_SECONDS,
      now(),
    ])
    if (lost.length === 0) return
    const { confirmedSats } = sumPayments(await tx.run(queries.findPayments, [orderId]), 0n)
    let restSats = confirmedSats + lost.reduce((sum, payment) => sum + payment.sats, 0n)
    for (const { outpoint, sats, times_reversed: times } of lost) {
      restSats -= sats
      const subject = `${outpoint}:${times}`
      const lostSats = await deps.takeBack(tx, orderId, { subject, sats, confirmedSats: restSats, now: now() })
      const facts = { orderId, outpoint, sats: String(sats), lostSats: String(lostSats) }
      runtime.log.error(facts, 'a payment that counted was reorganised away')
    }
  }

  async function storePayments(tx: Tx, orderId: string, outputs: readonly SeenOutput[]): Promise<void> {
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
  async function confirmPayments(tx: Tx, orderId: string, outpoints: readonly string[]): Promise<void> {
    if (outpoints.length === 0) return
    const confirmed = await tx.run(queries.confirmPayments, [orderId, [...outpoints], now()])
    for (const { outpoint, sats, times_reversed: times } of confirmed) {
      const moves = [{ from: wallet, to: received, sats }]
      // The same payment can be confirmed again after it was reorganised away.
      const subject = times === 0 ? outpoint : `${outpoint}:${times}`
      await ledger.post(tx, { event: 'payment.confirmed', subject, at: now(), moves })
    }
  }

  async function addNextLook(
    tx: Tx,
    order: { id: string; expires_at: number },
    facts: Pick<LookedAt, 'isDecided' | 'isCovered' | 'hasUnconfirmed' | 'hasWatched'>,
    askedBy: Pick<PaymentProvider, 'nextLookAt'> = provider,
  ): Promise<void> {
    const at = now()
    const asked = { paymentAt: askedBy.nextLookAt(at, 'payment'), blockAt: askedBy.nextLookAt(at, 'confirmation') }
    const runAt = nextLookAt({ expiresAt: order.expires_at, now: at, ...facts, provider: asked })
    if (runAt !== null) await addLook(tx, jobs, order.id, runAt)
  }

  /** How the money of an order stands. @throws LotteryError NOT_FOUND */
  async function moneyOf(orderId: string): Promise<OrderMoney> {
    const order = await findOrder(orderId)
    const invoice = await db.maybeOne(queries.findInvoice, [orderId])
    const { seenSats } = sumPayments(await db.run(queries.findPayments, [orderId]), order.needed_sats)
    const missingSats = missingOf(order, seenSats)
    return { status: order.status, address: invoice?.address ?? null, dueSats: order.due_sats, seenSats, missingSats }
  }

  /** One page of a player's payments, refunds and prizes, the newest first. */
  async function historyOf(playerId: bigint, page: number): Promise<AnswerOf<'getTransactions'>> {
    const { row_count } = await db.one(queries.countHistory, [playerId])
    const { limit, offset } = pageRange(page)
    const rows = await db.run(queries.listHistory, [playerId, BigInt(limit), BigInt(offset)])

    const orderIds = rows.flatMap((row) => (row.order_id === null ? [] : [row.order_id]))
    const payoutIds = rows.flatMap((row) => (row.payout_id === null ? [] : [row.payout_id]))
    const payments = await db.run(queries.findPaymentsOfOrders, [orderIds])
    const payouts = await db.run(queries.findTxidsOfPayouts, [payoutIds])
    const present = await currentRates(db, now())
    const past = await ratesAt(
      db,
      rows.map((row) => row.at),
    )

    const results = rows.map((row): TransactionRow => {
      const paidBy = payments.filter((payment) => payment.order_id === row.order_id)
      const txids = [
        ...paidBy.filter((payment) => payment.network === 'ONCHAIN').map((payment) => txidOf(payment.outpoint)),
        ...payouts.filter((payout) => payout.payout_id === row.payout_id).map((payout) => payout.txid),
      ]
      // A currency added later has no rate of that time.
      const rates = new Map([...present, ...(past.get(row.at) ?? [])])
      if (row.rate_sats !== null) rates.set('GBP', row.rate_sats)
      return {
        id: row.id,
        datetime: row.at,
        type: row.type,
        network: txids.length > 0 ? 'ONCHAIN' : paidBy.length > 0 ? 'LIGHTNING' : 'BITCOIN',
        transactions: [...new Set(txids)].map((txid) => {
          return { tnx_link: explorerLink(deps.network, deps.explorerUrl ?? null, txid), tnx_label: txid }
        }),
        status: shownStatus(row.status),
        amount: amountOf(row.sats, rates),
      }
    })
    return { results, total_pages: totalPages(row_count) }
  }

  /** The status of a player's own order. @throws LotteryError NOT_FOUND */
  async function statusOf(orderId: string, playerId: bigint): Promise<OrderStatus> {
    return (await findOrderOf(orderId, playerId)).status
  }

  return {
    openInvoice,
    refresh,
    moneyOf,
    checkoutOf,
    historyOf,
    requiredConfirmations,

    statusOf,

    /** Where the provider's messages arrive; null where it sends none. */
    webhook: provider.webhook ?? null,
    takeMessage: following.takeMessage,
    /** Puts money that belongs to no order into suspense: see following.ts. */
    bookUnknown: following.bookUnknown,
    follow: following.follow,
    /** Before the first request: old messages are forgotten from time to time, and what nobody looks at is told. */
    async start(): Promise<void> {
      await following.begin()
      await tellElsewhere()
    },
    /** Follows the provider until it is told to stop, where it can be followed. */
    startFollowing: following.start,
    stopFollowing: following.stop,

    /** Whether payments are taken at an address: nobody can be paid there, the money would come in again as a payment. */
    async takesPaymentsAt(from: Queries, address: string): Promise<boolean> {
      return (await from.one(queries.takesPaymentsAt, [address])).is_ours
    },

    /** What an operator has to look at: money that belongs to nobody, and payments that the chain took back or may have. */
    async troubles(from: Queries): Promise<{ unknownDeposits: number; reversed: number; missing: number }> {
      const { deposits } = await from.one(queries.sumUnknown, [])
      return { unknownDeposits: deposits, ...(await from.one(queries.countReversed, [])) }
    },

    /**
     * What the payment page is told of a player's own order: its status, and where entries stand in later draws than the order named, which.
     *
     * @throws LotteryError NOT_FOUND
     */
    async paymentOf(orderId: string, playerId: bigint): Promise<AnswerOf<'getPayment'>> {
      const status = await statusOf(orderId, playerId)
      const moves = status === 'PAID' ? await db.run(queries.findMoves, [orderId]) : []
      if (moves.length === 0) return { status }
      const moved = moves.map((move) => ({ from: move.left_number, to: move.joined_number, date: move.start_at }))
      return { status, moved }
    },

    /** Where a player's own order is paid. @throws LotteryError NOT_FOUND: unknown, or without an invoice */
    async checkoutAddressOf(orderId: string, playerId: bigint): Promise<AnswerOf<'getCheckoutAddress'>> {
      const order = await findOrderOf(orderId, playerId)
      const invoice = await db.maybeOne(queries.findInvoice, [order.id])
      if (invoice === null) throw new LotteryError('NOT_FOUND', 'No such checkout.')
      return { checkout_url: invoice.checkout_url }
    },

    jobs(): JobHandler[] {
      return [
        {
          kind: 'payments.refresh',
          mode: 'outside',
          // Every job of this kind was added with an order's id, see addLook.
          run: async (payload) => void (await refresh(payload['orderId'] as string)),
        },
        ...following.jobs(),
      ]
    },
  }
}

/** As much of a provider's words as is kept of an invoice. */
const LONGEST_WORDS = 16_000

function wordsOf(raw: unknown): string {
  return JSON.stringify(raw).slice(0, LONGEST_WORDS)
}
