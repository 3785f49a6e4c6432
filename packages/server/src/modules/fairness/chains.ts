import { QUICKNET } from '@fairball/domain/protocol/chain'
import type { Tx } from '../../db/pool.ts'
import type { FairnessContext } from './context.ts'
import { appendStatement } from './log.ts'
import { insertChain } from './queries.ts'

/**
 * Adds the beacon's chain, and announces it if it is not compiled into every verifier (docs/fairness.md, section 5).
 */
export async function announceChain(ctx: FairnessContext, tx: Tx): Promise<void> {
  const { hash, name, publicKey, period, genesis, groupHash, beaconId, scheme } = ctx.chain
  const row = { hash, name, publicKey, period, genesis, groupHash, beaconId, scheme }
  const entered = await tx.execute(insertChain, row)
  if (entered === 0 || hash === QUICKNET.hash) return
  await appendStatement(ctx, tx, {
    type: 'chain',
    name,
    chain: hash,
    public_key: publicKey,
    period,
    genesis,
    group_hash: groupHash,
    beacon_id: beaconId,
    scheme,
  })
}
