import { describe, expect, it } from 'vitest'
import { fromHex } from './bytes.ts'
import { linesBlind, linesText, readLinesText } from './commitments.ts'
import { publicKeyOf } from './ed25519.ts'
import { checkPromise, type Offer, type Order, promiseOf, signPaper } from './papers.ts'
import { maskOf, stakeOf } from './plays.ts'
import type { PayBy, StatementOf } from './statements.ts'

const SEED = new Uint8Array(32).fill(1)
const LOG = { origin: 'a.example/fairball', publicKey: publicKeyOf(SEED) }
const PAY: PayBy = { by: 'lightning', hash: '12'.repeat(32) }
const ORDER: Order = {
  secret: new Uint8Array(32).fill(2),
  payto: 'bc1qexample',
  plays: ['aa', 'bb'].map((byte) => ({
    open: byte.repeat(32),
    lines: [
      [1, 2, 3],
      [4, 5, 6],
    ],
    free: 0,
    price: 100,
  })),
}
const OFFER: Offer = {
  log: LOG.origin,
  time: 1000,
  order: 'order-1',
  pay: [{ by: 'bitcoin', address: 'bc1qother' }, PAY],
  rate: { currency: 'GBP', value: 3300 },
  confirmations: 1,
  expires: 1900,
}
const PROMISE = promiseOf(ORDER, OFFER)
const SHOWN = { pay: PAY, sats: PROMISE.sats }

const check = (promise: StatementOf<'promise'>, order = ORDER, shown = SHOWN) =>
  checkPromise(signPaper(promise, SEED), order, LOG, shown)

describe('a promise', () => {
  it('a promise has all plays of the order, at their stakes', () => {
    expect(PROMISE.play.map(({ lines, sats }) => [lines, sats])).toEqual([
      [2, stakeOf(2, 100, 3300)],
      [2, 6600n],
    ])
    expect(PROMISE.sats).toBe(13_200n)
  })

  it('a promise for the player’s order is accepted with its plays in any order', () => {
    expect(check(PROMISE)).toEqual(PROMISE)
    const turned = promiseOf({ ...ORDER, plays: ORDER.plays.toReversed() }, OFFER)
    expect(check(turned)).toEqual(turned)
  })

  const [first, second] = PROMISE.play
  if (first === undefined || second === undefined) throw new Error('no plays')
  it.each<[string, Partial<StatementOf<'promise'>>, RegExp]>([
    ['another payment', { pay: [{ by: 'lightning', hash: '34'.repeat(32) }] }, /another payment/],
    ['another secret', { secret: '00'.repeat(32) }, /another secret/],
    ['other lines', { lines: '00'.repeat(32) }, /other lines/],
    ['another payout address', { payto: '00'.repeat(32) }, /payout address/],
    ['a missing play', { play: [first] }, /other draws/],
    ['a duplicate play', { play: [first, first] }, /twice/],
    ['another play id', { play: [{ ...first, play: '00'.repeat(16) }, second] }, /other plays/],
    ['fewer lines', { play: [{ ...first, lines: 1 }, second] }, /other plays/],
    ['a higher price', { play: [{ ...first, sats: 6601n }, second], sats: 13_201n }, /sums/],
    ['another sum', { sats: 13_201n }, /sums/],
  ])('a promise with %s is rejected', (_, change, why) => {
    expect(check({ ...PROMISE, ...change })).toMatch(why)
  })

  it('a promise with another sum than the shown one is rejected', () => {
    expect(check(PROMISE, ORDER, { ...SHOWN, sats: 1n })).toMatch(/another payment/)
  })

  it('a promise by another key, of another log or in another form is rejected', () => {
    expect(checkPromise(signPaper(PROMISE, new Uint8Array(32).fill(9)), ORDER, LOG, SHOWN)).toMatch(/not signed/)
    expect(checkPromise('no note', ORDER, LOG, SHOWN)).toMatch(/not signed/)
    expect(check({ ...PROMISE, log: 'b.example/fairball' })).toMatch(/not signed/)
  })
})

describe('the lines of an order', () => {
  it('the lines of an order are read back as written', () => {
    const lines = ORDER.plays.map((play) => play.lines)
    expect(linesText(lines)).toBe('1,2,3;4,5,6\n1,2,3;4,5,6')
    expect(readLinesText(linesText(lines))).toEqual(lines)
    for (const text of ['', '1,', ';1', '1,2\n', '01', 'a']) expect(readLinesText(text)).toBeNull()
  })

  it('a line is a mask of distinct numbers from 1 to 64', () => {
    expect(maskOf([1, 64])).toBe((1n << 63n) | 1n)
    for (const line of [[0], [65], [1, 1]]) expect(() => maskOf(line)).toThrow(RangeError)
  })

  it('the blind of the lines differs from the secret', () => {
    expect(linesBlind(ORDER.secret)).not.toEqual(ORDER.secret)
    expect(linesBlind(ORDER.secret)).not.toEqual(linesBlind(fromHex('03'.repeat(32))))
  })
})
