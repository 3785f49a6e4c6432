import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  afterClose,
  afterResult,
  afterVoidOfClose,
  bandOf,
  FIRST_STATE,
  guaranteeOf,
  isQuoted,
  lowerMedian,
  poolOf,
  prizesOf,
  satsOf,
  shareStake,
  wonOf,
} from './money.ts'
import { TEST_RULES } from './operator-fixture.ts'
import { stakeOf } from './plays.ts'

const amount = fc.bigInt({ min: 0n, max: 10n ** 13n })
const winners = fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 100_000 }), fc.nat({ max: 100_000 }))
const rate = fc.integer({ min: 100, max: 2 ** 32 - 1 })
const close = fc.record({ rate, pool: amount, floor: amount, cover: amount, short: fc.constant(0n) })

describe('a stake', () => {
  it('a stake is shared without losing a satoshi', () => {
    fc.assert(
      fc.property(amount, fc.nat({ max: 100 }), fc.nat({ max: 100 }), (stake, one, other) => {
        const [donation, both] = [Math.min(one, other), Math.max(one, other)]
        const split = { prizes: 100 - both, donation, fee: both - donation }
        const shares = shareStake(stake, split)
        expect(shares.donation + shares.fee + shares.share).toBe(stake)
        expect(shares.share * 100n).toBeGreaterThanOrEqual(stake * BigInt(split.prizes))
      }),
    )
  })

  it('the stake of a play is rounded up once for all its lines', () => {
    expect(stakeOf(3, 100, 3310)).toBe(9930n)
    expect(stakeOf(1, 1, 101)).toBe(2n)
    expect(stakeOf(0, 100, 3310)).toBe(0n)
  })
})

describe('the prizes of a draw', () => {
  it('prizes and remainder equal the pool and the bankroll’s addition, to the satoshi', () => {
    fc.assert(
      fc.property(winners, close, (counts, money) => {
        const prizes = prizesOf(TEST_RULES, counts, money)
        const won = wonOf(counts, prizes)
        const fixed = (prizes.each[1] ?? 0n) * BigInt(counts[1])
        const guarantee = guaranteeOf(money)
        const rest = money.pool > fixed ? money.pool - fixed : 0n
        const toppedUp = counts[0] > 0 && guarantee.floor > rest ? guarantee.floor - rest : 0n
        const covered = fixed > money.pool ? fixed - money.pool : 0n
        expect(won + prizes.left).toBe(money.pool + toppedUp + covered)
        expect(covered).toBeLessThanOrEqual(guarantee.cover)
      }),
    )
  })

  it('the pool stays whole if no line wins', () => {
    fc.assert(
      fc.property(close, (money) => {
        expect(prizesOf(TEST_RULES, [0, 0, 9], money)).toMatchObject({ left: money.pool })
      }),
    )
  })

  it('fixed prizes are reduced in the same proportion if pool and cover are not enough', () => {
    const money = { rate: 3000, pool: 1000n, floor: 0n, cover: 100n, short: 0n }
    expect(prizesOf(TEST_RULES, [0, 2, 0], money)).toEqual({ each: [0n, 550n, 0n], left: 0n })
    expect(prizesOf(TEST_RULES, [1, 2, 0], money)).toEqual({ each: [0n, 550n, 0n], left: 0n })
  })

  it('a short guarantee reduces the cover first, then the floor', () => {
    expect(guaranteeOf({ floor: 10n, cover: 4n, short: 3n })).toEqual({ floor: 10n, cover: 1n })
    expect(guaranteeOf({ floor: 10n, cover: 4n, short: 6n })).toEqual({ floor: 8n, cover: 0n })
    expect(guaranteeOf({ floor: 10n, cover: 4n, short: 14n })).toEqual({ floor: 0n, cover: 0n })
  })
})

describe('the state of a game', () => {
  it('the pot carries over from draw to draw without losing a satoshi', () => {
    const draw = fc.record({ stake: amount, added: amount, counts: winners, isVoid: fc.boolean() })
    fc.assert(
      fc.property(fc.array(draw, { maxLength: 8 }), (draws) => {
        let state = FIRST_STATE
        let paidIn = 0n
        let paidOut = 0n
        for (const { stake, added, counts, isVoid } of draws) {
          const pool = poolOf(state, added, stake, TEST_RULES.split)
          paidIn += added + shareStake(stake, TEST_RULES.split).share
          state = afterClose(state, { free: 0, carried: 0 })
          const prizes = prizesOf(TEST_RULES, counts, { rate: 3000, pool, floor: 0n, cover: 0n, short: 0n })
          if (!isVoid) paidOut += wonOf(counts, prizes)
          state = isVoid
            ? afterVoidOfClose(state, { pool, lines: 2, free: 1 })
            : afterResult(state, { left: prizes.left, freeTickets: counts[2] })
        }
        expect(state.pot).toBe(paidIn - paidOut)
        expect(state.closed).toBe(draws.length)
        expect(state.settled).toBe(draws.length)
        expect(state.carried).toBe(draws.filter(({ isVoid }) => isVoid).length)
      }),
    )
  })
})

describe('a rate', () => {
  it('the median of an even number of rates is the lower middle one', () => {
    expect(lowerMedian([3401, 3398, 3400])).toBe(3400)
    expect(lowerMedian([4, 1, 3, 2])).toBe(2)
    expect(() => lowerMedian([])).toThrow(RangeError)
  })

  it('at least half of the rates are on either side of the median', () => {
    fc.assert(
      fc.property(fc.array(rate, { minLength: 1, maxLength: 9 }), (rates) => {
        const median = lowerMedian(rates)
        expect(2 * rates.filter((other) => other <= median).length).toBeGreaterThanOrEqual(rates.length)
        expect(2 * rates.filter((other) => other >= median).length).toBeGreaterThanOrEqual(rates.length)
      }),
    )
  })

  it('a rate is within the band, beyond it, or absurd at more than twice or less than half', () => {
    expect([3150, 2850].map((value) => bandOf(value, 3000, 5))).toEqual(['within', 'within'])
    expect([3151, 2849, 6000, 1500].map((value) => bandOf(value, 3000, 5))).toEqual(Array(4).fill('beyond'))
    expect([6001, 1499].map((value) => bandOf(value, 3000, 5))).toEqual(['absurd', 'absurd'])
  })

  it('a rate needs quotes from two sources of the draw within 15 minutes', () => {
    const sources = ['one.example', 'two.example', 'three.example']
    const quotes = [
      { source: 'one.example', rate: 3000, at: 1000 },
      { source: 'two.example', rate: 3000, at: 1900 },
    ]
    const [first, second] = quotes
    if (first === undefined || second === undefined) throw new Error('no quotes')
    expect(isQuoted(quotes, sources, 1900)).toBe(true)
    expect(isQuoted(quotes, sources, 1901)).toBe(false)
    expect(isQuoted(quotes, sources, 1899)).toBe(false)
    expect(isQuoted([first], sources, 1900)).toBe(false)
    expect(isQuoted([first, { ...first, at: 1001 }], sources, 1900)).toBe(false)
    expect(isQuoted([first, { ...second, source: 'four.example' }], sources, 1900)).toBe(false)
  })

  it('minor units are converted to satoshis, rounded down', () => {
    expect(satsOf(2_000_000, 3400)).toBe(68_000_000n)
    expect(satsOf(1, 199)).toBe(1n)
  })
})
