import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import { LotteryError } from '@fairball/domain/errors'
import { gameByKey } from '@fairball/domain/games'
import type { OrderStatus } from '@fairball/domain/order-status'
import type { AnswerOf } from '@fairball/contract/calls'
import type { Db, Queries, Tx } from '../../db/pool.ts'
import { Unreachable } from '../../http/errors.ts'
import type { JobHandler } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Checkout, PaymentProvider } from '../../ports/payment-provider/payment-provider.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Ledger } from '../ledger/service.ts'
import type { LostPayment, NewOrder, PaymentTotals } from '../orders/service.ts'
import { createCheckout } from './checkout.ts'
import { createFollowing } from './following.ts'
import { createHistory } from './history.ts'
import { createLooking, type OrderBeforeLook, PROVIDER } from './looking.ts'
import { addLook } from './looks.ts'
import { missingOf, sumPayments } from './order-payments.ts'
import * as queries from './queries.ts'

/** A payment counts from this many confirmations on. One block is what a test network needs. */
export const REQUIRED_CONFIRMATIONS = 1

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
  const following = createFollowing({ db, runtime, jobs, ledger, provider, requiredConfirmations })
  const { refresh, firstLookAt, tellElsewhere } = createLooking({ ...deps, requiredConfirmations, findBeforeLook })
  const { historyOf } = createHistory(deps)
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

  /** What is known of an order before its provider is asked, in one statement. @throws LotteryError NOT_FOUND */
  async function findBeforeLook(orderId: string): Promise<OrderBeforeLook> {
    const rows = UUID.test(orderId) ? await db.run(queries.findBeforeLook, [orderId]) : []
    const [order] = rows
    if (order === undefined) throw new LotteryError('NOT_FOUND', 'No such order.')
    const { status, expires_at: expiresAt, provider: holder, ref } = order
    const invoice = holder === null || ref === null ? null : { provider: holder, ref }
    const payments = rows.flatMap(({ outpoint, sats, seen_at, ...payment }) =>
      outpoint === null || sats === null || seen_at === null ? [] : [{ ...payment, outpoint, sats, seen_at }],
    )
    return { status, expiresAt, invoice, payments }
  }

  /** Another's order is not found either: ids cannot be probed. */
  async function findOrderOf(orderId: string, playerId: bigint) {
    const order = await findOrder(orderId)
    if (order.player_id !== playerId) throw new LotteryError('NOT_FOUND', 'No such order.')
    return order
  }

  /**
   * Makes the invoice of an order. Calling it again gives the same one, also when two calls meet.
   * An order that costs nothing has none: its page is the play page.
   *
   * Where the provider does not answer, the order ends: one that waits for money and cannot be paid would hold free tickets.
   *
   * @param made the order where this very request has made it: what it knows of it is not read again
   * @throws LotteryError NOT_FOUND for an unknown order
   * @throws Unreachable when the provider does not answer, or is not fit
   */
  async function openInvoice(orderId: string, made: NewOrder | null = null): Promise<{ checkoutUrl: string }> {
    const order = made ?? (await findOrder(orderId))
    if (order.due_sats === 0n) return { checkoutUrl: returnUrlOf(order) }
    const stored = made === null ? await db.maybeOne(queries.findInvoice, [orderId]) : null
    if (stored !== null) return { checkoutUrl: stored.checkout_url }

    const checkout = await checkoutFor(order)
    const lookAt = firstLookAt(order)
    if (lookAt === null) return await storeInvoice(db, order, checkout)
    return await db.transaction(async (tx) => {
      const [invoice] = await Promise.all([storeInvoice(tx, order, checkout), addLook(tx, jobs, orderId, lookAt)])
      return invoice
    })
  }

  /** Keeps an invoice that the provider made, unless another call was first: the order has that one then. */
  async function storeInvoice(to: Queries, order: NewOrder, checkout: Checkout): Promise<{ checkoutUrl: string }> {
    const { ref, address, checkoutUrl, expiresAt } = checkout
    const invoice = [order.id, provider.name, ref, address, checkoutUrl, expiresAt] as const
    const { is_given_up, is_stored } = await to.one(queries.storeInvoice, [...invoice, now()])
    // Another call found the provider silent, and gave the order up before its time: nobody is to pay it now.
    if (is_given_up) throw new Unreachable(PROVIDER)
    if (is_stored) return { checkoutUrl }
    return { checkoutUrl: (await to.one(queries.findInvoice, [order.id])).checkout_url }
  }

  /** An order's invoice at the provider. Where none is to be had, the order ends, unless another call has one. */
  async function checkoutFor(order: NewOrder): Promise<Checkout> {
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

  /** How the money of an order stands. @throws LotteryError NOT_FOUND */
  async function moneyOf(orderId: string): Promise<OrderMoney> {
    const order = await findOrder(orderId)
    const invoice = await db.maybeOne(queries.findInvoice, [orderId])
    const { seenSats } = sumPayments(await db.run(queries.findPayments, [orderId]), order.needed_sats)
    const missingSats = missingOf(order, seenSats)
    return { status: order.status, address: invoice?.address ?? null, dueSats: order.due_sats, seenSats, missingSats }
  }

  /** The status of a player's own order. @throws LotteryError NOT_FOUND */
  async function statusOf(orderId: string, playerId: bigint): Promise<OrderStatus> {
    return (await findOrderOf(orderId, playerId)).status
  }

  return {
    openInvoice,
    refresh: (orderId: string) => refresh(orderId),
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
          run: async (payload, { finish }) => void (await refresh(payload['orderId'] as string, finish)),
        },
        ...following.jobs(),
      ]
    },
  }
}
