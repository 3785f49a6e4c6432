import { expect, it } from 'vitest'
import type { Api } from '../shared/api.ts'
import { leadsNowhere, renderMissing, spelledRight } from '../entry-server.tsx'
import { heroGame } from '../testing/hero-game.ts'
import { OWN_LOOK, QUIET_CONFIG } from '../testing/quiet-config.ts'

const NOW = 1_800_000_000
const GAMES = new Map([
  ['treasure', { key: 'treasure' }],
  ['threasure', { key: 'treasure' }],
])

it.each([
  '/a',
  '/console',
  '/console/inbox',
  '/console/api/v1/auth/me',
  '/there/is/nothing',
  '/how-to-claim/x',
  '/game/keno',
  '/game/keno/watch',
  '/game/treasure/x',
  '/%41?b=1',
  '//x',
])('the address %s has no page', (url) => {
  expect(leadsNowhere(url, GAMES)).toBe(true)
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
])('the address %s has a page', (url) => {
  expect(leadsNowhere(url, GAMES)).toBe(false)
})

it.each([
  ['/game/threasure', '/game/treasure'],
  ['/game/threasure/draws/2?a=threasure', '/game/treasure/draws/2?a=threasure'],
  ['/game/treasure', null],
  ['/game/keno', null],
  ['/?path=/game/threasure', null],
])('the address %s is spelled %s', (url, right) => {
  expect(spelledRight(url, GAMES)).toBe(right)
})

it('a login from the page for missing addresses does not lead back to it', async () => {
  // A stand-in that answers every call with the games.
  const api = { call: async () => [heroGame(NOW + 3600)], address: () => '' } as unknown as Api
  const html = await renderMissing({
    api,
    now: NOW,
    nonce: 'n',
    config: QUIET_CONFIG,
    look: OWN_LOOK,
    assets: { head: () => '' },
  })
  expect(html).toContain('we can&#x27;t find what you are looking for.')
  expect(html).toContain('href="/login"')
  expect(html).not.toContain('no-such-page')
})
