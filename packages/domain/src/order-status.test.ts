import { describe, expect, it } from 'vitest'
import { canMoveOrder, latePaymentAccepted, ORDER_STATUSES, shownStatus, statusesBefore } from './order-status.ts'

describe('the status of an order', () => {
  it.each([
    ['PAID', ['PENDING', 'PROCESSING', 'UNDERPAID', 'EXPIRED']],
    ['REFUNDED', ['EXPIRED']],
    ['EXPIRED', ['PENDING', 'PROCESSING', 'UNDERPAID']],
    ['PROCESSING', ['PENDING', 'UNDERPAID', 'PAID']],
    ['UNDERPAID', ['PENDING', 'PROCESSING']],
    ['PENDING', ['PROCESSING', 'UNDERPAID']],
  ] as const)('an order becomes %s from %j', (to, from) => {
    expect(statusesBefore(to)).toEqual(from)
  })

  it('an order never leaves REFUNDED, and leaves PAID only for PROCESSING, when its payment is reversed', () => {
    for (const to of ORDER_STATUSES) {
      expect(canMoveOrder({ from: 'PAID', to })).toBe(to === 'PROCESSING')
      expect(canMoveOrder({ from: 'REFUNDED', to })).toBe(false)
    }
  })

  it('the history shows PENDING as PROCESSING', () => {
    expect(ORDER_STATUSES.map(shownStatus)).toEqual([
      'PROCESSING',
      'PROCESSING',
      'UNDERPAID',
      'EXPIRED',
      'PAID',
      'REFUNDED',
    ])
  })
})

describe('a payment confirmed after the expiry', () => {
  const payment = {
    minedAt: 1000 + 86_400,
    now: 1001 + 86_400,
    expiresAt: 1000,
    closesAt: [90_000, 1_000_000],
    dueSats: 98n,
    presentPriceSats: 100n,
    freeTicketsNeeded: 2,
    freeTicketsLeft: 2,
  }

  it.each([
    ['at the last second of 24 hours, 98% of the price, its free tickets still free', {}, true],
    ['a second after 24 hours', { minedAt: 1001 + 86_400 }, false],
    ['at the very close of one of its draws', { now: 87_400, closesAt: [87_400, 1_000_000] }, false],
    ['a second before the close', { now: 87_399, closesAt: [87_400] }, true],
    ['when one of its draws is not open any more', { closesAt: [0, 1_000_000] }, false],
    ['at less than 98% of the price', { dueSats: 979n, presentPriceSats: 1000n }, false],
    ['when the price has fallen', { dueSats: 100n, presentPriceSats: 50n }, true],
    ['when one of its free tickets is used elsewhere', { freeTicketsLeft: 1 }, false],
  ])('the acceptance of a late payment is decided %s', (_, change, isAccepted) => {
    expect(latePaymentAccepted({ ...payment, ...change })).toBe(isAccepted)
  })
})
