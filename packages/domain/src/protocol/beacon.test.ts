import { bls12_381 } from '@noble/curves/bls12-381.js'
import { describe, expect, it } from 'vitest'
import drand from '../../vectors/drand.json' with { type: 'json' }
import { beaconPublicKey, beaconSecretKey, isRoundSigned, signRound } from './beacon.ts'
import { fromHex, toHex, u64 } from './bytes.ts'
import { BEACON_SCHEME, chainHash, QUICKNET, randomnessOf, roundDueAt, roundOf } from './chain.ts'
import { nobleHash } from './hash.ts'
import { refusalOf } from './refusal-fixture.ts'

// The curve builds its tables once, outside the time of the tests.
isRoundSigned(QUICKNET, 1, drand.rounds[0]?.signature ?? '')

describe('quicknet', () => {
  it('quicknet’s constants hash to its chain', () => {
    const { group_hash: groupHash, beacon_id: beaconId } = drand.chain
    expect(chainHash({ ...QUICKNET, groupHash, beaconId })).toBe(QUICKNET.hash)
    expect(BEACON_SCHEME).toBe('bls-unchained-g1-rfc9380')
    expect(QUICKNET).toMatchObject({
      name: 'quicknet',
      period: 3,
      publicKey: drand.chain.public_key,
      genesis: drand.chain.genesis_time,
    })
  })

  it.each(drand.rounds)(
    'the signature of quicknet’s genuine round $round is valid',
    ({ round, time, signature, randomness }) => {
      expect(isRoundSigned(QUICKNET, round, signature)).toBe(true)
      expect(toHex(randomnessOf(fromHex(signature)))).toBe(randomness)
      expect(roundDueAt(QUICKNET, round)).toBe(time)
    },
  )

  it.each(drand.invalid)('an invalid signature is rejected: $reason', ({ round, signature }) => {
    expect(isRoundSigned(QUICKNET, round, signature)).toBe(false)
  })

  it('a signature with one flipped bit is rejected', () => {
    const { round, signature } = drand.rounds[2] ?? { round: 0, signature: '' }
    for (let bit = 0; bit < 48 * 8; bit += 1) {
      const changed = fromHex(signature)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(isRoundSigned(QUICKNET, round, toHex(changed)), `bit ${bit}`).toBe(false)
    }
  })

  it('a signature is rejected in capital letters, for another round or by another key', () => {
    const { round, signature } = drand.rounds[0] ?? { round: 0, signature: '' }
    expect(isRoundSigned(QUICKNET, round, signature.toUpperCase())).toBe(false)
    expect(isRoundSigned(QUICKNET, round + 1, signature)).toBe(false)
    expect(isRoundSigned({ publicKey: '00' }, round, signature)).toBe(false)
  })

  it('a draw uses the first round that is due after its start', () => {
    expect([0, 1, 2, 3, 4].map((after) => roundOf(QUICKNET, QUICKNET.genesis + after))).toEqual([1, 2, 2, 2, 3])
    expect(() => roundOf(QUICKNET, QUICKNET.genesis - 1)).toThrow(RangeError)
    expect(() => roundOf({ genesis: 0, period: 0 }, 1)).toThrow(RangeError)
  })
})

describe('a private beacon', () => {
  it('a private beacon signs rounds that only its own key verifies', () => {
    const secretKey = beaconSecretKey(new Uint8Array(48).fill(5))
    const chain = { publicKey: beaconPublicKey(secretKey) }
    const signature = signRound(secretKey, 7)
    expect(isRoundSigned(chain, 7, signature)).toBe(true)
    expect(isRoundSigned(chain, 8, signature)).toBe(false)
    expect(isRoundSigned(QUICKNET, 7, signature)).toBe(false)
  })

  it('there is no round below 1, whoever signed it', () => {
    const secretKey = beaconSecretKey(new Uint8Array(48).fill(5))
    const chain = { publicKey: beaconPublicKey(secretKey) }
    const { shortSignatures: bls } = bls12_381
    const message = bls.hash(nobleHash(u64(0)), 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_')
    expect(isRoundSigned(chain, 0, toHex(bls.sign(message, secretKey).toBytes(true)))).toBe(false)
    for (const round of [0, -1, 1.5])
      expect(refusalOf(() => signRound(secretKey, round))).toBe(`RangeError: not a round: ${round}`)
    expect(isRoundSigned(chain, 1, signRound(secretKey, 1))).toBe(true)
  })

  it('a secret key is made of 48 random bytes', () => {
    for (const length of [47, 49])
      expect(refusalOf(() => beaconSecretKey(new Uint8Array(length).fill(5)))).toBe(
        'RangeError: a secret key is made of 48 random bytes',
      )
  })
})
