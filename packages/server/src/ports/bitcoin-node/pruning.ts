import type { BitcoinNode } from './rpc.ts'

const BYTES_A_MEBIBYTE = 1024 * 1024

/**
 * What the setting `prune` of a node is: mebibytes of blocks that it keeps, 1 where blocks are thrown away by hand.
 *
 * @returns null for a node that keeps all blocks
 * @throws NodeUnreachable, NodeError
 */
export async function pruneSettingOf(node: BitcoinNode): Promise<number | null> {
  const { pruned, prune_target_size: targetBytes } = await node.call<{ pruned: boolean; prune_target_size?: number }>(
    'getblockchaininfo',
  )
  if (!pruned) return null
  return targetBytes === undefined ? 1 : Math.round(targetBytes / BYTES_A_MEBIBYTE)
}
