import { FINAL_CONFIRMATIONS } from '@fairball/domain/finality'
import type { Db, Tx } from '../../db/pool.ts'
import type { JobHandler } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { PaymentProvider, SeenOutput, WebhookHint } from '../../ports/payment-provider/payment-provider.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { losses, suspense, wallet } from '../ledger/accounts.ts'
import type { Ledger } from '../ledger/service.ts'
import { addLook } from './looks.ts'
import * as queries from './queries.ts'

/** A provider that can be followed is asked this often what changed (payments.md section 1c). */
export const FOLLOW_SECONDS = 10
/** A message is known for this long: no provider delivers one again after a month. */
const MESSAGE_SECONDS = 30 * 24 * 60 * 60
const TIDY_SECONDS = 24 * 60 * 60

/** What a provider tells of itself: its messages, and what changed since it was asked last. Both are hints to look. */
export function createFollowing(deps: {
  db: Db
  runtime: Runtime
  jobs: Jobs
  ledger: Ledger
  provider: PaymentProvider
  requiredConfirmations: number
}) {
  const { db, runtime, jobs, ledger, provider } = deps
  const now = (): number => runtime.clock.now()
  const stopped = new AbortController()
  let following: Promise<void> = Promise.resolve()

  /** Has the orders of some invoices looked at now. @returns the invoices that are none of ours */
  async function lookAt(tx: Tx, refs: readonly string[]): Promise<string[]> {
    if (refs.length === 0) return []
    const orders = await tx.run(queries.findOrdersOfRefs, [provider.name, [...refs]])
    for (const { order_id: orderId } of orders) await addLook(tx, jobs, orderId, now())
    const known = new Set(orders.map((order) => order.ref))
    return refs.filter((ref) => !known.has(ref))
  }

  /**
   * Keeps a genuine message and has its order looked at, once however often it is delivered. When this returns, the
   * message may be acknowledged.
   *
   * @returns false when it was kept before
   */
  async function takeMessage(hint: WebhookHint): Promise<boolean> {
    return await db.transaction(async (tx) => {
      const isNew = await tx.maybeOne(queries.insertMessage, [provider.name, hint.key, hint.ref, now()])
      if (isNew === null) return false
      const strange = await lookAt(tx, [hint.ref])
      if (strange.length > 0)
        runtime.log.warn({ provider: provider.name, ref: hint.ref }, 'a message speaks of an invoice that is not ours')
      return true
    })
  }

  /** Asks the provider what changed since the last time, once. Where it cannot be followed nothing happens. */
  async function follow(): Promise<void> {
    if (provider.follow === undefined) return
    const cursor = (await db.maybeOne(queries.findCursor, [provider.name]))?.cursor ?? null
    const changes = await provider.follow(cursor)
    const orders = await db.run(queries.findOrdersOfRefs, [provider.name, [...changes.refs]])
    const known = new Set(orders.map((order) => order.ref))
    // Money for an invoice that was never stored, because the process died in between, belongs to nobody either.
    const strange = await Promise.all(changes.refs.filter((ref) => !known.has(ref)).map((ref) => provider.get(ref)))
    await db.transaction(async (tx) => {
      const stored = (await tx.maybeOne(queries.lockCursor, [provider.name]))?.cursor ?? null
      if (stored !== cursor) return // another process was faster; what it did not see is asked for next time
      await lookAt(tx, changes.refs)
      for (const output of [...changes.unknown, ...strange.flatMap((one) => one.outputs)]) await bookUnknown(tx, output)
      await tx.run(queries.storeCursor, [provider.name, now(), changes.cursor])
    })
  }

  /**
   * Money that belongs to no order stands in suspense from its confirmation on, and somebody has to look at it.
   *
   * @param holder where it arrived. Default: with the provider
   */
  async function bookUnknown(tx: Tx, output: SeenOutput, holder: string = provider.name): Promise<void> {
    const { outpoint, sats, network, confirmations } = output
    const facts = { provider: holder, outpoint, sats: String(sats) }
    const paid = await tx.maybeOne(queries.findOrderPaidBy, [outpoint])
    if (paid !== null) {
      const orderId = paid.order_id
      runtime.log.error({ ...facts, orderId }, 'money that pays an order was told as money of nobody: it counts once')
      return
    }
    // Below zero: gone again. What was never known then needs no row.
    const isNew =
      confirmations < 0
        ? null
        : await tx.maybeOne(queries.insertUnknown, [outpoint, sats, output.seenAt, holder, network])
    if (isNew !== null) runtime.log.error(facts, 'money arrived that belongs to no order')
    if (confirmations >= deps.requiredConfirmations) {
      const deposit = await tx.maybeOne(queries.confirmUnknown, [outpoint, now()])
      if (deposit !== null) {
        const moves = [{ from: wallet, to: suspense, sats: deposit.sats }]
        const subject = `${outpoint}:${deposit.times_confirmed}`
        await ledger.post(tx, { event: 'deposit.unknown', subject, at: now(), moves })
      }
      if (confirmations >= FINAL_CONFIRMATIONS) await tx.run(queries.finishUnknown, [outpoint, now()])
      return
    }
    if (confirmations > 0) return
    const deposit = await tx.maybeOne(queries.reverseUnknown, [outpoint])
    if (deposit === null) return
    runtime.log.error(facts, 'money that belongs to no order was reorganised away')
    // The operator may have moved it on meanwhile: then what is in suspense is other money, and this is lost.
    await ledger.lock(tx, suspense)
    const isTaken = deposit.taken_confirmation === deposit.times_confirmed
    const inSuspense = isTaken ? 0n : await ledger.balance(tx, suspense)
    const taken = inSuspense < deposit.sats ? inSuspense : deposit.sats
    await ledger.post(tx, {
      event: 'deposit.reversed',
      subject: `${outpoint}:${deposit.times_confirmed}`,
      at: now(),
      moves: [
        { from: suspense, to: wallet, sats: taken },
        { from: losses, to: wallet, sats: deposit.sats - taken },
      ],
    })
  }

  /** One job in each span of time, however many processes ask for it; a clock that jumped goes on from now. */
  async function addNext(tx: Tx, kind: string, everySeconds: number): Promise<void> {
    const runAt = (Math.floor(now() / everySeconds) + 1) * everySeconds
    await jobs.add(tx, kind, {}, { key: `${kind}:${runAt}`, runAt })
  }

  /** The outside world goes on at its own pace: a jump of the demo's clock is no reason to ask more often. */
  async function followOn(): Promise<void> {
    while (!stopped.signal.aborted) {
      await follow().catch((error: unknown) => {
        runtime.log.error({ provider: provider.name, err: error }, 'the provider of payments could not be followed')
      })
      await runtime.steady.sleep(FOLLOW_SECONDS * 1000, stopped.signal).catch(() => undefined) // stopped
    }
  }

  const TIDY = 'payments.tidy'

  return {
    takeMessage,
    follow,
    bookUnknown,

    /** Before the first request: old messages are forgotten from time to time. */
    async begin(): Promise<void> {
      if (provider.webhook !== undefined) await db.transaction((tx) => addNext(tx, TIDY, TIDY_SECONDS))
    },

    /** Follows the provider until it is stopped, where it can be followed. */
    start(): void {
      if (provider.follow !== undefined) following = followOn()
    },
    async stop(): Promise<void> {
      stopped.abort()
      await following
    },

    jobs(): JobHandler[] {
      return [
        {
          kind: TIDY,
          mode: 'transaction',
          async run(tx) {
            if (provider.webhook !== undefined) await addNext(tx, TIDY, TIDY_SECONDS)
            await tx.run(queries.deleteOldMessages, [now() - MESSAGE_SECONDS])
          },
        },
      ]
    },
  }
}
