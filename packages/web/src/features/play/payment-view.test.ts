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
  ] as const)('a payment that is %s shows %s, and is checked again: %s', (status, view, looksAgain) => {
    expect(paymentViewOf(status && { status })).toBe(view)
    expect(lookAgainAfterMs(status) !== false).toBe(looksAgain)
  })

  it.each([
    ['PENDING', 'expired'],
    ['UNDERPAID', 'expired'],
    ['PROCESSING', 'processing'],
  ] as const)('a payment that is %s shows %s once the deadline has passed', (status, view) => {
    expect(paymentViewOf({ status }, true)).toBe(view)
  })

  it('a payment seen in time but not in a block in time does not count as expired', () => {
    expect(paymentViewOf({ status: 'EXPIRED', block_by: 1 })).toBe('processing')
  })
})
