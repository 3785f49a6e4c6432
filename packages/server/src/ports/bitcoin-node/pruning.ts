import type { BitcoinNode } from './rpc.ts'

const BYTES_A_MEBIBYTE = 1024 * 1024

/**
 * The value of a node's setting `prune`: mebibytes of blocks that it keeps, 1 if blocks are pruned by hand.
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
