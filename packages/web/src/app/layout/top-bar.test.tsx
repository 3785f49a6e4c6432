import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Game } from '@fairball/contract/schemas/game'
import { button, pass, pressButton, renderPage } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { Tab } from '../../testing/tab.tsx'
import { TopBar } from './top-bar.tsx'

const NOW = Date.parse('2026-11-21T12:00:00Z') / 1000
const LENGTH = 160

/** A game with only the fields that the bar reads. */
const game = (key: string, startsIn: number): Game => ({
  id: 1,
  key,
  name: key,
  color: '#000000',
  pattern: 'band',
  summary: '',
  currency: 'GBP',
  split: { prize_pool: 80, donation: 5, fee: 15 },
  sets: [{ n: 5, N: 36 }],
  tickets_won: 0,
  ticket_price: { fiat: {} },
  jackpot: { crypto: { value: '1.00000000', code: 'BTC' }, fiat: {} },
  prizes: [],
  advanced_ticket_purchase: { days: [], max_weeks_ahead: 2 },
  next_draw: {
    number: 1,
    start_at: NOW + startsIn,
    end_at: NOW + startsIn + LENGTH,
    ticket_sell_closes_at: NOW + startsIn - 300,
  },
  is_on_sale: true,
  sales_note: null,
  change: null,
  open_draws: [],
  last_draw_at: null,
})

let page: RenderedPage
beforeEach(() => vi.useFakeTimers({ now: NOW * 1000 }))
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

const watchLink = () => [...document.querySelectorAll('a')].find((link) => link.textContent === 'Watch The Draws')

async function open(games: Game[], tab?: Tab): Promise<void> {
  page = await renderPage(<TopBar />, { profile: null, answers: { getGames: () => games }, ...(tab && { tab }) })
  await pass(0)
}

describe('Watch The Draws', () => {
  it.each([
    ['an hour and a second before the draw', 3601, false],
    ['an hour before it', 3600, true],
    ['while it runs', -1, true],
    ['in its last second', 1 - LENGTH, true],
    ['from its end on', -LENGTH, false],
  ])('the link is shown %s (%i s to the start): %s', async (_, startsIn, isThere) => {
    await open([game('treasure', startsIn)])
    expect(watchLink()?.getAttribute('href')).toBe(isThere ? '/game/treasure/watch' : undefined)
  })

  it('the link leads to the draw that starts first if several games have one', async () => {
    await open([game('mega-ball', 3000), game('treasure', 600), game('super-game', 7200)])
    expect(watchLink()?.getAttribute('href')).toBe('/game/treasure/watch')
    await pass(800_000)
    expect(watchLink()?.getAttribute('href')).toBe('/game/mega-ball/watch')
  })
})

describe('the lists of the bar', () => {
  const press = async (key: string) => {
    await act(async () => {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    })
  }
  // The ball before a name is a picture.
  const focused = () => document.activeElement?.textContent.replace(/\d/gu, '').trim()

  it('a list opens with the arrow down, moves with the arrows, and closes with Escape', async () => {
    await open([game('treasure', 90_000), game('mega-ball', 90_000)])
    const games = button('Games')
    games.focus()
    await press('ArrowUp')
    expect(games.getAttribute('aria-expanded')).toBe('false')
    await press('ArrowDown')
    expect([games.getAttribute('aria-expanded'), focused()]).toEqual(['true', 'treasure'])
    await press('ArrowDown')
    await press('ArrowDown')
    expect(focused()).toBe('mega-ball')
    await press('ArrowUp')
    await press('ArrowUp')
    expect(focused()).toBe('Games')
    await press('Escape')
    expect([games.getAttribute('aria-expanded'), focused()]).toEqual(['false', 'Games'])
  })

  it('a list closes when the focus moves on, or by following a link, and marks the page that is open', async () => {
    await open([game('treasure', 90_000)], new Tab('/game/treasure/draws'))
    await pressButton('Games')
    await act(async () => button('Results').focus())
    expect(button('Games').getAttribute('aria-expanded')).toBe('false')
    await pressButton('Results')
    const link = document.querySelector<HTMLElement>('nav a[href="/game/treasure/draws"]')
    expect(link?.getAttribute('aria-current')).toBe('page')
    expect(document.querySelector('nav a[href="/game/treasure"]')?.hasAttribute('aria-current')).toBe(false)
    await act(async () => link?.click())
    expect(button('Results').getAttribute('aria-expanded')).toBe('false')
  })

  it('the lists lead visitors to the draws of a game, and to the winners', async () => {
    await open([game('treasure', 90_000)])
    const hrefs = [...document.querySelectorAll('nav a')].map((link) => link.getAttribute('href'))
    expect(hrefs).toEqual(['/game/treasure', '/game/treasure/draws', '/winners-and-good-causes', '/fairness'])
  })
})

it('the bar shows the logo of a site beside its name, inside the link to the home page', async () => {
  const logo = { light: '/content/a.png', dark: '/content/b.png' }
  page = await renderPage(<TopBar />, { profile: null, answers: { getGames: () => [] }, config: { logo } })
  const home = document.querySelector('a[href="/"]')
  expect([home?.getAttribute('aria-label'), home?.textContent]).toEqual(['Fairball, home', 'Fairball'])
  expect(home?.querySelector('img')?.getAttribute('src')).toBe('/content/a.png')
  expect(home?.querySelector('svg')).toBeNull()
})
