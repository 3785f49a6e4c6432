import type { BitcoinNetwork } from '@fairball/domain/btc-address'

const EXPLORERS: Record<BitcoinNetwork, string | null> = {
  mainnet: 'https://mempool.space/tx/',
  testnet4: 'https://mempool.space/testnet4/tx/',
  signet: 'https://mempool.space/signet/tx/',
  regtest: null,
}

/** The page of a public explorer that shows a transaction; null on a network nobody else sees. */
export function explorerLink(network: BitcoinNetwork, txid: string): string | null {
  const explorer = EXPLORERS[network]
  return explorer === null ? null : explorer + txid
}
