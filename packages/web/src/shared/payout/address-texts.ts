import type { BitcoinNetwork } from '@fairball/domain/btc-address'

/** The words of the form for the payout address. */
export const ADDRESS_TEXTS = {
  btcAddress: 'Bitcoin address',
  btcAddressHint: (network: BitcoinNetwork) =>
    network === 'mainnet'
      ? 'Use a bitcoin address (starts with bc1, 1 or 3).'
      : `Use a test-network address (starts with ${network === 'regtest' ? 'bcrt1' : 'tb1'}).`,
  socialNeedsTwofa: 'To change the address, please switch on two-factor authentication first.',
} as const
