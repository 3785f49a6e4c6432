import { assert } from '../assert.ts'
import { equalBytes } from './bytes.ts'
import type { Hash } from './hash.ts'

/**
 * Trees of RFC 6962 (section 3): leaf and node hashes, roots, ranges, and proofs (RFC 9162 sections 2.1.3 and 2.1.4).
 * Sizes and indexes are whole numbers up to 2^53 − 1.
 */

const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

/** The hash of a leaf: `H(0x00 || data)`. */
export function leafHash(hash: Hash, data: Uint8Array): Uint8Array {
  return hash(LEAF, data)
}

/** The hash of two neighbours: `H(0x01 || left || right)`. */
export function nodeHash(hash: Hash, left: Uint8Array, right: Uint8Array): Uint8Array {
  return hash(NODE, left, right)
}

/** The number of perfect subtrees in a tree of a size: the ones among its binary digits. */
export function peakCount(size: number): number {
  let count = 0
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2
  return count
}

/**
 * A tree that grows at its right edge, keeps only the roots of its perfect subtrees, and hashes nothing twice.
 * Initialised with the `left` of a range, it computes the root of a tree without its first leaves.
 */
export class TreeFolder {
  readonly #hash: Hash
  readonly #peaks: Uint8Array[]
  #size: number

  /**
   * @param size leaves that are already in the tree
   * @param left roots of their perfect subtrees, largest first
   * @throws RangeError if their number does not match the size
   */
  constructor(hash: Hash, size = 0, left: readonly Uint8Array[] = []) {
    assert(Number.isSafeInteger(size) && size >= 0, `not a size: ${size}`)
    assert(left.length === peakCount(size), 'the hashes to the left are not those of the start')
    this.#hash = hash
    this.#size = size
    this.#peaks = [...left]
  }

  get size(): number {
    return this.#size
  }

  /** The roots of the perfect subtrees, largest first: `left` of a range that starts at this size. */
  get peaks(): readonly Uint8Array[] {
    return this.#peaks
  }

  /** Adds the hash of the next leaf. */
  add(leaf: Uint8Array): void {
    let root = leaf
    for (let rest = this.#size; rest % 2 === 1; rest = Math.floor(rest / 2)) {
      // Each binary one at the end of the size is a peak that the new leaf completes.
      root = nodeHash(this.#hash, this.#peaks.pop() ?? root, root)
    }
    this.#peaks.push(root)
    this.#size += 1
  }

  /** The root; `H("")` for an empty tree. */
  root(): Uint8Array {
    return foldPeaks(this.#hash, this.#peaks)
  }
}

/** The root over adjacent perfect subtrees, largest first; `H("")` if there are none. */
export function foldPeaks(hash: Hash, peaks: readonly Uint8Array[]): Uint8Array {
  return peaks.length === 0 ? hash() : peaks.reduceRight((right, left) => nodeHash(hash, left, right))
}

/** The root of a tree with these leaf hashes. */
export function rootOf(hash: Hash, leaves: Iterable<Uint8Array>): Uint8Array {
  const folder = new TreeFolder(hash)
  for (const leaf of leaves) folder.add(leaf)
  return folder.root()
}

/** Whether a path leads from a leaf to the root of a tree (RFC 9162 section 2.1.3.2). Never throws. */
export function isIncluded(
  hash: Hash,
  at: { readonly index: number; readonly size: number; readonly root: Uint8Array },
  leaf: Uint8Array,
  path: readonly Uint8Array[],
): boolean {
  if (!isPlace(at.index) || !isPlace(at.size) || at.index >= at.size) return false
  let index = at.index
  let lastIndex = at.size - 1
  let root = leaf
  for (const sibling of path) {
    if (lastIndex === 0) return false
    if (index % 2 === 1 || index === lastIndex) {
      root = nodeHash(hash, sibling, root)
      while (index % 2 === 0 && index !== 0) {
        index = Math.floor(index / 2)
        lastIndex = Math.floor(lastIndex / 2)
      }
    } else {
      root = nodeHash(hash, root, sibling)
    }
    index = Math.floor(index / 2)
    lastIndex = Math.floor(lastIndex / 2)
  }
  return lastIndex === 0 && equalBytes(root, at.root)
}

/** The head of a tree. */
export interface TreeHead {
  readonly size: number
  readonly root: Uint8Array
}

/**
 * Whether a proof shows that one tree continues another (RFC 9162 section 2.1.4.2). Trees of one size need no proof,
 * and every tree continues the empty one. Never throws.
 */
export function isConsistent(hash: Hash, from: TreeHead, to: TreeHead, proof: readonly Uint8Array[]): boolean {
  if (!isPlace(from.size) || !isPlace(to.size) || from.size > to.size) return false
  if (from.size === to.size) return proof.length === 0 && equalBytes(from.root, to.root)
  if (from.size === 0) return proof.length === 0 && equalBytes(from.root, hash())
  let index = from.size - 1
  let lastIndex = to.size - 1
  while (index % 2 === 1) {
    index = Math.floor(index / 2)
    lastIndex = Math.floor(lastIndex / 2)
  }
  // A tree that is a single perfect subtree is a node of the other, and the proof omits it.
  const [first, ...rest] = index === 0 ? [from.root, ...proof] : proof
  if (first === undefined) return false
  let older = first
  let newer = first
  for (const sibling of rest) {
    if (lastIndex === 0) return false
    if (index % 2 === 1 || index === lastIndex) {
      older = nodeHash(hash, sibling, older)
      newer = nodeHash(hash, sibling, newer)
      while (index % 2 === 0 && index !== 0) {
        index = Math.floor(index / 2)
        lastIndex = Math.floor(lastIndex / 2)
      }
    } else {
      newer = nodeHash(hash, newer, sibling)
    }
    index = Math.floor(index / 2)
    lastIndex = Math.floor(lastIndex / 2)
  }
  return lastIndex === 0 && equalBytes(older, from.root) && equalBytes(newer, to.root)
}

/** A node of a tree: the root of the perfect subtree of the leaves `index · 2^level` to `(index + 1) · 2^level − 1`. */
export interface TreeNode {
  readonly level: number
  readonly index: number
}

/** The perfect subtrees of leaves `start` to `end − 1`, largest first; `start` is a multiple of the largest. */
export function peakNodes(start: number, end: number): TreeNode[] {
  const nodes: TreeNode[] = []
  let at = start
  while (at < end) {
    let level = 0
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= end) level += 1
    nodes.push({ level, index: at / 2 ** level })
    at += 2 ** level
  }
  return nodes
}

/** The nodes of an inclusion proof, from the leaf up: each list folds to one hash (RFC 9162 section 2.1.3.1). */
export function inclusionNodes(index: number, size: number): TreeNode[][] {
  assert(isPlace(index) && isPlace(size) && index < size, `leaf ${index} is not in a tree of ${size}`)
  const path: TreeNode[][] = []
  let start = 0
  let end = size
  while (end - start > 1) {
    const middle = start + splitOf(end - start)
    path.unshift(index < middle ? peakNodes(middle, end) : peakNodes(start, middle))
    if (index < middle) end = middle
    else start = middle
  }
  return path
}

/**
 * The nodes of a consistency proof, from the leaf up (RFC 9162 section 2.1.4.1). Empty if there is nothing to prove.
 */
export function consistencyNodes(from: number, to: number): TreeNode[][] {
  assert(isPlace(from) && isPlace(to) && from <= to, `a tree of ${to} does not continue one of ${from}`)
  if (from === 0) return []
  const path: TreeNode[][] = []
  let start = 0
  let end = to
  while (end !== from) {
    const middle = start + splitOf(end - start)
    path.unshift(from <= middle ? peakNodes(middle, end) : peakNodes(start, middle))
    if (from <= middle) end = middle
    else start = middle
  }
  if (start !== 0) path.unshift(peakNodes(start, end))
  return path
}

/**
 * Folds the nodes of a proof into its hashes.
 *
 * @param read returns the hash of a node that the tree contains completely
 */
export function proofOf(
  hash: Hash,
  path: readonly (readonly TreeNode[])[],
  read: (node: TreeNode) => Uint8Array,
): Uint8Array[] {
  return path.map((nodes) => foldPeaks(hash, nodes.map(read)))
}

/** The size of a tree's left half: the largest power of two below a size of at least 2. */
export function splitOf(size: number): number {
  let split = 1
  while (2 * split < size) split *= 2
  return split
}

function isPlace(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}
