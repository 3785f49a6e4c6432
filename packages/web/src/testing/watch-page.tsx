import { act } from 'react'
import { afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { ballsShown } from '@fairball/domain/draw-phase'
import type { DrawDetails, Game, WatchData, WatchPrize } from '@fairball/contract/schemas/game'
import type { Ticket } from '@fairball/contract/schemas/ticket'
import { runtime } from '../shared/runtime.ts'
import { pass, renderPage } from './render-page.tsx'
import type { RenderedPage } from './render-page.tsx'
import { find } from '@fairball/ui/testing/render.tsx'
import { StreamStandIn } from './stream-stand-in.ts'
import { WatchScreen } from '../features/watch/watch-screen.tsx'

/** A Saturday at 20:00 UTC. */
export const START = Date.parse('2026-11-21T20:00:00Z') / 1000
export const [PICK, CLOSES_BEFORE, WEEK] = [5, 600, 7 * 86_400] as const
export const END = START + 20 * PICK + 60
export const NUMBERS = [34, 2, 17, 9, 50]

export const money = (value: number) => ({ GBP: { value, symbol: '£', position_of_symbol: 'LEFT' as const } })
const words = (value: 'Jackpot' | 'Free ticket') => ({
  GBP: { value, symbol: '£', position_of_symbol: 'LEFT' as const },
})

export const drawAt = (number: number, startAt: number): Game['next_draw'] => ({
  number,
  start_at: startAt,
  end_at: startAt + 20 * PICK + 60,
  ticket_sell_closes_at: startAt - CLOSES_BEFORE,
})

const gameAt = (key: string, name: string, nextDraw: Game['next_draw']): Game => ({
  id: 1,
  key,
  name,
  color: '#22c58f',
  pattern: 'band',
  summary: '',
  currency: 'GBP',
  split: { prize_pool: 80, donation: 5, fee: 15 },
  sets: [{ n: PICK, N: 50 }],
  tickets_won: 0,
  ticket_price: { fiat: money(2.5) },
  jackpot: { crypto: { value: '1.00000000', code: 'BTC' }, fiat: money(100_000) },
  prizes: [
    { matches: [5], prize: { fiat: words('Jackpot') } },
    { matches: [4], prize: { fiat: money(3000) } },
    { matches: [2], prize: { fiat: words('Free ticket') } },
  ],
  advanced_ticket_purchase: { days: [{ day: 6, time_delta_midnight_utc: 72_000, max_weeks: 4 }], max_weeks_ahead: 4 },
  next_draw: nextDraw,
  is_on_sale: true,
  sales_note: null,
  change: null,
  open_draws: [],
  last_draw_at: null,
})

const prizesFor = (youWin: boolean): WatchPrize[] => [
  {
    type: 'JACKPOT',
    matches: [5],
    crypto: { value: '1.00000000', code: 'BTC' },
    fiat: money(100_000),
    number_of_wins: 1,
    youWin: false,
    partners: [{ name: 'Example Water', url: 'https://water.example' }],
  },
  {
    type: 'PRIZE',
    matches: [4],
    crypto: { value: '0.03000000', code: 'BTC' },
    fiat: money(3000),
    number_of_wins: 1204,
    youWin,
    partners: [],
  },
  { type: 'FREE_TICKET', matches: [2], crypto: null, fiat: {}, number_of_wins: 7, youWin: false, partners: [] },
]

/** The server's data. It has the true time, `server.now`, whatever the device's clock says. */
export const server = {
  now: START,
  draw: drawAt(7, START),
  numbers: NUMBERS as number[] | null,
  revealFromAt: null as number | null,
  prizesAt: START + 20 * PICK + 1,
  hasNetwork: true,
  /** Accepts calls and never answers. */
  isSilent: false,
  salesNote: null as string | null,
  previous: null as Partial<DrawDetails> | null,
  entries: 940 as number | null,
  openDraws: [] as Game['open_draws'],
  /** What the player holds, and the server's rows of a page. */
  tickets: [] as Ticket[],
  hasTickets: true,
  /** The calls, each with whether it asked for what everybody sees. */
  asked: [] as { name: 'getGames' | 'getWatch' | 'getDraw'; isPublic: boolean }[],
}
/** As many rows as a page of the test's server has. */
const PAGE_ROWS = 2

/** A ticket of the watched draw. Its result is there with the prizes. */
export const ticket = (id: string, lines: readonly (readonly number[])[], change: Partial<Ticket> = {}): Ticket => ({
  play_id: id,
  game_key: 'treasure',
  transaction_id: id,
  draw: {
    number: 7,
    start_at: START,
    ticket_sell_closes_at: START - CLOSES_BEFORE,
    end_at: END,
    status: 'UPCOMING',
    numbers: [],
  },
  lines: lines.map((numbers) => ({ numbers: [...numbers], is_lucky_dip: false, matches: null })),
  moved_from: null,
  result: null,
  payout: null,
  ...change,
})

function watchedNow(youWin: boolean): WatchData {
  const { start_at: startAt, end_at: endAt } = server.draw
  const { numbers, now, revealFromAt } = server
  const draw = ballsShown({ numbers, startAt, endAt, pick: PICK, nowAt: now, revealFromAt })
  const isShown = draw.every((ball) => typeof ball === 'number')
  return { draw, prizes: isShown && now >= server.prizesAt ? prizesFor(youWin) : false }
}

export let page: RenderedPage
let streams: StreamStandIn[]
export const stream = () => streams.findLast((one) => !one.isClosed)
export const setVisible = (state: 'visible' | 'hidden') => {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
}

export async function open({
  isPlayer = false,
  otherDrawAt = START + 3 * 86_400,
  deviceAheadSeconds = 0,
  isDemo = true,
}: { isPlayer?: boolean; otherDrawAt?: number; deviceAheadSeconds?: number; isDemo?: boolean } = {}) {
  vi.setSystemTime((server.now + deviceAheadSeconds) * 1000)
  const asks = (name: (typeof server.asked)[number]['name'], isPublic = false) => server.asked.push({ name, isPublic })
  const answer = <Value,>(value: () => Value) => {
    if (!server.hasNetwork) throw new TypeError('Failed to fetch')
    // As the client handles the header of every answer (browser-session.ts).
    page?.clock.correct(server.now)
    return value()
  }
  page = await renderPage(<WatchScreen gameKey="treasure" />, {
    profile: isPlayer ? {} : null,
    config: { testMode: isDemo },
    startedAt: server.now,
    answers: {
      getGames: (input) => {
        asks('getGames', input?.isPublic)
        return answer(() => [
          {
            ...gameAt('treasure', 'Treasure', server.draw),
            is_on_sale: server.salesNote === null,
            sales_note: server.salesNote,
            open_draws: server.openDraws,
          },
          gameAt('ether-lotto', 'Ether Lotto', drawAt(3, otherDrawAt)),
        ])
      },
      getWatch: ({ signal, isPublic = false }) => {
        asks('getWatch', isPublic)
        if (!server.isSilent) return answer(() => ({ ok: true as const, data: watchedNow(isPlayer && !isPublic) }))
        return new Promise<never>((_, reject) => {
          signal?.addEventListener('abort', () => reject(new DOMException('The call was given up.', 'AbortError')))
        })
      },
      // Only these members are read.
      getDraw: ({ params, isPublic }) => {
        asks('getDraw', isPublic)
        return answer(() =>
          params.number === server.draw.number
            ? ({ number: server.draw.number, entries: server.entries } as DrawDetails)
            : ({ number: server.draw.number - 1, status: 'DRAWN', numbers: [], ...server.previous } as DrawDetails),
        )
      },
      getTickets: ({ query }) =>
        answer(() => {
          if (!server.hasTickets) throw new TypeError('Failed to fetch')
          const held = server.tickets.filter(({ draw }) => draw.number === query?.draw)
          const from = (Number(query?._page ?? 1) - 1) * PAGE_ROWS
          return { results: held.slice(from, from + PAGE_ROWS), total_pages: Math.ceil(held.length / PAGE_ROWS) }
        }),
    },
  })
  await pass(0)
}

/** Advances the device and the server together. */
export async function go(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    server.now += 1
    await pass(1_000)
  }
}

/** The device sleeps: its timers stop, its clock and the server continue. */
export function sleep(seconds: number): void {
  server.now += seconds
  vi.setSystemTime(runtime.nowMs() + seconds * 1000)
}

/** The server sends its state to every follower of the stream. */
export const tell = () => act(() => stream()?.send('watch', watchedNow(false)))

export const STAGE = '[aria-labelledby="watch-game"]'
const status = () => find(`${STAGE} [role="status"]`)
/** What is said of the newest event; the tag beside it is for all. */
export const announced = () => status().lastElementChild?.textContent
export const tag = () => (status().childElementCount > 1 ? status().firstElementChild?.textContent : '')
export const balls = () =>
  [...find('[aria-label="Numbers of this draw"]').querySelectorAll('li')].map((place) => place.textContent)
export const links = () =>
  [...document.querySelectorAll(`${STAGE} a`)]
    .filter((link) => link.closest('section') === find(STAGE) && link.closest('nav') === null)
    .map((link) => [link.textContent, link.getAttribute('href')])
/** A ball has landed a moment after it was told. */
export const land = () => pass(900)
export const rows = () =>
  [...document.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.textContent),
  )

/** A server with one draw for each test, which is before its first ball, and the page that follows it. */
export function setUpWatchPage(): void {
  // Lazily loaded parts of the screen are loaded beforehand, so that they show immediately.
  beforeAll(() =>
    Promise.all([
      import('../features/watch/components/below-the-draw.tsx'),
      import('../shared/stage/own-lines.tsx'),
      import('../features/watch/components/draw-news-banner.tsx'),
      import('../features/watch/draw-sound.ts'),
    ]),
  )

  beforeEach(() => {
    vi.useFakeTimers()
    streams = []
    vi.spyOn(runtime, 'openStream').mockImplementation(() => {
      const opened = new StreamStandIn()
      streams.push(opened)
      return opened.asEventSource()
    })
    Object.assign(server, {
      now: START,
      draw: drawAt(7, START),
      numbers: NUMBERS,
      revealFromAt: null,
      prizesAt: START + 20 * PICK + 1,
      hasNetwork: true,
      isSilent: false,
      salesNote: null as string | null,
      previous: null,
      entries: 940,
      openDraws: [],
      tickets: [],
      hasTickets: true,
      asked: [],
    })
  })
  afterEach(() => {
    setVisible('visible')
    page.unmount()
    vi.useRealTimers()
  })
}
