import { HDKey } from '@scure/bip32'
import { describe, expect, it } from 'vitest'
import { parseBtcAddress } from '@fairball/domain/btc-address'
import { parseAccountKey } from './account-key.ts'

/** BIP 84's own vectors, its key written as an xpub. */
const BIP84 =
  'xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V'
const ORIGIN = '[73c5da0a/84h/0h/0h]'

const TEST_VERSIONS = { private: 0x04358394, public: 0x043587cf }
const testRoot = HDKey.fromMasterSeed(new Uint8Array(32).fill(3), TEST_VERSIONS)
const tpub = testRoot.derive("m/84'/1'/0'").publicExtendedKey

describe('an account’s key', () => {
  it('an account’s key gives the addresses of BIP 84', () => {
    const account = parseAccountKey(ORIGIN + BIP84, 'mainnet')
    expect([account.addressAt(0), account.addressAt(1)]).toEqual([
      'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
      'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
    ])
    expect(account).toMatchObject({
      xpub: BIP84,
      receiving: `wpkh(${ORIGIN}${BIP84}/0/*)`,
      change: `wpkh(${ORIGIN}${BIP84}/1/*)`,
    })
  })

  it.each(['testnet4', 'signet', 'regtest'] as const)('an account’s key gives addresses of %s', (network) => {
    const account = parseAccountKey(`[00000000/84'/1'/0']${tpub}`, network)
    for (const index of [0, 1, 2 ** 31 - 1])
      expect(parseBtcAddress(account.addressAt(index), network)?.kind).toBe('wpkh')
    expect(account.receiving).toContain('[00000000/84h/1h/0h]')
  })

  it.each([
    ['no origin', BIP84, 'mainnet', 'set an account key with its origin, like [d34db33f/84h/0h/0h]xpub…'],
    ['nothing', '', 'regtest', 'set an account key with its origin, like [d34db33f/84h/1h/0h]tpub…'],
    ['a descriptor', `wpkh(${ORIGIN}${BIP84}/0/*)`, 'mainnet', 'set an account key with its origin'],
    ['a key of the other networks', ORIGIN + BIP84, 'signet', 'this is no tpub, which signet needs'],
    ['a key of mainnet’s other kind', `${ORIGIN}${tpub}`, 'mainnet', 'this is no xpub, which mainnet needs'],
    ['a key cut short', ORIGIN + BIP84.slice(0, -1), 'mainnet', 'was not copied whole'],
    ['a mistyped letter', ORIGIN + BIP84.replace('UeTD', 'UeTE'), 'mainnet', 'was not copied whole'],
    ['a path that is not the key’s', `[73c5da0a/84h/0h]${BIP84}`, 'mainnet', 'the path of the origin is not'],
    ['another account’s path', `[73c5da0a/84h/0h/1h]${BIP84}`, 'mainnet', 'the path of the origin is not'],
    [
      'a private key',
      `[00000000/84h/1h/0h]${testRoot.derive("m/84'/1'/0'").privateExtendedKey}`,
      'regtest',
      'this is a private key: keep it away from the server',
    ],
  ] as const)('an account’s key is not %s', (_title, text, network, message) => {
    const failure = failureOf(() => parseAccountKey(text, network))
    expect(failure).toBeInstanceOf(RangeError)
    expect(failure?.message).toContain(message)
    expect(failure?.message).not.toMatch(/[xt]p(ub|rv)[1-9A-HJ-NP-Za-km-z]{10}/)
  })
})

function failureOf(action: () => unknown): Error | null {
  try {
    action()
    return null
  } catch (error) {
    return error as Error
  }
}
