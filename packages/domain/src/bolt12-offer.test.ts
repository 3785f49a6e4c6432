/** The test vectors of BOLT 12, in vectors/bolt12-offers.json. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import vectors from '../vectors/bolt12-offers.json'
import { isOnNetwork, readOffer } from './bolt12-offer.ts'
import { parseLightningDestination } from './lightning-destination.ts'

const NETWORKS = ['mainnet', 'testnet4', 'signet', 'regtest'] as const

describe('an offer', () => {
  it.each(vectors.valid)('an offer is read: $title', ({ text, networks, amount, currency, expires_at, counted }) => {
    const offer = readOffer(text)
    expect(offer).toMatchObject({
      amount: amount === null ? null : BigInt(amount),
      currency,
      expiresAt: expires_at,
      isCounted: counted,
      issuer: vectors.issuer,
    })
    expect(NETWORKS.filter((network) => offer !== null && isOnNetwork(offer, network))).toEqual(networks)
  })

  it('an offer may hide who is paid', () => {
    expect(readOffer(vectors.hidden)).toMatchObject({ issuer: null })
  })

  it.each(vectors.invalid)('a text is no offer: $title', ({ text }) => {
    expect(readOffer(text)).toBeNull()
  })

  it('no text makes reading fail', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'qpzry9x8gf2tvdw0s3jn54khce6mua7l'.split('')) })
    fc.assert(fc.property(letters, (text) => readOffer(`lno1${text}`) !== undefined))
  })
})

describe('what a player typed', () => {
  it.each(vectors.joined.same)('an offer in parts is put together', (text) => {
    expect(parseLightningDestination(text, null)).toEqual({ kind: 'OFFER', value: vectors.joined.whole })
    expect(readOffer(vectors.joined.whole)).not.toBeNull()
  })

  it.each(vectors.joined.not)('a plus sign that joins nothing is not left out', (text) => {
    expect(parseLightningDestination(text, null)).toBeNull()
  })

  it.each([
    ['anna@wallet.example', 'anna@wallet.example'],
    ['  lightning:Anna+Tips@Wallet.Example ', 'anna+tips@wallet.example'],
    ['a.b-c_d@xn--bcher-kva.example', 'a.b-c_d@xn--bcher-kva.example'],
  ])('a Lightning address is read: %s', (text, value) => {
    expect(parseLightningDestination(text, null)).toEqual({ kind: 'ADDRESS', value })
  })

  it.each([
    ['nothing', ''],
    ['no host', 'anna@'],
    ['no name', '@wallet.example'],
    ['a name with a space', 'an na@wallet.example'],
    ['a name of 65 letters', `${'a'.repeat(65)}@wallet.example`],
    ['two hosts', 'anna@wallet.example@other.example'],
    ['one label', 'anna@localhost'],
    ['an address of IPv4', 'anna@127.0.0.1'],
    ['an address of IPv4 in hex', 'anna@0x7f.0x1'],
    ['an address of IPv6', 'anna@[::1]'],
    ['a port', 'anna@wallet.example:8443'],
    ['userinfo', 'anna:secret@wallet.example'],
    ['a path', 'anna@wallet.example/path'],
    ['a name of Tor', 'anna@abcdefghijklmnop.onion'],
    ['an empty label', 'anna@wallet..example'],
    ['a dot at the end', 'anna@wallet.example.'],
    ['a label with a hyphen at its end', 'anna@wallet-.example'],
    ['letters that are not ASCII', 'anna@bücher.example'],
    ['an invoice', 'lnbc1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypq'],
    ['a bitcoin address', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
  ])('a text is no destination: %s', (_what, text) => {
    expect(parseLightningDestination(text, null)).toBeNull()
  })

  it('the host of this installation may have a port, where addresses there are allowed', () => {
    expect(parseLightningDestination('anna@localhost:3000', 'localhost:3000')).not.toBeNull()
    expect(parseLightningDestination('anna@localhost:3001', 'localhost:3000')).toBeNull()
  })
})
