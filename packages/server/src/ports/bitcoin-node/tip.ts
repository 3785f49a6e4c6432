import type { BitcoinNode } from './rpc.ts'

/** The newest block that a node knows. */
export interface ChainTip {
  readonly height: number
  /** the time in its header, epoch seconds; it may be up to two hours ahead */
  readonly at: number
  readonly isDownloading: boolean
}

/** Asks a node for its newest block. @throws NodeUnreachable, NodeError; TypeError for an invalid answer */
export async function readTip(node: BitcoinNode): Promise<ChainTip> {
  const answer = await node.call<{
    blocks: unknown
    time?: unknown
    mediantime: unknown
    initialblockdownload: unknown
  }>('getblockchaininfo')
  const { blocks, time, mediantime, initialblockdownload } = answer
  // Nodes before version 23 report only the median of the last eleven.
  const at = time ?? mediantime
  if (!Number.isSafeInteger(blocks) || !Number.isSafeInteger(at)) throw new TypeError('the node tells no tip')
  return { height: blocks as number, at: at as number, isDownloading: initialblockdownload === true } // checked above
}
