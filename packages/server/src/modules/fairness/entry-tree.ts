import { MerkleTree, TreeHasher } from '@fairball/domain/fairness/tree'
import { NODE_HASH } from './node-hash.ts'

/** Leaves of a block: a power of two, so that each block but the last is a complete subtree (RFC 6962). */
export const LEAVES_A_BLOCK = 256

/**
 * The tree of a draw while its leaves come one by one, and the roots of its blocks. The blocks' roots form the upper part
 * of the same tree: RFC 6962 splits at powers of two, so never inside a block but the last.
 */
export class BlockHasher {
  readonly #leavesABlock: number
  readonly #upper = new TreeHasher(NODE_HASH)
  readonly #roots: Uint8Array[] = []
  #block = new TreeHasher(NODE_HASH)

  constructor(leavesABlock = LEAVES_A_BLOCK) {
    this.#leavesABlock = leavesABlock
  }

  /** Whether the next leaf begins a block. */
  get isAtBlock(): boolean {
    return this.#block.size === 0
  }

  /** Adds the next leaf by its hash, 32 bytes. */
  add(leafHash: Uint8Array): void {
    this.#block.add(leafHash)
    if (this.#block.size === this.#leavesABlock) this.#endBlock()
  }

  /** Ends the tree. @returns its root, and those of its blocks in their order */
  end(): { root: Uint8Array; blockRoots: readonly Uint8Array[] } {
    if (!this.isAtBlock) this.#endBlock()
    return { root: this.#upper.root(), blockRoots: this.#roots }
  }

  #endBlock(): void {
    const root = this.#block.root()
    this.#roots.push(root)
    this.#upper.add(root)
    this.#block = new TreeHasher(NODE_HASH)
  }
}

/** The proofs of one block's leaves, from its own leaves and the roots of all blocks. */
export function proofsOfBlock(block: {
  /** its place among the blocks, from 0 */
  readonly place: number
  readonly blockRoots: readonly Uint8Array[]
  /** the hashes of its leaves in their order */
  readonly leafHashes: readonly Uint8Array[]
  readonly leavesABlock?: number
}): (indexInBlock: number) => { index: number; path: Uint8Array[] } {
  const lower = new MerkleTree(Buffer.concat(block.leafHashes), NODE_HASH)
  const upper = new MerkleTree(Buffer.concat(block.blockRoots), NODE_HASH)
  const firstIndex = block.place * (block.leavesABlock ?? LEAVES_A_BLOCK)
  return (indexInBlock) => ({
    index: firstIndex + indexInBlock,
    path: [...lower.path(indexInBlock), ...upper.path(block.place)],
  })
}
