/**
 * Sixteen random bytes as a UUID of RFC 9562, version 4: version and variant bits are set over the bytes given.
 *
 * @param bytes at least 16 bytes; the first 16 are used and left as they are
 */
export function uuidOfBytes(bytes: Uint8Array): string {
  const copy = Buffer.from(bytes.subarray(0, 16))
  copy[6] = ((copy[6] ?? 0) & 0x0f) | 0x40
  copy[8] = ((copy[8] ?? 0) & 0x3f) | 0x80
  const hex = copy.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
