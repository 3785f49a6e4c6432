import { MerkleTree, TreeHasher } from '@fairball/domain/fairness/tree'
import { NODE_HASH } from './node-hash.ts'

/** Leaves of a block: a power of two, so that each block but the last is a complete subtree (RFC 6962). */
export const LEAVES_A_BLOCK = 64

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

/**
 * Gives proofs from the roots of all blocks and the leaves of those that are asked for.
 *
 * @returns takes a block by its place, from 0, and the hashes of its leaves in their order; gives the proof of each
 */
export function proofsFrom(
  blockRoots: readonly Uint8Array[],
  leavesABlock = LEAVES_A_BLOCK,
): (
  place: number,
  leafHashes: readonly Uint8Array[],
) => (indexInBlock: number) => { index: number; path: Uint8Array[] } {
  const upper = new MerkleTree(Buffer.concat(blockRoots), NODE_HASH)
  return (place, leafHashes) => {
    const lower = new MerkleTree(Buffer.concat(leafHashes), NODE_HASH)
    const upperPath = upper.path(place)
    return (indexInBlock) => ({
      index: place * leavesABlock + indexInBlock,
      path: [...lower.path(indexInBlock), ...upperPath],
    })
  }
}
