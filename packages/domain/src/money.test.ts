import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { btcToSats, MAX_SATS, satsOfMinor, satsToBtc } from './money.ts'

describe('an amount of bitcoin', () => {
  it.each([
    [0n, '0.00000000'],
    [1n, '0.00000001'],
    [1_500_000n, '0.01500000'],
    [100_000_000n, '1.00000000'],
    [MAX_SATS, '21000000.00000000'],
    [-1n, '-0.00000001'],
  ])('an amount of %d sats is written %s', (sats, text) => {
    expect(satsToBtc(sats)).toBe(text)
  })

  it('an amount is read back exactly as written', () => {
    fc.assert(fc.property(fc.bigInt(0n, MAX_SATS), (sats) => btcToSats(satsToBtc(sats)) === sats))
  })

  it.each([
    ['1', 100_000_000n],
    ['0.1', 10_000_000n],
    ['21000000', MAX_SATS],
  ])('an amount may have fewer decimals: %s', (text, sats) => {
    expect(btcToSats(text)).toBe(sats)
  })

  it.each([
    '',
    '.',
    '1.',
    '.1',
    '-1',
    '+1',
    '01',
    '1e3',
    '1,000',
    ' 1',
    '1\n',
    '0.000000001',
    '21000000.00000001',
    'NaN',
    '١',
  ])('no amount is read from %j', (text) => expect(() => btcToSats(text)).toThrow(RangeError))

  it('an invalid amount is refused with the reason', () => {
    expect(() => btcToSats('1,000')).toThrow('at most 8 decimals')
    expect(() => btcToSats('21000000.00000001')).toThrow('more than 21 million')
  })
})

describe('a prize set in pounds', () => {
  it('a prize is its pence at the rate, rounded down', () => {
    expect(satsOfMinor(500, 1200n)).toBe(6000n)
    expect(satsOfMinor(1, 1199n)).toBe(11n)
    expect(satsOfMinor(0, 1n)).toBe(0n)
  })

  it('a rate of 0 and an amount below 0 are refused', () => {
    expect(() => satsOfMinor(1, 0n)).toThrow(RangeError)
    expect(() => satsOfMinor(1, 0n)).toThrow('not a rate: 0')
    expect(() => satsOfMinor(-1, 1n)).toThrow(RangeError)
    expect(() => satsOfMinor(-1, 1n)).toThrow('below zero: -1')
  })
})
