import { describe, expect, it } from 'vitest'
import drand from '../../vectors/drand.json'
import {
  beaconPublicKey,
  beaconSecretKey,
  chainHash,
  lastRoundDueAt,
  localChain,
  QUICKNET,
  randomnessOf,
  roundDueAt,
  roundOf,
  signRound,
  verifySignature,
} from './beacon.ts'
import { fromHex, toHex } from './bytes.ts'

describe('quicknet, vectors/drand.json', () => {
  it('is compiled in as it is published', () => {
    const { chain } = drand
    expect(QUICKNET).toEqual({
      name: chain.name,
      hash: chain.chain_hash,
      publicKey: chain.public_key,
      periodSeconds: chain.period,
      genesisAt: chain.genesis_time,
      groupHash: chain.group_hash,
      beaconId: chain.beacon_id,
      scheme: chain.scheme,
    })
    expect(chainHash(QUICKNET)).toBe(chain.chain_hash)
  })

  it.each(drand.rounds)('round $round is valid', ({ round, time, signature, randomness }) => {
    expect(verifySignature(QUICKNET, BigInt(round), signature)).toBe(true)
    expect(toHex(randomnessOf(fromHex(signature)))).toBe(randomness)
    expect(roundDueAt(BigInt(round), QUICKNET)).toBe(time)
  })

  it.each(drand.invalid)('refuses $reason', ({ round, signature }) => {
    expect(verifySignature(QUICKNET, BigInt(round), signature)).toBe(false)
    expect(verifySignature(QUICKNET, BigInt(round), fromHex(signature))).toBe(false)
  })

  it.each(drand.round_for_time)('a draw at $start has round $round', ({ start, round }) => {
    expect(roundOf(start, QUICKNET)).toBe(BigInt(round))
    expect(roundDueAt(BigInt(round), QUICKNET)).toBeGreaterThanOrEqual(start)
    expect(roundDueAt(BigInt(round), QUICKNET) - start).toBeLessThan(QUICKNET.periodSeconds)
  })

  it('refuses a signature with any single bit changed', () => {
    const { round, signature } = drand.rounds[2] ?? { round: 0, signature: '' }
    for (let bit = 0; bit < 48 * 8; bit += 1) {
      const changed = fromHex(signature)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(verifySignature(QUICKNET, BigInt(round), changed), `bit ${bit}`).toBe(false)
    }
  })

  it('refuses hex in capital letters, another round and another key', () => {
    const { round, signature } = drand.rounds[0] ?? { round: 0, signature: '' }
    expect(verifySignature(QUICKNET, BigInt(round), signature.toUpperCase())).toBe(false)
    expect(verifySignature(QUICKNET, BigInt(round) + 1n, signature)).toBe(false)
    expect(verifySignature(QUICKNET, 0n, signature)).toBe(false)
    expect(verifySignature({ publicKey: '00' }, BigInt(round), signature)).toBe(false)
  })
})

describe('rounds', () => {
  it('are due from the genesis on', () => {
    expect(lastRoundDueAt(QUICKNET.genesisAt - 1, QUICKNET)).toBeNull()
    expect(lastRoundDueAt(QUICKNET.genesisAt, QUICKNET)).toBe(1n)
    expect(lastRoundDueAt(QUICKNET.genesisAt + 2, QUICKNET)).toBe(1n)
    expect(lastRoundDueAt(QUICKNET.genesisAt + 3, QUICKNET)).toBe(2n)
  })

  it('are not named for a draw before the genesis, nor before the first', () => {
    expect(() => roundOf(QUICKNET.genesisAt - 1, QUICKNET)).toThrow(RangeError)
    expect(() => roundDueAt(0n, QUICKNET)).toThrow(RangeError)
    expect(() => roundDueAt(2n ** 64n - 1n, QUICKNET)).toThrow('beyond any time')
    expect(() => roundOf(QUICKNET.genesisAt + 0.5, QUICKNET)).toThrow(RangeError)
  })
})

describe('a local chain', () => {
  const secretKey = beaconSecretKey(Uint8Array.from({ length: 48 }, (_, place) => place))
  const chain = localChain({ publicKey: beaconPublicKey(secretKey), genesisAt: 1_700_000_000 })

  it('has a round every 3 seconds, a group hash of zeros and its own identity', () => {
    expect(chain).toMatchObject({ periodSeconds: 3, groupHash: '0'.repeat(64), beaconId: 'fairball-local' })
    expect(chain.hash).toBe(chainHash(chain))
    expect(localChain({ publicKey: chain.publicKey, genesisAt: 1_700_000_001 }).hash).not.toBe(chain.hash)
  })

  it('has the identity that drand gives it, where an id of `default` is left out', () => {
    expect(chainHash({ ...chain, beaconId: 'default' })).toBe(chainHash({ ...chain, beaconId: '' }))
    expect(chainHash({ ...chain, beaconId: 'default' })).not.toBe(chain.hash)
  })

  it('is made of 48 random bytes, and signs rounds from 1 on', () => {
    expect(() => beaconSecretKey(new Uint8Array(47))).toThrow('48 random bytes')
    expect(() => signRound(secretKey, 0n)).toThrow('not a round: 0')
    expect(verifySignature(chain, 1n, signRound(secretKey, 1n))).toBe(true)
  })

  it('signs rounds that its own key verifies, and no other', () => {
    const signature = signRound(secretKey, 17n)
    expect(signRound(secretKey, 17n)).toBe(signature)
    expect(verifySignature(chain, 17n, signature)).toBe(true)
    expect(verifySignature(chain, 18n, signature)).toBe(false)
    expect(verifySignature(QUICKNET, 17n, signature)).toBe(false)
  })
})
