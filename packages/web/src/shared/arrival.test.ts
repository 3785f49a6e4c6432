// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'

it('the time since the arrival counts from the first script, for the address of the document alone', async () => {
  vi.useFakeTimers({ now: 1_000_000 })
  vi.resetModules()
  history.replaceState(null, '', '/game/bitcoin-hero?transaction_id=order-1')
  const { msSinceArrival } = await import('./arrival.ts')
  vi.setSystemTime(1_000_700)
  history.replaceState(null, '', '/game/bitcoin-hero?transaction_id=order-2')
  expect(msSinceArrival('transaction_id=order-1')).toBe(700)
  expect(msSinceArrival('transaction_id=order-2')).toBe(0)
  // The device's clock was set back.
  vi.setSystemTime(0)
  expect(msSinceArrival('transaction_id=order-1')).toBe(0)
})
