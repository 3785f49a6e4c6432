import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CURRENCIES, fiatMinorOfSats, formatAbbreviated, formatMoney } from './fiat.ts'
import { satsOfMinor } from './money.ts'

const pounds = (value: number | string) => ({ value, symbol: '£', position_of_symbol: 'LEFT' }) as const
const kronor = (value: number) => ({ value, symbol: 'kr', position_of_symbol: 'RIGHT' }) as const

describe('the currencies', () => {
  it('the list begins with GBP, EUR and USD, each once', () => {
    expect(CURRENCIES.slice(0, 3).map(({ id, code }) => `${id} ${code}`)).toEqual(['1 GBP', '2 EUR', '3 USD'])
    expect(CURRENCIES.map(({ id }) => id)).toEqual(CURRENCIES.map((_, place) => place + 1))
    expect(new Set(CURRENCIES.map(({ code }) => code)).size).toBe(CURRENCIES.length)
  })
})

describe('a view of satoshis in a currency', () => {
  it.each([
    [2000n, 1000n, 200n],
    [0n, 1000n, 0n],
    [5n, 1000n, 1n], // half a penny up
    [4n, 1000n, 0n],
  ])('%d sats at %d sats a pound are %d pence', (sats, rate, minor) => {
    expect(fiatMinorOfSats(sats, rate, 2)).toBe(minor)
  })

  it('a fixed prize is shown exactly as set, at any rate above a hundred sats a pound', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 9n), fc.bigInt(201n, 10n ** 6n), (minor, rate) => {
        expect(fiatMinorOfSats(satsOfMinor(minor, rate), rate, 2)).toBe(minor)
      }),
    )
  })
})

describe('an amount', () => {
  it.each([
    [0, '£0.00'],
    [2.5, '£2.50'],
    [1234.5, '£1,234.50'],
    [1_000_000, '£1,000,000.00'],
    [0.005, '£0.01'],
    [-3, '-£3.00'],
    [-0.001, '£0.00'],
  ])('an amount of %d is written %s', (value, text) => {
    expect(formatMoney(pounds(value))).toBe(text)
  })

  it.each([
    [2, '£2'],
    [2.5, '£2.5'],
    [2.05, '£2.05'],
    [100, '£100'],
    [1200, '£1,200'],
  ])('an amount of %d is written %s without trailing zeros', (value, text) => {
    expect(formatMoney(pounds(value), { stripZeros: true })).toBe(text)
  })

  it('an amount has its symbol after the value if its position is RIGHT', () => {
    expect(formatMoney(kronor(1234.5))).toBe('1,234.50\u00A0kr')
    expect(formatAbbreviated(kronor(1500))).toBe('1.5K\u00A0kr')
  })

  it('a word of the prize table stays as it is', () => {
    expect(formatMoney(pounds('Jackpot'))).toBe('Jackpot')
    expect(formatAbbreviated(pounds('Free ticket'))).toBe('Free ticket')
  })

  it.each([
    [0, '£0'],
    [2.5, '£2.5'],
    [999.94, '£999.94'],
    [999.95, '£1K'],
    [1000, '£1K'],
    [1049, '£1K'],
    [1050, '£1.1K'],
    [1500, '£1.5K'],
    [12_345, '£12.3K'],
    [500_000, '£500K'],
    [999_949, '£999.9K'],
    [999_950, '£1M'],
    [1_000_000, '£1M'],
    [1_250_000, '£1.3M'],
    [999_949_999, '£999.9M'],
    [999_950_000, '£1B'],
    [2_500_000_000, '£2.5B'],
    [1_234_500_000_000, '£1,234.5B'],
    [-1500, '-£1.5K'],
  ])('an amount of %d is abbreviated to %s', (value, text) => {
    expect(formatAbbreviated(pounds(value))).toBe(text)
  })

  it('an abbreviation never shows 1,000 of a letter below B', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 ** 12 }),
        (value) => !/1,?000(\.\d)?[KM]/.test(formatAbbreviated(pounds(value))),
      ),
    )
  })

  it('an amount that is not a number is refused', () => {
    expect(() => formatMoney(pounds(Number.NaN))).toThrow(RangeError)
    expect(() => formatMoney(pounds(Infinity))).toThrow(RangeError)
  })
})
