import { assert } from '../assert.ts'

const HEX_TEXT = /^(?:[0-9a-f]{2})*$/
const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const MAX_U64 = 0xffff_ffff_ffff_ffffn

/** Writes bytes as lowercase hex (fairness section 2). */
export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += HEX_OF_BYTE[byte]
  return text
}

/**
 * Reads lowercase hex.
 *
 * @param length how many bytes it must have; any number when left out
 * @throws RangeError for capital letters, anything that is not hex, or another length
 */
export function fromHex(text: string, length?: number): Uint8Array {
  assert(length === undefined || text.length === 2 * length, `not ${length} bytes of hex`)
  assert(HEX_TEXT.test(text), 'not lowercase hex')
  const bytes = new Uint8Array(text.length / 2)
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16)
  return bytes
}

/**
 * The bytes of a text of ASCII characters, control characters included.
 *
 * @throws RangeError for any other character
 */
export function asciiBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    assert(code < 0x80, 'not an ASCII text')
    bytes[i] = code
  }
  return bytes
}

/** `T("x")` of fairness section 2: the ASCII bytes of a name followed by one zero byte. Keeps uses of a hash apart. */
export function tagBytes(name: string): Uint8Array {
  return asciiBytes(`${name}\0`)
}

/** `u32`: 4 bytes, big-endian. @throws RangeError when the value is not a whole number from 0 to 2^32 − 1 */
export function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  writeU32(bytes, 0, value)
  return bytes
}

/** `u64`: 8 bytes, big-endian. @throws RangeError when the value is not from 0 to 2^64 − 1 */
export function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  writeU64(bytes, 0, value)
  return bytes
}

/** Writes a `u32` at a place of an array. @throws RangeError when the value is not a whole number from 0 to 2^32 − 1 */
export function writeU32(bytes: Uint8Array, at: number, value: number): void {
  assert(Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff, `not a number of 4 bytes: ${value}`)
  bytes[at] = value >>> 24
  bytes[at + 1] = value >>> 16
  bytes[at + 2] = value >>> 8
  bytes[at + 3] = value
}

/** Writes a `u64` at a place of an array. @throws RangeError when the value is not from 0 to 2^64 − 1 */
export function writeU64(bytes: Uint8Array, at: number, value: bigint): void {
  assert(value >= 0n && value <= MAX_U64, `not a number of 8 bytes: ${value}`)
  writeU32(bytes, at, Number(value >> 32n))
  writeU32(bytes, at + 4, Number(value & 0xffff_ffffn))
}

/** Reads the `u64` at a place of an array. @throws RangeError when fewer than 8 bytes are there */
export function readU64(bytes: Uint8Array, at: number): bigint {
  assert(at >= 0 && at + 8 <= bytes.length, 'the bytes end too early')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return view.getBigUint64(at)
}

/** `||` of fairness section 2: one array of all bytes, one after the other. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** Whether two arrays hold the same bytes. Not for secrets: the time it takes tells where they differ. */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && compareBytes(one, other) === 0
}

/** The order of two arrays, byte by byte, a beginning before what continues it: negative, 0 or positive. */
export function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const length = Math.min(one.length, other.length)
  for (let i = 0; i < length; i += 1) {
    // Both places exist: the loop ends before the shorter array does.
    const difference = (one[i] ?? 0) - (other[i] ?? 0)
    if (difference !== 0) return difference
  }
  return one.length - other.length
}
