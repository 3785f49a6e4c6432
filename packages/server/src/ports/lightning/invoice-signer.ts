import { createPublicKey, ECDH, type KeyObject, verify } from 'node:crypto'
import { signedBytes, splitBolt11 } from '@fairball/domain/bolt11'

const CURVE = 'secp256k1'
const COORDINATE = 32
const RS = 64

/** The newest key: every invoice is one of the same node. */
let newest: { readonly nodeId: string; readonly key: KeyObject } | null = null

/**
 * Whether a node is paid by an invoice: it names no other, and the signature is this node's. That takes a
 * quarter of the time of finding out who signed it (`payeeOfBolt11`), which was a sixth of what an order computes.
 *
 * @param invoice what `text` says
 * @param nodeId the node's public key, hex
 */
export function isPaidBy(text: string, invoice: { readonly payee: string | null }, nodeId: string): boolean {
  const parts = splitBolt11(text)
  if (parts === null || (invoice.payee !== null && invoice.payee !== nodeId)) return false
  const key = { key: keyOf(nodeId), dsaEncoding: 'ieee-p1363' } as const
  return verify('sha256', signedBytes(parts), key, parts.signature.subarray(0, RS))
}

function keyOf(nodeId: string): KeyObject {
  if (newest?.nodeId === nodeId) return newest.key
  const point = Buffer.from(ECDH.convertKey(nodeId, CURVE, 'hex', 'hex', 'uncompressed') as string, 'hex').subarray(1)
  const x = point.subarray(0, COORDINATE).toString('base64url')
  const y = point.subarray(COORDINATE).toString('base64url')
  const key = createPublicKey({ key: { kty: 'EC', crv: CURVE, x, y }, format: 'jwk' })
  newest = { nodeId, key }
  return key
}
