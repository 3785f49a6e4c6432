import type { BitcoinNetwork } from '@fairball/domain/btc-address'

const EXPLORERS: Record<BitcoinNetwork, string | null> = {
  mainnet: 'https://mempool.space/tx/',
  testnet4: 'https://mempool.space/testnet4/tx/',
  signet: 'https://mempool.space/signet/tx/',
  regtest: null,
}

/**
 * An explorer's page for a transaction; null on a network that no one else sees, unless one is configured.
 *
 * @param explorerUrl its address up to the transaction's id; null for the network's usual one
 */
export function explorerLink(network: BitcoinNetwork, explorerUrl: string | null, txid: string): string | null {
  const explorer = explorerUrl ?? EXPLORERS[network]
  return explorer === null ? null : explorer + txid
}

/** The transaction of an outpoint. */
export function txidOf(outpoint: string): string {
  return outpoint.slice(0, outpoint.lastIndexOf(':'))
}
