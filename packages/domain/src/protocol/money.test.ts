import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  afterClose,
  afterResult,
  afterVoid,
  afterVoidOfClose,
  bandOf,
  FIRST_STATE,
  freeTicketsOf,
  guaranteeOf,
  isQuoted,
  isRate,
  isSameState,
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

describe('the tiers of a draw', () => {
  const money = { rate: 3000, pool: 100_000n, floor: 0n, cover: 0n, short: 0n }

  it('jackpot winners share what the fixed prizes leave, and the rest stays', () => {
    expect(prizesOf(TEST_RULES, [0, 1, 5], money)).toEqual({ each: [0n, 9000n, 0n], left: 91_000n })
    expect(prizesOf(TEST_RULES, [3, 1, 5], money)).toEqual({ each: [30_333n, 9000n, 0n], left: 1n })
    expect(prizesOf(TEST_RULES, [1, 0, 0], { ...money, floor: 100_001n })).toEqual({
      each: [100_001n, 9000n, 0n],
      left: 0n,
    })
  })

  it('fixed prizes that use pool and cover up exactly are whole', () => {
    expect(prizesOf(TEST_RULES, [0, 1, 0], { ...money, pool: 8000n, cover: 1000n })).toEqual({
      each: [0n, 9000n, 0n],
      left: 0n,
    })
  })

  it('what a draw pays is the sum over its winners, and its free tickets are those of free tiers', () => {
    expect(wonOf([2, 3, 4], { each: [10n, 5n, 0n], left: 0n })).toBe(35n)
    expect(freeTicketsOf(TEST_RULES, [2, 3, 4])).toBe(4)
  })

  it('donation and fee are rounded down', () => {
    expect(shareStake(29_790n, { prizes: 80, donation: 5, fee: 15 })).toEqual({
      donation: 1489n,
      fee: 4468n,
      share: 23_833n,
    })
  })
})

describe('the state of a game', () => {
  const before = { closed: 4, settled: 3, pot: 100n, won: 20, used: 10, carried: 5 }

  it('each statement changes what the protocol says, and nothing else', () => {
    expect(afterClose(before, { free: 2, carried: 1 })).toEqual({ ...before, closed: 5, pot: 0n, used: 12, carried: 4 })
    expect(afterResult(before, { left: 7n, freeTickets: 3 })).toEqual({ ...before, settled: 4, pot: 107n, won: 23 })
    expect(afterVoid(before)).toEqual({ ...before, closed: 5, settled: 4 })
    expect(afterVoidOfClose(before, { pool: 50n, lines: 9, free: 2 })).toEqual({
      ...before,
      settled: 4,
      pot: 150n,
      used: 8,
      carried: 12,
    })
    expect(poolOf(before, 11n, 100n, { prizes: 80, donation: 5, fee: 15 })).toBe(191n)
    expect(FIRST_STATE).toEqual({ closed: 0, settled: 0, pot: 0n, won: 0, used: 0, carried: 0 })
  })

  it('two states are the same if nothing in them differs', () => {
    expect(isSameState(before, { ...before })).toBe(true)
    for (const change of [{ closed: 0 }, { settled: 0 }, { pot: 0n }, { won: 0 }, { used: 0 }, { carried: 0 }])
      expect(isSameState(before, { ...before, ...change })).toBe(false)
  })

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
    expect(() => lowerMedian([])).toThrow('no rate has no median')
    expect(lowerMedian([9, 10, 100])).toBe(10)
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

  it('a rate is from 100 to below 2^32', () => {
    expect([99, 100, 2 ** 32 - 1, 2 ** 32].map(isRate)).toEqual([false, true, true, false])
  })

  it('minor units are converted to satoshis, rounded down', () => {
    expect(satsOf(2_000_000, 3400)).toBe(68_000_000n)
    expect(satsOf(1, 199)).toBe(1n)
  })
})
