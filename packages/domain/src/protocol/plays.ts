import { assert } from '../assert.ts'
import { asciiBytes, tagBytes, toHex, viewOf } from './bytes.ts'
import { mac, nobleHash } from './hash.ts'
import { MAX_LINES_OF_PLAY, MAX_POOL, RATE_LIMIT } from './numbers.ts'

/** Plays (section 6): secrets, ids, tags and stakes, and the leaves of plays and revocations. */

const PLAY_SECRET_TAG = tagBytes('fairball/play-secret/v2')
const PLAY_TAG = tagBytes('fairball/play/v2')
const OWNER_TAG = tagBytes('fairball/owner/v2')
const HASH_BYTES = 32
const PLAY_ID_BYTES = 16

/** Offsets within a leaf, in bytes; a play leaf has its owner's tag after the masks. */
export const LEAF = {
  kind: 32,
  playId: 33,
  rate: 49,
  free: 53,
  lines: 55,
  masks: 57,
  /** in a revocation: the index of the play */
  revokedIndex: 49,
  railOfRevoked: 57,
  transaction: 58,
} as const
export const PLAY_KIND = 0x01
export const REVOCATION_KIND = 0x02
export const MASK_BYTES = 8
const REVOCATION_BYTES = 90
/** Only payments on the chain can be revoked. */
const BITCOIN_RAIL = 0x01

/** The content of a play's leaf. */
interface Play {
  /** of the draw, 32 bytes */
  readonly openHash: Uint8Array
  /** 16 bytes */
  readonly playId: Uint8Array
  /** of its order, satoshis per whole unit; 0 for a play carried over from a draw that became void after its close */
  readonly rate: number
  /** number of lines, the first ones, that are paid with free tickets */
  readonly free: number
  readonly masks: readonly bigint[]
  /** 32 bytes */
  readonly ownerTag: Uint8Array
}

/** The secret of an order's play in one draw: `MAC(secret, T("fairball/play-secret/v2") || open_hash)`. */
export function playSecret(orderSecret: Uint8Array, openHash: Uint8Array): Uint8Array {
  assert(orderSecret.length === HASH_BYTES && openHash.length === HASH_BYTES, 'a secret and an open hash have 32 bytes')
  return mac(orderSecret, PLAY_SECRET_TAG, openHash)
}

/** The id of a play: the first 16 bytes of `MAC(ps, T("fairball/play/v2"))`. @param secret ps, 32 bytes */
export function playId(secret: Uint8Array): Uint8Array {
  return mac(secret, PLAY_TAG).slice(0, PLAY_ID_BYTES)
}

/** The tag that ties a play to its owner: `MAC(ps, T("fairball/owner/v2") || open_hash || username)`. */
export function ownerTag(secret: Uint8Array, openHash: Uint8Array, username: string): Uint8Array {
  return mac(secret, OWNER_TAG, openHash, asciiBytes(username))
}

/** A line as a mask: 2^(k − 1) for each number k. */
export function maskOf(line: readonly number[]): bigint {
  let mask = 0n
  for (const number of line) {
    const bit = 1n << BigInt(number - 1)
    assert(number >= 1 && number <= MAX_POOL && (mask & bit) === 0n, `not a line: ${line.join(',')}`)
    mask |= bit
  }
  return mask
}

/** The leaf of a play, 89 + 8n bytes. @throws RangeError for a play that the protocol does not allow */
export function writePlayLeaf({ openHash, playId: id, rate, free, masks, ownerTag: tag }: Play): Uint8Array {
  assert(openHash.length === HASH_BYTES && id.length === PLAY_ID_BYTES && tag.length === HASH_BYTES, 'not a play')
  assert(masks.length >= 1 && masks.length <= MAX_LINES_OF_PLAY, `a play has no ${masks.length} lines`)
  assert(free >= 0 && free <= masks.length && rate >= 0 && rate < RATE_LIMIT, 'not a play')
  const leaf = new Uint8Array(playLeafBytes(masks.length))
  const view = viewOf(leaf)
  leaf.set(openHash)
  leaf[LEAF.kind] = PLAY_KIND
  leaf.set(id, LEAF.playId)
  view.setUint32(LEAF.rate, rate)
  view.setUint16(LEAF.free, free)
  view.setUint16(LEAF.lines, masks.length)
  for (const [place, mask] of masks.entries()) view.setBigUint64(LEAF.masks + MASK_BYTES * place, mask)
  leaf.set(tag, leaf.length - HASH_BYTES)
  return leaf
}

/** A revocation: the payment of the play at a smaller index left the chain before the close. */
interface Revocation {
  readonly openHash: Uint8Array
  readonly playId: Uint8Array
  /** of the play in the tree of the draw */
  readonly index: number
  /** of the payment, 32 bytes in the order in which the leaf has them */
  readonly transaction: Uint8Array
}

/** The leaf of a revocation, 90 bytes. */
export function writeRevocationLeaf({ openHash, playId: id, index, transaction }: Revocation): Uint8Array {
  assert(openHash.length === HASH_BYTES && id.length === PLAY_ID_BYTES, 'not a revocation')
  assert(transaction.length === HASH_BYTES && Number.isSafeInteger(index) && index >= 0, 'not a revocation')
  const leaf = new Uint8Array(REVOCATION_BYTES)
  leaf.set(openHash)
  leaf[LEAF.kind] = REVOCATION_KIND
  leaf.set(id, LEAF.playId)
  viewOf(leaf).setBigUint64(LEAF.revokedIndex, BigInt(index))
  leaf[LEAF.railOfRevoked] = BITCOIN_RAIL
  leaf.set(transaction, LEAF.transaction)
  return leaf
}

/** Whether the bytes after a revocation's kind are well-formed. */
export function isRevocationLeaf(leaf: Uint8Array): boolean {
  return (
    leaf.length === REVOCATION_BYTES && leaf[LEAF.kind] === REVOCATION_KIND && leaf[LEAF.railOfRevoked] === BITCOIN_RAIL
  )
}

/** The length of a play's leaf: 89 + 8n bytes. */
export function playLeafBytes(lines: number): number {
  return LEAF.masks + MASK_BYTES * lines + HASH_BYTES
}

/** The hash of a revoked list: `u64 index || u64 index of the revocation` for each, by index (section 7). */
export function revokedListBytes(revoked: readonly { readonly index: number; readonly by: number }[]): Uint8Array {
  const bytes = new Uint8Array(16 * revoked.length)
  const view = viewOf(bytes)
  for (const [place, { index, by }] of revoked.toSorted((one, other) => one.index - other.index).entries()) {
    view.setBigUint64(16 * place, BigInt(index))
    view.setBigUint64(16 * place + 8, BigInt(by))
  }
  return bytes
}

/** The summary of revocations in a `close`: their number and the hash of their list. */
export function revokedSummary(revoked: readonly { readonly index: number; readonly by: number }[]) {
  return { count: revoked.length, list: toHex(nobleHash(revokedListBytes(revoked))) }
}

/**
 * The stake of a play, satoshis: `⌈(n − free) × price × rate / 100⌉`.
 *
 * @param paidLines lines less those paid with free tickets
 * @param price of a line, minor units
 * @param rate satoshis per whole unit
 */
export function stakeOf(paidLines: number, price: number, rate: number): bigint {
  return (BigInt(paidLines) * BigInt(price) * BigInt(rate) + 99n) / 100n
}
