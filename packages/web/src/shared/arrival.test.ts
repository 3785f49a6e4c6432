// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'

it('the time since the arrival counts from the load of the document, for its address alone', async () => {
  vi.resetModules()
  history.replaceState(null, '', '/game/bitcoin-hero?transaction_id=order-1')
  const { runtime } = await import('./runtime.ts')
  const { msSinceArrival } = await import('./arrival.ts')
  vi.spyOn(runtime, 'sinceLoadMs').mockReturnValue(700)
  history.replaceState(null, '', '/game/bitcoin-hero?transaction_id=order-2')
  expect(msSinceArrival('transaction_id=order-1')).toBe(700)
  expect(msSinceArrival('transaction_id=order-2')).toBe(0)
})
