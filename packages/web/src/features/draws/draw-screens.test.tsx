import type { LogStatementAnswer } from '@fairball/contract/schemas/fairness'
import type { Draw, DrawDetails } from '@fairball/contract/schemas/game'
import { ApiError } from '@fairball/contract/client'
import { btcToSats } from '@fairball/domain/money'
import type { Logged } from '@fairball/domain/protocol/known-log'
import { TestOperator } from '@fairball/domain/protocol/operator-fixture'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { heroGame } from '../../testing/hero-game.ts'
import { DAY, NOON, pounds } from '../../testing/pounds.ts'
import { hasButton, pass, renderPage, text } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { DrawHistoryScreen } from './draw-history-screen.tsx'
import { DrawScreen } from './draw-screen.tsx'

const GAME = 'bitcoin-hero'
/** Until the last try has failed. */
const TRIES_MS = 30_000

let page: RenderedPage
beforeEach(() => void vi.useFakeTimers({ now: NOON * 1000 }))
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

const linkOf = (name: string): HTMLAnchorElement | undefined =>
  [...document.querySelectorAll('a')].find((link) => link.textContent.trim() === name)
const hrefOf = (name: string): string | null => linkOf(name)?.getAttribute('href') ?? null

/** A statement of the log as the server answers it. */
const logged = ({ index, text, hash, statement }: Logged): LogStatementAnswer => ({
  index,
  at: statement.time,
  type: statement.type,
  hash,
  text,
})

const aDraw = (number: number, changes: Partial<Draw> = {}): Draw => ({
  id: number,
  number,
  datetime: NOON - DAY,
  month_and_year: 'January 2027',
  numbers: [35, 3, 26, 14, 15],
  jackpot: false,
  donation: false,
  partners: [],
  ...changes,
})

describe('the draw history', () => {
  const open = async ({
    draws = [],
    totalPages = draws.length === 0 ? 0 : 1,
    at = 1,
    isPlayer = false,
    fails = false,
  }: {
    draws?: Draw[]
    totalPages?: number
    at?: number
    isPlayer?: boolean
    fails?: boolean
  }) => {
    page = await renderPage(<DrawHistoryScreen gameKey={GAME} page={at} />, {
      profile: isPlayer ? {} : null,
      answers: {
        getGames: () => [heroGame(NOON + 6 * 3600)],
        getDraws: () => {
          if (fails) throw new ApiError({ status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'of the server' })
          return { results: draws, totalPages, total_pages: totalPages }
        },
      },
    })
  }

  it('the draw history has the title, the section and the link to how a prize is claimed', async () => {
    await open({ draws: [aDraw(8)] })
    expect(document.querySelector('h1')?.textContent).toBe('Bitcoin Hero Results')
    expect([...document.querySelectorAll('h2')].map((one) => one.textContent)).toContain('Draw History')
    expect(hrefOf('How to claim your prize')).toBe('/how-to-claim')
    expect(hasButton('CSV Excel workbook (.xlsx)')).toBe(true)
    expect(text()).toContain('CSV')
  })

  it('the draw history links to own results and to play for players only, and to statistics for everyone', async () => {
    await open({ draws: [aDraw(8)] })
    expect([hrefOf('Check my Numbers'), hrefOf('Draw History'), hrefOf('Play Bitcoin Hero')]).toEqual([
      null,
      null,
      null,
    ])
    expect(hrefOf('Statistics')).toBe('/game/bitcoin-hero/statistics')
    page.unmount()
    await open({ draws: [aDraw(8)], isPlayer: true })
    expect(hrefOf('Check my Numbers')).toBe('/game/bitcoin-hero/results')
    expect(hrefOf('Draw History')).toBe('/game/bitcoin-hero/draws')
    expect(hrefOf('Statistics')).toBe('/game/bitcoin-hero/statistics')
    expect(hrefOf('Play Bitcoin Hero')).toBe('/game/bitcoin-hero')
  })

  it('the draw history shows the numbers in the order drawn, and "- - - - -" for a draw without a jackpot', async () => {
    const won = aDraw(9, {
      jackpot: pounds(25_000),
      donation: pounds(1500),
      partners: [{ name: 'Clean Water', url: 'https://water.example' }],
    })
    await open({ draws: [won, aDraw(8)] })
    const rows = [...document.querySelectorAll('article')].map((one) => one.textContent)
    expect(rows[0]).toContain('£25K')
    expect(rows[0]).toContain('Donation £1,500.00')
    expect(hrefOf('Clean Water')).toBe('https://water.example')
    expect(rows[1]).toContain('- - - - -')
    const balls = document.querySelectorAll('[aria-label="Numbers of draw 8, in the order drawn"] li')
    expect([...balls].map((one) => one.textContent)).toEqual(['35', '3', '26', '14', '15'])
    expect(hrefOf('Draw 8')).toBe('/game/bitcoin-hero/draw/8')
  })

  it('the draw history says "No draw history yet." before the first draw, and links only players to play', async () => {
    await open({})
    expect(text()).toContain('No draw history yet.')
    expect(hrefOf('Pick your numbers')).toBeNull()
    page.unmount()
    await open({ isPlayer: true })
    expect(text()).toContain('No draw history yet.')
    expect(hrefOf('Pick your numbers')).toBe('/game/bitcoin-hero')
  })

  it('a page of the draw history after the last says so and leads back', async () => {
    await open({ totalPages: 3, at: 7 })
    expect(text()).toContain('This page of the list is empty.')
    expect(text()).not.toContain('No draw history yet.')
    expect(hrefOf('Go to page 1')).toBe('/game/bitcoin-hero/draws')
  })

  it('the draw history says so if it cannot be loaded', async () => {
    await open({ fails: true })
    await pass(TRIES_MS)
    expect(text()).toContain('Data cannot be loaded! Please try again later.')
  })
})

describe('the page of a draw', () => {
  const MONEY: NonNullable<DrawDetails['money']> = {
    stakes: pounds(600),
    from_pool: pounds(2000),
    from_bankroll: pounds(0),
    donation: pounds(30),
    fee: pounds(90),
    prize_pool_share: pounds(480),
    prizes: pounds(305),
    jackpot: pounds(0),
    to_next: pounds(2175),
    released: null,
  }
  const details = (changes: Partial<DrawDetails> = {}): DrawDetails => ({
    ...aDraw(8),
    status: 'DRAWN',
    ticket_sell_closes_at: NOON - DAY - 300,
    end_at: NOON - DAY + 160,
    entries: 600,
    prizes: [
      { type: 'JACKPOT', matches: [5], crypto: null, fiat: {}, number_of_wins: 0, youWin: false, partners: [] },
      { type: 'PRIZE', matches: [4], ...pounds(300), number_of_wins: 1, youWin: false, partners: [] },
      { type: 'FREE_TICKET', matches: [2], crypto: null, fiat: {}, number_of_wins: 61, youWin: true, partners: [] },
    ],
    is_scaled: false,
    rate: { code: 'GBP', sats: 1000, at: NOON - DAY - 300 },
    money: MONEY,
    statements: [],
    ...changes,
  })
  const open = async (changes: Partial<DrawDetails> = {}) => {
    page = await renderPage(<DrawScreen gameKey={GAME} number={8} />, {
      profile: null,
      answers: { getGames: () => [heroGame(NOON + 6 * 3600)], getDraw: () => details(changes) },
    })
    // The part after the first view, however long its script takes.
    await import('./components/draw-accounts.tsx')
    await pass(0)
  }
  const side = (title: string): string[] =>
    [...document.querySelectorAll(`section[aria-label="${title}"] dl > div`)].map((one) => one.textContent)

  it('the page of a draw has the numbers, the prizes by tier, the facts and where the money went', async () => {
    await open()
    expect(document.querySelector('h1')?.textContent).toBe('Bitcoin Hero draw 8')
    for (const words of [
      '4 matches',
      '£300.00',
      'Not won – rolls over',
      'Free ticket',
      'You win',
      '1 GBP = 1,000 satoshis',
    ]) {
      expect(text()).toContain(words)
    }
    expect(text()).toContain('- - - - -')
    expect(side('Came in')).toEqual([
      'Stakes of 600 lines£600.000.00600000 BTC',
      'Prize pool, left by earlier draws£2,000.000.02000000 BTC',
      'Added by the operator£0.000.00000000 BTC',
      'Total0.02600000 BTC',
    ])
    expect(side('Went out')).toEqual([
      'Prizes£305.000.00305000 BTC',
      'Jackpot£0.000.00000000 BTC',
      'Set aside for the partners£30.000.00030000 BTC',
      'Set aside for the operator£90.000.00090000 BTC',
      'Prize pool, for the next draw£2,175.000.02175000 BTC',
      'Total0.02600000 BTC',
    ])
  })

  it('the page of a draw shows sums that add up on both sides', async () => {
    await open()
    for (const title of ['Came in', 'Went out']) {
      const sats = [...document.querySelectorAll(`section[aria-label="${title}"] dl > div`)].map((row) =>
        btcToSats(/[\d.]+(?= BTC)/u.exec(row.querySelector('dd span')?.textContent ?? row.textContent)?.[0] ?? ''),
      )
      const total = sats.pop()
      expect(sats.reduce((sum, one) => sum + one, 0n)).toBe(total)
    }
  })

  it('the page of a draw says what was paid from earlier draws when the jackpot was won', async () => {
    await open({
      money: {
        ...MONEY,
        jackpot: pounds(2175),
        to_next: pounds(0),
        released: { fee: pounds(800), donation: pounds(266.66) },
      },
    })
    expect(text()).toContain('£800.00 to the operator, £266.66 to the partners.')
  })

  it.each([
    [
      'a draw that is not settled',
      { money: null, prizes: false, status: 'CLOSED', numbers: [] },
      'Shown when the prizes are.',
    ],
    [
      'a void draw',
      { money: null, prizes: false, status: 'VOID', numbers: [] },
      'No money moved: each entry kept its stake.',
    ],
    [
      'a draw without money',
      { entries: 0, money: { ...MONEY, stakes: pounds(0), from_pool: pounds(0) } },
      'No money came into this draw, and none went out.',
    ],
  ] as const)('the page of %s says why no money is shown', async (_what, changes, words) => {
    await open(changes as Partial<DrawDetails>)
    expect(text()).toContain(words)
    expect(side('Came in')).toEqual([])
  })

  it('the page of a draw links to its proof once something is published about it', async () => {
    const proof = () => document.querySelector('a[href="/game/bitcoin-hero/draw/8/proof"]')?.textContent
    await open()
    expect(proof()).toBeUndefined()
    page.unmount()
    await open({ statements: [logged(new TestOperator().openDraw().open)] })
    expect(proof()).toBe('Check this draw yourself')
  })
})
