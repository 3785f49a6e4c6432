import { assert } from '../assert.ts'
import { equalBytes } from './bytes.ts'
import { type HashFunctions, NOBLE_HASH } from './hash.ts'

/** Length of every hash in a tree, in bytes. */
const HASH_BYTES = 32

/** An inclusion proof of one leaf (RFC 9162 section 2.1.3). */
export interface InclusionProof {
  /** the leaf's place in the tree, from 0 */
  readonly index: number
  /** how many leaves the tree has */
  readonly size: number
  /** sibling hashes from the leaf up, 32 bytes each */
  readonly path: readonly Uint8Array[]
}

/**
 * The root of an RFC 6962 tree over leaves that come one by one, in memory that grows with their number's logarithm.
 * Nothing is duplicated or padded; the root of no leaves is `H("")` (fairness section 7).
 */
export class TreeHasher {
  readonly #hash: HashFunctions
  /** roots of complete subtrees, the largest first: one for each bit set in the number of leaves */
  readonly #subtrees: Uint8Array[] = []
  #size = 0

  constructor(hash: HashFunctions = NOBLE_HASH) {
    this.#hash = hash
  }

  /** How many leaves were added. */
  get size(): number {
    return this.#size
  }

  /** Adds the next leaf by its hash, 32 bytes, which must not change afterwards. */
  add(leafHash: Uint8Array): void {
    assert(leafHash.length === HASH_BYTES, 'a leaf hash has 32 bytes')
    let subtree = leafHash
    for (let size = this.#size; size % 2 === 1; size = Math.floor(size / 2)) {
      subtree = nodeHash(this.#subtrees.pop() ?? subtree, subtree, this.#hash)
    }
    this.#subtrees.push(subtree)
    this.#size += 1
  }

  /** The root over the leaves added so far. More may follow. */
  root(): Uint8Array {
    if (this.#size === 0) return this.#hash.sha256(new Uint8Array())
    return this.#subtrees.reduceRight((right, left) => nodeHash(left, right, this.#hash))
  }
}

/** A whole RFC 6962 tree in memory, about 64 bytes a leaf, for as many inclusion proofs as are wanted. */
export class MerkleTree {
  readonly size: number
  readonly #hash: HashFunctions
  /** every level from the leaves up, its hashes one after the other; an odd last hash stands on the next level as it is */
  readonly #levels: Uint8Array[]

  /** @param leafHashes the hashes of all leaves in their order, 32 bytes each, one after the other */
  constructor(leafHashes: Uint8Array, hash: HashFunctions = NOBLE_HASH) {
    assert(leafHashes.length % HASH_BYTES === 0, 'leaf hashes have 32 bytes each')
    this.size = leafHashes.length / HASH_BYTES
    this.#hash = hash
    this.#levels = [leafHashes]
    let level = leafHashes
    while (level.length > HASH_BYTES) {
      level = nextLevel(level, hash)
      this.#levels.push(level)
    }
  }

  /** The root: `H("")` for a tree without leaves. */
  root(): Uint8Array {
    if (this.size === 0) return this.#hash.sha256(new Uint8Array())
    return hashAt(this.#levels.at(-1) ?? new Uint8Array(), 0).slice()
  }

  /**
   * The sibling hashes of a leaf from the leaf up (RFC 9162 section 2.1.3.1).
   *
   * @throws RangeError when there is no such leaf
   */
  path(index: number): Uint8Array[] {
    assert(Number.isSafeInteger(index) && index >= 0 && index < this.size, `no leaf ${index} of ${this.size}`)
    const path: Uint8Array[] = []
    let place = index
    for (const level of this.#levels) {
      const sibling = place ^ 1
      if (sibling * HASH_BYTES < level.length) path.push(hashAt(level, sibling).slice())
      place >>>= 1
    }
    return path
  }
}

/**
 * The sibling hashes of one leaf from the leaf up. For more than one leaf of a large tree, keep a `MerkleTree`.
 *
 * @throws RangeError when there is no such leaf
 */
export function inclusionPath(
  leafHashes: readonly Uint8Array[],
  index: number,
  hash: HashFunctions = NOBLE_HASH,
): Uint8Array[] {
  const joined = new Uint8Array(leafHashes.length * HASH_BYTES)
  leafHashes.forEach((leafHash, place) => joined.set(leafHash, place * HASH_BYTES))
  return new MerkleTree(joined, hash).path(index)
}

/**
 * The root that a leaf and its path lead to, or null where the path does not fit the place and size (RFC 9162 section
 * 2.1.3.2). Never throws: proofs come from elsewhere.
 */
export function rootOfPath(
  leafHash: Uint8Array,
  { index, size, path }: InclusionProof,
  hash: HashFunctions = NOBLE_HASH,
): Uint8Array | null {
  const isPlace = Number.isSafeInteger(index) && Number.isSafeInteger(size) && index >= 0 && index < size
  if (!isPlace || leafHash.length !== HASH_BYTES) return null
  let place = index
  let last = size - 1
  let root = leafHash
  for (const sibling of path) {
    if (last === 0 || sibling.length !== HASH_BYTES) return null
    if (place % 2 === 1 || place === last) {
      root = nodeHash(sibling, root, hash)
      while (place % 2 === 0 && place !== 0) {
        place /= 2
        last = Math.floor(last / 2)
      }
    } else {
      root = nodeHash(root, sibling, hash)
    }
    place = Math.floor(place / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 ? root : null
}

/** Whether an inclusion proof shows that the leaf is in the tree with this root. Never throws. */
export function verifyInclusion(
  { leafHash, root, ...proof }: InclusionProof & { readonly leafHash: Uint8Array; readonly root: Uint8Array },
  hash: HashFunctions = NOBLE_HASH,
): boolean {
  const reached = rootOfPath(leafHash, proof, hash)
  return reached !== null && equalBytes(reached, root)
}

// Begins with 0x01, the mark of a node (RFC 6962). Kept: a tree of a million leaves has a million nodes, and a hash
// function keeps nothing of what it is given.
const nodeMessage = new Uint8Array(1 + 2 * HASH_BYTES)
nodeMessage[0] = 1

function nodeHash(left: Uint8Array, right: Uint8Array, hash: HashFunctions): Uint8Array {
  nodeMessage.set(left, 1)
  nodeMessage.set(right, 1 + HASH_BYTES)
  return hash.sha256(nodeMessage)
}

function nextLevel(level: Uint8Array, hash: HashFunctions): Uint8Array {
  const size = level.length / HASH_BYTES
  const next = new Uint8Array(Math.ceil(size / 2) * HASH_BYTES)
  for (let place = 0; place + 1 < size; place += 2) {
    next.set(nodeHash(hashAt(level, place), hashAt(level, place + 1), hash), (place / 2) * HASH_BYTES)
  }
  if (size % 2 === 1) next.set(hashAt(level, size - 1), next.length - HASH_BYTES)
  return next
}

function hashAt(level: Uint8Array, place: number): Uint8Array {
  return level.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES)
}
