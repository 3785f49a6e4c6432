/** Official vectors of BIP 173, BIP 350, BIP 341 and Bitcoin Core, merged in vectors/addresses.json. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import addresses from '../vectors/addresses.json'
import { addressInOneSpelling, type BitcoinNetwork, parseBtcAddress } from './btc-address.ts'
import { toHex } from './protocol/bytes.ts'

const NETWORKS: BitcoinNetwork[] = ['mainnet', 'testnet4', 'signet', 'regtest']
/** Output scripts of the five supported kinds, with their dust limits. */
const KINDS = [
  { kind: 'pkh', script: /^76a914[0-9a-f]{40}88ac$/, dustSats: 546n },
  { kind: 'sh', script: /^a914[0-9a-f]{40}87$/, dustSats: 540n },
  { kind: 'wpkh', script: /^0014[0-9a-f]{40}$/, dustSats: 294n },
  { kind: 'wsh', script: /^0020[0-9a-f]{64}$/, dustSats: 330n },
  { kind: 'tr', script: /^5120[0-9a-f]{64}$/, dustSats: 330n },
] as const
const kindOf = (script: string) => KINDS.find((kind) => kind.script.test(script))
const paid = addresses.valid.filter(({ script_pub_key }) => kindOf(script_pub_key) !== undefined)
const unknown = addresses.valid.filter(({ script_pub_key }) => kindOf(script_pub_key) === undefined)

describe('bitcoin addresses', () => {
  it('most of the official vectors have one of the five kinds', () => {
    expect(paid).toHaveLength(58)
    expect(unknown).toHaveLength(11)
    expect(addresses.invalid).toHaveLength(114)
  })

  it.each(paid)('$address pays on its networks and on no other', ({ address, networks, script_pub_key }) => {
    for (const network of NETWORKS) {
      const parsed = parseBtcAddress(address, network)
      if (!networks.includes(network)) {
        expect(parsed).toBeNull()
        continue
      }
      expect(toHex(parsed?.scriptPubKey ?? new Uint8Array())).toBe(script_pub_key)
      expect(parsed).toMatchObject({ kind: kindOf(script_pub_key)?.kind, dustSats: kindOf(script_pub_key)?.dustSats })
    }
  })

  it.each(unknown)('$address has an unknown witness version: coins sent there can be lost', ({ address }) => {
    for (const network of NETWORKS) expect(parseBtcAddress(address, network)).toBeNull()
  })

  it.each(addresses.invalid)('$address is refused: $reason', ({ address }) => {
    for (const network of NETWORKS) expect(parseBtcAddress(address, network)).toBeNull()
  })

  it.each([' bc1qvyq0cc6rahyvsazfdje0twl7ez82ndmuac2lhv', 'bc1qvyq0cc6rahyvsazfdje0twl7ez82ndmuac2lhv\n', 'bitcoin:x'])(
    'the text %j is refused',
    (text) => expect(parseBtcAddress(text, 'mainnet')).toBeNull(),
  )

  it('an address with one changed character is refused', () => {
    const arbitrary = fc.record({
      address: fc.constantFrom(...paid.map((known) => known.address)),
      at: fc.nat(),
      character: fc.constantFrom(...Array.from('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0')),
    })
    fc.assert(
      fc.property(arbitrary, ({ address, at, character }) => {
        const place = at % address.length
        const changed = address.slice(0, place) + character + address.slice(place + 1)
        if (changed === address) return
        for (const network of NETWORKS) expect(parseBtcAddress(changed, network)).toBeNull()
      }),
    )
  })

  it('any other text is refused, however long', () => {
    fc.assert(fc.property(fc.string(), (text) => parseBtcAddress(text, 'mainnet') === null))
    expect(parseBtcAddress('1'.repeat(1_000_000), 'mainnet')).toBeNull()
  })
})

it('an address in capitals becomes lower case, one of base58 stays as it is', () => {
  for (const { address } of addresses.valid) {
    const network = NETWORKS.find((one) => parseBtcAddress(address, one) !== null)
    if (network === undefined) continue
    const spelt = addressInOneSpelling(address)
    expect(parseBtcAddress(spelt, network)).toEqual(parseBtcAddress(address, network))
    expect(addressInOneSpelling(spelt.toUpperCase()) === spelt).toBe(/^(?:bc|tb|bcrt)1/u.test(spelt))
  }
})
