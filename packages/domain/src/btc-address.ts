import { sha256 } from '@noble/hashes/sha2.js'
import { base58check, bech32, bech32m } from '@scure/base'

/** The bitcoin networks the product runs on (decisions section 1). */
export type BitcoinNetwork = 'mainnet' | 'testnet4' | 'signet' | 'regtest'

/** The supported kinds of address, by their names in Bitcoin Core's descriptors (decisions section 6). */
type BtcAddressKind = 'pkh' | 'sh' | 'wpkh' | 'wsh' | 'tr'

/** A supported address. */
interface BtcAddress {
  readonly kind: BtcAddressKind
  /** the script of an output that pays to the address */
  readonly scriptPubKey: Uint8Array
  /** an output below this many satoshis is not relayed: Bitcoin Core's dust limit at 3000 sat/kvB for its kind */
  readonly dustSats: bigint
}

/** Bech32 addresses have at most 90 characters (BIP 173); base58 ones are shorter. */
const LONGEST_ADDRESS = 90
const DUST_SATS: Record<BtcAddressKind, bigint> = { pkh: 546n, sh: 540n, wpkh: 294n, wsh: 330n, tr: 330n }

/** Testnet 4 and signet share one address format; its base58 part is regtest's too. */
const NETWORKS: Record<BitcoinNetwork, { readonly hrp: string; readonly pkh: number; readonly sh: number }> = {
  mainnet: { hrp: 'bc', pkh: 0x00, sh: 0x05 },
  testnet4: { hrp: 'tb', pkh: 0x6f, sh: 0xc4 },
  signet: { hrp: 'tb', pkh: 0x6f, sh: 0xc4 },
  regtest: { hrp: 'bcrt', pkh: 0x6f, sh: 0xc4 },
}

const OP_0 = 0x00
const OP_1 = 0x51
const OP_DUP = 0x76
const OP_EQUAL = 0x87
const OP_EQUALVERIFY = 0x88
const OP_HASH160 = 0xa9
const OP_CHECKSIG = 0xac

const base58 = base58check(sha256)

/**
 * Reads a bitcoin address of one network: base58check pay-to-pubkey-hash and pay-to-script-hash, bech32 witness version
 * 0 (BIP 173), bech32m taproot (BIP 350, BIP 341). Anything else is null, including unknown witness versions: coins
 * sent there can be lost (decisions section 6). Spaces around the text are not trimmed here.
 */
export function parseBtcAddress(text: string, network: BitcoinNetwork): BtcAddress | null {
  if (text.length > LONGEST_ADDRESS) return null
  return parseSegwit(text, network) ?? parseBase58(text, network)
}

/**
 * The spelling in which an address is compared and paid to. Bech32 may be written in capitals (BIP 173); it is the same
 * address, and gets one output. Any other text stays as it is: base58 is case-sensitive.
 */
export function addressInOneSpelling(address: string): string {
  return /^[A-Z]{2,4}1[A-Z0-9]+$/.test(address) ? address.toLowerCase() : address
}

/** Whether two spellings are one address. */
export function isSameAddress(one: string, other: string): boolean {
  return addressInOneSpelling(one) === addressInOneSpelling(other)
}

function parseSegwit(text: string, network: BitcoinNetwork): BtcAddress | null {
  // Witness version 0 has a bech32 checksum and every later one a bech32m checksum; the other way round is invalid.
  for (const encoding of [bech32, bech32m]) {
    const decoded = encoding.decodeUnsafe(text, LONGEST_ADDRESS)
    const [version, ...words] = decoded?.prefix === NETWORKS[network].hrp ? decoded.words : []
    if (version !== (encoding === bech32 ? 0 : 1)) continue
    const program = encoding.fromWordsUnsafe(words)
    if (!program) return null
    if (version === 0 && program.length === 20) return address('wpkh', [OP_0, 20, ...program])
    if (version === 0 && program.length === 32) return address('wsh', [OP_0, 32, ...program])
    if (version === 1 && program.length === 32) return address('tr', [OP_1, 32, ...program])
    return null
  }
  return null
}

function parseBase58(text: string, network: BitcoinNetwork): BtcAddress | null {
  const payload = decodeBase58(text)
  if (payload?.length !== 21) return null
  const [version, ...hash] = payload
  if (version === NETWORKS[network].pkh) {
    return address('pkh', [OP_DUP, OP_HASH160, 20, ...hash, OP_EQUALVERIFY, OP_CHECKSIG])
  }
  if (version === NETWORKS[network].sh) return address('sh', [OP_HASH160, 20, ...hash, OP_EQUAL])
  return null
}

function decodeBase58(text: string): Uint8Array | null {
  try {
    return base58.decode(text)
  } catch {
    return null // a wrong character or checksum; the library reports it only by throwing
  }
}

function address(kind: BtcAddressKind, script: number[]): BtcAddress {
  return { kind, scriptPubKey: Uint8Array.from(script), dustSats: DUST_SATS[kind] }
}
