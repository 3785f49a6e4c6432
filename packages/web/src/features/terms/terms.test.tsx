import { GAMES, gameByKey } from '@fairball/domain/seeds'
import { combinations } from '@fairball/domain/combinations'
import { linesWithMatches, oneIn } from '@fairball/domain/odds'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { heroGame } from '../../testing/hero-game.ts'
import { firstVersion, seededGame } from '../../testing/seeded-game.ts'
import { find } from '@fairball/ui/testing/render.tsx'
import { OWN_TEXT } from '../../testing/legal-text.ts'
import { pass, renderPage, text } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { clockTime, drawTimesText } from './game-rules.ts'
import { TERMS_CHAPTERS } from './messages.ts'
import { TermsScreen } from './terms-screen.tsx'

/** Friday 15 January 2027, 12:00 UTC. */
const NOON = 1_800_014_400
const OPERATOR = {
  name: 'Example Lotteries Ltd',
  licence: 'Licensed by the Example Authority, no. 1',
  address: ['1 Example Street', 'Exampleton'],
  email: 'office@example.org',
  phone: null,
  source: null,
}

let page: RenderedPage
beforeEach(() => void vi.useFakeTimers({ now: NOON * 1000 }))
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

const open = async (set: Partial<Parameters<typeof renderPage>[1]> = {}) => {
  page = await renderPage(<TermsScreen version={undefined} />, {
    profile: null,
    ...set,
    answers: {
      getLegalText: () => OWN_TEXT,
      getGames: () => GAMES.map((game) => seededGame(game, NOON)),
      getGameVersions: ({ params: { key } }) => [firstVersion(gameByKey(String(key)) ?? expect.fail(String(key)))],
      ...set.answers,
    },
  })
  await pass(0) // the games' rules follow the text
}

const rowsOf = (key: string) =>
  [...find(`#${key} tbody`).querySelectorAll('tr')].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.textContent),
  )

const factsOf = (key: string) =>
  new Map(
    [...find(`#${key} dl`).querySelectorAll('dt')].map((term) => [
      term.textContent,
      term.nextElementSibling?.textContent ?? '',
    ]),
  )

const figure = (minor: number) => `£${(minor / 100).toLocaleString('en-GB', { minimumFractionDigits: 0 })}`
const pounds = (minor: number) => `£${(minor / 100).toLocaleString('en-GB', { minimumFractionDigits: 2 })}`

describe('the rules of the games', () => {
  it('the rules have the prizes and the odds that settle the draws', async () => {
    await open()
    for (const game of GAMES) {
      const prizes = game.tiers.map((tier) => [
        `${tier.matches} of ${game.pick}`,
        { jackpot: 'Jackpot', free: 'Free ticket', fixed: tier.kind === 'fixed' ? pounds(tier.prizeMinor) : '' }[
          tier.kind
        ],
        `1 in ${oneIn(game, tier.matches).toLocaleString('en-GB')}`,
      ])
      expect(rowsOf(game.key)).toEqual(prizes)
    }
  })

  it('the rules show price, times, closing, limits, guarantee and cover of each game', async () => {
    await open()
    for (const game of GAMES) {
      const facts = factsOf(game.key)
      expect(facts.get('Numbers on a line')).toBe(`${game.pick} different numbers from 1 to ${game.pool}`)
      expect(facts.get('Price of a line in a draw')).toBe(pounds(game.priceMinor))
      expect(facts.get('Sales close')).toBe(`${game.closesBeforeSeconds / 60} minutes before the draw`)
      expect(facts.get('Weeks in one order')).toBe(`1 to ${game.weeksAhead}`)
      expect(facts.get('Most lines of a player in a draw')).toBe(game.mostEntries.toLocaleString('en-GB'))
      expect(facts.get('Guaranteed jackpot')).toBe(figure(game.guaranteedMinor))
      expect(facts.get('Cover of the fixed prizes')).toBe(`up to ${figure(game.coverMinor)} a draw`)
    }
    expect(factsOf('bitcoin-lotto').get('Draws')).toBe('Wednesday and Saturday at 8:00 PM UTC')
    expect(factsOf('bitcoin-hero').get('Draws')).toBe('Every day at 6:00 PM UTC')
    expect(factsOf('super-game').get('Draws')).toBe('Sunday at 5:00 PM UTC')
  })

  it('the rules of a game are in its own currency, and its price in the reader’s as well', async () => {
    const game = { ...(gameByKey('bitcoin-hero') ?? expect.fail('no such game')), currency: 'EUR' }
    await open({ answers: { getGames: () => [seededGame(game, NOON)], getGameVersions: () => [firstVersion(game)] } })
    const facts = factsOf('bitcoin-hero')
    expect(facts.get('Price of a line in a draw')).toBe('€1.00, now £1.00')
    expect(facts.get('Guaranteed jackpot')).toBe('€20,000')
    expect(rowsOf('bitcoin-hero')[1]?.[1]).toBe('€300.00')
  })

  it('the odds of winning anything and the return below the jackpot follow from the tiers', async () => {
    await open()
    for (const game of GAMES) {
      const all = Number(combinations(game.pool, game.pick))
      const chance = game.tiers.reduce((sum, { matches }) => sum + Number(linesWithMatches(game, matches)) / all, 0)
      const given = game.tiers.reduce((sum, tier) => {
        const worth = tier.kind === 'fixed' ? tier.prizeMinor : tier.kind === 'free' ? game.priceMinor : 0
        return sum + (worth * Number(linesWithMatches(game, tier.matches))) / all
      }, 0)
      const facts = factsOf(game.key)
      expect(facts.get('Odds of winning anything, free tickets included')).toBe(`1 in ${(1 / chance).toFixed(1)}`)
      expect(facts.get('Given back on average below the jackpot')).toContain(
        `${((100 * given) / game.priceMinor).toFixed(1)}% of the price`,
      )
    }
  })

  it('the rules are those of the offered games', async () => {
    await open({ answers: { getGames: () => [heroGame(NOON)] } })
    expect(document.querySelector('#bitcoin-hero')).not.toBeNull()
    expect(document.querySelector('#treasure')).toBeNull()
  })

  it('the rules show the price in the player’s currency, and the draws in the player’s time zone', async () => {
    const fiat = {
      GBP: { value: 1, symbol: '£', position_of_symbol: 'LEFT' as const },
      USD: { value: 1.3, symbol: '$', position_of_symbol: 'LEFT' as const },
    }
    await open({
      answers: { getGames: () => [heroGame(NOON, { ticket_price: { fiat } })] },
      profile: { currency_code: 'USD', time_zone: 'Asia/Singapore' },
    })
    const facts = factsOf('bitcoin-hero')
    expect(facts.get('Price of a line in a draw')).toBe('£1.00, now $1.30')
    expect(facts.get('Where you are')).toBe('Every day at 2:00 AM')
  })
})

it('draw times in another time zone have the days of that zone', () => {
  const times = [
    { day: 7, minuteOfDay: 20 * 60 },
    { day: 3, minuteOfDay: 20 * 60 },
  ] as const
  expect(drawTimesText(times, 0, clockTime)).toBe('Wednesday and Sunday at 8:00 PM')
  expect(drawTimesText(times, 5 * 3600 + 1800, clockTime)).toBe('Monday and Thursday at 1:30 AM')
  expect(drawTimesText([{ day: 1, minuteOfDay: 60 }], -2 * 3600, clockTime)).toBe('Sunday at 11:00 PM')
})

it('the page has a section for every entry of the contents, with one h2 each', async () => {
  await open()
  const links = [...find('nav').querySelectorAll('a')].map((link) => link.getAttribute('href'))
  expect(links).toEqual(TERMS_CHAPTERS.map(({ id }) => `#${id}`))
  for (const { id, title } of TERMS_CHAPTERS) expect(find(`#${id} h2`).textContent).toBe(title)
  expect(document.querySelectorAll('h2')).toHaveLength(TERMS_CHAPTERS.length)
  expect(document.querySelectorAll('h1')).toHaveLength(1)
})

it('the page says how stakes are divided, who may play and how long a payment request is open', async () => {
  await open()
  expect(factsOf('bitcoin-hero').get('Division of the stakes')).toBe('80% prize pool, 5% good causes, 15% operator')
  expect(text()).toContain('You have to be 18 or over.')
  expect(text()).toContain('A payment request is open for 15 minutes.')
  expect(text()).toContain('confirmed within 24 hours of the end of the request')
  expect(text()).toContain('within an hour of the end of the draw')
})

it('the page says what becomes of free tickets when their game ends, and what a game needs to be sold', async () => {
  await open()
  expect(text()).toContain('If its game comes to an end, it is paid out at the price of a line.')
  expect(text()).not.toContain('cannot be paid out')
  expect(text()).toContain('A game is sold only while the operator holds one and a quarter times what its draws need')
})

it('the page names the operator or says that it is unknown, and warns of test mode', async () => {
  await open()
  expect(text()).toContain('has not published a name and an address here')
  expect(text()).toContain('Never send real bitcoin to it.')
  page.unmount()
  await open({ config: { testMode: false, content: { operator: OPERATOR, social: [], feedbackFormUrl: null } } })
  expect(text()).toContain('Example Lotteries Ltd')
  expect(text()).toContain('Licensed by the Example Authority, no. 1')
  expect(text()).not.toContain('Telephone')
  expect(text()).not.toContain('test mode')
})
