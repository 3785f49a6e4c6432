import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from './bytes.ts'
import { writePaymentLeaf } from './payments.ts'
import {
  isRevocationLeaf,
  maskOf,
  ownerTag,
  playId,
  playLeafBytes,
  playSecret,
  revokedListBytes,
  revokedSummary,
  stakeOf,
  writePlayLeaf,
  writeRevocationLeaf,
} from './plays.ts'
import { refusalOf } from './refusal-fixture.ts'
import { vector } from './vectors-fixture.ts'

const bytes = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value)
const PLAY = {
  openHash: bytes(32, 0xaa),
  playId: bytes(16, 0xbb),
  rate: 0x01020304,
  free: 1,
  masks: [0x8000_0000_0000_0001n, 0x10n],
  ownerTag: bytes(32, 0xcc),
}
const REVOCATION = { openHash: bytes(32, 0xaa), playId: bytes(16, 0xbb), index: 0x0102, transaction: bytes(32, 0xdd) }
const PAYMENT = {
  openHash: bytes(32, 0xaa),
  index: 0x0102,
  sats: 0x0304n,
  rail: 'bitcoin',
  reference: bytes(32, 0xdd),
  output: 0x0506,
} as const
const SECRET = bytes(32, 0x11)

describe('the secrets of plays', () => {
  it('a secret and the hash of an open have 32 bytes', () => {
    const why = 'RangeError: a secret and an open hash have 32 bytes'
    expect(refusalOf(() => playSecret(bytes(31, 1), bytes(32, 1)))).toBe(why)
    expect(refusalOf(() => playSecret(bytes(32, 1), bytes(33, 1)))).toBe(why)
  })

  it('a name has another tag in another draw or letter', () => {
    const { play_secret: secret, play_id: id, open } = vector<Record<string, string>>('plays.json')
    const own = ownerTag(fromHex(secret ?? ''), fromHex(open ?? ''), 'name')
    expect(own).not.toEqual(ownerTag(fromHex(secret ?? ''), bytes(32, 0), 'name'))
    expect(own).not.toEqual(ownerTag(fromHex(secret ?? ''), fromHex(open ?? ''), 'Name'))
    expect(toHex(playId(fromHex(secret ?? '')))).toBe(id)
  })
})

describe('a line as a mask', () => {
  it.each([
    [[1], 1n],
    [[64], 1n << 63n],
    [[3, 1, 33], 0x1_0000_0005n],
    [[], 0n],
  ])('the numbers %j have the mask %s', (line, mask) => {
    expect(maskOf(line)).toBe(mask)
  })

  it.each([[[65]], [[2, 3, 2]]])('the numbers %j are no line', (line) => {
    expect(refusalOf(() => maskOf(line))).toBe(`RangeError: not a line: ${line.join(',')}`)
  })

  it('there is no number below 1', () => {
    expect(() => maskOf([0])).toThrow(RangeError)
  })
})

describe('the leaf of a play', () => {
  it('the leaf has open hash, kind 1, id, rate, free lines, lines, masks and tag, in this order', () => {
    expect(toHex(writePlayLeaf(PLAY))).toBe(
      `${'aa'.repeat(32)}01${'bb'.repeat(16)}010203040001000280000000000000010000000000000010${'cc'.repeat(32)}`,
    )
    expect(playLeafBytes(2)).toBe(89 + 16)
  })

  it.each([
    [{ masks: [1n], free: 0, rate: 0 }],
    [{ masks: [1n], free: 1, rate: 2 ** 32 - 1 }],
    [{ masks: Array<bigint>(1000).fill(1n), free: 1000 }],
  ])('a play may be as small or large as the protocol allows: %#', (change) => {
    const leaf = writePlayLeaf({ ...PLAY, ...change })
    expect(leaf).toHaveLength(89 + 8 * change.masks.length)
  })

  it.each([
    [{ openHash: bytes(31, 1) }, 'not a play'],
    [{ openHash: bytes(33, 1) }, 'not a play'],
    [{ playId: bytes(15, 1) }, 'not a play'],
    [{ ownerTag: bytes(31, 1) }, 'not a play'],
    [{ masks: [], free: 0 }, 'a play has no 0 lines'],
    [{ masks: Array<bigint>(1001).fill(1n) }, 'a play has no 1001 lines'],
    [{ free: -1 }, 'not a play'],
    [{ free: 3 }, 'not a play'],
    [{ rate: -1 }, 'not a play'],
    [{ rate: 2 ** 32 }, 'not a play'],
  ])('a play beyond the protocol has no leaf: %#', (change, why) => {
    expect(refusalOf(() => writePlayLeaf({ ...PLAY, ...change }))).toBe(`RangeError: ${why}`)
  })
})

describe('the leaf of a revocation', () => {
  it('the leaf has open hash, kind 2, id, index of the play, 1 and the transaction, in this order', () => {
    const leaf = writeRevocationLeaf(REVOCATION)
    expect(toHex(leaf)).toBe(`${'aa'.repeat(32)}02${'bb'.repeat(16)}000000000000010201${'dd'.repeat(32)}`)
    expect(toHex(writeRevocationLeaf({ ...REVOCATION, index: 0 })).slice(98, 114)).toBe('0'.repeat(16))
    expect(isRevocationLeaf(leaf)).toBe(true)
  })

  it('a revocation of another length, kind or rail is none', () => {
    const leaf = writeRevocationLeaf(REVOCATION)
    expect(isRevocationLeaf(leaf.subarray(1))).toBe(false)
    expect(isRevocationLeaf(Uint8Array.of(...leaf, 0))).toBe(false)
    expect(isRevocationLeaf(leaf.with(32, 1))).toBe(false)
    expect(isRevocationLeaf(leaf.with(57, 0))).toBe(false)
    expect(isRevocationLeaf(leaf.with(57, 2))).toBe(false)
  })

  it.each([
    [{ openHash: bytes(31, 1) }],
    [{ playId: bytes(17, 1) }],
    [{ transaction: bytes(31, 1) }],
    [{ index: -1 }],
    [{ index: 0.5 }],
    [{ index: 2 ** 53 }],
  ])('a revocation beyond the protocol has no leaf: %#', (change) => {
    expect(refusalOf(() => writeRevocationLeaf({ ...REVOCATION, ...change }))).toBe('RangeError: not a revocation')
  })

  it('the list of revocations has two numbers of 8 bytes for each, by the index of the play', () => {
    const revoked = [
      { index: 258, by: 300 },
      { index: 3, by: 400 },
    ]
    expect(toHex(revokedListBytes(revoked))).toBe('000000000000000300000000000001900000000000000102000000000000012c')
    expect(revokedSummary(revoked).count).toBe(2)
    // The SHA-256 of nothing.
    expect(revokedSummary([])).toEqual({
      count: 0,
      list: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    })
  })
})

describe('the stake of a play', () => {
  it.each([
    [0, 100, 3310, 0n],
    [1, 1, 100, 1n],
    [1, 1, 101, 2n],
    [1, 1, 199, 2n],
    [3, 100, 3310, 9930n],
    [1000, 100_000, 2 ** 32 - 1, 4_294_967_295_000_000n],
  ])('%i lines of %i at the rate %i cost %s, rounded up', (lines, price, rate, stake) => {
    expect(stakeOf(lines, price, rate)).toBe(stake)
  })
})

describe('the leaf of a payment', () => {
  it('the leaf has open hash, index, amount, rail, reference, output and mark, in this order', () => {
    const head = `${'aa'.repeat(32)}00000000000001020000000000000304`
    const tail = `${'dd'.repeat(32)}00000506`
    // MAC(32 × 0x11, T("fairball/paid/v2")), its first 16 bytes.
    const mark = '46cb11140ee42812cbd504aff4ecdbce'
    expect(toHex(writePaymentLeaf(PAYMENT, SECRET))).toBe(`${head}00${tail}${mark}`)
    expect(toHex(writePaymentLeaf({ ...PAYMENT, rail: 'lightning' }, SECRET))).toBe(`${head}01${tail}${mark}`)
  })

  it('a payment of nothing for the first play has a leaf', () => {
    const leaf = writePaymentLeaf({ ...PAYMENT, index: 0, sats: 0n, output: 0 }, SECRET)
    expect(toHex(leaf.slice(32, 49))).toBe('00'.repeat(17))
  })

  it.each([
    [{ openHash: bytes(31, 1) }],
    [{ reference: bytes(33, 1) }],
    [{ index: -1 }],
    [{ index: 0.5 }],
    [{ sats: -1n }],
  ])('a payment beyond the protocol has no leaf: %#', (change) => {
    expect(refusalOf(() => writePaymentLeaf({ ...PAYMENT, ...change }, SECRET))).toBe('RangeError: not a payment')
  })

  it('the secret of a paid play has 32 bytes', () => {
    expect(refusalOf(() => writePaymentLeaf(PAYMENT, bytes(31, 1)))).toBe('RangeError: not a payment')
  })
})
