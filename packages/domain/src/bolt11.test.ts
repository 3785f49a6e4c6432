/** The examples of BOLT 11, in vectors/bolt11.json. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import vectors from '../vectors/bolt11.json'
import { nodeIdOf, payeeOfBolt11, signBolt11 } from './bolt11-signature.ts'
import { type Bolt11Draft, readBolt11 } from './bolt11.ts'
import { fromHex, toHex } from './protocol/bytes.ts'

const HASH = '0001020304050607080900010203040506070809000102030405060708090102'
const KEY = fromHex(vectors.secret_key)

describe('Lightning invoices', () => {
  it.each(vectors.valid)('an invoice is read: $title', ({ text, ...wanted }) => {
    expect(readBolt11(text)).toMatchObject({
      network: wanted.network,
      amountMsat: wanted.amount_msat === null ? null : BigInt(wanted.amount_msat),
      madeAt: wanted.made_at,
      hash: HASH,
      description: wanted.description,
      descriptionHash: wanted.description_hash ?? null,
      secret: wanted.secret,
      expirySeconds: wanted.expiry,
      features: wanted.features,
      payee: null,
    })
    expect(payeeOfBolt11(text)).toBe(vectors.payee)
  })

  it('an invoice is read to the thousandth of a satoshi', () => {
    const { pico } = vectors
    expect(readBolt11(pico.text)).toMatchObject({
      amountMsat: BigInt(pico.amount_msat),
      madeAt: pico.made_at,
      hash: pico.hash,
      expirySeconds: pico.expiry,
      minFinalCltv: pico.cltv,
    })
  })

  it.each(vectors.valid.filter((vector) => vector.is_own_form))(
    'an invoice is written as the example: $title',
    (vector) => {
      const { text, network, amount_msat: msat, made_at: madeAt, description, features, secret, expiry } = vector
      const draft = {
        network: network as 'mainnet',
        amountMsat: msat === null ? null : BigInt(msat),
        madeAt,
        hash: HASH,
        description,
        descriptionHash: vector.description_hash ?? null,
        secret,
        expirySeconds: expiry === 3600 ? null : expiry,
        minFinalCltv: null,
        features,
      }
      expect(nodeIdOf(KEY)).toBe(vectors.payee)
      expect(signBolt11(draft, KEY)).toBe(text)
    },
  )

  it.each(vectors.invalid)('a text is no invoice: $title', ({ text }) => {
    expect([readBolt11(text), payeeOfBolt11(text)]).toEqual([null, null])
  })

  it('an invoice that nobody signed has no payee', () => {
    expect(payeeOfBolt11(vectors.unsigned)).toBeNull()
  })

  it('an invoice that is written is read the same, and none with a changed letter', () => {
    const hex32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex)
    const drafts: fc.Arbitrary<Bolt11Draft> = fc.record({
      network: fc.constantFrom('mainnet', 'testnet4', 'signet', 'regtest'),
      amountMsat: fc.option(fc.bigInt({ min: 1n, max: 2_100_000_000_000_000_000n })),
      madeAt: fc.nat({ max: 2 ** 31 }),
      hash: hex32,
      description: fc.option(fc.string({ unit: 'grapheme', maxLength: 60 })),
      descriptionHash: fc.option(hex32),
      secret: fc.option(hex32),
      expirySeconds: fc.option(fc.nat({ max: 31_536_000 })),
      minFinalCltv: fc.option(fc.nat({ max: 5000 })),
      features: fc
        .uniqueArray(fc.constantFrom(8, 9, 14, 15, 16, 17, 25, 48, 49, 99))
        .map((bits) => bits.toSorted((a, b) => a - b)),
    })
    fc.assert(
      fc.property(drafts, fc.nat(), (draft, place) => {
        const text = signBolt11(draft, KEY)
        expect(readBolt11(text)).toEqual({
          ...draft,
          expirySeconds: draft.expirySeconds ?? 3600,
          minFinalCltv: draft.minFinalCltv ?? 18,
          payee: null,
        })
        expect(payeeOfBolt11(text.toUpperCase())).toBe(vectors.payee)
        const at = place % text.length
        const other = text[at] === 'q' ? 'p' : 'q'
        expect(readBolt11(text.slice(0, at) + other + text.slice(at + 1))).toBeNull()
      }),
      { numRuns: 60, seed: 11 },
    )
  })
})
