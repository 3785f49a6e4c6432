import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type Bolt11Draft, readBolt11, signedBytes, splitBolt11, writeBolt11 } from './bolt11.ts'
import { fromHex, toHex } from './protocol/bytes.ts'

/** Who signs Lightning invoices. Apart from what they say, so that a browser which only reads them loads no curve. */

const LAST = 64

/** Writes an invoice that the node with this key is paid by. @param secretKey 32 bytes */
export function signBolt11(draft: Bolt11Draft, secretKey: Uint8Array): string {
  return writeBolt11(draft, (bytes) => {
    const [recovery = 0, ...rest] = secp256k1.sign(bytes, secretKey, { format: 'recovered' })
    return new Uint8Array([...rest, recovery])
  })
}

/** The public key of the node that is paid, hex. @param secretKey 32 bytes */
export function nodeIdOf(secretKey: Uint8Array): string {
  return toHex(secp256k1.getPublicKey(secretKey, true))
}

/**
 * The node that signed an invoice and is paid by it, hex: the one that it names, or the one that its signature shows.
 *
 * @returns null if the invoice cannot be read, or no key fits its signature
 */
export function payeeOfBolt11(text: string): string | null {
  const parts = splitBolt11(text)
  const invoice = readBolt11(text)
  if (parts === null || invoice === null) return null
  const bytes = signedBytes(parts)
  const { signature } = parts
  try {
    if (invoice.payee === null)
      return toHex(
        secp256k1.recoverPublicKey(new Uint8Array([signature[LAST] ?? 0, ...signature.subarray(0, LAST)]), bytes),
      )
    const isSigned = secp256k1.verify(signature.subarray(0, LAST), bytes, fromHex(invoice.payee), { lowS: false })
    return isSigned ? invoice.payee : null
  } catch {
    return null // not on the curve
  }
}
