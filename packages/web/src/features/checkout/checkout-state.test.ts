import { describe, expect, it } from 'vitest'
import { checkoutStateAt, isLastMoment, isSome, pageOfAddress, pollAfterMs } from './checkout-state.ts'

const EXPIRES_AT = 1000
const crypto = (value: string) => ({ value, code: 'BTC' as const })
const [NOTHING, SOME] = [crypto('0.00000000'), crypto('0.00000600')]
const OPEN = {
  expires_at: EXPIRES_AT,
  block_by: null,
  ended_because: null,
  is_late: false,
  is_taken_back: false,
  received: NOTHING,
  missing: SOME,
}

describe('the checkout page', () => {
  it.each([
    ['PENDING', 999, {}, 'waiting'],
    ['PENDING', 1000, {}, 'expired'],
    ['UNDERPAID', 999, { received: SOME }, 'underpaid'],
    ['UNDERPAID', 1000, { received: SOME }, 'returning'],
    ['PROCESSING', 2000, { received: SOME, missing: NOTHING }, 'confirming'],
    ['PROCESSING', 2000, { received: SOME, missing: NOTHING, is_late: true }, 'late'],
    ['PROCESSING', 2000, { received: SOME, missing: NOTHING, block_by: 2001 }, 'confirming'],
    ['PROCESSING', 2001, { received: SOME, missing: NOTHING, block_by: 2001 }, 'unconfirmed'],
    ['EXPIRED', 2001, { received: SOME, missing: NOTHING, block_by: 2001 }, 'unconfirmed'],
    ['PROCESSING', 500, { received: SOME, missing: NOTHING, is_taken_back: true }, 'reversed'],
    ['PAID', 2000, { received: SOME, missing: NOTHING }, 'paid'],
    ['EXPIRED', 500, {}, 'expired'],
    ['EXPIRED', 2000, { received: SOME }, 'returning'],
    ['EXPIRED', 2000, { received: SOME, missing: NOTHING, is_late: true }, 'late'],
    ['EXPIRED', 500, { ended_because: 'PAUSE' }, 'paused'],
    ['EXPIRED', 500, { received: SOME, ended_because: 'WEEKLY_LIMIT' }, 'limited'],
    ['REFUNDED', 2000, { received: SOME }, 'refunded'],
  ] as const)('a payment that is %s at %i with %o is shown as %s', (status, nowAt, facts, state) => {
    expect(checkoutStateAt({ status, ...OPEN, ...facts }, nowAt)).toBe(state)
  })

  it.each([
    ['PENDING', true],
    ['UNDERPAID', true],
    ['PROCESSING', true],
    ['EXPIRED', true],
    ['PAID', false],
    ['REFUNDED', false],
  ] as const)('a payment that is %s is checked again: %s', (status, looks) => {
    expect(pollAfterMs(status) !== false).toBe(looks)
  })

  it('the page warns in the last three minutes', () => {
    expect(isLastMoment(EXPIRES_AT, EXPIRES_AT - 181)).toBe(false)
    expect(isLastMoment(EXPIRES_AT, EXPIRES_AT - 180)).toBe(true)
  })

  it('zero is distinguished from a single satoshi', () => {
    expect(['0.00000000', '0.00000001', '21000000.00000000'].map((value) => isSome({ value }))).toEqual([
      false,
      true,
      true,
    ])
  })

  it('the page goes back to the page of the return address', () => {
    expect(pageOfAddress('https://fairball.example/game/treasure?transaction_id=7')).toBe(
      '/game/treasure?transaction_id=7',
    )
  })
})
