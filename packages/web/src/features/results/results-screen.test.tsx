import type { DrawDetails, Play, Win, WinType } from '@fairball/contract/schemas/game'
import { ApiError } from '@fairball/contract/client'
import { TestOperator } from '@fairball/domain/protocol/operator-fixture'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keptStore } from '../../proof/kept-store.ts'
import { drawAt, heroGame } from '../../testing/hero-game.ts'
import { DAY, NOON, pounds } from '../../testing/pounds.ts'
import { hasButton, pass, pressButton, renderPage, text } from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { hintOf, PlayersOrder } from '../../testing/served-operator.ts'
import { ResultsScreen } from './results-screen.tsx'

const GAME = 'bitcoin-hero'
/** Until the last try has failed. */
const TRIES_MS = 30_000
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
const aWin = (id: string, changes: Partial<Win> = {}): Win => ({
  id,
  date: NOON - DAY,
  win_type: 'PRIZE',
  amount_won: pounds(5),
  play_page: 1,
  play_id: 'play-1',
  ...changes,
})

const open = async ({
  plays = [],
  totalPages = plays.length === 0 ? 0 : 1,
  wins = [],
  at = {},
  answers = {},
}: {
  plays?: Play[]
  totalPages?: number
  wins?: Win[]
  at?: { page?: number; winsPage?: number; playId?: string }
  answers?: Answers
}) => {
  const { page: playsPage = 1, winsPage = 1, playId = null } = at
  page = await renderPage(<ResultsScreen gameKey={GAME} page={playsPage} winsPage={winsPage} playId={playId} />, {
    answers: {
      getGames: () => [heroGame(NOON + 6 * 3600)],
      getPlays: () => ({ ok: true, data: { results: plays, total_pages: totalPages } }),
      getWins: () => ({ ok: true, data: wins }),
      getTickets: () => ({ results: [], total_pages: 0 }),
      ...answers,
    },
  })
}

/** The target of the link of this name; null if there is none. */
const hrefOf = (name: string): string | null =>
  [...document.querySelectorAll('a')]
    .find((link) => (link.getAttribute('aria-label') ?? link.textContent).trim() === name)
    ?.getAttribute('href') ?? null
const cards = (): string[] => [...document.querySelectorAll('article h3')].map((one) => one.textContent)
const openCards = (): number => document.querySelectorAll('article [aria-expanded="true"]').length

it('the page of results has the title, the two sections, and the links of the second level', async () => {
  await open({})
  expect(document.querySelector('h1')?.textContent).toBe('Bitcoin Hero Results')
  expect([...document.querySelectorAll('section[aria-labelledby] h2')].map((one) => one.textContent)).toEqual([
    'Wins',
    'Number Matches',
  ])
  expect(hrefOf('Check my Numbers')).toBe('/game/bitcoin-hero/results')
  expect(hrefOf('Draw History')).toBe('/game/bitcoin-hero/draws')
  expect(hrefOf('Statistics')).toBe('/game/bitcoin-hero/statistics')
})

it('the page says "No winning matches so far." and "No played games." while there are none', async () => {
  await open({})
  expect(text()).toContain('No winning matches so far.')
  expect(text()).toContain('No played games.')
})

it.each([
  ['a jackpot', { is_win: true, win_type: 'JACKPOT' }, 'You win the jackpot!', true],
  [
    'a jackpot that was paid',
    { is_win: true, win_type: 'JACKPOT', is_claimed: true },
    'The jackpot is won and claimed',
    false,
  ],
  ['a prize', { is_win: true, win_type: 'PRIZE' }, 'You win a prize', true],
  [
    'a prize that was paid',
    { is_win: true, win_type: 'PRIZE', is_claimed: true },
    'The prize is won and claimed',
    false,
  ],
  ['a free ticket', { is_win: true, win_type: 'FREE_TICKET', is_claimed: true }, 'The prize is won and claimed', false],
  ['nothing', {}, 'No match', false],
] as const)(
  'a play that won %s says so, and links to how to claim while money is unpaid',
  async (_what, changes, tag, claims) => {
    await open({ plays: [aPlay('play-1', changes)] })
    expect(cards()).toEqual([expect.stringContaining(tag)])
    expect(hrefOf('CLAIM')).toBe(claims ? '/how-to-claim' : null)
    expect(hrefOf('WATCH DRAW')).toBeNull()
  },
)

it('a play that is not drawn yet is an "Upcoming draw" with WATCH DRAW to the game', async () => {
  await open({ plays: [aPlay('play-1', { draw: null, date: NOON + DAY })] })
  expect(cards()).toEqual([expect.stringContaining('Upcoming draw')])
  expect(hrefOf('WATCH DRAW')).toBe('/game/bitcoin-hero/watch')
  expect(hrefOf('CLAIM')).toBeNull()
})

describe('a card', () => {
  it('a play opens and closes with a press on its head, and marks matched numbers in words', async () => {
    await open({ plays: [aPlay('play-1')] })
    expect(cards()).toEqual([expect.stringContaining('Thu, Jan 14, 12:00 PM')])
    expect(openCards()).toBe(0)
    await pressButton(cards()[0] ?? '')
    expect(openCards()).toBe(1)
    const line = document.querySelector('[aria-label="Line 1"]')
    expect([...(line?.querySelectorAll('li') ?? [])].map((one) => one.textContent)).toEqual([
      '3 match',
      '14 match',
      '15 match',
      '1',
      '2',
    ])
    expect(text()).toContain('3 matches')
    expect(hrefOf('Draw 8')).toBe('/game/bitcoin-hero/draw/8')
    await pressButton(cards()[0] ?? '')
    expect(openCards()).toBe(0)
  })

  it('each winning line has its own prize beside its matches', async () => {
    const prize = (matches: number, type: WinType, won: ReturnType<typeof pounds> | null) => ({
      type,
      matches: [matches],
      crypto: won?.crypto ?? null,
      fiat: won?.fiat ?? {},
      number_of_wins: 1,
      youWin: true,
      partners: [],
    })
    const tickets = [
      [3, 1, 2, 4, 5],
      [3, 14, 1, 2, 4],
      [3, 14, 15, 1, 2],
    ]
    const prizes = [prize(3, 'PRIZE', pounds(5)), prize(2, 'FREE_TICKET', null)]
    await open({
      plays: [aPlay('play-1', { tickets, is_win: true, win_type: 'PRIZE', is_claimed: true })],
      at: { playId: 'play-1' },
      // Only this member is read.
      answers: { getDraw: () => ({ prizes }) as unknown as DrawDetails },
    })
    await pass(0)
    expect(
      // After them come those of the slip on paper.
      Array.from(document.querySelectorAll('[aria-label^="Line "]'))
        .slice(0, tickets.length)
        .map((line) => line.parentElement?.lastElementChild?.textContent),
    ).toEqual(['Prize£5.000.00005000 BTC3 matches', 'Free ticket2 matches', '1 match'])
  })

  it('a play is open if the address names it', async () => {
    await open({ plays: [aPlay('play-1'), aPlay('play-2')], at: { playId: 'play-2' } })
    const heads = [...document.querySelectorAll('article [aria-expanded]')]
    expect(heads.map((one) => one.getAttribute('aria-expanded'))).toEqual(['false', 'true'])
  })

  it('a play shows 20 of many lines until all are requested, and its ticket on paper has all, with a note in test mode', async () => {
    const tickets = Array.from({ length: 300 }, () => [3, 14, 15, 1, 2])
    await open({ plays: [aPlay('play-1', { tickets })], at: { playId: 'play-1' } })
    await vi.waitFor(async () => {
      await pass(10)
      expect(text()).toContain('Test mode: this play was made with test bitcoin')
    })
    const linesNamed = (name: RegExp) =>
      [...document.querySelectorAll('[aria-label]')].filter((one) => name.test(one.getAttribute('aria-label') ?? ''))
    expect(linesNamed(/^Line [A-Z]+$/u)).toHaveLength(300)
    expect(hasButton('Print ticket')).toBe(true)
    expect(linesNamed(/^Line \d+$/u)).toHaveLength(20)
    await pressButton('Show all 300 lines')
    expect(linesNamed(/^Line \d+$/u)).toHaveLength(300)
  })

  it('an unpaid win says that the prize is sent automatically', async () => {
    await open({ plays: [aPlay('play-1', { is_win: true, win_type: 'PRIZE' })], at: { playId: 'play-1' } })
    expect(text()).toContain('Your prize is sent automatically within an hour. CLAIM shows what may be missing.')
  })
})

describe('the proof of a play’s draw', () => {
  const proofLink = () => hrefOf('Check this draw yourself')

  it('a drawn play links to its proof', async () => {
    await open({ plays: [aPlay('play-1')], at: { playId: 'play-1' } })
    await pass(10)
    expect(proofLink()).toBe('/game/bitcoin-hero/draw/8/proof')
  })

  it('a play that is not drawn yet links to its proof by its papers', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    const order = new PlayersOrder(draw, { secret: new Uint8Array(32), username: 'player-abc123', lines: [[1, 2, 3]] })
    await open({
      plays: [aPlay('play-1', { draw: null, date: NOON + DAY })],
      at: { playId: 'play-1' },
      answers: {
        getGames: () => [heroGame(NOON + DAY, { next_draw: { ...drawAt(NOON + DAY), number: 9 } })],
        getReceipt: () => order.papers(),
        // The operator's only draw has number nine here.
        getFairnessDraw: ({ params }) => hintOf(operator, Number(params.number) - 8),
      },
    })
    await pass(10)
    expect(proofLink()).toBe('/game/bitcoin-hero/draw/9/proof')
  })

  it('the proof is beside this browser’s check of the sealed list, which an upcoming play shows immediately', async () => {
    await keptStore().put('seals', {
      id: 'aa player-abc123',
      close: 'aa',
      open: 'bb',
      game: GAME,
      draw: 9,
      seal: '{}',
      seenAt: NOON - 5,
      closedAt: NOON - 9,
      startAt: NOON + 300,
      player: 'player-abc123',
      lines: 1,
      outcome: 'sealed',
      problem: null,
      evidence: null,
    })
    await open({
      plays: [aPlay('play-2', { draw: null, date: NOON + DAY }), aPlay('play-1', { draw: null, date: NOON + 300 })],
    })
    await pass(10)
    const said = [...document.querySelectorAll('article')].map((one) =>
      /Your line was in the list sealed on/u.test(one.textContent),
    )
    expect(said).toEqual([false, true])
    await act(() => keptStore().forget())
  })
})

describe('the wins', () => {
  it('wins have their amount, and "More details" leads to their play', async () => {
    await open({ wins: [aWin('a', { play_page: 3, play_id: 'play-9' })] })
    expect(text()).toContain('£5.00')
    expect(text()).toContain('0.00005000 BTC')
    expect(hrefOf('More details of the win of Jan 14, 2027')).toBe('/game/bitcoin-hero/results/3/play-9')
    expect(text()).toContain('More details')
  })

  it('wins come five a page, with separate pages from those of the plays', async () => {
    const wins = Array.from({ length: 7 }, (_, index) => aWin(`win-${index}`, { play_id: `play-${index}` }))
    await open({ wins, plays: [aPlay('play-1')], totalPages: 3, at: { page: 2, winsPage: 2 } })
    expect(document.querySelectorAll('[aria-labelledby="wins"] li a[aria-label^="More details"]')).toHaveLength(2)
    const linksOf = (label: string) =>
      [...document.querySelectorAll(`nav[aria-label="${label}"] a[aria-label^="Page"]`)].map((link) =>
        link.getAttribute('href'),
      )
    expect(linksOf('Wins pages')).toEqual(['/game/bitcoin-hero/results/2', '/game/bitcoin-hero/results/2?wins=2'])
    expect(linksOf('Number Matches pages')).toEqual([
      '/game/bitcoin-hero/results?wins=2',
      '/game/bitcoin-hero/results/2?wins=2',
      '/game/bitcoin-hero/results/3?wins=2',
    ])
  })

  it('wins are fetched again once a play has been drawn', async () => {
    let isDrawn = false
    const waiting = aPlay('play-1', { draw: null, date: NOON - 10 })
    await open({
      answers: {
        getPlays: () => ({ ok: true, data: { results: [isDrawn ? aPlay('play-1') : waiting], total_pages: 1 } }),
      },
    })
    expect(page.calls('getWins')).toHaveLength(1)
    await pass(10_000)
    expect(page.calls('getWins')).toHaveLength(1)
    isDrawn = true
    await pass(10_000)
    await pass(10)
    expect(cards()).toEqual([expect.stringContaining('No match')])
    expect(page.calls('getWins')).toHaveLength(2)
  })
})

it('a page after the last says so and leads back, without claiming that nothing was played', async () => {
  await open({ plays: [], totalPages: 2, at: { page: 5 } })
  expect(text()).toContain('This page of the list is empty.')
  expect(text()).not.toContain('No played games.')
  expect(hrefOf('Go to page 1')).toBe('/game/bitcoin-hero/results')
})

it('the page says "Data cannot be loaded! Please try again later." if wins and plays cannot be loaded', async () => {
  const fail = () => {
    throw new ApiError({ status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'of the server' })
  }
  await open({ answers: { getPlays: fail, getWins: fail } })
  await pass(TRIES_MS)
  expect(text().split('Data cannot be loaded! Please try again later.')).toHaveLength(3)
})

it.each([
  [-180, 'Sales for the draw at 12:03 PM are closed. Next draw: Saturday at 12:03 PM'],
  [1, 'Being drawn now. Next draw: Saturday at 11:59 AM'],
  [540, 'Drawn at 11:51 AM. Next draw: Saturday at 11:51 AM'],
])('the sidebar names the draw that tickets count for, %i s after the start', async (after, sentence) => {
  await open({ answers: { getGames: () => [heroGame(NOON - after)] } })
  expect(text()).toContain(sentence)
  expect(text()).not.toContain('Soon')
})
