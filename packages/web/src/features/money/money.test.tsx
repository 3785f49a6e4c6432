import type { DrawDetails } from '@fairball/contract/schemas/game'
import { ApiError } from '@fairball/contract/client'
import { longRunShares } from '@fairball/domain/game-outlook'
import { GAMES, SEED_SPLIT } from '@fairball/domain/seeds'
import { btcToSats } from '@fairball/domain/money'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { heroGame } from '../../testing/hero-game.ts'
import { seededGame } from '../../testing/seeded-game.ts'
import { DAY, NOON, pounds } from '../../testing/pounds.ts'
import { find } from '@fairball/ui/testing/render.tsx'
import { pass, renderPage, text } from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { drawFlow } from './draw-flow.ts'
import { MoneyScreen } from './money-screen.tsx'
import { solvencyView } from './solvency-view.ts'

/** Until the last try has failed. */
const TRIES_MS = 30_000

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
const SOLVENCY = {
  assets: { wallet: '50.01000000' },
  ledger: '50.01000000',
  difference: '0.00000000',
  read_at: NOON,
  liabilities: {
    bankroll: '50.00000000',
    fee_reserve: '0.00150000',
    pots: '0.00600000',
    donation_pool: '0.00050000',
    winnings: '0.00150000',
    stakes_held: '0.00050000',
    in_flight: '0.00000000',
  },
  free_tickets: 1,
  solvent: true,
}
const draw = (number: number, datetime: number) => ({
  id: number,
  number,
  datetime,
  month_and_year: 'January 2027',
  numbers: [35, 3, 26, 14, 15],
  jackpot: false as const,
  donation: false as const,
  partners: [],
})
const details = (number: number): DrawDetails => ({
  ...draw(number, NOON - DAY),
  status: 'DRAWN',
  ticket_sell_closes_at: NOON - DAY - 300,
  end_at: NOON - DAY + 160,
  entries: 600,
  prizes: [],
  is_scaled: false,
  rate: null,
  money: MONEY,
  statements: [],
})

let page: RenderedPage
beforeEach(() => void vi.useFakeTimers({ now: NOON * 1000 }))
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

const open = async (answers: Answers = {}) => {
  page = await renderPage(<MoneyScreen />, {
    profile: null,
    answers: {
      getGames: () => [heroGame(NOON + 3600)],
      getDraws: () => ({ results: [draw(9, NOON - DAY), draw(8, NOON - 2 * DAY)], totalPages: 1, total_pages: 1 }),
      getDraw: ({ params }) => details(Number(params.number)),
      getSolvency: () => SOLVENCY,
      ...answers,
    },
  })
  await pass(0)
}

const cellsOf = (caption: string) => {
  const table = [...document.querySelectorAll('table')].find((one) => one.caption?.textContent === caption)
  return [...(table?.querySelectorAll('tbody tr') ?? [])].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.textContent),
  )
}

it('the page divides a stake like the stakes of a draw', async () => {
  await open()
  const { prizePool: prizePoolSats, donation: donationSats, fee: feeSats } = SEED_SPLIT
  expect(
    [...find('dl').querySelectorAll('div')].map((part) => [
      part.dataset['part'],
      part.querySelector('dd')?.textContent,
    ]),
  ).toEqual([
    ['prize_pool', `${prizePoolSats}%`],
    ['donation', `${donationSats}%`],
    ['fee', `${feeSats}%`],
  ])
})

it('every game has the long-run shares that the domain computes, which sum to 100%', async () => {
  await open({
    getGames: () => GAMES.map((game) => seededGame(game, NOON + 3600)),
    getDraws: () => ({ results: [], totalPages: 0, total_pages: 0 }),
  })
  const percent = (permille: number) => `${(permille / 10).toFixed(1)}%`
  expect(cellsOf('Where the stakes of each game go in the long run')).toEqual(
    GAMES.map((game) => {
      const { fixedPermille, jackpotPermille, donationPermille, feePermille } = longRunShares(game)
      expect(fixedPermille + jackpotPermille + donationPermille + feePermille).toBe(1000)
      return [
        game.name,
        '',
        percent(fixedPermille),
        percent(jackpotPermille),
        percent(donationPermille),
        percent(feePermille),
      ]
    }),
  )
})

it('the page says that the figure of classic lotteries is the operator’s statement', async () => {
  await open()
  expect(text()).toContain('Classic lotteries return about 50-60% to their players. That is the operator’s statement')
})

describe('the newest draws', () => {
  it('the newest draws show the sources and uses of their money, with a link to each draw', async () => {
    await open()
    const cards = [...document.querySelectorAll('article')]
    expect(cards.map((card) => card.querySelector('h3')?.textContent)).toEqual([
      'Bitcoin Hero, draw 9',
      'Bitcoin Hero, draw 8',
    ])
    const parts = [...(cards[0]?.querySelectorAll('dt') ?? [])].map((term) => [
      term.textContent,
      term.nextElementSibling?.textContent,
    ])
    expect(parts).toEqual([
      ['600 lines', '£600.000.00600000 BTC'],
      ['Left by earlier draws', '£2,000.000.02000000 BTC'],
      ['Fixed prizes', '£305.000.00305000 BTC'],
      ['Good causes', '£30.000.00030000 BTC'],
      ['Operator', '£90.000.00090000 BTC'],
      ['Stays for the next draw', '£2,175.000.02175000 BTC'],
    ])
    expect(cards[0]?.querySelector('a')?.getAttribute('href')).toBe('/game/bitcoin-hero/draw/9')
    expect(text()).toContain('The jackpot was not won: it rolls over.')
  })

  it('both sides of a draw have the same sum, to the satoshi', () => {
    const { cameIn, wentOut, totalBtc } = drawFlow(MONEY, 600)
    const sum = (parts: typeof cameIn) => parts.reduce((sats, { amount }) => sats + btcToSats(amount.crypto.value), 0n)
    expect([sum(cameIn), sum(wentOut)]).toEqual([2_600_000n, 2_600_000n])
    expect(totalBtc).toBe('0.02600000')
  })

  it('the page says so before the first draw', async () => {
    await open({ getDraws: () => ({ results: [], totalPages: 0, total_pages: 0 }) })
    expect(text()).toContain('No draw history yet.')
  })

  it('a draw without money says so', () => {
    const none = Object.fromEntries(Object.keys(MONEY).map((name) => [name, name === 'released' ? null : pounds(0)]))
    expect(drawFlow({ ...MONEY, ...none }, 0)).toEqual({ cameIn: [], wentOut: [], totalBtc: null })
  })

  it('the page says so if the newest draws cannot be loaded', async () => {
    await open({
      getDraws: () => {
        throw new ApiError({ status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'of the server' })
      },
    })
    await pass(TRIES_MS)
    expect(text()).toContain('Data cannot be loaded! Please try again later.')
  })
})

describe('what the operator holds and owes', () => {
  it('the operator’s debts are shown in groups, with whether the wallet covers them', async () => {
    await open()
    expect(text()).toContain('CoveredThe wallet covers all that is owed and all that is set aside for prizes.')
    expect(cellsOf('Set aside for prizes')).toEqual([
      ['Prize pools', 'What the games carry from draw to draw', '0.00600000'],
    ])
    expect(text()).toContain('1 free ticket waits to be played.')
  })

  it('the wallet is compared with the ledger, to the satoshi', async () => {
    await open()
    expect(text()).toContain(
      'The ledger has the same 50.01000000 BTC on record, to the satoshi. The wallet was read on',
    )
  })

  it('the difference between wallet and ledger is shown with its sign', async () => {
    await open({ getSolvency: () => ({ ...SOLVENCY, ledger: '50.02000000', difference: '-0.01000000' }) })
    expect(text()).toContain('The ledger has 50.02000000 BTC on record: a difference of -0.01000000 BTC.')
  })

  it('an unread wallet is not said to agree with the ledger', async () => {
    await open({ getSolvency: () => ({ ...SOLVENCY, assets: {}, solvent: false, read_at: null }) })
    expect(text()).toContain('Not knownThe wallet could not be read yet')
    expect(text()).toContain('In the walletnot known')
    for (const told of ['has the same', '0.00000000 BTC', 'Not covered', 'does not cover'])
      expect(text()).not.toContain(told)
  })

  it('the operator’s own money need not be covered, but an unknown kind of account does', () => {
    const view = solvencyView({ ...SOLVENCY, liabilities: { ...SOLVENCY.liabilities, new_kind: '0.00150000' } })
    expect([view.walletBtc, view.neededBtc, view.ownBtc]).toEqual(['50.01000000', '0.01000000', '50.00150000'])
    expect(view.groups.map(({ name, percent }) => [name, percent])).toEqual([
      ['Owed to players, and under way', 20],
      ['Set aside for prizes', 60],
      ['For good causes', 5],
      ['Not yet assigned', 15],
      ['The operator’s own', 0],
    ])
  })

  it('the page says plainly that the debts are not covered', async () => {
    await open({ getSolvency: () => ({ ...SOLVENCY, solvent: false }) })
    expect(text()).toContain('Not covered')
    expect(text()).not.toContain('The wallet covers all')
  })
})
