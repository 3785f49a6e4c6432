import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from './bytes.ts'
import { linesBlind, linesText, readLinesText } from './commitments.ts'
import { publicKeyOf } from './ed25519.ts'
import { nobleHash, textHash } from './hash.ts'
import { signNote } from './note.ts'
import { checkPromise, checkReceipt, leafOfPlay, type Offer, type Order, promiseOf, signPaper } from './papers.ts'
import { maskOf, playId, playSecret, stakeOf } from './plays.ts'
import { NO_HASH } from './statement-codecs.ts'
import { type PayBy, type StatementOf, writeStatement } from './statements.ts'
import { leafHash, rootOf } from './tree.ts'

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
const [OWN_PLAY] = ORDER.plays as [Order['plays'][number]]
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
    const noPromise = signNote('no statement\n', LOG.origin, SEED)
    expect(checkPromise(noPromise, ORDER, LOG, SHOWN)).toBe('The promise is not readable.')
    const { log: _, ...others } = PROMISE
    const ofOther = signNote(writeStatement({ ...others, log: 'b.example/fairball' }), LOG.origin, SEED)
    expect(checkPromise(ofOther, ORDER, LOG, SHOWN)).toBe('The promise is of another log.')
  })

  it('a promise that names an unknown draw among the order’s is rejected', () => {
    const more = promiseOf({ ...ORDER, plays: [...ORDER.plays, { ...OWN_PLAY, open: 'cc'.repeat(32) }] }, OFFER)
    expect(check(more)).toBe('The promise names other draws than you chose.')
    expect(check({ ...PROMISE, play: [first, { ...second, open: 'cc'.repeat(32) }] })).toMatch(/other draws/)
  })

  it('free tickets lower the sum of a play', () => {
    const { play, sats } = promiseOf({ ...ORDER, plays: [{ ...OWN_PLAY, free: 1 }] }, OFFER)
    expect([play[0]?.free, play[0]?.sats, sats]).toEqual([1, 3300n, 3300n])
  })

  it.each<[string, PayBy, PayBy, boolean]>([
    ['its address', { by: 'bitcoin', address: 'bc1qone' }, { by: 'bitcoin', address: 'bc1qone' }, true],
    ['another address', { by: 'bitcoin', address: 'bc1qone' }, { by: 'bitcoin', address: 'bc1qtwo' }, false],
    ['an invoice in place of an address', { by: 'bitcoin', address: 'bc1qone' }, PAY, false],
    ['an address in place of an invoice', PAY, { by: 'bitcoin', address: 'bc1qone' }, false],
    ['another invoice', PAY, { by: 'lightning', hash: '34'.repeat(32) }, false],
    ['nothing, as promised', { by: 'none' }, { by: 'none' }, true],
    ['nothing in place of an invoice', PAY, { by: 'none' }, false],
    ['an invoice in place of nothing', { by: 'none' }, PAY, false],
  ])('a promise is for the payment that is shown: %s', (_what, pay, shown, isIt) => {
    const promise = promiseOf(ORDER, { ...OFFER, pay: [pay] })
    const found = checkPromise(signPaper(promise, SEED), ORDER, LOG, { pay: shown, sats: promise.sats })
    expect(found).toEqual(isIt ? promise : 'The promise is for another payment than the one shown.')
  })
})

describe('a receipt', () => {
  const USERNAME = 'player-abc123'
  const leaves = ORDER.plays.map((play) => leafHash(nobleHash, leafOfPlay(ORDER.secret, play, 3300, USERNAME)))
  const [own, neighbour] = leaves.map(toHex) as [string, string]
  const tree = { size: 2, root: toHex(rootOf(nobleHash, leaves)) }
  const secret = playSecret(ORDER.secret, fromHex(OWN_PLAY.open))
  const RECEIPT: StatementOf<'receipt'> = {
    type: 'receipt',
    log: LOG.origin,
    time: 1100,
    order: 'order-1',
    promise: textHash(writeStatement(PROMISE)),
    open: OWN_PLAY.open,
    play: toHex(playId(secret)),
    leaf: own,
    index: 0,
    statement: '56'.repeat(32),
    supersedes: NO_HASH,
    reason: 'none',
  }
  const found = (changes: Partial<StatementOf<'receipt'>>, context = {}, seed = SEED) =>
    checkReceipt(signPaper({ ...RECEIPT, ...changes }, seed), ORDER, LOG, {
      promise: PROMISE,
      username: USERNAME,
      tree,
      path: [neighbour],
      ...context,
    })

  it('a receipt for the player’s play is accepted', () => {
    expect(found({})).toEqual(RECEIPT)
    const second = { open: ORDER.plays[1]?.open ?? '', leaf: neighbour, index: 1 }
    const ofSecond = toHex(playId(playSecret(ORDER.secret, fromHex(second.open))))
    expect(found({ ...second, play: ofSecond }, { path: [own] })).toMatchObject(second)
  })

  it.each<[string, Partial<StatementOf<'receipt'>>, object, string]>([
    ['of another draw', { open: 'cc'.repeat(32) }, {}, 'The receipt is for a draw that the order is not in.'],
    ['for another promise', { promise: '00'.repeat(32) }, {}, 'The receipt is for another promise.'],
    ['for another leaf', { leaf: neighbour }, {}, 'The receipt is for other lines, or for another player.'],
    ['for another player', {}, { username: 'someone' }, 'The receipt is for other lines, or for another player.'],
    ['for another play', { play: '00'.repeat(16) }, {}, 'The receipt is for another play.'],
    ['at another place', { index: 1 }, {}, 'The play is not in the batch that the receipt names.'],
    ['without its path', {}, { path: [] }, 'The play is not in the batch that the receipt names.'],
  ])('a receipt %s is rejected', (_what, changes, context, why) => {
    expect(found(changes, context)).toBe(why)
  })

  it('a receipt that the operator did not sign, or that is none, is rejected', () => {
    expect(found({}, {}, new Uint8Array(32).fill(9))).toBe('The receipt is not signed by the operator.')
    const context = { promise: PROMISE, username: USERNAME, tree, path: [neighbour] }
    expect(checkReceipt(signPaper(PROMISE, SEED), ORDER, LOG, context)).toBe('The receipt is not readable.')
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
