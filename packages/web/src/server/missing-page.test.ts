import { expect, it } from 'vitest'
import type { Api } from '../shared/api.ts'
import { leadsNowhere, renderMissing } from '../entry-server.tsx'
import { heroGame } from '../testing/hero-game.ts'
import { QUIET_CONFIG } from '../testing/quiet-config.ts'

const NOW = 1_800_000_000

it.each([
  '/a',
  '/there/is/nothing',
  '/how-to-claim/x',
  '/game/keno',
  '/game/keno/watch',
  '/game/treasure/x',
  '/%41?b=1',
  '//x',
])('an address that no page has leads nowhere: %s', (url) => {
  expect(leadsNowhere(url)).toBe(true)
})

it.each([
  '/',
  '/?a',
  '/how-to-claim',
  '/how-to-claim/',
  '/HOW-TO-CLAIM',
  '/how%2Dto-claim',
  '/game/threasure',
  '/game/treasure/draws/0',
])('an address of a page leads somewhere: %s', (url) => {
  expect(leadsNowhere(url)).toBe(false)
})

it('the page for what is missing leads nobody back to it', async () => {
  // A stand-in that answers every call with the games.
  const api = { call: async () => [heroGame(NOW + 3600)], address: () => '' } as unknown as Api
  const html = await renderMissing({ api, now: NOW, nonce: 'n', config: QUIET_CONFIG, assets: { head: () => '' } })
  expect(html).toContain('we can&#x27;t find what you are looking for.')
  expect(html).toContain('href="/login"')
  expect(html).not.toContain('no-such-page')
})
