import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orderPrice, priceSats, splitStake } from './price.ts'

describe('the price of an order', () => {
  it.each([
    [
      { lines: 1, days: 1, weeks: 1, freeTickets: 0, priceMinor: 200 },
      { entries: 1, freeUsed: 0, totalMinor: 200 },
    ],
    [
      { lines: 3, days: 2, weeks: 4, freeTickets: 5, priceMinor: 200 },
      { entries: 24, freeUsed: 5, totalMinor: 3800 },
    ],
    [
      { lines: 2, days: 1, weeks: 1, freeTickets: 9, priceMinor: 200 },
      { entries: 2, freeUsed: 2, totalMinor: 0 },
    ],
    [
      { lines: 0, days: 2, weeks: 4, freeTickets: 0, priceMinor: 200 },
      { entries: 0, freeUsed: 0, totalMinor: 0 },
    ],
  ])('the price of %j is exact', (size, price) => {
    expect(orderPrice(size)).toEqual(price)
  })

  it('the price is max(0, (lines × days × weeks − free tickets) × ticket price)', () => {
    const small = fc.nat(1000)
    fc.assert(
      fc.property(small, small, small, small, small, (lines, days, weeks, freeTickets, priceMinor) => {
        const { totalMinor } = orderPrice({ lines, days, weeks, freeTickets, priceMinor })
        expect(totalMinor).toBe(Math.max(0, (lines * days * weeks - freeTickets) * priceMinor))
      }),
    )
  })

  it('fractions and negative sizes are refused', () => {
    const size = { lines: 1, days: 1, weeks: 1, freeTickets: 0, priceMinor: 200 }
    expect(() => orderPrice({ ...size, lines: -1 })).toThrow(RangeError)
    expect(() => orderPrice({ ...size, weeks: 0.5 })).toThrow(RangeError)
    expect(() => orderPrice({ ...size, lines: -1 })).toThrow('not a count: -1')
    // Each factor is a safe whole number, but the product is not.
    expect(() => orderPrice({ ...size, lines: 2 ** 30, days: 2 ** 20 })).toThrow('the order is too large')
  })

  it.each([
    [200, 1000n, 2000n],
    [1, 1n, 1n],
    [250, 1199n, 2998n], // 2997.5 rounded up
    [0, 1000n, 0n],
  ])('a price of %d pence at %d sats a pound is %d sats', (pence, rate, sats) => {
    expect(priceSats(pence, rate)).toBe(sats)
    expect(priceSats(BigInt(pence), rate)).toBe(sats)
  })

  it('an amount below zero and a rate of zero are refused', () => {
    expect(() => priceSats(-1, 1000n)).toThrow(RangeError)
    expect(() => priceSats(-1n, 1000n)).toThrow('below zero: -1')
    for (const rate of [0n, -1n]) {
      expect(() => priceSats(1, rate)).toThrow(RangeError)
      expect(() => priceSats(1, rate)).toThrow(`not a rate: ${rate}`)
    }
  })

  it('rounding never costs the pool anything, and adds less than a sat', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 9n), fc.bigInt(1n, 10n ** 7n), (pence, rate) => {
        const over = priceSats(pence, rate) * 100n - pence * rate
        expect(over >= 0n && over < 100n).toBe(true)
      }),
    )
  })
})

describe('the stake of an entry', () => {
  it('stakes are equal shares, with the remainder one sat each to the first', () => {
    const stakeOf = splitStake(11n, 3)
    expect([0, 1, 2].map(stakeOf)).toEqual([4n, 4n, 3n])
  })

  it('sharing the price neither makes nor loses a sat', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 15n), fc.integer({ min: 1, max: 2000 }), (dueSats, paidEntries) => {
        const stakeOf = splitStake(dueSats, paidEntries)
        const stakes = Array.from({ length: paidEntries }, (_, index) => stakeOf(index))
        expect(stakes.reduce((sum, stake) => sum + stake, 0n)).toBe(dueSats)
        expect((stakes[0] ?? 0n) - (stakes.at(-1) ?? 0n) <= 1n).toBe(true)
      }),
    )
  })

  it('only paid entries have a stake', () => {
    expect(() => splitStake(1n, 0)).toThrow('without paid entries costs nothing')
    expect(splitStake(0n, 2)(1)).toBe(0n)
    for (const index of [-1, 0.5, 3]) {
      expect(() => splitStake(10n, 3)(index)).toThrow(RangeError)
      expect(() => splitStake(10n, 3)(index)).toThrow(`no paid entry ${index} of 3`)
    }
    expect(() => splitStake(-1n, 3)).toThrow('-1 sats')
    for (const paidEntries of [-1, 1.5]) {
      expect(() => splitStake(0n, paidEntries)).toThrow(RangeError)
      expect(() => splitStake(0n, paidEntries)).toThrow(`not a number of entries: ${paidEntries}`)
    }
  })

  it('an order paid for by free tickets has no stakes', () => {
    const stakeOf = splitStake(0n, 0)
    expect(() => stakeOf(0)).toThrow('no paid entry 0 of 0')
  })
})
