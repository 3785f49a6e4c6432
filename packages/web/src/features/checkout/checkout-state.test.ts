import { describe, expect, it } from 'vitest'
import { checkoutStateAt, pageOfAddress, pollAfterMs } from './checkout-state.ts'

const EXPIRES_AT = 1000

describe('the checkout page', () => {
  it.each([
    ['PENDING', 999, 'waiting'],
    ['PENDING', 1000, 'expired'],
    ['UNDERPAID', 999, 'underpaid'],
    ['UNDERPAID', 2000, 'underpaid'],
    ['PROCESSING', 2000, 'confirming'],
    ['PAID', 2000, 'paid'],
    ['EXPIRED', 500, 'expired'],
    ['REFUNDED', 2000, 'refunded'],
  ] as const)('of a payment that is %s at %i shows it as %s', (status, nowAt, state) => {
    expect(checkoutStateAt({ status, expires_at: EXPIRES_AT }, nowAt)).toBe(state)
  })

  it.each([
    ['PENDING', true],
    ['UNDERPAID', true],
    ['PROCESSING', true],
    ['EXPIRED', true],
    ['PAID', false],
    ['REFUNDED', false],
  ] as const)('keeps looking at a payment that is %s: %s', (status, looks) => {
    expect(pollAfterMs(status) !== false).toBe(looks)
  })

  it('goes back to the page that the return address names', () => {
    expect(pageOfAddress('https://fairball.example/game/treasure?transaction_id=7')).toBe(
      '/game/treasure?transaction_id=7',
    )
  })
})
