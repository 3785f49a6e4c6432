import type { Statistics } from '@fairball/contract/schemas/game'
import { ApiError } from '@fairball/contract/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { heroGame } from '../../testing/hero-game.ts'
import { DAY, NOON, pounds } from '../../testing/pounds.ts'
import { pass, pressButton, renderPage, text } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { StatisticsScreen } from './statistics-screen.tsx'

const NOTE =
  'Past draws cannot predict future ones. Every combination is equally likely in every draw, whatever was drawn before.'

let page: RenderedPage
beforeEach(() => void vi.useFakeTimers({ now: NOON * 1000 }))
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

const some: Statistics = {
  draws: 36,
  numbers: Array.from({ length: 36 }, (_, index) => ({
    number: index + 1,
    count: index === 6 ? 9 : index < 4 ? 4 : 5,
  })),
  jackpots: [
    { number: 2, date: NOON - DAY, ...pounds(21_500), is_won: true },
    { number: 1, date: NOON - 2 * DAY, ...pounds(20_000), is_won: false },
  ],
}
const open = async (getStatistics: () => Statistics, isPlayer = false) => {
  page = await renderPage(<StatisticsScreen gameKey="bitcoin-hero" />, {
    profile: isPlayer ? {} : null,
    answers: { getGames: () => [heroGame(NOON + 6 * 3600)], getStatistics },
  })
}
const hrefOf = (name: string): string | undefined =>
  [...document.querySelectorAll('a')].find((link) => link.textContent === name)?.getAttribute('href') ?? undefined

it('the page shows how often each number was drawn as a table, with a bar for each', async () => {
  await open(() => some)
  expect(document.querySelector('h1')?.textContent).toBe('Bitcoin Hero Statistics')
  const table = document.querySelector('table')
  expect(table?.querySelector('caption')?.textContent).toBe('How often each number was drawn')
  const rows = [...(table?.querySelectorAll('tbody tr') ?? [])].map((row) => row.textContent)
  expect(rows).toHaveLength(36)
  expect([rows[5], rows[6]]).toEqual(['65', '79'])
  const bars = [...document.querySelectorAll('tbody rect:nth-of-type(2)')].map((bar) => bar.getAttribute('width'))
  expect(bars[6]).toBe('100%')
  expect(text()).toContain('the average is 5.0 (thin line)')
})

it('the page shows the jackpot over time as a picture with a text, and all values as a table', async () => {
  await open(() => some)
  expect(document.querySelector('[role="img"]')?.getAttribute('aria-label')).toBe(
    'The jackpot of the last 2 draws, between £20K and £21.5K. The table below has every value.',
  )
  await pressButton('All jackpots as a table')
  const rows = [...document.querySelectorAll('table:last-of-type tbody tr')].map((row) => row.textContent)
  expect(rows.slice(-2)).toEqual([
    'Draw 2Jan 14, 2027Won£21,500.000.21500000 BTC',
    'Draw 1Jan 13, 2027Not won£20,000.000.20000000 BTC',
  ])
})

it.each([
  [19, false],
  [20, true],
])('after %d draws the page has charts: %s', async (draws, hasCharts) => {
  await open(() => ({ ...some, draws }))
  expect(document.querySelector('[role="img"]') !== null).toBe(hasCharts)
  expect(text().includes('Too few draws for a chart.')).toBe(!hasCharts)
  const counts = [...document.querySelectorAll('[aria-label="How often each number was drawn"] li')]
  expect(counts).toHaveLength(hasCharts ? 0 : 36)
  if (hasCharts) return
  expect(counts[6]?.textContent).toBe('79 times')
  // The jackpots are in the open.
  expect(document.querySelector('tbody tr')?.textContent).toBe('Draw 2Jan 14, 2027Won£21,500.000.21500000 BTC')
})

it('the next draw is beside the statistics, with the link to play for players only', async () => {
  await open(() => some)
  const panel = () => document.querySelector('aside')
  expect(panel()?.textContent).toContain('Next draw£20K')
  expect(hrefOf('Play Bitcoin Hero')).toBeUndefined()
  page.unmount()
  await open(() => some, true)
  expect(hrefOf('Play Bitcoin Hero')).toBe('/game/bitcoin-hero')
})

it('the page says that history cannot predict, even while there is none', async () => {
  await open(() => some)
  expect(text()).toContain(NOTE)
  page.unmount()
  await open(() => ({ draws: 0, numbers: [], jackpots: [] }))
  expect(text()).toContain(NOTE)
  expect(text()).toContain('No draw history yet.')
})

it('the page leads players to their results and visitors to the draws', async () => {
  await open(() => some)
  expect([hrefOf('Check my Numbers'), hrefOf('Draw History')]).toEqual([undefined, '/game/bitcoin-hero/draws'])
  page.unmount()
  await open(() => some, true)
  expect([hrefOf('Check my Numbers'), hrefOf('Draw History')]).toEqual([
    '/game/bitcoin-hero/results',
    '/game/bitcoin-hero/draws',
  ])
})

it('the page says so if the statistics cannot be loaded', async () => {
  await open(() => {
    throw new ApiError({ status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'of the server' })
  })
  await pass(30_000) // until the last try has failed
  expect(text()).toContain('Data cannot be loaded! Please try again later.')
})
