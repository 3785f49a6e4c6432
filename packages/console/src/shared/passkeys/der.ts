import { joined } from './cbor.ts'

/** A signature of the browser's cryptography, r and s of 32 bytes each, as WebAuthn sends it: an ASN.1 sequence. */
export function derSignature(raw: Uint8Array): Uint8Array<ArrayBuffer> {
  const half = raw.length / 2
  const body = joined(integer(raw.subarray(0, half)), integer(raw.subarray(half)))
  return joined(Uint8Array.of(0x30, body.length), body)
}

/** A positive number: no zeros in front but one that keeps it positive. */
function integer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const start = bytes.findIndex((byte) => byte !== 0)
  const digits = start < 0 ? Uint8Array.of(0) : bytes.subarray(start)
  const isHigh = ((digits[0] ?? 0) & 0x80) !== 0
  return joined(
    Uint8Array.of(0x02, digits.length + (isHigh ? 1 : 0)),
    isHigh ? Uint8Array.of(0) : new Uint8Array(),
    digits,
  )
}
