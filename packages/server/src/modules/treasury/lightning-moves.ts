import type { Tx } from '../../db/pool.ts'
import type { NodeMovement } from '../../ports/lightning/lightning-node.ts'
import type { Movement, Movements } from '../../ports/wallet/movements.ts'
import { lightning, networkFees, wallet } from '../ledger/accounts.ts'
import { postTransfer } from '../ledger/service.ts'
import type { TreasuryContext } from './context.ts'
import * as queries from './queries.ts'

// What the operator moves between the wallets and the Lightning node: the money stays the lottery's, in another place.

const NO_NODE: NodeMovement = { receivedSats: 0n, isSpender: false }

/**
 * What a transaction did to the Lightning node's coins; only asked where it may matter.
 *
 * @throws NodeSilent: the transaction is looked at again later, since it could not be booked otherwise afterwards
 */
export async function movedByNode({ lightning: node }: TreasuryContext, movement: Movement): Promise<NodeMovement> {
  const mayMatter = movement.ownInSats > 0n || arrivedSats(movement) > 0n
  return node === null || !mayMatter ? NO_NODE : await node.movedBy(movement.txid)
}

/** What came to the payouts' wallet, in sats. */
function arrivedSats({ outputs }: Movement): bigint {
  return outputs.reduce((sum, { holder, sats }) => (holder === 'payouts' ? sum + sats : sum), 0n)
}

/** Books coins that the node sent to the payouts' wallet; its fee is booked with the node's others. */
export async function bookFromNode(ctx: TreasuryContext, tx: Tx, movement: Movement): Promise<void> {
  const moves = [{ from: wallet, to: lightning, sats: arrivedSats(movement) }]
  await postTransfer(tx, { event: 'lightning.moved', subject: movement.txid, at: ctx.runtime.clock.now(), moves })
}

/** Books coins that the wallets sent to the node. */
export async function bookToNode(
  ctx: TreasuryContext,
  tx: Tx,
  { txid, sats, feeSats }: { readonly txid: string; readonly sats: bigint; readonly feeSats: bigint },
): Promise<void> {
  const moves = [
    { from: lightning, to: wallet, sats },
    { from: networkFees, to: wallet, sats: feeSats },
  ]
  await postTransfer(tx, { event: 'lightning.moved', subject: txid, at: ctx.runtime.clock.now(), moves })
}

/** What the node has sent to the payouts' wallet and is not booked yet, in sats: the node no longer shows it. */
export async function leavingNodeSats(ctx: TreasuryContext, movements: Movements): Promise<bigint> {
  const cursor = (await ctx.db.maybeOne(queries.findCursor, []))?.value ?? null
  const { young, final } = await movements.list(cursor)
  const ids = [...new Set([...young, ...final])]
  const known = new Set((await ctx.db.run(queries.findKnown, [ids])).map((row) => row.txid))
  let leaving = 0n
  for (const txid of ids) {
    const movement = known.has(txid) ? null : await movements.find(txid)
    if (movement === null || movement.ownInSats > 0n) continue
    if ((await movedByNode(ctx, movement)).isSpender) leaving += arrivedSats(movement)
  }
  return leaving
}
