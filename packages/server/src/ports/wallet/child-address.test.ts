import { HDKey } from '@scure/bip32'
import { NETWORK, p2wpkh } from '@scure/btc-signer'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { childAddresses } from './child-address.ts'

it('children have the addresses that the library derives, with and without the parent’s private key', () => {
  const seeds = fc.uint8Array({ minLength: 16, maxLength: 64 })
  const indices = fc.integer({ min: 0, max: 2 ** 31 - 1 })
  fc.assert(
    fc.property(seeds, indices, (seed, index) => {
      const parent = HDKey.fromMasterSeed(seed)
      const { publicKey } = parent.deriveChild(index)
      const expected = publicKey === null ? null : p2wpkh(publicKey, NETWORK).address
      const watching = HDKey.fromExtendedKey(parent.publicExtendedKey)
      expect(childAddresses(parent, NETWORK)(index)).toBe(expected)
      expect(childAddresses(watching, NETWORK)(index)).toBe(expected)
    }),
    {
      numRuns: 20,
      examples: [
        [new Uint8Array(32), 0],
        [new Uint8Array(32), 2 ** 31 - 1],
      ],
    },
  )
})
