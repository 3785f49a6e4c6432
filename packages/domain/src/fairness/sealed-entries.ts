import { matchesOf } from '../lines.ts'
import { compareBytes, equalBytes, readU64, toHex } from './bytes.ts'
import { ENTRY_ID_BYTES, ENTRY_KIND, ENTRY_RECORD_BYTES, HASH_BYTES, LEAF_BYTES, type PublishedEntry } from './entry.ts'
import { type HashFunctions, NOBLE_HASH } from './hash.ts'
import { TreeHasher } from './tree.ts'

/** What the published entries of a draw are found to be. Places count from 0. */
export interface EntriesFound {
  /** whether they are whole records of 57 bytes */
  readonly isWhole: boolean
  readonly count: number
  readonly free: number
  /** the first entry whose id is not above the one before; null where all ascend strictly */
  readonly disorderAt: number | null
  /** the first entry whose kind is neither 0 nor 1 */
  readonly badKindAt: number | null
  /** the first entry whose mask has not `pick` bits, or a bit above `pool` */
  readonly badLineAt: number | null
  /** of the tree over them, hex */
  readonly root: string
}

const KIND_AT = ENTRY_ID_BYTES
const MASK_AT = KIND_AT + 1
const OWNER_AT = MASK_AT + 8

/**
 * Reads the published entries of a draw once, from their bytes as they are: order, counts, lines, and the root of their tree
 * (fairness section 7). Never throws: they come from elsewhere. A last record that is cut off is left out.
 */
export function readEntries(
  bytes: Uint8Array,
  { openHash, pick, pool }: { readonly openHash: Uint8Array; readonly pick: number; readonly pool: number },
  hash: HashFunctions = NOBLE_HASH,
): EntriesFound {
  const count = Math.floor(bytes.length / ENTRY_RECORD_BYTES)
  const poolMask = (1n << BigInt(pool)) - 1n
  const tree = new TreeHasher(hash)
  const leaf = new Uint8Array(1 + LEAF_BYTES) // begins with 0x00, the mark of a leaf (RFC 6962)
  leaf.set(openHash, 1)
  const found = {
    free: 0,
    disorderAt: null as number | null,
    badKindAt: null as number | null,
    badLineAt: null as number | null,
  }
  for (let place = 0; place < count; place += 1) {
    const at = place * ENTRY_RECORD_BYTES
    const kind = bytes[at + KIND_AT]
    const mask = readU64(bytes, at + MASK_AT)
    if (kind === ENTRY_KIND.free) found.free += 1
    else if (kind !== ENTRY_KIND.paid) found.badKindAt ??= place
    if (place > 0 && !ascends(bytes, at)) found.disorderAt ??= place
    if (mask > poolMask || matchesOf(mask, poolMask) !== pick) found.badLineAt ??= place
    leaf.set(bytes.subarray(at, at + ENTRY_RECORD_BYTES), 1 + HASH_BYTES)
    tree.add(hash.sha256(leaf))
  }
  return { ...found, isWhole: bytes.length % ENTRY_RECORD_BYTES === 0, count, root: toHex(tree.root()) }
}

/** How many entries have so many matches with the drawn numbers, by matches (fairness section 8). */
export function winnersByMatches(bytes: Uint8Array, drawnMask: bigint): Map<number, number> {
  const winners = new Map<number, number>()
  for (let at = 0; at + ENTRY_RECORD_BYTES <= bytes.length; at += ENTRY_RECORD_BYTES) {
    const matches = matchesOf(readU64(bytes, at + MASK_AT), drawnMask)
    winners.set(matches, (winners.get(matches) ?? 0) + 1)
  }
  return winners
}

/**
 * Whether the published entry of an id is the given one, byte for byte; null where there is none of this id.
 *
 * @param bytes entries whose ids ascend strictly
 */
export function isPublishedAs(bytes: Uint8Array, entry: PublishedEntry): boolean | null {
  const at = placeOf(bytes, entry.id)
  if (at === null) return null
  const ownerTag = bytes.subarray(at + OWNER_AT, at + ENTRY_RECORD_BYTES)
  return (
    bytes[at + KIND_AT] === entry.kind &&
    readU64(bytes, at + MASK_AT) === entry.mask &&
    equalBytes(ownerTag, entry.ownerTag)
  )
}

/** Where the record of an id begins. */
function placeOf(bytes: Uint8Array, id: Uint8Array): number | null {
  let first = 0
  let end = Math.floor(bytes.length / ENTRY_RECORD_BYTES)
  while (first < end) {
    const middle = Math.floor((first + end) / 2)
    const at = middle * ENTRY_RECORD_BYTES
    const order = compareBytes(bytes.subarray(at, at + ENTRY_ID_BYTES), id)
    if (order === 0) return at
    if (order < 0) first = middle + 1
    else end = middle
  }
  return null
}

/** Whether the id at a record is above the one before it, as bytes. */
function ascends(bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < ENTRY_ID_BYTES; i += 1) {
    const difference = (bytes[at + i] ?? 0) - (bytes[at - ENTRY_RECORD_BYTES + i] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return false
}
