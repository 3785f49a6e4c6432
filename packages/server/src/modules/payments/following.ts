import { FINAL_CONFIRMATIONS } from '@fairball/domain/finality'
import type { Tx } from '../../db/pool.ts'
import type { JobHandler } from '../../jobs/job.ts'
import type { SeenOutput, WebhookHint } from '../../ports/payment-provider/payment-provider.ts'
import { settledCursorOf } from '../../ports/payment-provider/with-lightning.ts'
import { lightning, losses, suspense, wallet } from '../ledger/accounts.ts'
import { balanceOf, lockAccount, postTransfer } from '../ledger/service.ts'
import type { PaymentsContext } from './context.ts'
import type { LightningDesk } from './lightning.ts'
import { addLook } from './looks.ts'
import * as queries from './queries.ts'

/** How often a provider that can be followed is asked for changes (payments.md section 1c). */
export const FOLLOW_SECONDS = 10
/** Pause between two hints, in ms: several payments at once are followed together. */
const HINT_PAUSE_MS = 200
/** How long a message is remembered: no provider delivers one again after a month. */
const MESSAGE_SECONDS = 30 * 24 * 60 * 60
const TIDY_SECONDS = 24 * 60 * 60
const TIDY = 'payments.tidy'

/** Schedules a check of the orders of some invoices. @returns the invoices that are none of ours */
async function lookAt(ctx: PaymentsContext, tx: Tx, refs: readonly string[]): Promise<string[]> {
  if (refs.length === 0) return []
  const orders = await tx.run(queries.findOrdersOfRefs, [ctx.provider.name, [...refs]])
  for (const { orderId } of orders) await addLook(tx, ctx.jobs, orderId, ctx.runtime.clock.now())
  const known = new Set(orders.map((order) => order.ref))
  return refs.filter((ref) => !known.has(ref))
}

/**
 * Keeps a genuine message and schedules a check of its order, once however often it is delivered. When this returns,
 * the message may be acknowledged.
 *
 * @returns false if it was kept before
 */
export async function takeMessage(ctx: PaymentsContext, hint: WebhookHint): Promise<boolean> {
  return await ctx.db.transaction(async (tx) => {
    const isNew = await tx.maybeOne(queries.insertMessage, [
      ctx.provider.name,
      hint.key,
      hint.ref,
      ctx.runtime.clock.now(),
    ])
    if (isNew === null) return false
    const strange = await lookAt(ctx, tx, [hint.ref])
    if (strange.length > 0)
      ctx.runtime.log.warn(
        { provider: ctx.provider.name, ref: hint.ref },
        'a message speaks of an invoice that is not ours',
      )
    return true
  })
}

/** Asks the provider once what changed since the last time. Does nothing if it cannot be followed. */
export async function followProvider(ctx: PaymentsContext): Promise<void> {
  if (ctx.provider.follow === undefined) return
  const cursor = await cursorOf(ctx)
  const changes = await ctx.provider.follow(cursor)
  const orders = await ctx.db.run(queries.findOrdersOfRefs, [ctx.provider.name, [...changes.refs]])
  const known = new Set(orders.map((order) => order.ref))
  // An invoice was never stored if the process died in between; its money is unattributed too.
  const strange = await Promise.all(changes.refs.filter((ref) => !known.has(ref)).map((ref) => ctx.provider.get(ref)))
  await ctx.db.transaction(async (tx) => {
    await tx.one(queries.lockFollowing, [ctx.provider.name])
    const stored = (await tx.maybeOne(queries.findCursor, [ctx.provider.name]))?.cursor ?? null
    if (stored !== cursor) return // another process was faster; the next request covers what it did not see
    await lookAt(ctx, tx, changes.refs)
    for (const output of [
      ...changes.unknown,
      ...strange.flatMap((one) => one.outputs.filter(({ isOwn }) => isOwn !== true)),
    ])
      await bookUnknown(ctx, tx, output)
    await tx.execute(queries.storeCursor, [ctx.provider.name, ctx.runtime.clock.now(), changes.cursor])
  })
}

/**
 * Money that belongs to no order is in suspense from its confirmation on, and the operator has to look at it.
 *
 * @param holder where it arrived. Default: with the provider, or at the operator's Lightning node
 */
export async function bookUnknown(
  ctx: PaymentsContext,
  tx: Tx,
  output: SeenOutput,
  holder: string = isAtOurNode(ctx, output) ? 'lightning' : ctx.provider.name,
): Promise<void> {
  const { outpoint, sats, network, confirmations } = output
  const facts = { provider: holder, outpoint, sats: String(sats) }
  const paid = await tx.maybeOne(queries.findOrderPaidBy, [outpoint])
  if (paid !== null) {
    const orderId = paid.orderId
    ctx.runtime.log.error({ ...facts, orderId }, 'money that pays an order was told as money of nobody: it counts once')
    return
  }
  // Negative: gone again. What was never known then needs no row.
  const isNew =
    confirmations < 0
      ? null
      : await tx.maybeOne(queries.insertUnknown, { outpoint, sats, seenAt: output.seenAt, provider: holder, network })
  if (isNew !== null && output.isOperators === true) ctx.runtime.log.info(facts, 'money arrived at an address of ours')
  else if (isNew !== null) ctx.runtime.log.error(facts, 'money arrived that belongs to no order')
  if (confirmations >= ctx.requiredConfirmations()) {
    const deposit = await tx.maybeOne(queries.confirmUnknown, [outpoint, ctx.runtime.clock.now()])
    if (deposit !== null) {
      const moves = [{ from: isAtOurNode(ctx, output) ? lightning : wallet, to: suspense, sats: deposit.sats }]
      const subject = `${outpoint}:${deposit.timesConfirmed}`
      await postTransfer(tx, { event: 'deposit.unknown', subject, at: ctx.runtime.clock.now(), moves })
    }
    if (confirmations >= FINAL_CONFIRMATIONS)
      await tx.execute(queries.finishUnknown, [outpoint, ctx.runtime.clock.now()])
    return
  }
  if (confirmations > 0) return
  const deposit = await tx.maybeOne(queries.reverseUnknown, [outpoint])
  if (deposit === null) return
  ctx.runtime.log.error(facts, 'money that belongs to no order was reorganised away')
  // The operator may have moved it on meanwhile: then suspense holds other money, and this is lost.
  await lockAccount(tx, suspense)
  const isTaken = deposit.takenConfirmation === deposit.timesConfirmed
  const inSuspense = isTaken ? 0n : await balanceOf(tx, suspense)
  const taken = inSuspense < deposit.sats ? inSuspense : deposit.sats
  await postTransfer(tx, {
    event: 'deposit.reversed',
    subject: `${outpoint}:${deposit.timesConfirmed}`,
    at: ctx.runtime.clock.now(),
    moves: [
      { from: suspense, to: wallet, sats: taken },
      { from: losses, to: wallet, sats: deposit.sats - taken },
    ],
  })
}

/** Whether money came to the operator's own Lightning node: what is received there is final, and not in the wallet. */
export function isAtOurNode({ lightning: desk }: PaymentsContext, { network }: Pick<SeenOutput, 'network'>): boolean {
  return desk !== null && network === 'LIGHTNING'
}

async function cursorOf({ db, provider }: PaymentsContext): Promise<string | null> {
  return (await db.maybeOne(queries.findCursor, [provider.name]))?.cursor ?? null
}

/** One job per interval, however many processes ask; after a jump the clock continues from now. */
async function addNext(ctx: PaymentsContext, tx: Tx, kind: string, everySeconds: number): Promise<void> {
  const runAt = (Math.floor(ctx.runtime.clock.now() / everySeconds) + 1) * everySeconds
  await ctx.jobs.add(tx, kind, {}, { key: `${kind}:${runAt}`, runAt })
}

/** Before the first request: schedules the removal of old messages. */
export async function beginFollowing(ctx: PaymentsContext): Promise<void> {
  if (ctx.provider.webhook !== undefined) await ctx.db.transaction((tx) => addNext(ctx, tx, TIDY, TIDY_SECONDS))
}

/** Follows the provider, if it can be followed, until stopped. */
export function startFollowing(ctx: PaymentsContext): void {
  const { provider, runtime, jobs } = ctx
  if (provider.follow === undefined) return
  let hasFailed = false
  const follow = async (): Promise<void> => {
    try {
      await followProvider(ctx)
      if (hasFailed) await jobs.wake('provider')
      hasFailed = false
    } catch (error) {
      hasFailed = true
      runtime.log.error({ provider: provider.name, err: error }, 'the provider of payments could not be followed')
    }
  }
  ctx.loop.start(follow, FOLLOW_SECONDS * 1000)
  if (ctx.lightning !== null) startHints(ctx, ctx.lightning)
}

/** Follows at once whenever something is paid over Lightning; the loop above finds it otherwise. */
function startHints(ctx: PaymentsContext, { node }: LightningDesk): void {
  const { runtime, hints } = ctx
  const wait = async (): Promise<void> => {
    try {
      const cursor = settledCursorOf(await cursorOf(ctx))
      await node.waitSettled(cursor, hints.signal)
      if (!hints.isStopped) await followProvider(ctx)
    } catch (error) {
      runtime.log.warn({ err: error }, 'nothing tells of payments over Lightning: they are looked for')
      await runtime.monotonic.sleep(FOLLOW_SECONDS * 1000, hints.signal).catch(() => undefined) // stopped
    }
  }
  hints.start(wait, HINT_PAUSE_MS)
}

/** Ends what `startFollowing` began. */
export async function stopFollowing(ctx: PaymentsContext): Promise<void> {
  await Promise.all([ctx.loop.stop(), ctx.hints.stop()])
}

export function followingJobs(ctx: PaymentsContext): JobHandler[] {
  return [
    {
      kind: TIDY,
      mode: 'transaction',
      async run(tx) {
        if (ctx.provider.webhook !== undefined) await addNext(ctx, tx, TIDY, TIDY_SECONDS)
        await tx.execute(queries.deleteOldMessages, [ctx.runtime.clock.now() - MESSAGE_SECONDS])
      },
    },
  ]
}
