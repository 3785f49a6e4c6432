import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freeLinesOfPlays, orderPrice, stakesOfPlays, totalOfPlays } from './price.ts'

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
})

describe('the plays of an order', () => {
  it('plays use free tickets in the order of their draws', () => {
    expect(freeLinesOfPlays({ lines: 3, draws: 3, free: 4 })).toEqual([3, 1, 0])
    expect(freeLinesOfPlays({ lines: 3, draws: 2, free: 0 })).toEqual([0, 0])
  })

  it('each stake is rounded up: five lines in two draws cost two satoshis more than ten in one', () => {
    const stakes = stakesOfPlays({ lines: 5, draws: 2, free: 0 }, [25, 25], 1199n)
    expect(stakes).toEqual([1499n, 1499n]) // 1498.75 each
  })

  it('stakes are rounded up by less than a satoshi each, never down', () => {
    const count = fc.integer({ min: 1, max: 60 })
    fc.assert(
      fc.property(
        count,
        count,
        fc.nat(3600),
        fc.nat(10_000),
        fc.bigInt(1n, 10n ** 7n),
        (lines, draws, wanted, price, rate) => {
          const free = Math.min(wanted, lines * draws)
          const stakes = stakesOfPlays(
            { lines, draws, free },
            Array.from({ length: draws }, () => price),
            rate,
          )
          const over =
            stakes.reduce((sum, stake) => sum + stake, 0n) * 100n - BigInt((lines * draws - free) * price) * rate
          expect(over >= 0n && over < 100n * BigInt(draws)).toBe(true)
          expect(freeLinesOfPlays({ lines, draws, free }).reduce((sum, of) => sum + of, 0)).toBe(free)
        },
      ),
    )
  })

  it('an order over draws of two prices costs the sum over its plays, and free tickets pay for the first ones', () => {
    const order = { lines: 3, draws: 2, free: 4 }
    expect(stakesOfPlays(order, [100, 150], 1000n)).toEqual([0n, 3000n])
    expect(totalOfPlays(order, [100n, 150n])).toBe(300n)
    expect(stakesOfPlays({ ...order, free: 0 }, [100, 150], 1000n)).toEqual([3000n, 4500n])
    expect(() => stakesOfPlays(order, [100], 1000n)).toThrow('1 prices for 2 draws')
  })

  it('stakes are not computed from impossible numbers', () => {
    expect(() => freeLinesOfPlays({ lines: 1, draws: 1, free: 2 })).toThrow('more free tickets than lines')
    expect(() => freeLinesOfPlays({ lines: -1, draws: 1, free: 0 })).toThrow('not a count: -1')
    expect(() => stakesOfPlays({ lines: 1, draws: 1, free: 0 }, [-1], 1n)).toThrow('below zero: -1')
    expect(() => stakesOfPlays({ lines: 1, draws: 1, free: 0 }, [1], 0n)).toThrow('not a rate: 0')
  })
})
