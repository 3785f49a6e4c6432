import type { Balance } from '@fairball/contract/schemas/account'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import AccountMenu from './account-menu.tsx'
import { NOON } from '../../testing/pounds.ts'
import { hasButton, pass, pressButton, renderPage } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { MessagesScreen } from '../../features/settings/messages-screen.tsx'

const WHEN = 'Jan 15, 2027 at 12:00 PM'

const amount = (pounds: number) => ({
  crypto: { value: `0.0000${pounds}000`, code: 'BTC' as const },
  fiat: { GBP: { value: pounds, symbol: '£', position_of_symbol: 'LEFT' as const } },
})
const NO_MONEY: Balance = {
  waiting: { total: amount(0), items: [] },
  on_its_way: { total: amount(0), items: [] },
  paid: { total: amount(0), last_at: null },
  free_tickets: [],
}

let page: RenderedPage
beforeEach(() => vi.useFakeTimers({ now: NOON * 1000 }))
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

it('messages are counted in the menu: of 3, one opened leaves 2, and "Mark all as read" none', async () => {
  const messages = ['1', '2', '3'].map((id) => ({
    id,
    created_at: NOON,
    title: `Message ${id}`,
    content: '<p>…</p>',
    action: null,
    is_read: false,
  }))
  let count = 3
  const mark = (left: number) => () => {
    count = left
    return { ok: true as const }
  }
  page = await renderPage(
    <>
      <AccountMenu username="player-abc123" />
      <MessagesScreen page={1} />
    </>,
    {
      answers: {
        getMessages: () => ({ results: messages, total_pages: 1 }),
        getUnreadMessages: () => ({ count }),
        getBalance: () => NO_MONEY,
        markMessage: mark(2),
        markAllMessages: mark(0),
      },
    },
  )
  const menu = () => document.querySelector('[aria-expanded]')
  const entry = () => [...document.querySelectorAll('a')].find((link) => link.textContent.startsWith('Messages'))
  expect(entry()?.textContent).toBe('Messages3, 3 unread')
  expect(menu()?.textContent).toBe('My account, signed in as player-abc1233, 3 unread messages')
  await pressButton(`Message 1${WHEN}New`)
  expect(entry()?.textContent).toBe('Messages2, 2 unread')
  await pressButton('Mark all as read')
  expect(entry()?.textContent).toBe('Messages')
  expect(menu()?.textContent).toBe('My account, signed in as player-abc123')
  expect(hasButton('Mark all as read')).toBe(false)
  expect(document.querySelectorAll('[class*="unread"]')).toHaveLength(0)
})

it.each([
  ['its sum, of what waits and what is on its way', 5, 2, 'Balance£7.00'],
  ['no sum if nothing is to come', 0, 0, 'Balance'],
])('the menu has the places of a player, the balance with %s', async (_what, waits, leaves, balance) => {
  page = await renderPage(<AccountMenu username="player-abc123" />, {
    answers: {
      getUnreadMessages: () => ({ count: 0 }),
      getBalance: () => ({
        ...NO_MONEY,
        waiting: { total: amount(waits), items: [] },
        on_its_way: { total: amount(leaves), items: [] },
      }),
    },
  })
  expect([...document.querySelectorAll('li')].map((entry) => entry.textContent)).toEqual([
    'My tickets',
    balance,
    'My profile',
    'My games',
    'Crypto account details',
    'Messages',
    'Log Out',
  ])
})

it('what accompanies a player asks for nothing in the first second and a half: the page comes first', async () => {
  page = await renderPage(<AccountMenu username="player-abc123" />, {
    answers: {
      getUnreadMessages: () => ({ count: 0 }),
      getBalance: () => NO_MONEY,
      getGames: () => [],
      getResponsiblePlay: () => {
        throw new Error('not of interest here')
      },
    },
  })
  await pass(1400)
  expect(page.calls('getResponsiblePlay')).toHaveLength(0)
  await vi.waitFor(async () => {
    await pass(100)
    expect(page.calls('getResponsiblePlay')).toHaveLength(1)
  })
})
