import { ApiError } from '@fairball/contract/client'
import { SEED_SPLIT } from '@fairball/domain/seeds'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { drawAt, heroGame } from '../../testing/hero-game.ts'
import { DAY, NOON, pounds } from '../../testing/pounds.ts'
import { pass, renderPage, text } from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { WinnersScreen } from './winners-screen.tsx'

const TRIES_MS = 30_000
const WINNER = {
  id: 'w1',
  user_name: 'pla***g6m',
  user_image: null,
  when: NOON - DAY,
  game_name: 'Bitcoin Hero',
  amount_won: pounds(300),
}
const CAUSE = {
  id: 'c1',
  title: 'Clean Water',
  description: 'Wells for villages.',
  image: null,
  link: 'https://water.example',
}

let page: RenderedPage
beforeEach(() => void vi.useFakeTimers({ now: NOON * 1000 }))
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

const open = async (answers: Answers = {}, profile: Parameters<typeof renderPage>[1]['profile'] = null) => {
  page = await renderPage(<WinnersScreen />, {
    profile,
    answers: {
      getGames: () => [
        heroGame(NOON + 7200, { key: 'treasure', name: 'Treasure' }),
        heroGame(NOON + 3600, { next_draw: drawAt(NOON + 3600) }),
      ],
      getWinners: () => [WINNER],
      getCauses: () => [CAUSE],
      ...answers,
    },
  })
  await pass(0)
}
const hrefOf = (name: string) =>
  [...document.querySelectorAll('a')].find((link) => link.textContent.includes(name))?.getAttribute('href')
const headings = () => [...document.querySelectorAll('h1, h2')].map((one) => one.textContent)

it('each winner is shown with amount, masked name, game and day, and a ball of the game if there is no picture', async () => {
  await open()
  const [winner] = document.querySelectorAll<HTMLElement>('section li')
  expect(winner?.textContent).toBe('£300.000.00300000 BTCpla***g6mBitcoin Hero, Jan 14, 2027')
  expect(winner?.dataset['game']).toBe('bitcoin-hero')
  expect(winner?.querySelector('img')).toBeNull()
})

it('a winner with a picture is shown with it', async () => {
  await open({ getWinners: () => [{ ...WINNER, user_image: '/pictures/1.png' }] })
  expect(document.querySelector('li img')?.getAttribute('src')).toBe('/pictures/1.png')
})

it('the page says so while there are no winners, and links to a game', async () => {
  await open({ getWinners: () => [] })
  expect(text()).toContain('No winners yet.')
  expect(hrefOf('Be the first')).toBe('/game/bitcoin-hero')
})

it('the page links to the game that closes next', async () => {
  await open()
  expect(hrefOf('Play Bitcoin Hero')).toBe('/game/bitcoin-hero')
  expect(text()).toContain('An estimated jackpot of £20K')
})

it('causes are shown with title, description and link, and a sentence replaces them if there are none', async () => {
  await open()
  expect(text()).toContain('Wells for villages.')
  expect(hrefOf('Visit Clean Water')).toBe('https://water.example')
  page.unmount()
  await open({ getCauses: () => [] })
  expect(text()).toContain('The operator of this installation has not named any good causes yet.')
})

it('the page shows the use of every stake, as the stakes are divided', async () => {
  await open()
  const { prizePool: prizePoolSats, donation: donationSats } = SEED_SPLIT
  expect(headings()).toEqual([
    'Winners & good causes',
    'Recent winners',
    'Every time you play',
    'An estimated jackpot of £20K',
    'Good causes',
  ])
  expect(text()).toContain(`${prizePoolSats}% of every stake is for players`)
  expect(text()).toContain(`${donationSats}% of every stake is for good causes`)
})

it('the page says so if winners cannot be loaded, and still shows the causes', async () => {
  await open({
    getWinners: () => {
      throw new ApiError({ status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'of the server' })
    },
  })
  await pass(TRIES_MS)
  expect(text()).toContain('Data cannot be loaded! Please try again later.')
  expect(text()).toContain('Wells for villages.')
})
