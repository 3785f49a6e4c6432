import { createRouter } from '@tanstack/react-router'
import { expect, it } from 'vitest'
import type { Game } from '@fairball/contract/schemas/game'
import { routeTree } from '../routes/route-tree.ts'
import { pageMeta } from './page-meta.ts'

/** These are never listed: one redirects, the other is the page for missing addresses. */
const WITHOUT_WORDS = ['/settings/general/info', '/page-not-found']

// The router's context is only read when a page is opened.
const { routesById } = createRouter({ routeTree, context: undefined as never })
const patterns = Object.values(routesById)
  .filter((route) => route.children === undefined && route.id !== '__root__')
  .map((route): string => route.fullPath)
  .filter((pattern) => !WITHOUT_WORDS.includes(pattern))

it('the routes have pages', () => {
  expect(patterns).toEqual(expect.arrayContaining(['/', '/terms', '/game/$gameKey/draw/$number', '/login']))
})

it.each(patterns)('%s has its own title, and a description if search engines may list it', (pattern) => {
  const game = { key: 'treasure', name: 'Treasure', sets: [{ n: 5, N: 50 }], ticket_price: { fiat: {} } }
  const params = { gameKey: 'treasure', number: '1', count: '1' }
  // Only the fields that the texts need.
  const facts = {
    siteName: 'Fairball',
    params,
    games: pattern.includes('$gameKey') ? [game as unknown as Game] : [],
    draw: null,
    ended: [],
    isMissing: false,
  }
  const home = pageMeta({ ...facts, games: [], pattern: '/' })
  const { title, description, canonical } = pageMeta({ ...facts, pattern })
  if (pattern === '/') return expect(title).toContain('Fairball')
  expect(title).not.toBe(home.title)
  if (canonical !== null && !/^\/(?:login|open-an-account)$/u.test(pattern))
    expect(description).not.toBe(home.description)
})

it('a page of a game that has ended names it, and search engines do not list it', () => {
  const ended = [{ key: 'old-game', name: 'Old Game', color: '#FF9A1F', retired_at: 1, into: 'partners' }]
  const facts = { siteName: 'Fairball', params: { gameKey: 'old-game' }, games: [], draw: null, isMissing: false }
  const meta = pageMeta({ ...facts, ended, pattern: '/game/$gameKey/draws/{-$page}' })
  expect(meta).toMatchObject({ title: expect.stringContaining('Old Game, a game that has ended'), canonical: null })
})
