import { HARDENED_OFFSET, HDKey } from '@scure/bip32'
import { NETWORK, TEST_NETWORK } from '@scure/btc-signer'
import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import { childAddresses } from '../wallet/child-address.ts'

/** An account's extended public key, and what is derived from it. It can watch and receive, never spend. */
export interface AccountKey {
  /** the extended key itself, which names the account */
  readonly xpub: string
  /** All addresses that players pay to, as a descriptor without checksum, written like Bitcoin Core's. */
  readonly receiving: string
  /** The addresses for change, for when the operator spends through the watching wallet. */
  readonly change: string
  /** The address at `…/0/index`. @param index 0 to 2^31 − 1 */
  addressAt(index: number): string
}

/** Version bytes of BIP 32: every test network shares one pair. */
const MAIN_VERSIONS = { private: 0x0488ade4, public: 0x0488b21e }
const TEST_VERSIONS = { private: 0x04358394, public: 0x043587cf }
const PREFIXES: Record<BitcoinNetwork, string> = { mainnet: 'bc', testnet4: 'tb', signet: 'tb', regtest: 'bcrt' }
/** BIP 380: `[` fingerprint, path `]` key. */
const WITH_ORIGIN = /^\[([0-9a-f]{8})((?:\/\d+[h']?)+)\]([1-9A-HJ-NP-Za-km-z]+)$/

/**
 * Parses an account's extended public key with its origin, like `[d34db33f/84h/0h/0h]xpub6…`.
 *
 * @throws RangeError that says what is wrong with it, and never repeats it
 */
export function parseAccountKey(text: string, network: BitcoinNetwork): AccountKey {
  const isMain = network === 'mainnet'
  const word = isMain ? 'xpub' : 'tpub'
  const [, fingerprint, path, xpub] = WITH_ORIGIN.exec(text.trim()) ?? []
  if (fingerprint === undefined || path === undefined || xpub === undefined)
    throw new RangeError(`set an account key with its origin, like [d34db33f/84h/${isMain ? 0 : 1}h/0h]${word}…`)
  const key = readKey(xpub, isMain ? MAIN_VERSIONS : TEST_VERSIONS)
  if (key === null) throw new RangeError(`this is no ${word}, which ${network} needs, or it was not copied whole`)
  if (key.privateKey !== null)
    throw new RangeError(`this is a private key: keep it away from the server, set its ${word}`)
  const steps = path.slice(1).split('/').map(stepOf)
  if (key.depth !== steps.length || key.index !== steps.at(-1))
    throw new RangeError('the path of the origin is not the one this key has')

  const origin = `[${fingerprint}${path.replaceAll("'", 'h')}]${xpub}`
  const addresses = { ...(isMain ? NETWORK : TEST_NETWORK), bech32: PREFIXES[network] }
  return {
    xpub,
    receiving: `wpkh(${origin}/0/*)`,
    change: `wpkh(${origin}/1/*)`,
    addressAt: childAddresses(key.deriveChild(0), addresses),
  }
}

function readKey(text: string, versions: typeof MAIN_VERSIONS): HDKey | null {
  try {
    return HDKey.fromExtendedKey(text, versions)
  } catch {
    return null // its message may repeat the key
  }
}

/** `84h` as a BIP 32 number. */
function stepOf(text: string): number {
  const isHardened = /[h']$/.test(text)
  return Number.parseInt(text, 10) + (isHardened ? HARDENED_OFFSET : 0)
}
