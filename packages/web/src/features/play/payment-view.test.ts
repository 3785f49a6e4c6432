import { describe, expect, it } from 'vitest'
import { isPaid, lookAgainAfterMs, paymentViewOf } from './payment-view.ts'

describe('the payment status on step 3', () => {
  it.each([
    [undefined, null, 'checking', true],
    ['PAID', true, 'confirmed', false],
    ['PENDING', false, 'unpaid', true],
    ['PROCESSING', false, 'processing', true],
    ['UNDERPAID', false, 'underpaid', true],
    ['EXPIRED', false, 'expired', true],
    ['REFUNDED', false, 'refunded', false],
  ] as const)('%s is paid: %s, shows %s, and is looked at again: %s', (status, paid, view, looksAgain) => {
    expect(isPaid(status)).toBe(paid)
    expect(paymentViewOf(status)).toBe(view)
    expect(lookAgainAfterMs(status) !== false).toBe(looksAgain)
  })
})
