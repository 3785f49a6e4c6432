import type { PayoutsContext } from './context.ts'
import type { LightningPayouts } from './lightning-context.ts'
import type { PaidByNode } from '../../ports/lightning/lightning-node.ts'
import { payeeOf } from './lightning-label.ts'
import * as lightningQueries from './lightning-queries.ts'
import * as queries from './queries.ts'

/** Age of the last comparison from which the node's payments are compared again before anything is sent. */
const COMPARED_SECONDS = 30

/**
 * Compares the node's complete payments with the attempts: one that is none of ours stops all payouts, because the
 * database may be a restored backup, or the node in other hands. What a node had paid before its first comparison is
 * its operator's own.
 *
 * @throws NodeSilent
 */
export async function compareSends(ctx: PayoutsContext, desk: LightningPayouts): Promise<void> {
  const nodeId = await desk.watch.nodeId()
  if (nodeId === null) return
  const stored = await ctx.db.maybeOne(lightningQueries.findSendsCursor, [])
  const known = stored !== null && stored.nodeId === nodeId ? stored.cursor : null
  let cursor = known
  for (let isMore = true; isMore;) {
    const page = await desk.node.paidSince(cursor)
    const unknown = known === null ? [] : await unknownOf(ctx, page.payments)
    if (unknown.length > 0) return await stopFor(ctx, unknown)
    isMore = page.payments.length > 0 && page.cursor !== cursor
    cursor = page.cursor
  }
  if (cursor !== known) await ctx.db.execute(lightningQueries.saveSendsCursor, [nodeId, cursor ?? '0'])
  desk.compared.at = ctx.runtime.clock.now()
}

async function unknownOf(ctx: PayoutsContext, payments: readonly PaidByNode[]): Promise<PaidByNode[]> {
  const unknown = await ctx.db.run(lightningQueries.findUnknownSends, [payments.map(({ hash }) => hash)])
  const hashes = new Set(unknown.map(({ hash }) => hash))
  return payments.filter(({ hash }) => hashes.has(hash))
}

async function stopFor(ctx: PayoutsContext, payments: readonly PaidByNode[]): Promise<void> {
  const names = payments.map(({ hash }) => `ln:${hash}`)
  const payees = payments.map(({ label }) => payeeOf(label) ?? '')
  await ctx.db.transaction(async (tx) => {
    await tx.execute(lightningQueries.insertForeignSends, [names, payees, ctx.runtime.clock.now()])
    await tx.execute(queries.stopPayouts, [`the Lightning node made payments that are not ours: ${names.join(' ')}`])
  })
  ctx.runtime.log.error({ payments: names }, 'payouts are stopped: the Lightning node paid what no payout asked for')
}

/** Whether anything may be sent: payouts are not stopped, and the node's payments were compared within 30 s. */
export async function maySend(ctx: PayoutsContext, desk: LightningPayouts): Promise<boolean> {
  const { at } = desk.compared
  const isNew = at !== null && Math.abs(ctx.runtime.clock.now() - at) < COMPARED_SECONDS
  if (!isNew) await compareSends(ctx, desk)
  return (await ctx.reconciling.stopReason()) === null
}
