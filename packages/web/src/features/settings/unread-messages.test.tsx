import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import AccountMenu from '../../app/layout/account-menu.tsx'
import { NOON } from '../../testing/pounds.ts'
import { hasButton, pressButton, renderPage } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { MessagesScreen } from './messages-screen.tsx'

const WHEN = 'Jan 15, 2027 at 12:00 PM'

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
        markMessage: mark(2),
        markAllMessages: mark(0),
      },
    },
  )
  const entry = () => [...document.querySelectorAll('a')].find((link) => link.textContent.startsWith('Messages'))
  expect(entry()?.textContent).toBe('Messages3, 3 unread')
  await pressButton(`Message 1${WHEN}New`)
  expect(entry()?.textContent).toBe('Messages2, 2 unread')
  await pressButton('Mark all as read')
  expect(entry()?.textContent).toBe('Messages')
  expect(hasButton('Mark all as read')).toBe(false)
  expect(document.querySelectorAll('[class*="unread"]')).toHaveLength(0)
})
