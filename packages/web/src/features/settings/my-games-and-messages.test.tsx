import type { Message } from '@fairball/contract/schemas/account'
import { ApiError } from '@fairball/contract/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { heroGame } from '../../testing/hero-game.ts'
import { NOON } from '../../testing/pounds.ts'
import { alerts, button, hasButton, pass, pressButton, renderPage, text } from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { MessagesScreen } from './messages-screen.tsx'
import { MyGamesScreen } from './my-games-screen.tsx'

/** Until the last try has failed. */
const TRIES_MS = 30_000
const LOAD_FAILED = 'Data cannot be loaded! Please try again later.'
const fail = () => {
  throw new ApiError({ status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'of the server' })
}

let page: RenderedPage
beforeEach(async () => {
  // It loads with the first opened message; loaded here, it shows immediately.
  await import('./components/message-body.tsx')
  vi.useFakeTimers({ now: NOON * 1000 })
})
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

describe('my games', () => {
  const open = async (getMyGames: NonNullable<Answers['getMyGames']>) => {
    page = await renderPage(<MyGamesScreen />, { answers: { getMyGames } })
  }

  it('played games have their name, jackpot, next draw, and the links to play and to check', async () => {
    await open(() => [heroGame(NOON + 6 * 3600)])
    const [card] = document.querySelectorAll('article')
    for (const words of ['Bitcoin Hero', '£20K', 'Next draw', 'Today at 6:00 PM', 'Play', 'Check Results']) {
      expect(card?.textContent).toContain(words)
    }
    expect(
      [...(card?.querySelectorAll('a') ?? [])].map((link) => [link.textContent, link.getAttribute('href')]),
    ).toEqual([
      ['Play', '/game/bitcoin-hero'],
      ['Check Results', '/game/bitcoin-hero/results'],
    ])
  })

  it.each([
    [-180, 'Sales for the draw at 12:03 PM are closed. Next draw: Saturday at 12:03 PM'],
    [1, 'Being drawn now. Next draw: Saturday at 11:59 AM'],
    [540, 'Drawn at 11:51 AM. Next draw: Saturday at 11:51 AM'],
  ])('played games name the draw that tickets count for, %i s after the start', async (after, sentence) => {
    await open(() => [heroGame(NOON - after)])
    expect(document.querySelector('article')?.textContent).toContain(sentence)
    expect(text()).not.toContain('Soon')
  })

  it('a played game that has ended says so, and leads to its results only', async () => {
    const ended = {
      key: 'old-game',
      name: 'Old Game',
      color: '#FF9A1F',
      jackpot: null,
      next_draw: null,
      open_draws: [],
    }
    await open(() => [ended])
    const card = document.querySelector('article')
    expect(card?.textContent).toContain('Old Game')
    expect(card?.textContent).toContain('This game has ended.')
    expect([...(card?.querySelectorAll('a') ?? [])].map((link) => link.getAttribute('href'))).toEqual([
      '/game/old-game/results',
    ])
  })

  it('the page says "No games played yet." while there are none', async () => {
    await open(() => [])
    expect(text()).toContain('No games played yet.')
  })

  it('the page says so if the played games cannot be loaded', async () => {
    await open(fail)
    await pass(TRIES_MS)
    expect(text()).toContain(LOAD_FAILED)
  })
})

describe('messages', () => {
  const aMessage = (changes: Partial<Message> = {}): Message => ({
    id: '1',
    created_at: NOON - 3600,
    title: 'You win a prize',
    content: '<p>Bitcoin Hero draw 8 <a href="https://fairball.example/x">results</a></p>',
    action: null,
    is_read: false,
    ...changes,
  })
  const open = async (
    messages: Message[],
    {
      at = 1,
      totalPages = messages.length === 0 ? 0 : 1,
      answers = {},
    }: { at?: number; totalPages?: number; answers?: Answers } = {},
  ) => {
    page = await renderPage(<MessagesScreen page={at} />, {
      answers: {
        getMessages: () => ({ results: messages, total_pages: totalPages }),
        markMessage: () => ({ ok: true }),
        markAllMessages: () => ({ ok: true }),
        getUnreadMessages: () => ({ count: messages.filter((message) => !message.is_read).length }),
        ...answers,
      },
    })
  }
  const head = (title: string) =>
    [...document.querySelectorAll('h2 button')].find((one) => one.textContent.startsWith(title))
  /** Opens a message; its viewer loads with the first one. */
  const expand = async (title: string) => {
    await pressButton(head(title)?.textContent ?? title)
    await vi.waitFor(async () => {
      await pass(1)
      expect(document.querySelector('[class*="body"]')).not.toBeNull()
    })
  }

  it('a message opens and closes by a press on its head; its title is bold while unread', async () => {
    const action = { label: 'See your win', path: '/game/bitcoin-hero/results' }
    await open([aMessage({ action }), aMessage({ id: '2', title: 'Read before', is_read: true })])
    expect(head('You win')?.getAttribute('aria-expanded')).toBe('false')
    const weights = [...document.querySelectorAll('h2 button span span')]
      .map((one) => one.className)
      .filter((name) => name.includes('read'))
    expect(weights).toEqual([expect.stringContaining('unread'), expect.stringMatching(/(^|\s)read/u)])
    await expand('You win')
    expect(head('You win')?.getAttribute('aria-expanded')).toBe('true')
    expect(text()).toContain('Bitcoin Hero draw 8')
    expect(document.querySelector('[class*="content"] a[href^="/game"]')?.getAttribute('href')).toBe(action.path)
    await pressButton(head('You win')?.textContent ?? '')
    expect(head('You win')?.getAttribute('aria-expanded')).toBe('false')
    expect(text()).not.toContain('Bitcoin Hero draw 8')
  })

  it('opening a message or "Mark as Read" marks it read, "Mark as Unread" unread, and it stays open', async () => {
    await open([aMessage()])
    expect(text()).toContain('Jan 15, 2027 at 11:00 AM')
    await expand('You win')
    expect(hasButton('Mark as Read')).toBe(false)
    expect(button('Mark as Unread')).not.toBeNull()
    expect(document.querySelector('[class*="unread"]')).toBeNull()
    await pressButton('Mark as Unread')
    await pressButton('Mark as Read')
    expect(page.calls('markMessage')).toEqual([{ is_read: true }, { is_read: false }, { is_read: true }])
    expect(head('You win')?.getAttribute('aria-expanded')).toBe('true')
  })

  it('the page says so if a message cannot be marked', async () => {
    await open([aMessage()], { answers: { markMessage: fail } })
    await expand('You win')
    expect(alerts()).toEqual(['Error. Please wait a few minutes before you try again.'])
    expect(hasButton('Mark as Read')).toBe(true)
  })

  it('the page says "No messages." while there are none', async () => {
    await open([])
    expect(text()).toContain('No messages.')
  })

  it('a page of messages after the last says so and leads back', async () => {
    await open([], { at: 4, totalPages: 2 })
    expect(text()).toContain('This page of the list is empty.')
    expect(text()).not.toContain('No messages.')
    const back = [...document.querySelectorAll('a')].find((link) => link.textContent === 'Go to page 1')
    expect(back?.getAttribute('href')).toBe('/settings/general/messages')
  })

  it('the page says so if messages cannot be loaded', async () => {
    await open([], { answers: { getMessages: fail } })
    await pass(TRIES_MS)
    expect(text()).toContain(LOAD_FAILED)
  })
})
