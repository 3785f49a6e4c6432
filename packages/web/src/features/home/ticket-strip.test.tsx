import type { Ticket } from '@fairball/contract/schemas/ticket'
import { act } from 'react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { SEEN_KEY } from '../../shared/session/kept-for-player.ts'
import { heroGame } from '../../testing/hero-game.ts'
import { pass, renderPage } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { HomeScreen } from './home-screen.tsx'

// A Saturday.
const NOW = Date.parse('2026-11-21T12:00:00Z') / 1000
const HOUR = 3600
const START = NOW + 6 * HOUR
const line = { numbers: [1, 7, 21, 25, 30], is_lucky_dip: false, matches: null }
const upcoming: Ticket = {
  play_id: '1',
  game_key: 'bitcoin-hero',
  transaction_id: '1',
  draw: {
    number: 3,
    start_at: START,
    ticket_sell_closes_at: START - 300,
    end_at: START + 160,
    status: 'UPCOMING',
    numbers: [],
  },
  lines: [line, line, line],
  moved_from: null,
  result: null,
  payout: null,
}
const won: Ticket = {
  ...upcoming,
  play_id: '2',
  draw: { ...upcoming.draw, number: 2, end_at: NOW - 20 * HOUR, status: 'DRAWN', numbers: [7, 25, 21, 1, 20] },
  result: {
    win_type: 'PRIZE',
    best_matches: 3,
    amount_won: {
      crypto: { value: '0.00005000', code: 'BTC' },
      fiat: { GBP: { value: 5, symbol: '£', position_of_symbol: 'LEFT' } },
    },
    free_tickets: 0,
  },
}

beforeAll(() => Promise.all([import('./components/lower-half.tsx'), import('./components/ticket-strip.tsx')]))

let page: RenderedPage
const open = async (tickets: Ticket[], { asVisitor = false, totalPages = 1 } = {}) => {
  page = await renderPage(<HomeScreen />, {
    answers: {
      getGames: () => [heroGame(START)],
      getLatestDraws: () => [],
      getTickets: () => ({ results: tickets, total_pages: totalPages }),
    },
    profile: asVisitor ? null : {},
    config: { testMode: false },
  })
  // The list's script, then the pages of its tickets.
  for (let round = 0; round < 8; round += 1) await pass(0)
}
const strip = () => document.querySelector('[aria-labelledby="held-draws"]')
const rows = () => [...(strip()?.querySelectorAll('li') ?? [])].map((row) => row.textContent)

beforeEach(() => void vi.useFakeTimers({ now: NOW * 1000 }))
afterEach(() => {
  page.unmount()
  localStorage.clear()
  for (const name of ['session', 'held']) delete document.documentElement.dataset[name]
  vi.useRealTimers()
})

it('a player sees the draws they are in, and the way to all tickets', async () => {
  await open([upcoming, { ...upcoming, play_id: '4', draw: { ...upcoming.draw, number: 4, status: 'POSTPONED' } }])
  expect(strip()?.querySelector('h2')?.textContent).toBe('You’re in 2 draws')
  expect(rows()).toEqual(['36Bitcoin Hero3 lines · Today at 6:00 PM', '36Bitcoin Hero3 lines · Delayed'])
  const all = [...(strip()?.querySelectorAll('a') ?? [])].find((link) => link.textContent === 'All tickets')
  expect(all?.getAttribute('href')).toBe('/settings/general/tickets')
})

it('from an hour before its start a draw can be watched, and not a second earlier', async () => {
  vi.setSystemTime((START - HOUR - 1) * 1000)
  await open([upcoming])
  const watch = () => strip()?.querySelector('[aria-label="Watch live: Bitcoin Hero"]')
  expect(watch()).toBeNull()
  await pass(1_000)
  expect(watch()?.getAttribute('href')).toBe('/game/bitcoin-hero/watch')
})

it('a win is shown with its sum until it was seen', async () => {
  await open([upcoming, won])
  expect(rows()[0]).toContain('You won £5.00 in Bitcoin Hero, draw 2.')
  const see = strip()?.querySelector<HTMLElement>('[aria-label="See it: Bitcoin Hero, draw 2"]')
  expect(see?.getAttribute('href')).toBe('/game/bitcoin-hero/draw/2')
  await act(async () => see?.click())
  page.unmount()
  await open([upcoming, won])
  expect(rows()).toHaveLength(1)
  expect(strip()?.textContent).not.toContain('You won')
})

it('a draw without a win says that its results are in', async () => {
  const lost = { ...won, result: { win_type: null, best_matches: 1, amount_won: null, free_tickets: 0 } }
  await open([lost])
  expect(strip()?.querySelector('h2')?.textContent).toBe('Your tickets')
  expect(rows()[0]).toContain('Results are in: Bitcoin Hero, draw 2')
})

it('without a ticket there is no list, and a visitor’s page asks for none', async () => {
  await open([])
  expect(strip()).toBeNull()
  page.unmount()
  await open([upcoming], { asVisitor: true })
  expect(strip()).toBeNull()
  expect(page.calls('getTickets')).toEqual([])
})

it('a page that was loaded shows as many rows as it keeps room for, and the next load has room for all', async () => {
  document.documentElement.dataset['session'] = 'player'
  document.documentElement.dataset['held'] = '1'
  await open([upcoming, won], { totalPages: 2 })
  expect(rows()).toHaveLength(1)
  expect(localStorage.getItem(SEEN_KEY)).toBe('2')
  page.unmount()
  expect(document.documentElement.dataset['held']).toBe('2')
  await open([upcoming, won])
  expect(rows()).toHaveLength(2)
})

it('the win of a player with many draws to come is found behind them, with all tickets of its draw', async () => {
  const toCome = Array.from({ length: 10 }, (_, place) => ({
    ...upcoming,
    play_id: `to-come-${place}`,
    draw: { ...upcoming.draw, number: 3 + place },
  }))
  const pages = [
    toCome,
    [won],
    [
      { ...won, play_id: '3' },
      { ...won, play_id: '4', draw: { ...won.draw, number: 1 } },
    ],
  ]
  page = await renderPage(<HomeScreen />, {
    answers: {
      getGames: () => [heroGame(START)],
      getLatestDraws: () => [],
      getTickets: ({ query }) => ({ results: pages[Number(query?._page ?? 1) - 1] ?? [], total_pages: 9 }),
    },
    profile: {},
    config: { testMode: false },
  })
  for (let round = 0; round < 8; round += 1) await pass(0)
  expect(strip()?.querySelector('h2')?.textContent).toBe('You’re in 10 draws')
  expect(rows()[0]).toContain('You won £10.00 in Bitcoin Hero, draw 2.')
  expect(page.calls('getTickets')).toHaveLength(3)
})

it('more tickets than are read are counted as more', async () => {
  await open([upcoming], { totalPages: 9 })
  expect(strip()?.querySelector('h2')?.textContent).toBe('You’re in more than 1 draw')
})

it('a result goes seven days after its draw, to the minute, also in the middle of a day', async () => {
  await open([{ ...won, draw: { ...won.draw, end_at: NOW - 7 * 24 * HOUR + 60 } }])
  expect(rows()).toHaveLength(1)
  await pass(60_000)
  expect(strip()).toBeNull()
})
