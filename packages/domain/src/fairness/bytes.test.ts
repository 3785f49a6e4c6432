import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  asciiBytes,
  compareBytes,
  concatBytes,
  equalBytes,
  fromHex,
  readU64,
  tagBytes,
  toHex,
  u32,
  u64,
} from './bytes.ts'

describe('bytes', () => {
  it('are written as lowercase hex and read back the same', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(fromHex(toHex(bytes))).toEqual(bytes)
      }),
    )
  })

  it.each(['AB', 'a', 'zz', '0x00', ' 00', '00\n'])('are not read from %j', (text) => {
    expect(() => fromHex(text)).toThrow(RangeError)
  })

  it('are refused where another number of them is wanted', () => {
    expect(() => fromHex('0011', 3)).toThrow(RangeError)
    expect(() => fromHex('0011', 1)).toThrow(RangeError)
    expect(fromHex('0011', 2)).toEqual(Uint8Array.of(0, 0x11))
    expect(fromHex('', 0)).toEqual(new Uint8Array())
  })

  it('numbers are big-endian', () => {
    expect(toHex(u32(0x01020304))).toBe('01020304')
    expect(toHex(u32(0xffff_ffff))).toBe('ffffffff')
    expect(toHex(u64(0x0102030405060708n))).toBe('0102030405060708')
    fc.assert(fc.property(fc.bigInt(0n, 2n ** 64n - 1n), (value) => readU64(u64(value), 0) === value))
  })

  it.each([-1, 2 ** 32, 0.5, Number.NaN])('%d is no number of 4 bytes', (value) => {
    expect(() => u32(value)).toThrow(RangeError)
  })

  it.each([-1n, 2n ** 64n])('%d is no number of 8 bytes', (value) => {
    expect(() => u64(value)).toThrow(RangeError)
    expect(() => u64(value)).toThrow(`not a number of 8 bytes: ${value}`)
  })

  it('a number is read from its place, and not from beyond the end', () => {
    const bytes = Uint8Array.of(9, 0, 0, 0, 0, 0, 0, 1, 2, 9)
    expect(readU64(bytes, 1)).toBe(0x0102n)
    expect(readU64(bytes, 2)).toBe(0x010209n)
    expect(readU64(bytes.subarray(1), 0)).toBe(0x0102n)
    for (const at of [3, -1]) expect(() => readU64(bytes, at)).toThrow('the bytes end too early')
    expect(readU64(bytes.subarray(0, 9), 1)).toBe(0x0102n)
    expect(() => readU64(bytes.subarray(0, 9), 2)).toThrow('the bytes end too early')
  })

  it('a tag is the ASCII bytes of its name and one zero byte', () => {
    expect(toHex(tagBytes('ab'))).toBe('616200')
    expect(() => asciiBytes('é')).toThrow(RangeError)
    expect(asciiBytes('\x7f')).toEqual(Uint8Array.of(0x7f))
    expect(() => asciiBytes('\x80')).toThrow(RangeError)
  })

  it('are joined and compared byte by byte', () => {
    const [one, other] = [Uint8Array.of(1, 2), Uint8Array.of(1, 2, 0)]
    expect(concatBytes(one, other)).toEqual(Uint8Array.of(1, 2, 1, 2, 0))
    expect(compareBytes(one, other)).toBeLessThan(0)
    expect(compareBytes(Uint8Array.of(2), other)).toBeGreaterThan(0)
    expect(equalBytes(one, one.slice())).toBe(true)
    expect(equalBytes(one, other)).toBe(false)
    expect(compareBytes(Uint8Array.of(1, 3), other)).toBeGreaterThan(0)
    expect(compareBytes(other, one)).toBeGreaterThan(0)
    expect(compareBytes(one, one)).toBe(0)
    expect(equalBytes(other, one)).toBe(false)
    expect(equalBytes(one, Uint8Array.of(1, 3))).toBe(false)
    expect(concatBytes()).toEqual(new Uint8Array())
  })
})
