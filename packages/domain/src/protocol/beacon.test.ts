import { describe, expect, it } from 'vitest'
import drand from '../../vectors/drand.json' with { type: 'json' }
import { beaconPublicKey, beaconSecretKey, isRoundSigned, signRound } from './beacon.ts'
import { fromHex, toHex } from './bytes.ts'
import { chainHash, QUICKNET, randomnessOf, roundDueAt, roundOf } from './chain.ts'

// The curve makes its tables once, which is no part of any test.
isRoundSigned(QUICKNET, 1, drand.rounds[0]?.signature ?? '')

describe('quicknet', () => {
  it('is the chain of its constants', () => {
    const { group_hash: groupHash, beacon_id: beaconId } = drand.chain
    expect(chainHash({ ...QUICKNET, groupHash, beaconId })).toBe(QUICKNET.hash)
    expect(QUICKNET).toMatchObject({ publicKey: drand.chain.public_key, genesis: drand.chain.genesis_time })
  })

  it.each(drand.rounds)('has the genuine round $round', ({ round, time, signature, randomness }) => {
    expect(isRoundSigned(QUICKNET, round, signature)).toBe(true)
    expect(toHex(randomnessOf(fromHex(signature)))).toBe(randomness)
    expect(roundDueAt(QUICKNET, round)).toBe(time)
  })

  it.each(drand.invalid)('has no such round: $reason', ({ round, signature }) => {
    expect(isRoundSigned(QUICKNET, round, signature)).toBe(false)
  })

  it('has no round whose signature differs in a single bit', () => {
    const { round, signature } = drand.rounds[2] ?? { round: 0, signature: '' }
    for (let bit = 0; bit < 48 * 8; bit += 1) {
      const changed = fromHex(signature)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(isRoundSigned(QUICKNET, round, toHex(changed)), `bit ${bit}`).toBe(false)
    }
  })

  it('has no such round by capital letters, another number or another key', () => {
    const { round, signature } = drand.rounds[0] ?? { round: 0, signature: '' }
    expect(isRoundSigned(QUICKNET, round, signature.toUpperCase())).toBe(false)
    expect(isRoundSigned(QUICKNET, round + 1, signature)).toBe(false)
    expect(isRoundSigned({ publicKey: '00' }, round, signature)).toBe(false)
  })

  it('gives a draw the first round that is due after its start', () => {
    expect([0, 1, 2, 3, 4].map((after) => roundOf(QUICKNET, QUICKNET.genesis + after))).toEqual([1, 2, 2, 2, 3])
    expect(() => roundOf(QUICKNET, QUICKNET.genesis - 1)).toThrow(RangeError)
  })
})

describe('a private beacon', () => {
  it('signs rounds that its own key verifies, and no other', () => {
    const secretKey = beaconSecretKey(new Uint8Array(48).fill(5))
    const chain = { publicKey: beaconPublicKey(secretKey) }
    const signature = signRound(secretKey, 7)
    expect(isRoundSigned(chain, 7, signature)).toBe(true)
    expect(isRoundSigned(chain, 8, signature)).toBe(false)
    expect(isRoundSigned(QUICKNET, 7, signature)).toBe(false)
  })
})
