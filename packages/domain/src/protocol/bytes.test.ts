import { describe, expect, it } from 'vitest'
import {
  asciiBytes,
  concatBytes,
  equalBytes,
  fromBase64,
  fromHex,
  tagBytes,
  toBase64,
  toHex,
  u32,
  u64,
  utf8Bytes,
  utf8Text,
  viewOf,
  writeU32,
  writeU64,
} from './bytes.ts'
import { refusalOf } from './refusal-fixture.ts'

/** The bytes whose groups of six bits count from 0 to 63: base64 writes its whole alphabet. */
const COUNTING = '00108310518720928b30d38f41149351559761969b71d79f8218a39259a7a29aabb2dbafc31cb3d35db7e39ebbf3dfbf'
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

describe('hex', () => {
  it('hex is two lowercase digits a byte, most significant first', () => {
    expect(toHex(Uint8Array.of())).toBe('')
    expect(toHex(Uint8Array.of(0, 9, 10, 15, 16, 171, 255))).toBe('00090a0f10abff')
    expect(fromHex('00090a0f10abff')).toEqual(Uint8Array.of(0, 9, 10, 15, 16, 171, 255))
    expect(fromHex('0102', 2)).toEqual(Uint8Array.of(1, 2))
    expect(fromHex('', 0)).toEqual(Uint8Array.of())
  })

  it.each(['AB', 'abc', 'x0', '0x', 'ab ', ' ab', 'ab\n', 'abg0', '00gg'])('"%s" is not hex', (text) => {
    expect(refusalOf(() => fromHex(text))).toBe('RangeError: not lowercase hex')
  })

  it('hex of a wanted length has exactly that length', () => {
    for (const text of ['01', '010203', ''])
      expect(refusalOf(() => fromHex(text, 2))).toBe('RangeError: not 2 bytes of hex')
  })
})

describe('texts', () => {
  it('an ASCII text has one byte a character, below 128', () => {
    expect(asciiBytes('\0A~\x7f')).toEqual(Uint8Array.of(0, 65, 126, 127))
    expect(refusalOf(() => asciiBytes('a\x80'))).toBe('RangeError: not an ASCII text')
    expect(refusalOf(() => asciiBytes('é'))).toBe('RangeError: not an ASCII text')
  })

  it('a text in UTF-8 has one to four bytes a character', () => {
    const bytes = '2541c3bce282acf09f9880'
    expect(toHex(utf8Bytes('%Aü€😀'))).toBe(bytes)
    expect(utf8Text(fromHex(bytes))).toBe('%Aü€😀')
    expect(utf8Text(utf8Bytes('a\nb'))).toBe('a\nb')
  })

  it('half a character and bytes that are no UTF-8 are rejected', () => {
    expect(() => utf8Bytes('\ud800')).toThrow(URIError)
    for (const bytes of ['ff', 'c0af', 'e282', 'eda080']) expect(() => utf8Text(fromHex(bytes))).toThrow(URIError)
  })

  it('a tag is the ASCII of its name and one zero byte', () => {
    expect(tagBytes('a/v2')).toEqual(Uint8Array.of(97, 47, 118, 50, 0))
  })
})

describe('numbers in bytes', () => {
  it('a number of 4 bytes is big-endian, from 0 to 2^32 − 1', () => {
    expect([0, 1, 0x01020304, 2 ** 32 - 1].map((value) => toHex(u32(value)))).toEqual([
      '00000000',
      '00000001',
      '01020304',
      'ffffffff',
    ])
    for (const value of [-1, 0.5, 2 ** 32, Number.NaN])
      expect(refusalOf(() => u32(value))).toBe(`RangeError: not a number of 4 bytes: ${value}`)
  })

  it('a number of 8 bytes is big-endian, from 0 to 2^53 − 1', () => {
    expect([0, 1, 0x01020304050607, 2 ** 53 - 1].map((value) => toHex(u64(value)))).toEqual([
      '0000000000000000',
      '0000000000000001',
      '0001020304050607',
      '001fffffffffffff',
    ])
    for (const value of [-1, 0.5, 2 ** 53, Number.NaN])
      expect(refusalOf(() => u64(value))).toBe(`RangeError: not a number of 8 bytes: ${value}`)
  })

  it('numbers are written at their place in an array, even if it is a part of another', () => {
    const whole = new Uint8Array(16)
    writeU32(whole.subarray(1), 0, 0x0a0b0c0d)
    writeU64(whole.subarray(4, 15), 2, 0x0e0f)
    expect(toHex(whole)).toBe('000a0b0c0d000000000000000e0f0000')
    expect(viewOf(whole.subarray(1, 5)).getUint32(0)).toBe(0x0a0b0c0d)
    expect(viewOf(whole.subarray(1, 5)).byteLength).toBe(4)
  })
})

describe('arrays of bytes', () => {
  it('arrays are joined in their order', () => {
    expect(concatBytes()).toEqual(Uint8Array.of())
    expect(concatBytes(Uint8Array.of(1, 2), Uint8Array.of(), Uint8Array.of(3))).toEqual(Uint8Array.of(1, 2, 3))
  })

  it('arrays are equal if they have the same bytes, all of them', () => {
    const bytes = Uint8Array.of(0, 2, 255)
    expect(equalBytes(bytes, Uint8Array.of(0, 2, 255))).toBe(true)
    expect(equalBytes(Uint8Array.of(), Uint8Array.of())).toBe(true)
    for (const other of [[0, 2], [0, 2, 255, 0], [0, 2, 254], [1, 2, 255], [0, 3, 255], []])
      expect(equalBytes(bytes, Uint8Array.from(other))).toBe(false)
  })
})

describe('base64', () => {
  it.each([
    ['', ''],
    ['66', 'Zg=='],
    ['666f', 'Zm8='],
    ['666f6f', 'Zm9v'],
    ['666f6f62', 'Zm9vYg=='],
    ['666f6f6261', 'Zm9vYmE='],
    ['666f6f626172', 'Zm9vYmFy'],
    ['01', 'AQ=='],
    ['0001', 'AAE='],
    ['ffffff', '////'],
    ['fbefbe', '++++'],
    [COUNTING, ALPHABET],
  ])('the bytes %s are written as "%s" and read back (RFC 4648)', (bytes, text) => {
    expect(toBase64(fromHex(bytes))).toBe(text)
    expect(toHex(fromBase64(text))).toBe(bytes)
  })

  it('base64 of more bytes than a call takes arguments is whole', () => {
    const bytes = Uint8Array.from({ length: 3 * 4097 }, (_, place) => [0x66, 0x6f, 0x6f][place % 3] ?? 0)
    expect(toBase64(bytes) === 'Zm9v'.repeat(4097)).toBe(true)
  })

  it.each([
    ['A', 'not base64: its length is no multiple of 4'],
    ['AA', 'not base64: its length is no multiple of 4'],
    ['AAAAA', 'not base64: its length is no multiple of 4'],
    ['AAA!', 'not base64'],
    ['AAA-', 'not base64'],
    ['AA\nA', 'not base64'],
    ['AAA\u0100', 'not base64'],
    ['AAA\u00ff', 'not base64'],
    ['A===', 'not base64'],
    ['====', 'not base64'],
    ['=AAA', 'not base64'],
    ['AA==AAAA', 'not base64'],
    ['AB==', 'not base64 in its one form'],
    ['AI==', 'not base64 in its one form'],
    ['AAB=', 'not base64 in its one form'],
    ['AAC=', 'not base64 in its one form'],
  ])('an array has no other base64 than its one: "%s" is rejected', (text, why) => {
    expect(refusalOf(() => fromBase64(text))).toBe(`RangeError: ${why}`)
  })
})
