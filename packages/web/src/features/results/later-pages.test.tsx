import { ApiError } from '@fairball/contract/client'
import type { DrawDetails, Play, Win } from '@fairball/contract/schemas/game'
import type { Ticket } from '@fairball/contract/schemas/ticket'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { drawAt, heroGame } from '../../testing/hero-game.ts'
import { DAY, NOON, pounds } from '../../testing/pounds.ts'
import { pass, renderPage, text } from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { Tab } from '../../testing/tab.tsx'
import { ResultsScreen } from './results-screen.tsx'

const GAME = 'bitcoin-hero'
const DRAWN = [3, 14, 15, 26, 35]

let page: RenderedPage
beforeEach(() => void vi.useFakeTimers({ now: NOON * 1000 }))
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

const aPlay = (id: string, changes: Partial<Play> = {}): Play => ({
  id,
  date: NOON - DAY,
  draw: { id: 8, number: 8, numbers: DRAWN },
  tickets: [[3, 14, 15, 1, 2]],
  is_win: false,
  win_type: null,
  is_claimed: false,
  ...changes,
})
const aWin = (changes: Partial<Win>): Win => ({
  id: 'a',
  date: NOON - DAY,
  win_type: 'PRIZE',
  amount_won: pounds(5),
  play_page: 1,
  play_id: 'play-1',
  ...changes,
})
/** A ticket that won nothing. */
const aTicket = (number: number): Ticket => ({
  play_id: 'play-1',
  game_key: GAME,
  transaction_id: 'order-1',
  draw: {
    number,
    start_at: NOON - DAY,
    ticket_sell_closes_at: NOON - DAY,
    end_at: NOON,
    status: 'DRAWN',
    numbers: DRAWN,
  },
  lines: [{ numbers: [3, 1, 2, 4, 5], is_lucky_dip: false, matches: 1 }],
  moved_from: null,
  result: { win_type: null, best_matches: 1, amount_won: null, free_tickets: 0 },
  payout: null,
})

const open = async ({
  wins = [],
  playId = null,
  answers,
  tab = new Tab(),
}: {
  wins?: Win[]
  playId?: string | null
  answers: Answers
  tab?: Tab
}) => {
  page = await renderPage(<ResultsScreen gameKey={GAME} page={1} winsPage={2} playId={playId} />, {
    answers: {
      getGames: () => [heroGame(NOON + 6 * 3600)],
      getWins: () => ({ ok: true, data: wins }),
      getTickets: () => ({ results: [], total_pages: 0 }),
      ...answers,
    },
    tab,
  })
}

const hasLink = (href: string): boolean => document.querySelector(`a[href="${href}"]`) !== null

const pagesOf = (...pages: Play[][]): Answers => ({
  getPlays: ({ query }) => ({
    ok: true,
    data: { results: pages[Number(query?._page ?? 1) - 1] ?? [], total_pages: pages.length },
  }),
})
const toCome = [aPlay('play-9', { draw: null, date: NOON + DAY })]

it.each([
  ['a play that won nothing', []],
  ['a play that won', [aWin({ play_id: 'play-1', play_page: 3 })]],
])('a link to %s leads to the page that the play is on now', async (_what, wins) => {
  const tab = new Tab('/game/bitcoin-hero/results/1/play-1')
  await open({
    wins,
    playId: 'play-1',
    answers: pagesOf(toCome, [aPlay('play-2')], [aPlay('play-1')]),
    tab,
  })
  await pass(10)
  expect(tab.entries).toEqual(['/game/bitcoin-hero/results/3/play-1?wins=2'])
})

it('a link to a play that is nowhere stays', async () => {
  const tab = new Tab('/game/bitcoin-hero/results/1/play-7')
  await open({ playId: 'play-7', answers: pagesOf(toCome, [aPlay('play-1')]), tab })
  await pass(10)
  expect(tab.entries).toEqual(['/game/bitcoin-hero/results/1/play-7'])
})

it('the result of the last draw needs no look through the plays', async () => {
  await open({
    answers: {
      ...pagesOf(toCome, toCome, [aPlay('play-1')]),
      getGames: () => [
        heroGame(NOON + 10, { last_draw_at: NOON - DAY, next_draw: { ...drawAt(NOON + 10), number: 9 } }),
      ],
      getTickets: ({ query }) => ({ results: [aTicket(Number(query?.draw))], total_pages: 1 }),
      getDraw: () => ({ prizes: [] }) as unknown as DrawDetails,
    },
  })
  await pass(10)
  expect(text()).toContain('No win this time. Best line: 1 of 5.')
  expect(hasLink('/game/bitcoin-hero/draw/8')).toBe(true)
  expect(page.calls('getPlays')).toHaveLength(1)
})

it('the newest result of a player who was not in the last draw is on top too, and the next one once it is there', async () => {
  const drawn = [aPlay('play-1')]
  let lastDrawAt = NOON - DAY
  await open({
    answers: {
      ...pagesOf(toCome, toCome, drawn),
      getGames: () => [
        heroGame(NOON + 10, { last_draw_at: lastDrawAt, next_draw: { ...drawAt(NOON + 10), number: 21 } }),
      ],
      getTickets: ({ query }) =>
        query?.draw === 20 ? { results: [], total_pages: 0 } : { results: [aTicket(8)], total_pages: 1 },
      getDraw: () => ({ prizes: [] }) as unknown as DrawDetails,
    },
  })
  await pass(10)
  expect(text()).toContain('No win this time. Best line: 1 of 5.')
  expect(hasLink('/game/bitcoin-hero/draw/8')).toBe(true)
  lastDrawAt = NOON
  drawn.unshift(aPlay('play-2', { draw: { id: 9, number: 9, numbers: DRAWN } }))
  await pass(30_000)
  expect(hasLink('/game/bitcoin-hero/draw/9')).toBe(true)
})

it('the lists are shown if the newest result cannot be found', async () => {
  await open({
    answers: {
      getPlays: ({ query }) => {
        if (Number(query?._page) === 2) throw new ApiError({ status: 404, code: 'NOT_FOUND', message: 'of the server' })
        return { ok: true, data: { results: toCome, total_pages: 2 } }
      },
    },
  })
  await pass(10)
  expect(document.querySelector('[data-waits]')).toBeNull()
  expect(document.querySelectorAll('article')).toHaveLength(1)
})
