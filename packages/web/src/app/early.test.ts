// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { askEarly } from './early.ts'

/** Opens an address as somebody, with a router that loads nothing. */
async function arrive(address: string, status: 'player' | 'anonymous', preloadRoute = vi.fn(async () => undefined)) {
  history.replaceState(null, '', address)
  const session = { ready: async () => undefined, state: () => ({ status }) }
  const parseSearch = (text: string) => Object.fromEntries(new URLSearchParams(text))
  // A stand-in with what is used of a router.
  const router = { options: { context: { session }, parseSearch }, preloadRoute } as unknown
  await askEarly(router as Parameters<typeof askEarly>[0])
  return preloadRoute.mock.calls
}

it('a page of players is loaded before React has taken over the document, with what its address names', async () => {
  expect(await arrive('/game/bitcoin-hero/results/2?wins=3', 'player')).toEqual([
    [{ to: '/game/bitcoin-hero/results/2', search: { wins: '3' } }],
  ])
})

it('for a visitor nothing of it is asked for', async () => {
  expect(await arrive('/settings/general/tickets', 'anonymous')).toEqual([])
})

it('what cannot be loaded early is left to the page', async () => {
  const fails = vi.fn(() => Promise.reject(new Error('no network')))
  expect(await arrive('/settings/general/tickets', 'player', fails)).toHaveLength(1)
})
