import type { Payout } from '@fairball/contract/schemas/account'
import type { Ticket } from '@fairball/contract/schemas/ticket'
import { ApiError } from '@fairball/contract/client'
import { act } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { heroGame } from '../../testing/hero-game.ts'
import { NOON } from '../../testing/pounds.ts'
import { hasButton, pass, pressButton, renderPage, text } from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { MyTicketsScreen } from './my-tickets-screen.tsx'

const START = NOON + 6 * 3600
const amount = (value: number) => ({
  crypto: { value: '0.00005000', code: 'BTC' as const },
  fiat: { GBP: { value, symbol: '£', position_of_symbol: 'LEFT' as const } },
})
const PAYOUT: Payout = {
  status: 'WAITING',
  reason: 'NO_ADDRESS',
  amount: amount(5),
  leaves_by: null,
  sent_at: null,
  available_from: null,
  address: null,
  txid: null,
  link: null,
  confirmations: 0,
  network: 'ONCHAIN',
  receipt: null,
}
const upcoming: Ticket = {
  play_id: '1',
  game_key: 'bitcoin-hero',
  transaction_id: '1',
  draw: {
    number: 2,
    start_at: START,
    ticket_sell_closes_at: START - 300,
    end_at: START + 160,
    status: 'UPCOMING',
    numbers: [],
  },
  lines: [
    { numbers: [1, 7, 21, 25, 30], is_lucky_dip: false, matches: null },
    { numbers: [2, 3, 4, 5, 6], is_lucky_dip: true, matches: null },
  ],
  moved_from: null,
  result: null,
  payout: null,
}
const drawn: Ticket = {
  ...upcoming,
  play_id: '2',
  draw: {
    ...upcoming.draw,
    number: 1,
    start_at: START - 86_400,
    end_at: START - 86_240,
    status: 'DRAWN',
    numbers: [1, 7, 21, 8, 9],
  },
  lines: upcoming.lines.map((line, place) => ({ ...line, matches: place === 0 ? 3 : 0 })),
  result: { win_type: 'PRIZE', best_matches: 3, amount_won: amount(5), free_tickets: 7 },
  payout: PAYOUT,
}

let page: RenderedPage
beforeEach(() => void vi.useFakeTimers({ now: NOON * 1000 }))
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

async function open(
  tickets: Ticket[],
  { at = 1, totalPages = 1, answers = {} }: { at?: number; totalPages?: number; answers?: Answers } = {},
): Promise<void> {
  page = await renderPage(<MyTicketsScreen page={at} />, {
    answers: {
      getGames: () => [heroGame(START)],
      getTickets: () => ({ results: tickets, total_pages: totalPages }),
      ...answers,
    },
  })
}
const rowsUnder = (title: string) =>
  [...document.querySelectorAll('section')]
    .filter((section) => section.querySelector('h2')?.textContent === title)
    .flatMap((section) => [...section.querySelectorAll('article')])
const linksOf = (row: Element | undefined) =>
  [...(row?.querySelectorAll('a') ?? [])].map((link) => [link.textContent, link.getAttribute('href')])

it('tickets to come have the time left within a day of the draw; drawn ones what they won and where the money is', async () => {
  const later = { ...upcoming.draw, start_at: START + 86_400 }
  await open([upcoming, { ...upcoming, play_id: '3', draw: later }, drawn])
  const [soon, far] = rowsUnder('Upcoming')
  expect(soon?.textContent).toContain('Bitcoin HeroFri, Jan 15, 6:00 PM · 2 lines')
  expect(soon?.textContent).toContain('6 h 0 min to the draw')
  expect(linksOf(soon)).toEqual([['Watch live', '/game/bitcoin-hero/watch']])
  expect(linksOf(far)).toEqual([])
  const [won] = rowsUnder('Drawn')
  expect(won?.textContent).toContain('You won £5.00 and 7 free tickets')
  expect(won?.textContent).toContain('Waiting for a payout address.')
  expect(linksOf(won)).toEqual([
    ['Draw 1', '/game/bitcoin-hero/draw/1'],
    ['Add one', '/settings/funds-and-payments/crypto-account-details'],
  ])
})

it('a ticket opens to its lines, named by letters, with what they matched', async () => {
  await open([drawn])
  const head = document.querySelector('button')
  expect(head?.getAttribute('aria-expanded')).toBe('false')
  expect(document.querySelector('[aria-label="Line A"]')).toBeNull()
  await act(async () => head?.click())
  expect(head?.getAttribute('aria-expanded')).toBe('true')
  expect([...document.querySelectorAll('[aria-label^="Line"]')].map((line) => line.parentElement?.textContent)).toEqual(
    ['A1 match7 match21 match25303 of 5', 'B234560 of 5 · Lucky dip'],
  )
})

it('the ticket whose button was pressed last is on paper, with all its lines', async () => {
  const printed: string[][] = []
  const slips = () => [...document.querySelectorAll('section section, article section')]
  vi.stubGlobal('print', () => printed.push(slips().map((one) => one.querySelectorAll('dd')[1]?.textContent ?? '')))
  await open([upcoming, drawn], {
    answers: { getReceipt: () => ({ promise: '', secret: '', username: '', receipts: [] }) },
  })
  for (const head of document.querySelectorAll<HTMLElement>('[aria-expanded]')) await act(async () => head.click())
  const buttons = () => [...document.querySelectorAll('button')].filter((one) => one.textContent === 'Print ticket')
  await vi.waitFor(async () => {
    await pass(10)
    expect(buttons()).toHaveLength(2)
  })
  for (const button of buttons()) {
    const before = printed.length
    await act(async () => button.click())
    await vi.waitFor(async () => {
      await pass(10)
      expect(printed).toHaveLength(before + 1)
    })
  }
  expect(printed).toEqual([['2'], ['1']])
  vi.unstubAllGlobals()
})

it('the numbers of a ticket become a draft, which opens at the payment', async () => {
  sessionStorage.clear()
  await open([drawn])
  await act(async () => document.querySelector('button')?.click())
  await import('../../shared/order/same-numbers.ts')
  await pressButton('Same numbers again')
  expect(page.tab.entries.at(-1)).toBe('/game/bitcoin-hero')
  const kept = sessionStorage.getItem('order:bitcoin-hero:0') ?? ''
  expect(kept).toContain('"confirmedNumbers":[2,3,4,5,6]')
  // Lucky dips are chosen numbers now.
  expect(kept).not.toContain('"isLuckyDip":true')
})

it('lines that the rules of the game no longer allow cannot be played again', async () => {
  await open([{ ...drawn, lines: [{ numbers: [1, 2, 3, 4, 99], is_lucky_dip: false, matches: 0 }] }])
  await act(async () => document.querySelector('button')?.click())
  expect(text()).toContain('99')
  expect(hasButton('Same numbers again')).toBe(false)
})

it.each([
  ['LIVE', 'Live', true],
  ['POSTPONED', 'Delayed', false],
] as const)('a ticket of a draw that is %s says "%s"; it leads to the draw: %s', async (status, words, leads) => {
  await open([{ ...upcoming, draw: { ...upcoming.draw, status }, moved_from: 1 }])
  const [row] = rowsUnder('Upcoming')
  expect(row?.textContent).toContain(words)
  expect(row?.textContent).toContain('Moved here from draw 1.')
  expect(linksOf(row).length).toBe(leads ? 1 : 0)
})

it('a ticket without a win says so, and one of a void draw that it has no numbers', async () => {
  const lost = { win_type: null, best_matches: 1, amount_won: null, free_tickets: 0 }
  await open([
    { ...drawn, result: lost, payout: null },
    { ...upcoming, draw: { ...upcoming.draw, status: 'VOID' } },
  ])
  const [none, isVoid] = rowsUnder('Drawn')
  expect(none?.textContent).toContain('No win this time. Best line: 1 of 5.')
  expect(isVoid?.textContent).toContain('This draw was void: it has no numbers.')
})

it.each([
  ['"No tickets yet." while there are none', 1, 0, 'No tickets yet.', ['See all games', '/']],
  [
    'that a page after the last is empty',
    4,
    2,
    'This page of the list is empty.',
    ['Go to page 1', '/settings/general/tickets'],
  ],
] as const)('the page says %s, and leads on', async (_what, at, totalPages, words, link) => {
  await open([], { at, totalPages })
  expect(text()).toContain(words)
  expect(linksOf(document.body)).toContainEqual(link)
})

it('the page says so if tickets cannot be loaded', async () => {
  const fail = () => {
    throw new ApiError({ status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'of the server' })
  }
  await open([], { answers: { getTickets: fail } })
  await pass(30_000)
  expect(text()).toContain('Data cannot be loaded! Please try again later.')
})
