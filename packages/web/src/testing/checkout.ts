import type { Checkout, PaidFor } from '@fairball/contract/schemas/order'

/** The present of the tests, in epoch seconds. */
export const CHECKOUT_NOW = Date.parse('2026-11-21T12:00:00Z') / 1000
/** A regtest address of a made-up key (BIP 173). */
export const CHECKOUT_ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

const DRAW = { number: 12, start_at: CHECKOUT_NOW + 21_600, ticket_sell_closes_at: CHECKOUT_NOW + 21_300 }

/** An order of one line in one draw, as the status of its payment has it. */
export const PAID_FOR: PaidFor = {
  game_key: 'bitcoin-hero',
  created_at: CHECKOUT_NOW,
  paid_at: null,
  expires_at: CHECKOUT_NOW + 900,
  price: {
    crypto: { value: '0.00001000', code: 'BTC' },
    fiat: { GBP: { value: 1, symbol: '£', position_of_symbol: 'LEFT' } },
  },
  missing: null,
  draws: [{ ...DRAW, play_id: null }],
  lines: [{ numbers: [1, 2, 3, 4, 5], is_lucky_dip: false }],
}

/** An order that was just made and waits for its payment, as the server answers it. */
export const CHECKOUT: Checkout = {
  transaction_id: 'order-1',
  status: 'PENDING',
  game_key: 'bitcoin-hero',
  game_name: 'Bitcoin Hero',
  lines: 1,
  draws: 2,
  draw_refs: [
    DRAW,
    {
      ...DRAW,
      number: 13,
      start_at: DRAW.start_at + 86_400,
      ticket_sell_closes_at: DRAW.ticket_sell_closes_at + 86_400,
    },
  ],
  network: 'regtest',
  address: CHECKOUT_ADDRESS,
  uri: `bitcoin:${CHECKOUT_ADDRESS}?amount=0.00002000`,
  unified_uri: `bitcoin:${CHECKOUT_ADDRESS}?amount=0.00002000`,
  lightning: null,
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
