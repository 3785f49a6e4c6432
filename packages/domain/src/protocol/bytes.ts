import { assert } from '../assert.ts'

/** Bytes and their encodings (section 2): lowercase hex, canonical base64, big-endian integers, ASCII. */

const HEX_TEXT = /^(?:[0-9a-f]{2})*$/
const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const BASE64_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const NO_DIGIT = 255
const BASE64_VALUES = base64Values()
const PADDING = 61
/** Bytes converted to text at once: the length of an argument list is limited. */
const PIECE_BYTES = 8192

/** Writes bytes as lowercase hex. */
export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += HEX_OF_BYTE[byte]
  return text
}

/**
 * Reads lowercase hex.
 *
 * @param length required number of bytes; any if omitted
 * @throws RangeError for capital letters, other characters that are not hex, or a wrong length
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

/** The UTF-8 bytes of a text. @throws URIError for half a character */
export function utf8Bytes(text: string): Uint8Array {
  const encoded = encodeURIComponent(text)
  const bytes: number[] = []
  for (let at = 0; at < encoded.length; at += encoded[at] === '%' ? 3 : 1) {
    const digits = encoded.slice(at + 1, at + 3)
    bytes.push(encoded[at] === '%' ? Number.parseInt(digits, 16) : encoded.charCodeAt(at))
  }
  return Uint8Array.from(bytes)
}

/** The text of UTF-8 bytes. @throws URIError for invalid UTF-8 */
export function utf8Text(bytes: Uint8Array): string {
  return decodeURIComponent(toHex(bytes).replaceAll(/../g, '%$&'))
}

/** `T("x")`: the ASCII bytes of a name and one zero byte. Keeps uses of a hash apart. */
export function tagBytes(name: string): Uint8Array {
  return asciiBytes(`${name}\0`)
}

/** `u32`: 4 bytes, big-endian. @throws RangeError when the value is not a whole number below 2^32 */
export function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  writeU32(bytes, 0, value)
  return bytes
}

/** `u64`: 8 bytes, big-endian. @throws RangeError if the value is not a safe whole number from 0 */
export function u64(value: number): Uint8Array {
  const bytes = new Uint8Array(8)
  writeU64(bytes, 0, value)
  return bytes
}

/** Writes a `u32` at an offset of an array. @throws RangeError when the value is not a whole number below 2^32 */
export function writeU32(bytes: Uint8Array, at: number, value: number): void {
  assert(Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff, `not a number of 4 bytes: ${value}`)
  viewOf(bytes).setUint32(at, value)
}

/** Writes a `u64` at an offset of an array. @throws RangeError when the value is not a safe whole number from 0 */
export function writeU64(bytes: Uint8Array, at: number, value: number): void {
  assert(Number.isSafeInteger(value) && value >= 0, `not a number of 8 bytes: ${value}`)
  viewOf(bytes).setBigUint64(at, BigInt(value))
}

/** A view of an array's own bytes, for reading and writing integers. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** `||`: the concatenation of arrays. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** Whether two arrays hold the same bytes. Not for secrets: its duration reveals where they differ. */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, place) => byte === other[place])
}

/** Writes bytes as standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  const codes = new Uint8Array(4 * Math.ceil(bytes.length / 3))
  for (let from = 0, to = 0; from < bytes.length; from += 3, to += 4) {
    const group = ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0)
    for (let digit = 0; digit < 4; digit += 1) {
      codes[to + digit] = BASE64_ALPHABET.charCodeAt((group >> (18 - 6 * digit)) & 63)
    }
  }
  codes.fill(PADDING, codes.length - ((3 - (bytes.length % 3)) % 3))
  return textOfAscii(codes)
}

/**
 * Reads standard base64: padded and canonical, so that every array has exactly one text.
 *
 * @throws RangeError for anything else
 */
export function fromBase64(text: string): Uint8Array {
  assert(text.length % 4 === 0, 'not base64: its length is no multiple of 4')
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='))
  const bytes = new Uint8Array((text.length / 4) * 3 - padding)
  let group = 0
  let at = 0
  for (let i = 0; i < text.length - padding; i += 1) {
    const value = BASE64_VALUES[text.charCodeAt(i)] ?? NO_DIGIT
    assert(value !== NO_DIGIT, 'not base64')
    group = ((group << 6) | value) & 0xff_ffff
    if (i % 4 === 0) continue
    bytes[at] = (group >> (6 - 2 * (i % 4))) & 0xff
    at += 1
  }
  assert(padding === 0 || (group & (padding === 2 ? 15 : 3)) === 0, 'not base64 in its one form')
  return bytes
}

/** The text of ASCII bytes. */
function textOfAscii(codes: Uint8Array): string {
  const pieces: string[] = []
  for (let at = 0; at < codes.length; at += PIECE_BYTES) {
    pieces.push(String.fromCharCode(...codes.subarray(at, at + PIECE_BYTES)))
  }
  return pieces.join('')
}

function base64Values(): Uint8Array {
  const values = new Uint8Array(256).fill(NO_DIGIT)
  for (let value = 0; value < 64; value += 1) values[BASE64_ALPHABET.charCodeAt(value)] = value
  return values
}
