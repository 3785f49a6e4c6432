import type { DrawDetails, WatchPrize } from '@fairball/contract/schemas/game'
import type { Ticket } from '@fairball/contract/schemas/ticket'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { heroGame } from '../../testing/hero-game.ts'
import { DAY, NOON, pounds } from '../../testing/pounds.ts'
import { hasButton, pass, pressButton, renderPage, text } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { find } from '@fairball/ui/testing/render.tsx'
import { ReplayDraw } from './replay-draw.tsx'

const GAME = 'bitcoin-hero'
const DRAWN = [7, 25, 21, 1, 20]
const TICKET: Ticket = {
  play_id: '1',
  game_key: GAME,
  transaction_id: '1',
  draw: {
    number: 2,
    start_at: NOON - DAY,
    ticket_sell_closes_at: NOON - DAY - 300,
    end_at: NOON - DAY + 160,
    status: 'DRAWN',
    numbers: DRAWN,
  },
  lines: [
    { numbers: [2, 3, 4, 5, 6], is_lucky_dip: false, matches: 0 },
    { numbers: [7, 25, 21, 2, 3], is_lucky_dip: false, matches: 3 },
  ],
  moved_from: null,
  result: { win_type: 'PRIZE', best_matches: 3, amount_won: pounds(5), free_tickets: 0 },
  payout: null,
}

let page: RenderedPage
// A part that is loaded lazily is loaded beforehand, so that it shows at once.
beforeAll(() => import('./replay.tsx'))
beforeEach(() => void vi.useFakeTimers({ now: NOON * 1000 }))
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

async function open({ isPlayer = true, isStill = false } = {}) {
  if (isStill) {
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (query) => ({ matches: query.includes('reduce') }) as MediaQueryList,
    )
  }
  page = await renderPage(<ReplayDraw gameKey={GAME} number={2} />, {
    profile: isPlayer ? {} : null,
    answers: {
      getGames: () => [heroGame(NOON + 6 * 3600)],
      getTickets: () => ({ results: [TICKET], total_pages: 1 }),
      // Only these members are read.
      getDraw: () =>
        ({
          number: 2,
          datetime: NOON - DAY,
          numbers: DRAWN,
          entries: 940,
          prizes: [{ type: 'PRIZE', matches: [3], ...pounds(5) }] as unknown as WatchPrize[],
        }) as DrawDetails,
    },
  })
  expect(page.calls('getDraw')).toEqual([])
  await pressButton('Replay this draw')
  await pass(0)
}

const tray = () =>
  [...find('[aria-label="Numbers of this draw"]').querySelectorAll('li')].map((place) => place.textContent)
const said = () => find('[role="status"]').lastElementChild?.textContent
const [ROLLING, HIDDEN] = ['being drawn', 'not drawn yet']

it('a replay has the date in its headline, a ball every three seconds, and the lines as they stood', async () => {
  await open()
  const heading = find('h2')
  expect(heading.textContent).toBe('Bitcoin Hero, draw 2 · Thu, Jan 14, 12:00 PM')
  expect(document.activeElement).toBe(heading)
  expect(find('[role="status"]').textContent).toBe('REPLAY')
  expect(document.querySelector('.dot')).toBeNull()
  expect(text()).toContain('940 lines in this draw')
  expect(text()).toContain('Ball 1 of 5')
  expect(tray()).toEqual([ROLLING, HIDDEN, HIDDEN, HIDDEN, HIDDEN])
  await pass(3_000)
  expect(tray()).toEqual(['7', ROLLING, HIDDEN, HIDDEN, HIDDEN])
  expect(text()).toContain('Ball 2 of 5')
  expect(text()).not.toContain('7 matches')
  await pass(900)
  expect(text()).toContain('7 matches 1 of your lines.')
  expect(said()).toBe('Ball 1 of 5: 7. Matches 1 of your lines. Best line: 1 of 5.')
  expect(text()).not.toContain('You won')
})

it('a replay can be paused and skipped, and ends with what was won', async () => {
  await open()
  await pressButton('Pause')
  await pass(10_000)
  expect(tray()[0]).toBe(ROLLING)
  await pressButton('Go on')
  await pass(3_000)
  expect(tray()[0]).toBe('7')
  await pressButton('Skip')
  expect(tray()).toEqual(DRAWN.map(String))
  expect(text()).toContain('You won £5.00')
  expect(said()).toBe('You won 5 pounds.')
  expect(document.activeElement?.textContent).toBe('Replay again')
  await pressButton('Replay again')
  expect(tray()[0]).toBe(ROLLING)
})

it('without movement the balls come one by one with a press', async () => {
  await open({ isStill: true })
  expect(hasButton('Pause')).toBe(false)
  await pass(10_000)
  expect(tray()[0]).toBe(ROLLING)
  await pressButton('Next ball')
  await pass(0)
  expect(tray().slice(0, 2)).toEqual(['7', ROLLING])
  expect(text()).toContain('7 matches 1 of your lines.')
})

it('a visitor sees the balls alone, and makes no request for lines', async () => {
  await open({ isPlayer: false })
  await pressButton('Skip')
  expect(text()).toContain('All 5 balls are drawn.')
  expect(text()).not.toContain('Your lines')
  expect(page.calls('getTickets')).toEqual([])
})
