import type { Checkout } from '@fairball/contract/schemas/order'

/** The present of the tests, in epoch seconds. */
export const CHECKOUT_NOW = Date.parse('2026-11-21T12:00:00Z') / 1000
/** A regtest address of a made-up key (BIP 173). */
export const CHECKOUT_ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

/** An order that was just made and waits for its payment, as the server answers it. */
export const CHECKOUT: Checkout = {
  transaction_id: 'order-1',
  status: 'PENDING',
  game_key: 'bitcoin-hero',
  game_name: 'Bitcoin Hero',
  lines: 1,
  draws: 2,
  network: 'regtest',
  address: CHECKOUT_ADDRESS,
  uri: `bitcoin:${CHECKOUT_ADDRESS}?amount=0.00002000`,
  amount: {
    crypto: { value: '0.00002000', code: 'BTC' },
    fiat: { GBP: { value: 2, symbol: '£', position_of_symbol: 'LEFT' } },
  },
  line_prices: [{ draws: 2, price: { fiat: { GBP: { value: 1, symbol: '£', position_of_symbol: 'LEFT' } } } }],
  received: { value: '0.00000000', code: 'BTC' },
  missing: { value: '0.00002000', code: 'BTC' },
  excess: { value: '0.00000000', code: 'BTC' },
  confirmations: 0,
  confirmations_needed: 1,
  is_live: true,
  transactions: [],
  ended_because: null,
  block_by: null,
  is_late: false,
  is_taken_back: false,
  moved: [],
  expires_at: CHECKOUT_NOW + 900,
  return_url: 'http://localhost/game/bitcoin-hero?transaction_id=order-1',
  can_pay_from_test_wallet: true,
}
