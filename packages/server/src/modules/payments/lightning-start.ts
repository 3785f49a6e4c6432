import { assertUsable } from '../../ports/lightning/node-watch.ts'
import { lightningOutpoint } from '../../ports/payment-provider/with-lightning.ts'
import type { PaymentsContext } from './context.ts'
import { bookUnknown } from './following.ts'
import type { LightningDesk } from './lightning.ts'

const MSAT_PER_SAT = 1000n

/**
 * Checks at the start of a worker that the Lightning node is the operator's, or takes the first one as that. What that
 * one already holds is the operator's own: it waits in suspense, like coins that were paid in.
 *
 * @throws LightningUnfit with a message for the operator
 */
export async function acceptLightning(ctx: PaymentsContext, desk: LightningDesk): Promise<void> {
  const { db, node, network } = desk
  const now = desk.runtime.clock.now()
  const { nodeId, isFirst } = await assertUsable({ db, node, network, now })
  if (!isFirst || node.name === 'test') return
  const { oursMsat } = await node.liquidity()
  if (oursMsat < MSAT_PER_SAT) return
  await db.transaction(async (tx) => {
    const opening = { outpoint: lightningOutpoint(nodeId), sats: oursMsat / MSAT_PER_SAT, isOperators: true } as const
    const isFinal = { confirmations: Number.MAX_SAFE_INTEGER, seenAt: now, network: 'LIGHTNING' } as const
    await bookUnknown(ctx, tx, { ...opening, ...isFinal })
  })
}

/** Checks the same where nothing is written. @throws LightningUnfit */
export async function assertLightningFit({ db, node, network }: LightningDesk): Promise<void> {
  await assertUsable({ db, node, network, now: null })
}
