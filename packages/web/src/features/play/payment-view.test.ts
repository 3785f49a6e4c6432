import { describe, expect, it } from 'vitest'
import { lookAgainAfterMs, paymentViewOf } from './payment-view.ts'

describe('the payment status on step 3', () => {
  it.each([
    [undefined, 'checking', true],
    ['PAID', 'confirmed', false],
    ['PENDING', 'unpaid', true],
    ['PROCESSING', 'processing', true],
    ['UNDERPAID', 'underpaid', true],
    ['EXPIRED', 'expired', true],
    ['REFUNDED', 'refunded', false],
  ] as const)('%s shows %s, and is checked again: %s', (status, view, looksAgain) => {
    expect(paymentViewOf(status && { status })).toBe(view)
    expect(lookAgainAfterMs(status) !== false).toBe(looksAgain)
  })

  it.each([
    ['PENDING', 'expired'],
    ['UNDERPAID', 'expired'],
    ['PROCESSING', 'processing'],
  ] as const)('%s shows %s once the time to pay is over by the clock', (status, view) => {
    expect(paymentViewOf({ status }, true)).toBe(view)
  })

  it('a payment that was seen in time and is in no block in time is no order whose time is over', () => {
    expect(paymentViewOf({ status: 'EXPIRED', block_by: 1 })).toBe('processing')
  })
})
