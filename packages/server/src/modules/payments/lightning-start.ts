import type { LightningNode } from '../../ports/lightning/lightning-node.ts'
import { assertUsable } from '../../ports/lightning/node-watch.ts'
import { acceptFirst } from '../../ports/lightning/queries.ts'
import { followedFrom, lightningOutpoint } from '../../ports/payment-provider/with-lightning.ts'
import type { PaymentsContext } from './context.ts'
import { bookUnknown } from './following.ts'
import type { LightningDesk } from './lightning.ts'
import { findCursor, lockFollowing, storeCursor } from './queries.ts'

const MSAT_PER_SAT = 1000n

/**
 * Checks at the start of a worker that the Lightning node is the operator's, or takes the first one as that. What that
 * one already holds is the operator's own: it waits in suspense, like coins that were paid in. What it was paid until
 * then is a part of that, so its payments are followed from then on.
 *
 * @throws LightningUnfit with a message for the operator; NodeSilent
 */
export async function acceptLightning(ctx: PaymentsContext, desk: LightningDesk): Promise<void> {
  const { db, node, network } = desk
  const { nodeId, isFirst } = await assertUsable({ db, node, network })
  if (!isFirst) return
  // The demo's node began with the lottery: nothing came before. Of another one, first the sum and then the place: what
  // is paid in between is in neither, so the node never holds less than the ledger says.
  const isDemo = node.name === 'test'
  const heldSats = isDemo ? 0n : (await node.liquidity()).oursMsat / MSAT_PER_SAT
  const ln = isDemo ? '0' : await newestSettled(node)
  await db.transaction(async (tx) => {
    const now = desk.runtime.clock.now()
    if ((await tx.execute(acceptFirst, [nodeId, now])) === 0) return // another worker was faster
    const { name } = ctx.provider
    await tx.one(lockFollowing, [name])
    const stored = (await tx.maybeOne(findCursor, [name]))?.cursor ?? null
    await tx.execute(storeCursor, [name, now, followedFrom(stored, { node: nodeId, ln })])
    if (heldSats === 0n) return
    const opening = { outpoint: lightningOutpoint(nodeId), sats: heldSats, isOperators: true } as const
    const isFinal = { confirmations: Number.MAX_SAFE_INTEGER, seenAt: now, network: 'LIGHTNING' } as const
    await bookUnknown(ctx, tx, { ...opening, ...isFinal })
  })
}

/** Checks the same where nothing is written. @throws LightningUnfit */
export async function assertLightningFit({ db, node, network }: LightningDesk): Promise<void> {
  await assertUsable({ db, node, network })
}

/** The place behind all payments that a node was ever paid. */
async function newestSettled(node: LightningNode): Promise<string> {
  let cursor: string | null = null
  for (;;) {
    const next: { readonly cursor: string; readonly hashes: readonly string[] } = await node.settledSince(cursor)
    if (next.hashes.length === 0) return next.cursor
    cursor = next.cursor
  }
}
