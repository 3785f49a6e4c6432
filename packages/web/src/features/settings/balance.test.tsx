import type { Balance, Payout } from '@fairball/contract/schemas/account'
import { ApiError } from '@fairball/contract/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { heroGame } from '../../testing/hero-game.ts'
import { NOON } from '../../testing/pounds.ts'
import { pass, renderPage, text } from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { BalanceScreen } from './balance-screen.tsx'

const amount = (pounds: number, value: string) => ({
  crypto: { value, code: 'BTC' as const },
  fiat: { GBP: { value: pounds, symbol: '£', position_of_symbol: 'LEFT' as const } },
})
const NOTHING = amount(0, '0.00000000')
const payout = (changes: Partial<Payout>): Payout => ({
  status: 'WAITING',
  reason: null,
  amount: amount(5, '0.00005000'),
  leaves_by: null,
  sent_at: null,
  available_from: null,
  address: null,
  txid: null,
  link: null,
  confirmations: 0,
  network: 'ONCHAIN',
  receipt: null,
  ...changes,
})
const prize = {
  kind: 'PRIZE' as const,
  game_key: 'bitcoin-hero',
  draw: { number: 2, start_at: NOON - 3600, ticket_sell_closes_at: NOON - 3900 },
  play_id: '1',
  amount: amount(5, '0.00005000'),
}
const NONE: Balance = {
  waiting: { total: NOTHING, items: [] },
  on_its_way: { total: NOTHING, items: [] },
  paid: { total: amount(5, '0.00005000'), last_at: NOON - 86_400 },
  free_tickets: [],
}

let page: RenderedPage
beforeEach(() => void vi.useFakeTimers({ now: NOON * 1000 }))
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

const open = async (getBalance: NonNullable<Answers['getBalance']>) => {
  page = await renderPage(<BalanceScreen />, { answers: { getBalance, getGames: () => [heroGame(NOON + 3600)] } })
}
const card = (title: string) =>
  [...document.querySelectorAll('section')].find((section) => section.querySelector('h2')?.textContent === title)
const linksOf = (part: Element | undefined) =>
  [...(part?.querySelectorAll('a') ?? [])].map((link) => [link.textContent, link.getAttribute('href')])

it('money that waits says why and what to do, money on its way when it leaves, and both have a total beside what was paid', async () => {
  await open(() => ({
    ...NONE,
    waiting: { total: amount(5, '0.00005000'), items: [{ ...prize, payout: payout({ reason: 'NO_ADDRESS' }) }] },
    on_its_way: {
      total: amount(3, '0.00003000'),
      items: [
        {
          kind: 'EXCESS',
          game_key: null,
          draw: null,
          play_id: null,
          amount: amount(2, '0.00002000'),
          payout: payout({ status: 'SCHEDULED', leaves_by: NOON + 3600 }),
        },
        {
          ...prize,
          kind: 'REFUND',
          amount: amount(1, '0.00001000'),
          payout: payout({ status: 'SCHEDULED', reason: 'ON_HOLD' }),
        },
      ],
    },
  }))
  expect(card('Waiting')?.textContent).toBe(
    'Waiting£5.000.00005000 BTCPrize · Bitcoin Hero, draw 2£5.000.00005000 BTCWaiting for a payout address. Add one',
  )
  expect(linksOf(card('Waiting'))).toEqual([
    ['Bitcoin Hero, draw 2', '/game/bitcoin-hero/draw/2'],
    ['Add one', '/settings/funds-and-payments/crypto-account-details'],
  ])
  expect(card('On its way')?.textContent).toContain('£3.000.00003000 BTC')
  expect(card('On its way')?.textContent).toContain('Overpaid amount£2.000.00002000 BTCSent by Fri, Jan 15, 1:00 PM')
  expect(card('On its way')?.textContent).toContain('Being checked by us. Nothing for you to do.')
  expect(card('Paid')?.textContent).toBe('Paid£5.000.00005000 BTCLast paid Thu, Jan 14, 12:00 PM')
})

it('with nothing to come, the page says so, with what was paid; free tickets lead to their game', async () => {
  await open(() => ({ ...NONE, free_tickets: [{ game_key: 'bitcoin-hero', count: 7 }] }))
  expect(text()).toContain('Nothing is waiting. You have been paid £5.00 so far.')
  expect(card('Waiting')).toBeUndefined()
  expect(card('Free tickets')?.textContent).toContain('Bitcoin Hero: 7 free tickets')
  expect(linksOf(card('Free tickets'))).toEqual([['Play it', '/game/bitcoin-hero']])
})

it('the page says so if the balance cannot be loaded', async () => {
  await open(() => {
    throw new ApiError({ status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'of the server' })
  })
  await pass(30_000)
  expect(text()).toContain('Data cannot be loaded! Please try again later.')
})
