import type { CryptoAccountDetails } from '@fairball/contract/schemas/account'

/** Where a player is paid, for tests: nothing is saved, and payouts leave on the chain alone. */
export function payoutDetails(changes: Partial<CryptoAccountDetails> = {}): CryptoAccountDetails {
  return {
    btc_address: null,
    lightning: null,
    pay_first: null,
    pay_first_from: null,
    lightning_kinds: [],
    ...changes,
  }
}
