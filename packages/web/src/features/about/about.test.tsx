import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { heroGame } from '../../testing/hero-game.ts'
import { renderPage, text } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { AboutScreen } from './about-screen.tsx'

let page: RenderedPage
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

const open = async (config: Parameters<typeof renderPage>[1]['config'] = {}) => {
  page = await renderPage(<AboutScreen />, {
    answers: { getGames: () => [heroGame(1_800_014_400), heroGame(1_800_014_400, { key: 'treasure' })] },
    profile: null,
    config,
  })
}
const hrefOf = (name: string) =>
  [...document.querySelectorAll('a')].find((link) => link.textContent === name)?.getAttribute('href')

it('the page leads to the first game and to winners and good causes', async () => {
  await open()
  expect(hrefOf('Play Bitcoin Hero')).toBe('/game/bitcoin-hero')
  expect(hrefOf('Winners & good causes')).toBe('/winners-and-good-causes')
})

it('the page shows the shares that the stakes are divided by', async () => {
  await open()
  const figures = [...document.querySelectorAll('dt')].map((term) => [
    term.nextElementSibling?.textContent,
    term.textContent,
  ])
  expect(figures).toContainEqual(['80%', 'of every stake goes into the prize pool'])
  expect(figures).toContainEqual(['15%', 'is the operator’s fee, paid only when a jackpot is won'])
})

it('the page names the operator if it is known, and otherwise says that it is not', async () => {
  await open({ testMode: true })
  expect(text()).toContain('has not published a name and an address here')
  expect(text()).toContain('in test mode')
  page.unmount()
  const operator = {
    name: 'Example Lotteries Ltd',
    licence: 'Licensed by the Example Authority',
    address: ['1 Example Street'],
    email: 'office@example.org',
    phone: null,
    source: 'https://code.example.org/lottery',
  }
  await open({ testMode: false, content: { operator, social: [], feedbackFormUrl: null } })
  expect(text()).toContain('Example Lotteries Ltd')
  expect(text()).not.toContain('test mode')
  expect(hrefOf('Source code')).toBe('https://code.example.org/lottery')
})

it('the page leads to the documentation, and to source code only if the operator names its address', async () => {
  await open()
  expect([hrefOf('Documentation'), hrefOf('Source code')]).toEqual(['/docs', undefined])
})
