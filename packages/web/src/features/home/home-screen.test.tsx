import { act, useState } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@fairball/contract/client'
import type { AnswerOf } from '@fairball/contract/calls'
import { useNow } from '../../shared/use-clock.ts'
import type { Game } from '../../shared/data/games.ts'
import { drawAt, heroGame } from '../../testing/hero-game.ts'
import {
  alerts,
  button,
  control,
  fill,
  pass,
  pressButton,
  renderPage,
  submit,
  text,
} from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { HomeScreen } from './home-screen.tsx'

// A Saturday.
const NOW = Date.parse('2026-11-21T12:00:00Z') / 1000
const HOUR = 3600
type Latest = AnswerOf<'getLatestDraws'>[number]
const amount = (value: number) => ({
  crypto: { value: value === 0 ? '0.00000000' : '0.00350000', code: 'BTC' as const },
  fiat: { GBP: { value, symbol: '£', position_of_symbol: 'LEFT' as const } },
})
const DRAW: Latest['draw'] = {
  id: 7,
  number: 1204,
  datetime: NOW - 18 * HOUR,
  month_and_year: 'November 2026',
  numbers: [9, 3, 21, 36, 5],
  jackpot: false,
  donation: false,
  partners: [],
}
const LATEST: Latest = { game_key: 'bitcoin-hero', draw: DRAW, winning_lines: 142, prizes: amount(355) }

const hero = (startAt = NOW + 6 * HOUR, change: Partial<Game> = {}) => heroGame(startAt, change)
const mega = (startAt: number) =>
  heroGame(startAt, { id: 5, key: 'mega-ball', name: 'Mega Ball', sets: [{ n: 7, N: 47 }] })

// Lazily loaded parts of the screen are loaded beforehand, so that they show immediately.
beforeAll(() =>
  Promise.all([
    import('./components/lower-half.tsx'),
    import('./components/number-picker.tsx'),
    import('./components/check-panel.tsx'),
  ]),
)

let page: RenderedPage
const open = async (games: Game[] | (() => Promise<Game[]>), answers: Answers = {}) => {
  const getGames = typeof games === 'function' ? games : () => games
  page = await renderPage(<HomeScreen />, {
    answers: { getGames, getLatestDraws: () => [LATEST], ...answers },
    profile: null,
    config: { testMode: false },
  })
  await pass(0)
}
beforeEach(() => void vi.useFakeTimers({ now: NOW * 1000 }))
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

const heading = () => document.querySelector('h1')?.textContent
/** The buttons of the large game, each with its target. */
const buttons = () =>
  [...document.querySelectorAll('[aria-labelledby="hero-game"] a')].map((link) => [
    link.textContent,
    link.getAttribute('href'),
  ])

it('in the demo the home page notices a jump of the clock within ten seconds', async () => {
  const getGames = vi.fn(() => [hero(NOW + HOUR)])
  page = await renderPage(<HomeScreen />, { answers: { getGames, getLatestDraws: () => [] }, profile: null })
  const before = getGames.mock.calls.length
  await pass(10_000)
  expect(getGames.mock.calls.length).toBeGreaterThan(before)
})

describe('the game the home page opens with', () => {
  it('the home page opens with the game whose sales close soonest, with jackpot, price and countdown', async () => {
    await open([mega(NOW + 9 * HOUR), hero(NOW + 6 * HOUR)])
    expect(heading()).toBe('Bitcoin Hero')
    expect(text()).toContain('Draw: Today at 6:00 PM')
    expect(text()).toContain('Estimated jackpot: £20K')
    expect(document.querySelector('[role="timer"]')?.textContent).toBe('00Days06Hours00Mins00Sec')
    await pass(1_000)
    expect(document.querySelector('[role="timer"]')?.textContent).toBe('00Days05Hours59Mins59Sec')
  })

  it('the home page opens with the first game if none is open', async () => {
    await open([mega(NOW - HOUR), hero(NOW + 60)])
    expect(heading()).toBe('Mega Ball')
  })

  it('the large game changes only once a game has its next draw, not while the page is being read', async () => {
    const games = [mega(NOW + 9 * HOUR), hero(NOW + HOUR)]
    await open(async () => [...games])
    await pass(56 * 60_000)
    expect(heading()).toBe('Bitcoin Hero') // its sales have closed, and its draw is about to start
    games[1] = hero(NOW + HOUR, {
      open_draws: [],
      jackpot: { ...hero().jackpot, crypto: { value: '0.3', code: 'BTC' } },
    })
    await pass(6 * 60_000) // the draw is on
    expect(heading()).toBe('Bitcoin Hero')
    games[1] = hero(NOW + 25 * HOUR, { next_draw: { ...drawAt(NOW + 25 * HOUR), number: 2 } })
    await pass(2 * 60_000) // the draw has ended, so the games are fetched again
    expect(heading()).toBe('Mega Ball')
  })

  it('a visitor who comes from another page sees the present large game, however old the first page is', async () => {
    function OtherPageFirst() {
      const [isHome, setHome] = useState(false)
      useNow()
      if (isHome) return <HomeScreen />
      return (
        <button type="button" onClick={() => setHome(true)}>
          Home
        </button>
      )
    }
    page = await renderPage(<OtherPageFirst />, {
      answers: { getGames: () => [mega(NOW + 9 * HOUR), hero(NOW + HOUR)], getLatestDraws: () => [] },
      profile: null,
      config: { testMode: false },
    })
    await pass(57 * 60_000)
    await pressButton('Home')
    expect(heading()).toBe('Mega Ball')
  })

  it('the home page shows jackpot and price in the player’s currency', async () => {
    page = await renderPage(<HomeScreen />, {
      answers: { getGames: () => [hero()], getLatestDraws: () => [] },
      profile: { currency_code: 'JPY' },
    })
    expect(text()).toContain('3.8M\u00a0¥')
    expect(buttons()[0]?.[0]).toBe('PLAY FOR 190\u00a0¥')
  })
})

describe('while nothing is on sale', () => {
  it('while a game is not on sale, the home page says why and has no link to play', async () => {
    await open([hero(NOW + 6 * HOUR, { is_on_sale: false, sales_note: 'Back on Monday' })])
    expect(text()).toContain('Back on Monday')
    expect(text()).not.toContain('PLAY')
    expect(buttons()).toEqual([['CHECK RESULTS', '/game/bitcoin-hero/results']])
  })
})

describe('the buttons of the home page', () => {
  const play = ['PLAY FOR £1', '/game/bitcoin-hero']
  const watch = ['WATCH THE DRAWS', '/game/bitcoin-hero/watch']
  const history = ['CHECK DRAW HISTORY', '/game/bitcoin-hero/draws']
  const results = ['CHECK RESULTS', '/game/bitcoin-hero/results']
  const START = NOW + 6 * HOUR

  it.each([
    ['long before the draw', START - 2 * HOUR, [play, results]],
    ['3601 s before the start', START - 3601, [play, results]],
    ['3600 s before the start', START - 3600, [play, watch, results]],
    ['a second before sales close', START - 301, [play, watch, results]],
    ['when sales have closed', START - 300, [watch, results]],
    ['while it is drawn', START + 159, [watch, results]],
    ['when it has ended', START + 160, [history, results]],
  ])('%s', async (_when, at, expected) => {
    vi.setSystemTime(at * 1000)
    await open([hero(START)])
    expect(buttons()).toEqual(expected)
  })

  it('the buttons of the home page change at their times, without a reload', async () => {
    vi.setSystemTime((START - 301) * 1000)
    await open([hero(START)])
    expect(buttons()).toEqual([play, watch, results])
    await pass(1_000)
    expect(buttons()).toEqual([watch, results])
  })
})

describe('all games', () => {
  it('all games are tickets with jackpot, next draw and price that lead to the game', async () => {
    await open([hero(), mega(NOW + 30 * HOUR)])
    const cards = [...document.querySelectorAll('[aria-labelledby="all-games"] li')]
    expect(cards.map((card) => card.querySelector('a')?.getAttribute('href'))).toEqual([
      '/game/bitcoin-hero',
      '/game/mega-ball',
    ])
    expect(cards[1]?.textContent).toContain('Mega Ball')
    expect(cards[1]?.textContent).toContain('Estimated jackpot · pick 7 from 47')
    expect(cards[1]?.textContent).toContain('PLAY FOR £1')
  })

  it('games that cannot be loaded can be fetched again', async () => {
    let fails = true
    await open(async () => {
      if (fails) throw new ApiError({ status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'of the server' })
      return [hero()]
    })
    await pass(60_000)
    expect(text()).toContain('Data cannot be loaded! Please try again later.')
    fails = false
    await act(async () => document.querySelector('button')?.click())
    await pass(0)
    expect(heading()).toBe('Bitcoin Hero')
  })

  it('a sentence replaces the games if there are none', async () => {
    await open([])
    expect(text()).toContain('No game is open yet. Please come back later.')
  })
})

describe('the check of numbers', () => {
  const LINE = '1 2 3 4 5'
  const check = async (typed: string) => {
    await fill('Your numbers', typed)
    await submit()
  }

  it('the check sends the line, and lists the draws in which it would have won', async () => {
    const won = { number: 1204, date: NOW - 18 * HOUR, matches: 3, win_type: 'PRIZE' } as const
    await open([hero()], { checkNumbers: () => ({ results: [{ line: [1, 2, 3, 4, 5], draws: [won] }] }) })
    await check(' 5, 4;3 2\t1 ')
    expect(page.calls('checkNumbers')).toEqual([{ lines: [[5, 4, 3, 2, 1]] }])
    expect(text()).toContain('These numbers won once:')
    expect(text()).toContain('Draw 1,204Friday, Nov 203 matchesPrize')
  })

  it('the check says so if nothing was won', async () => {
    await open([hero()], { checkNumbers: () => ({ results: [{ line: [1, 2, 3, 4, 5], draws: [] }] }) })
    await check(LINE)
    expect(text()).toContain('These numbers have won nothing in the last 180 days.')
    await fill('Your numbers', '1 2 3 4')
    expect(text()).not.toContain('These numbers have won nothing')
  })

  it.each([
    ['', 'A line has exactly 5 numbers.'],
    ['1 2 3 4', 'A line has exactly 5 numbers.'],
    ['1 2 3 4 5 6', 'A line has exactly 5 numbers.'],
    ['1 2 3 4 37', 'Numbers are whole and from 1 to 36.'],
    ['0 2 3 4 5', 'Numbers are whole and from 1 to 36.'],
    ['1 2 3 4 4', 'A number appears twice.'],
  ])('the check refuses the line "%s" with the reason', async (typed, complaint) => {
    await open([hero()])
    await check(typed)
    expect(control('Your numbers').getAttribute('aria-invalid')).toBe('true')
    expect(text()).toContain(complaint)
    await fill('Your numbers', LINE)
    expect(text()).not.toContain(complaint)
  })

  it('the button is busy during the check, and a failure is reported', async () => {
    const answer = Promise.withResolvers<never>()
    await open([hero()], { checkNumbers: () => answer.promise })
    await check(LINE)
    expect(button('Check numbers').getAttribute('aria-busy')).toBe('true')
    answer.reject(new ApiError({ status: 503, code: 'INTERNAL_SERVER_ERROR', message: 'of the server' }))
    await pass(0)
    expect(alerts().join()).toContain('Error. Please wait a few minutes before you try again.')
    expect(button('Check numbers').getAttribute('aria-busy')).toBeNull()
  })

  it('the check accepts a line that was picked from the grid', async () => {
    await open([hero()], { checkNumbers: () => ({ results: [{ line: [1, 2, 3, 4, 5], draws: [] }] }) })
    await pressButton('Pick numbers from a grid')
    expect(document.querySelector('dialog')?.textContent).toContain('SELECT NUMBERS')
    expect(button('CONFIRM').disabled).toBe(true)
    for (const number of [5, 4, 3, 2, 1]) await pressButton(String(number))
    await pressButton('CONFIRM')
    expect(document.querySelector('dialog')).toBeNull()
    expect(control('Your numbers').value).toBe(LINE)
  })

  it('the check is for the chosen game', async () => {
    await open([hero(), mega(NOW + 30 * HOUR)], { checkNumbers: () => ({ results: [] }) })
    await fill('Your numbers', LINE)
    const group = document.querySelector('[aria-label="Game whose draws are checked"]')
    const chip = [...(group?.querySelectorAll('button') ?? [])].find((one) => one.textContent.endsWith('Mega Ball'))
    await act(async () => chip?.click())
    expect(control('Your numbers').value).toBe('')
    expect(text()).toContain('7 numbers from 1 to 47, with spaces between them.')
  })
})

describe('the latest results', () => {
  const MEGA: Latest = {
    game_key: 'mega-ball',
    draw: { ...DRAW, id: 8, number: 3, jackpot: amount(20_000) },
    winning_lines: 1,
    prizes: amount(0),
  }
  const rows = () =>
    [...document.querySelectorAll('li[data-game]')].map((row) => row.textContent).filter((row) => row.includes('Draw'))
  const chip = (name: string) => {
    const chips = [...document.querySelectorAll('[aria-label="Game whose results are shown"] button')]
    return chips.find((one) => one.textContent.endsWith(name)) as HTMLButtonElement | undefined
  }

  it('the latest results are the newest draw of each game, with its date, jackpot and what its lines won', async () => {
    await open([hero(), mega(NOW + 30 * HOUR)], { getLatestDraws: () => [LATEST, MEGA] })
    const [first, second] = rows()
    expect(first).toContain('Bitcoin HeroDraw 1,204 · Friday, Nov 20')
    expect(first).toContain('- - - - -Jackpot Not won.Rolled over')
    expect(first).toContain('142 lines won £355.00')
    expect(second).toContain('£20KJackpot')
    expect(second).toContain('1 line won free tickets')
  })

  it('a chip leaves the draw of one game, and the first chip brings all of them back', async () => {
    await open([hero(), mega(NOW + 30 * HOUR)], { getLatestDraws: () => [LATEST, MEGA] })
    expect(chip('All')?.getAttribute('aria-pressed')).toBe('true')
    await act(async () => chip('Mega Ball')?.click())
    expect(rows()).toHaveLength(1)
    expect(rows()[0]).toContain('Mega Ball')
    expect(document.querySelector('[aria-label="Draw history of Mega Ball"]')?.getAttribute('href')).toBe(
      '/game/mega-ball/draws',
    )
    await act(async () => chip('All')?.click())
    expect(rows()).toHaveLength(2)
  })

  it('a game without a draw has no chip', async () => {
    await open([hero(), mega(NOW + 30 * HOUR), { ...mega(NOW + 30 * HOUR), key: 'treasure', name: 'Treasure' }], {
      getLatestDraws: () => [LATEST, MEGA],
    })
    expect(chip('Bitcoin Hero')).toBeDefined()
    expect(chip('Treasure')).toBeUndefined()
  })

  it('the latest results say so before the first draw', async () => {
    await open([hero()], { getLatestDraws: () => [] })
    expect(text()).toContain('No draw history yet.')
  })

  it('the latest results show a draw soon after it has ended', async () => {
    let results = [LATEST]
    await open([hero(NOW + 60, { next_draw: drawAt(NOW + 60) })], { getLatestDraws: () => results })
    expect(text()).not.toContain('Draw 1,205')
    results = [{ ...LATEST, draw: { ...DRAW, id: 8, number: 1205, datetime: NOW + 60 } }]
    await pass(231_000)
    expect(text()).toContain('Draw 1,205')
  })
})

describe('the check of every draw', () => {
  const link = () => [...document.querySelectorAll('a')].find((one) => one.textContent === 'Check every draw yourself')

  it('the last of the facts for newcomers leads to the proof of the newest draw', async () => {
    await open([hero()])
    expect(link()?.getAttribute('href')).toBe('/game/bitcoin-hero/draw/1204/proof')
  })

  it('before the first draw it leads to the page about fairness', async () => {
    await open([hero()], { getLatestDraws: () => [] })
    expect(link()?.getAttribute('href')).toBe('/fairness')
  })
})
