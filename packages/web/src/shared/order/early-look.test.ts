// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Api } from '../api.ts'
import type { Session } from '../session/session.ts'

const PAYMENT = { status: 'PAID' }
const ADDRESS = '/game/bitcoin-hero?transaction_id=order-1'

beforeEach(() => {
  vi.useFakeTimers()
  vi.resetModules()
})
afterEach(() => vi.useRealTimers())

/** What a document for an address does before its screens are there; it has loaded for `loadedMs`. */
async function arrive({ status = 'player', loadedMs = 0, getPayment = vi.fn(async () => PAYMENT) } = {}) {
  history.replaceState(null, '', ADDRESS)
  const { runtime } = await import('../runtime.ts')
  vi.spyOn(runtime, 'sinceLoadMs').mockReturnValue(loadedMs)
  const looks = await import('./early-look.ts')
  let visit = 0
  const session = { ready: async () => undefined, state: () => ({ status }), visit: () => visit } as unknown as Session
  const over = looks.lookEarly({ call: getPayment } as unknown as Api, session)
  return { ...looks, getPayment, over, logOut: () => (visit += 1) }
}

it('the payment that the address names is asked for a second after the arrival, before the page can show it', async () => {
  const { takeEarlyLook, getPayment, over } = await arrive({ loadedMs: 400 })
  await vi.advanceTimersByTimeAsync(599)
  expect(getPayment).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  await over
  expect(getPayment.mock.calls).toEqual([['getPayment', { query: { transaction_id: 'order-1' } }]])
  expect(takeEarlyLook('order-1')).toEqual(PAYMENT)
})

it('what was seen of a payment is taken over once, and by its own order alone', async () => {
  const { takeEarlyLook, over } = await arrive({ loadedMs: 2000 })
  await vi.runAllTimersAsync()
  await over
  expect(takeEarlyLook('order-2')).toBeUndefined()
  expect(takeEarlyLook('order-1')).toEqual(PAYMENT)
  expect(takeEarlyLook('order-1')).toBeUndefined()
})

it('what one player has seen is not shown to the next', async () => {
  const { takeEarlyLook, over, logOut } = await arrive({ loadedMs: 2000 })
  await vi.runAllTimersAsync()
  await over
  logOut()
  expect(takeEarlyLook('order-1')).toBeUndefined()
})

it.each([
  ['a visitor', { status: 'anonymous' }],
  ['a call that fails', { getPayment: vi.fn(() => Promise.reject(new Error('no network'))) }],
])('for %s nothing was seen, and the page asks itself', async (_who, given) => {
  const { takeEarlyLook, over } = await arrive({ loadedMs: 2000, ...given })
  await vi.runAllTimersAsync()
  await over
  expect(takeEarlyLook('order-1')).toBeUndefined()
})
