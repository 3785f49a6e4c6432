import { createHash } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import { NETWORK, p2wpkh, TEST_NETWORK } from '@scure/btc-signer'
import type { BitcoinNetwork } from '@fairball/domain/btc-address'

const PROVIDERS_SEED = new Uint8Array(32).fill(11)
const LIGHTNING_PREFIXES = { mainnet: 'lnbc', testnet4: 'lntb', signet: 'lntbs', regtest: 'lnbcrt' }
const ADDRESS_PREFIXES = { mainnet: 'bc', testnet4: 'tb', signet: 'tb', regtest: 'bcrt' }

/** An address of a provider's wallet. */
export function addressAt(index: number, network: BitcoinNetwork): string {
  const { publicKey } = HDKey.fromMasterSeed(PROVIDERS_SEED).deriveChild(index)
  const params = { ...(network === 'mainnet' ? NETWORK : TEST_NETWORK), bech32: ADDRESS_PREFIXES[network] }
  const address = publicKey === null ? undefined : p2wpkh(publicKey, params).address
  if (address === undefined) throw new Error(`no address at index ${index}`)
  return address
}

/** Text like a Lightning request: prefix, amount in tenths of a satoshi, and words that cannot be paid. */
export function lightningRequest(sats: bigint, network: BitcoinNetwork): string {
  return `${LIGHTNING_PREFIXES[network]}${sats * 10n}n1p${'q'.repeat(120)}`
}

/** 64 hexadecimal digits derived from a name. */
export function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('hex')
}
