import { assert } from '../assert.ts'
import { tagBytes, viewOf } from './bytes.ts'
import { mac } from './hash.ts'

/** Leaves of the tree of payments (section 10). Only the payee can open a leaf. */

const PAID_TAG = tagBytes('fairball/paid/v2')
const MARK_BYTES = 16
const LEAF_BYTES = 32 + 8 + 8 + 1 + 32 + 4 + MARK_BYTES

interface Payment {
  /** of the draw, 32 bytes */
  readonly openHash: Uint8Array
  /** of the play in the draw's tree */
  readonly index: number
  readonly sats: bigint
  readonly rail: 'bitcoin' | 'lightning'
  /** transaction, or hash of the invoice: 32 bytes */
  readonly reference: Uint8Array
  /** of the output; 0 over Lightning */
  readonly output: number
}

/** The leaf of a payment. @param playSecret ps of the play, 32 bytes: the leaf's last 16 bytes follow from it */
export function writePaymentLeaf(payment: Payment, playSecret: Uint8Array): Uint8Array {
  const { openHash, index, sats, rail, reference, output } = payment
  assert(openHash.length === 32 && reference.length === 32 && playSecret.length === 32, 'not a payment')
  assert(Number.isSafeInteger(index) && index >= 0 && sats >= 0n, 'not a payment')
  const leaf = new Uint8Array(LEAF_BYTES)
  const view = viewOf(leaf)
  leaf.set(openHash)
  view.setBigUint64(32, BigInt(index))
  view.setBigUint64(40, sats)
  leaf[48] = rail === 'bitcoin' ? 0 : 1
  leaf.set(reference, 49)
  view.setUint32(81, output)
  leaf.set(mac(playSecret, PAID_TAG).subarray(0, MARK_BYTES), 85)
  return leaf
}
