import type { BitcoinNetwork } from '@fairball/domain/btc-address'

/** The names Bitcoin Core has for the networks (`getblockchaininfo`). */
export const CHAINS: Readonly<Record<BitcoinNetwork, string>> = {
  mainnet: 'main',
  testnet4: 'testnet4',
  signet: 'signet',
  regtest: 'regtest',
}
