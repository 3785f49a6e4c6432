import { assert } from '../assert.ts'
import { asciiBytes, readU64, tagBytes, writeU32, writeU64 } from './bytes.ts'
import { type HashFunctions, NOBLE_HASH } from './hash.ts'

/** Paid for with money, or with a free ticket (fairness section 6). */
export const ENTRY_KIND = { paid: 0, free: 1 } as const
export type EntryKind = (typeof ENTRY_KIND)[keyof typeof ENTRY_KIND]

/** Length of an entry's id, in bytes. */
export const ENTRY_ID_BYTES = 16
/** Length of an entry's owner tag, in bytes. */
export const OWNER_TAG_BYTES = 32
/** Length of a draw's identity, `open_hash`, and of a play's secret, in bytes. */
export const HASH_BYTES = 32
/** Length of `leaf_data` (fairness section 6). */
export const LEAF_BYTES = 89
/** Length of an entry as it is published: `leaf_data` without the draw's identity (fairness section 7). */
export const ENTRY_RECORD_BYTES = LEAF_BYTES - HASH_BYTES

/** An entry as it is published after the close. */
export interface PublishedEntry {
  /** 16 bytes */
  readonly id: Uint8Array
  readonly kind: EntryKind
  /** bit k − 1 for the number k; 0 to 2^64 − 1 */
  readonly mask: bigint
  /** 32 bytes */
  readonly ownerTag: Uint8Array
}

const ENTRY_TAG = tagBytes('fairball/entry/v1')
const OWNER_TAG = tagBytes('fairball/owner/v1')
const KIND_AT = HASH_BYTES + ENTRY_ID_BYTES
const MASK_AT = KIND_AT + 1
const OWNER_AT = MASK_AT + 8

// A close makes up to a million of each, so what is hashed is put together in arrays that are kept: the functions below
// run to their end before another begins, and a hash function keeps nothing of what it is given.
const entryMessage = new Uint8Array(ENTRY_TAG.length + HASH_BYTES + 4)
entryMessage.set(ENTRY_TAG)
const leafMessage = new Uint8Array(1 + LEAF_BYTES) // begins with 0x00, the mark of a leaf (RFC 6962)

/**
 * The id of an entry: the first 16 bytes of `MAC(secret, T("fairball/entry/v1") || open_hash || u32(i))` (fairness section
 * 6). Nobody without the secret can foresee it, and nothing needs to be stored before the close.
 *
 * @param secret the play's, 32 bytes
 * @param openHash the draw's identity, 32 bytes
 * @param index the entry's place in its play, from 0
 * @returns 16 bytes, the caller's to keep
 * @throws RangeError for other lengths or an index that is not a whole number of 4 bytes
 */
export function entryId(
  secret: Uint8Array,
  openHash: Uint8Array,
  index: number,
  hash: HashFunctions = NOBLE_HASH,
): Uint8Array {
  assert(secret.length === HASH_BYTES && openHash.length === HASH_BYTES, 'a secret and an open hash have 32 bytes each')
  entryMessage.set(openHash, ENTRY_TAG.length)
  writeU32(entryMessage, ENTRY_TAG.length + HASH_BYTES, index)
  return hash.hmac(secret, entryMessage).slice(0, ENTRY_ID_BYTES)
}

/**
 * The mark of an entry's owner: `MAC(secret, T("fairball/owner/v1") || open_hash || entry_id || username)` (fairness
 * section 6). It binds the entry to one player, so that it cannot be shown to two as theirs.
 *
 * @param secret the play's, 32 bytes
 * @param openHash the draw's identity, 32 bytes
 * @param id the entry's, 16 bytes
 * @param username as it was at purchase, ASCII; as text, or as its bytes where it is used many times
 * @returns 32 bytes
 * @throws RangeError for other lengths or a username that is not ASCII
 */
export function ownerTag(
  secret: Uint8Array,
  openHash: Uint8Array,
  id: Uint8Array,
  username: string | Uint8Array,
  hash: HashFunctions = NOBLE_HASH,
): Uint8Array {
  assert(secret.length === HASH_BYTES && openHash.length === HASH_BYTES, 'a secret and an open hash have 32 bytes each')
  assert(id.length === ENTRY_ID_BYTES, 'an entry id has 16 bytes')
  const name = typeof username === 'string' ? asciiBytes(username) : username
  const nameAt = OWNER_TAG.length + HASH_BYTES + ENTRY_ID_BYTES
  const message = new Uint8Array(nameAt + name.length)
  message.set(OWNER_TAG)
  message.set(openHash, OWNER_TAG.length)
  message.set(id, OWNER_TAG.length + HASH_BYTES)
  message.set(name, nameAt)
  return hash.hmac(secret, message)
}

/**
 * What is sealed of an entry: `open_hash (32) || entry_id (16) || kind (1) || mask (8) || owner_tag (32)`, 89 bytes
 * (fairness section 6). From the 32nd byte on it is the entry as published.
 *
 * @throws RangeError for other lengths or a mask of more than 64 bits
 */
export function leafData(openHash: Uint8Array, entry: PublishedEntry): Uint8Array {
  const data = new Uint8Array(LEAF_BYTES)
  writeLeaf(data, 0, openHash, entry)
  return data
}

/**
 * The leaf of an entry in the tree of its draw: `H(0x00 || leaf_data)` (fairness section 7).
 *
 * @throws RangeError for other lengths or a mask of more than 64 bits
 */
export function leafHash(openHash: Uint8Array, entry: PublishedEntry, hash: HashFunctions = NOBLE_HASH): Uint8Array {
  writeLeaf(leafMessage, 1, openHash, entry)
  return hash.sha256(leafMessage)
}

/**
 * Reads one entry out of the published entries of a draw (fairness section 7). The arrays it gives are views.
 *
 * @param at where the entry's 57 bytes begin
 * @throws RangeError when the bytes end too early or the kind is neither 0 nor 1
 */
export function readEntryRecord(bytes: Uint8Array, at: number): PublishedEntry {
  assert(at >= 0 && at + ENTRY_RECORD_BYTES <= bytes.length, 'the entries end too early')
  const kind = bytes[at + KIND_AT - HASH_BYTES]
  assert(kind === ENTRY_KIND.paid || kind === ENTRY_KIND.free, `not a kind of entry: ${kind}`)
  const maskAt = at + MASK_AT - HASH_BYTES
  const ownerAt = at + OWNER_AT - HASH_BYTES
  return {
    id: bytes.subarray(at, at + ENTRY_ID_BYTES),
    kind,
    mask: readU64(bytes, maskAt),
    ownerTag: bytes.subarray(ownerAt, ownerAt + OWNER_TAG_BYTES),
  }
}

function writeLeaf(bytes: Uint8Array, at: number, openHash: Uint8Array, entry: PublishedEntry): void {
  assert(openHash.length === HASH_BYTES, 'an open hash has 32 bytes')
  assert(entry.id.length === ENTRY_ID_BYTES && entry.ownerTag.length === OWNER_TAG_BYTES, 'not the parts of an entry')
  bytes.set(openHash, at)
  bytes.set(entry.id, at + HASH_BYTES)
  bytes[at + KIND_AT] = entry.kind
  writeU64(bytes, at + MASK_AT, entry.mask)
  bytes.set(entry.ownerTag, at + OWNER_AT)
}
