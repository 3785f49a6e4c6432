import type { Payout } from '@fairball/contract/schemas/account'
import type { DrawDetails, WatchPrize } from '@fairball/contract/schemas/game'
import type { Ticket } from '@fairball/contract/schemas/ticket'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DAY, NOON, pounds } from '../../testing/pounds.ts'
import { pass, renderPage, text } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import OwnResult from './own-result.tsx'

const GAME = 'bitcoin-hero'
const DRAWN = [3, 14, 15, 26, 35]
const ENDED_AT = NOON - DAY

const PAYOUT: Payout = {
  status: 'SCHEDULED',
  reason: null,
  amount: pounds(5),
  leaves_by: ENDED_AT + 3540,
  sent_at: null,
  available_from: null,
  address: 'bcrt1q',
  txid: null,
  link: null,
  confirmations: 0,
  network: 'ONCHAIN',
  receipt: null,
}
const ticket = (playId: string, change: Partial<Ticket> = {}): Ticket => ({
  play_id: playId,
  game_key: GAME,
  transaction_id: playId,
  draw: {
    number: 8,
    start_at: ENDED_AT - 160,
    ticket_sell_closes_at: ENDED_AT - 460,
    end_at: ENDED_AT,
    status: 'DRAWN',
    numbers: DRAWN,
  },
  lines: [
    { numbers: [3, 14, 15, 1, 2], is_lucky_dip: false, matches: 3 },
    { numbers: [3, 14, 1, 2, 4], is_lucky_dip: false, matches: 2 },
  ],
  moved_from: null,
  result: { win_type: 'PRIZE', best_matches: 3, amount_won: pounds(5), free_tickets: 1 },
  payout: PAYOUT,
  ...change,
})
const PRIZES = [{ matches: [3] }, { matches: [2] }] as WatchPrize[]

let page: RenderedPage
beforeEach(() => void vi.useFakeTimers({ now: NOON * 1000 }))
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

async function open(tickets: Ticket[], { isPlayer = true, playId = null as string | null, hasLinks = false } = {}) {
  page = await renderPage(<OwnResult gameKey={GAME} number={8} playId={playId} hasLinks={hasLinks} />, {
    profile: isPlayer ? {} : null,
    answers: {
      getTickets: () => ({ results: tickets, total_pages: 1 }),
      // Only this member is read.
      getDraw: () => ({ prizes: PRIZES }) as DrawDetails,
    },
  })
  await pass(0)
}
const links = () => [...document.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')])

it('it has what was won, the best line with its matches, how many lines won, and the way of the money', async () => {
  await open([ticket('1')], { hasLinks: true })
  expect(document.querySelector('h2')?.textContent).toBe('You won £5.00 and 1 free ticket')
  expect(text()).toContain('0.00005000 BTC')
  expect(document.querySelector('[aria-label="Line A"]')?.textContent).toBe('3 match14 match15 match12')
  expect(text()).toContain('2 winning lines')
  expect(text()).toContain('Counted12:00 PMSentby 12:59 PM')
  expect(links()).toEqual([
    ['See my lines', '/game/bitcoin-hero/results/1/1'],
    ['Check this draw', '/game/bitcoin-hero/draw/8/proof'],
  ])
})

it('it follows the way of the money until it is in the wallet', async () => {
  const tickets = [ticket('1')]
  await open(tickets)
  tickets[0] = ticket('1', {
    payout: {
      ...PAYOUT,
      status: 'CONFIRMED',
      sent_at: ENDED_AT + 1740,
      txid: `9632${'0'.repeat(56)}234f`,
      confirmations: 1,
    },
  })
  await pass(30_000)
  expect(text()).toContain('Sentat 12:29 PMIn your wallet1 confirmation · 9632…234f')
  const asked = page.calls('getTickets').length
  await pass(60_000)
  expect(page.calls('getTickets')).toHaveLength(asked)
})

it('it is about one order where that is asked for', async () => {
  const lost = { win_type: null, best_matches: 1, amount_won: null, free_tickets: 0 }
  await open([ticket('2'), ticket('1', { result: lost, payout: null })], { playId: '1' })
  expect(text()).toContain('Draw 8 · Thu, Jan 14, 11:57 AM')
  expect(text()).toContain('No win this time. Best line: 1 of 5.')
})

it('a result that is not counted yet is fetched until it is', async () => {
  const tickets = [ticket('1', { result: null, payout: null })]
  await open(tickets)
  expect(text()).toBe('')
  tickets[0] = ticket('1')
  await pass(10_000)
  expect(text()).toContain('You won £5.00 and 1 free ticket')
})

it('a player without a ticket sees nothing, and a visitor asks for nothing', async () => {
  await open([])
  expect(text()).toBe('')
  page.unmount()
  await open([ticket('1')], { isPlayer: false })
  expect(text()).toBe('')
  expect(page.calls('getTickets')).toEqual([])
})
