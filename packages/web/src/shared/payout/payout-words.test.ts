import type { Payout } from '@fairball/contract/schemas/account'
import { describe, expect, it } from 'vitest'
import { payoutStops, shortTxid, waitingWords } from './payout-words.ts'

/** Nov 25, 2026, 6:02 PM. */
const COUNTED_AT = Date.UTC(2026, 10, 25, 18, 2) / 1000
const MOMENTS = { nowAt: COUNTED_AT, utcOffsetAt: () => 0 }
const TXID = `9632${'0'.repeat(56)}234f`

const payout = (changes: Partial<Payout>): Payout => ({
  status: 'SCHEDULED',
  reason: null,
  amount: { crypto: { value: '0.00005000', code: 'BTC' }, fiat: {} },
  leaves_by: null,
  sent_at: null,
  available_from: null,
  address: null,
  txid: null,
  link: null,
  confirmations: 0,
  network: 'ONCHAIN',
  receipt: null,
  ...changes,
})
const sentAt = COUNTED_AT + 29 * 60

describe('the three stops of a payout', () => {
  it.each([
    ['waits', { status: 'WAITING', reason: 'NO_ADDRESS' }, ['Counted 6:02 PM', '(Sent )', '(In your wallet )']],
    [
      'is about to leave',
      { leaves_by: COUNTED_AT + 59 * 60 },
      ['Counted 6:02 PM', '(Sent by 7:01 PM)', '(In your wallet )'],
    ],
    [
      'was sent',
      { status: 'SENT', sent_at: sentAt, txid: TXID },
      ['Counted 6:02 PM', 'Sent at 6:31 PM', '(In your wallet 0 confirmations)'],
    ],
    [
      'is in a block',
      { status: 'CONFIRMED', sent_at: sentAt, txid: TXID, confirmations: 1 },
      ['Counted 6:02 PM', 'Sent at 6:31 PM', 'In your wallet 1 confirmation'],
    ],
    [
      'was paid over Lightning',
      { status: 'CONFIRMED', sent_at: sentAt, receipt: { payment_hash: TXID, preimage: TXID, invoice: '' } },
      ['Counted 6:02 PM', 'Sent at 6:31 PM', 'In your wallet over Lightning'],
    ],
    [
      'left before the end of the draw',
      { status: 'SENT', sent_at: COUNTED_AT - 60, txid: TXID },
      ['Counted 6:01 PM', 'Sent at 6:01 PM', '(In your wallet 0 confirmations)'],
    ],
    [
      'left on another day',
      { status: 'CONFIRMED', sent_at: COUNTED_AT + 86_400, confirmations: 6 },
      ['Counted 6:02 PM', 'Sent at Thu, Nov 26, 6:02 PM', 'In your wallet 6 confirmations'],
    ],
  ] as const)('money that %s has its times at the stops', (_what, changes, stops) => {
    expect(
      payoutStops(payout(changes), COUNTED_AT, MOMENTS).map(({ name, text, isReached }) =>
        isReached ? `${name} ${text}` : `(${name} ${text})`,
      ),
    ).toEqual(stops)
  })

  it('a transaction is named by the ends of its id', () => {
    expect(shortTxid(TXID)).toBe('9632…234f')
  })
})

it.each([
  [null, null, null],
  ['NO_ADDRESS', 'Waiting for a payout address.', 'ADD_ADDRESS'],
  ['EMAIL_UNVERIFIED', 'Waiting for your email to be verified.', 'RESEND_EMAIL'],
  ['ADDRESS_CHANGED', 'Your new address can be used from 7:00.', null],
  ['NO_ANSWER', 'Your Lightning wallet did not answer. We try again at 7:00.', null],
  ['TOO_LARGE', 'Too large for Lightning: save a bitcoin address.', 'ADD_ADDRESS'],
  ['BELOW_MINIMUM', 'Too small to send on its own: it goes out with your next prize.', null],
  ['ON_HOLD', 'Being checked by us. Nothing for you to do.', null],
] as const)('the reason %s says "%s", with the action %s', (reason, text, action) => {
  const words = waitingWords(payout({ reason, available_from: 7 }), (at) => `${at}:00`)
  expect([words?.text ?? null, words?.action ?? null]).toEqual([text, action])
})
