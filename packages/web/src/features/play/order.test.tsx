import { act } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '@fairball/contract/client'
import { changingGame } from '../../testing/changing-game.ts'
import { drawAt, heroGame } from '../../testing/hero-game.ts'
import {
  choose,
  days,
  dialog,
  lines,
  linkTo,
  NOW,
  open,
  page,
  pick,
  pressEscape,
  pressPlay,
  receipt,
  refuse,
  setUpPlayPage,
  START,
} from '../../testing/play-page.tsx'
import { button, control, fill, hasButton, pass, pressButton, text, tick } from '../../testing/render-page.tsx'
import type { Answers } from '../../testing/render-page.tsx'

import { promiseFault } from '../../proof/check-promise.ts'

// proof/check-promise.test.ts tests how promises are checked against orders.
vi.mock('../../proof/check-promise.ts', () => ({ promiseFault: vi.fn(async () => null) }))

setUpPlayPage()

describe('the lines of an order', () => {
  it('a line is picked in a dialog that confirms only a complete one, and then appends an empty one', async () => {
    await open()
    expect(text()).toContain('Step 1 of 3')
    expect(lines()).toEqual([[]])
    await pressButton('Choose numbers of line A')
    expect(dialog()?.textContent).toContain('SELECT NUMBERS')
    expect(dialog()?.querySelectorAll('[aria-pressed]')).toHaveLength(36)
    await pick(9, 3, 21, 36)
    expect(button('CONFIRM').disabled).toBe(true)
    await pick(3, 5, 7)
    expect(dialog()?.textContent).toContain('5 of 5')
    await pressButton('CONFIRM')
    expect(dialog()).toBeNull()
    expect(lines()).toEqual([[5, 7, 9, 21, 36], []])
  })

  it('the focus stays with the lines for players with a keyboard', async () => {
    await open()
    act(() => button('Choose numbers of line A').focus())
    await choose('A', 1, 2, 3, 4, 5)
    await pass(50)
    expect(document.activeElement).toBe(button('Change line A'))
    act(() => button('Delete line A').focus())
    await pressButton('Delete line A')
    await pass(50)
    expect(document.activeElement).toBe(button('Choose numbers of line A'))
  })

  it('a number too many is refused with a flash of the bar', async () => {
    await open()
    await pressButton('Choose numbers of line A')
    await pick(1, 2, 3, 4, 5)
    expect(dialog()?.querySelector('[role="progressbar"]')?.className).not.toContain('flash')
    await pick(6)
    expect(dialog()?.querySelector('[role="progressbar"]')?.className).toContain('flash')
    expect(button('6').getAttribute('aria-pressed')).toBe('false')
    expect(dialog()?.textContent).toContain('You have all 5. Remove one to change it.')
  })

  it('Clear All clears a line, including confirmed numbers', async () => {
    await open()
    await choose('A', 1, 2, 3, 4, 5)
    await pressButton('Change line A')
    await pressButton('Clear All')
    expect(dialog()?.textContent).toContain('0 of 5')
    expect(button('Clear All').disabled).toBe(true)
    await pressEscape()
    expect(lines()).toEqual([[], []])
  })

  it('closing the dialog restores the confirmed numbers of a complete line, and empties an incomplete one', async () => {
    await open()
    await choose('A', 1, 2, 3, 4, 5)
    await pressButton('Change line A')
    await pick(5, 6)
    await pressEscape()
    expect(dialog()).toBeNull()
    expect(lines()).toEqual([[1, 2, 3, 4, 5], []])
    await pressButton('Change line A')
    await pick(5)
    await pressEscape()
    expect(lines()).toEqual([[], []])
  })

  it('lines are deleted one by one, and an empty one always stays', async () => {
    await open({ props: { luckyDips: 2 } })
    const [, second] = lines()
    await pressButton('Delete line A')
    expect(lines()).toEqual([second, []])
    await pressButton('Delete line A')
    expect(lines()).toEqual([[]])
    expect(hasButton('Delete line A')).toBe(false)
  })

  it('the lines begin with the lucky dips of the address, none of which has the highest number', async () => {
    await open({ props: { luckyDips: 200 } })
    const made = lines().slice(0, -1)
    expect(made).toHaveLength(200)
    for (const line of made) expect(new Set(line).size).toBe(5)
    expect(Math.max(...made.flat())).toBeLessThan(36)
    expect(Math.min(...made.flat())).toBe(1)
  })

  const dips = () => document.querySelector<HTMLInputElement>('input[aria-label="Lucky dip lines"]')
  const typeDips = async (count: string) => {
    await fill('Lucky dip lines', count)
    await act(async () => dips()?.dispatchEvent(new FocusEvent('focusout', { bubbles: true })))
    await pass(0)
  }

  it('Quick Lucky Dip counts the lucky dips: more adds one, fewer removes the last, and never below 0', async () => {
    await open({ props: { luckyDips: 1 } })
    expect(text()).toContain('Quick Lucky Dip')
    await pressButton('More: Lucky dip lines')
    expect(lines()).toHaveLength(3)
    expect(dips()?.value).toBe('2')
    await pressButton('Fewer: Lucky dip lines')
    await pressButton('Fewer: Lucky dip lines')
    expect(lines()).toEqual([[]])
    // It keeps the focus, so it is marked and not disabled; pressing it again changes nothing.
    expect(button('Fewer: Lucky dip lines').getAttribute('aria-disabled')).toBe('true')
    await pressButton('Fewer: Lucky dip lines')
    expect(lines()).toEqual([[]])
  })

  it('a typed count of lucky dips sets it, and other lines stay', async () => {
    await open()
    await choose('A', 1, 2, 3, 4, 5)
    await typeDips('12')
    expect(lines()).toHaveLength(14)
    await typeDips('3')
    expect(lines()).toHaveLength(5)
    expect(lines()[0]).toEqual([1, 2, 3, 4, 5])
    await typeDips('0')
    expect(lines()).toEqual([[1, 2, 3, 4, 5], []])
  })

  it('the empty line at the end becomes a lucky dip with one press, and the focus goes to the next', async () => {
    await open()
    act(() => button('Lucky dip for line A').focus())
    await pressButton('Lucky dip for line A')
    await pass(50)
    expect(lines()[0]).toHaveLength(5)
    expect(dips()?.value).toBe('1')
    expect(document.activeElement).toBe(button('Choose numbers of line B'))
  })

  it('the picker fills the rest: a whole line is a lucky dip, a part of one is not', async () => {
    await open()
    await pressButton('Choose numbers of line A')
    await pick(36)
    await pressButton('Fill the rest')
    expect(dialog()?.textContent).toContain('5 of 5')
    expect(button('Fill the rest').disabled).toBe(true)
    await pressButton('CONFIRM')
    expect(lines()[0]).toContain(36)
    expect(dips()?.value).toBe('0')
    await pressButton('Choose numbers of line B')
    await pressButton('Fill the rest')
    await pressButton('CONFIRM')
    expect(dips()?.value).toBe('1')
  })

  it('a button closes the picker as Escape does', async () => {
    await open()
    await pressButton('Choose numbers of line A')
    await pick(1, 2)
    await pressButton('Close')
    expect(dialog()).toBeNull()
    expect(lines()).toEqual([[]])
  })
})

describe('saved and last played numbers', () => {
  const SAVED = [
    [1, 2, 3, 4, 5],
    [6, 7, 8, 9, 10],
  ]

  it('numbers can be saved once a line that is not a lucky dip is confirmed', async () => {
    const saveNumbers = () => ({ ok: true as const, data: [[1, 2, 3, 4, 5]] })
    await open({ props: { luckyDips: 1 }, answers: { saveNumbers } })
    expect(hasButton('Save numbers')).toBe(false)
    await choose('B', 1, 2, 3, 4, 5)
    await pressButton('Save numbers')
    expect(page.calls('saveNumbers')).toEqual([{ lines: [[1, 2, 3, 4, 5]] }])
    expect(text()).toContain('Your numbers are saved.')
    expect(hasButton('Play saved numbers')).toBe(true)
    // Changed lines are no longer the saved ones.
    await choose('C', 6, 7, 8, 9, 10)
    expect(text()).not.toContain('Your numbers are saved.')
  })

  it('saved and last played numbers replace the lines as chosen ones, with an empty one after them', async () => {
    const getSavedNumbers = () => ({ ok: true, data: SAVED }) as const
    await open({ props: { luckyDips: 3 }, answers: { getSavedNumbers, getLastPlayedNumbers: () => [[9, 8, 7, 6, 5]] } })
    await pressButton('Play saved numbers')
    expect(lines()).toEqual([...SAVED, []])
    expect(document.querySelector('input[aria-label="Lucky dip lines"]')).toMatchObject({ value: '0' })
    await pressButton('Replay: Last played numbers')
    expect(lines()).toEqual([[9, 8, 7, 6, 5], []])
  })

  it('deleted numbers disappear', async () => {
    const getSavedNumbers = () => ({ ok: true, data: SAVED }) as const
    await open({ answers: { getSavedNumbers, deleteSavedNumbers: () => ({ ok: true, data: [] }) } })
    await pressButton('Delete saved numbers')
    expect(page.calls('deleteSavedNumbers')).toHaveLength(1)
    // The button has gone, so the focus is on the notice.
    expect(document.activeElement?.textContent).toBe('Your saved numbers are deleted.')
    expect(hasButton('Play saved numbers')).toBe(false)
    expect(text()).toContain('Your saved numbers are deleted.')
  })

  it('the page says that numbers are saved or deleted, but never both', async () => {
    let data: number[][] = []
    const answers: Answers = {
      getSavedNumbers: () => ({ ok: true, data }),
      saveNumbers: ({ body }) => ({ ok: true, data: (data = body.lines) }),
      deleteSavedNumbers: () => ({ ok: true, data: (data = []) }),
    }
    await open({ answers })
    await choose('A', 1, 2, 3, 4, 5)
    const notes = () =>
      ['Your numbers are saved.', 'Your saved numbers are deleted.'].map((note) => text().includes(note))
    for (let round = 0; round < 2; round += 1) {
      await pressButton('Save numbers')
      expect(notes()).toEqual([true, false])
      await pressButton('Delete saved numbers')
      expect(notes()).toEqual([false, true])
    }
  })

  it('numbers that could not be loaded can be fetched again', async () => {
    let fails = true
    const getSavedNumbers = () =>
      fails ? refuse(500, 'INTERNAL_SERVER_ERROR')() : ({ ok: true, data: SAVED } as const)
    await open({ answers: { getSavedNumbers } })
    await pass(60_000)
    expect(text()).toContain('Data cannot be loaded! Please try again later.')
    fails = false
    await pressButton('Try again')
    expect(hasButton('Play saved numbers')).toBe(true)
  })
})

describe('days and weeks', () => {
  it('the order offers today, chosen at first, and the days after it, and says that others have passed', async () => {
    await open()
    expect(days()).toEqual([
      'Monday, Nov 23 passed',
      'Tuesday, Nov 24 passed',
      'Wednesday, Nov 25 passed',
      'Thursday, Nov 26 passed',
      'Friday, Nov 27 passed',
      'Saturday, Nov 21 chosen',
      'Sunday, Nov 22',
    ])
    expect(control('Sunday, Nov 22').parentElement?.textContent).toBe('Sun 22')
    expect(text()).toContain('Some days cannot be chosen because they have passed.')
  })

  it('the order offers all days if none of this week is left', async () => {
    const purchase = {
      days: [
        { day: 2, time_delta_midnight_utc: 0, max_weeks: 4 },
        { day: 4, time_delta_midnight_utc: 0, max_weeks: 4 },
      ],
    }
    await open({ game: { advanced_ticket_purchase: { ...purchase, max_weeks_ahead: 1 } } })
    expect(days()).toEqual(['Tuesday, Nov 24 chosen', 'Thursday, Nov 26'])
    expect(text()).not.toContain('because they have passed')
  })

  it.each([
    ['Asia/Kathmandu', 'Saturday, Nov 21 chosen', 'Sunday, Nov 22'],
    ['Asia/Dhaka', 'Sunday, Nov 22 chosen', 'Monday, Nov 23'],
    ['Pacific/Kiritimati', 'Sunday, Nov 22 chosen', 'Monday, Nov 23'],
    ['Etc/GMT+12', 'Saturday, Nov 21 chosen', 'Sunday, Nov 22'],
  ])('the days are those of the player’s time zone, as in %s', async (zone, ...expected) => {
    await open({ profile: { time_zone: zone } })
    expect(days().slice(-2)).toEqual(expected)
  })

  it('the order offers from one week to the maximum', async () => {
    await open()
    const weeks = [...document.querySelectorAll<HTMLInputElement>('input[type="radio"]')]
    expect(weeks.map((week) => week.parentElement?.textContent)).toEqual(['1', '2'])
    expect(weeks.map((week) => week.checked)).toEqual([true, false])
  })

  it.each([
    ['has closed', START - 300, 300, 'Tickets bought in the last 5 minutes before the draw count for the next draw.'],
    [
      'is about to start',
      START - 1,
      61,
      'Tickets bought in the last 2 minutes before the draw count for the next draw.',
    ],
  ])('a note names the draw that tickets count for if the current one %s', async (_when, at, window, note) => {
    vi.setSystemTime(at * 1000)
    await open({ game: { next_draw: drawAt(START, window) } })
    expect(text()).toContain(note)
  })

  it.each([START - 301, START])('no note about the next draw is shown at %i', async (at) => {
    vi.setSystemTime(at * 1000)
    await open()
    expect(text()).not.toContain('count for the next draw')
  })

  it.each([
    ['there are no days', [], 4],
    ['it can be played for no week', [6], 0],
  ])('the order is unavailable if %s', async (_why, drawDays, weeks) => {
    const purchaseDays = drawDays.map((day) => ({ day, time_delta_midnight_utc: 0, max_weeks: weeks }))
    await open({ game: { advanced_ticket_purchase: { days: purchaseDays, max_weeks_ahead: weeks } } })
    expect(text()).toContain('The game is not available at the moment')
    expect(hasButton('Play')).toBe(false)
  })

  it('days and weeks are reset if the times of the next draw change', async () => {
    let startAt = NOW + 60
    await open({ answers: { getGames: () => [heroGame(startAt)] } })
    await choose('A', 1, 2, 3, 4, 5)
    await tick('2')
    await pressPlay()
    expect(text()).toContain('Step 2 of 3')
    startAt = NOW + 86_400
    await pass(240_000)
    expect(text()).toContain('Step 1 of 3')
    expect(control('1')).toMatchObject({ checked: true })
    expect(lines()).toEqual([[1, 2, 3, 4, 5], []])
  })
})

describe('the draws of an order', () => {
  const DAY = 86_400
  const quoting = (count: number) => ({
    entries: count,
    free_tickets_used: 0,
    price: { crypto: { value: '0.00001000', code: 'BTC' as const }, fiat: {} },
    draws: Array.from({ length: count }, (_, index) => ({ ...drawAt(START + index * DAY), number: index + 1 })),
  })
  const drawDates = () => [...document.querySelectorAll('dd time')].map((time) => time.textContent)

  it('both steps list the draws as the server names them, asked for once the order rests', async () => {
    await open({ answers: { quotePayment: ({ body }) => quoting(body.days.length * body.weeks) } })
    expect(drawDates()).toEqual([])
    await choose('A', 1, 2, 3, 4, 5)
    await pass(250)
    expect(drawDates()).toEqual(['Sat, Nov 21, 6:00 PM'])
    await tick('Sunday, Nov 22')
    await tick('2')
    // The old dates stay until the answer to the last change.
    expect(drawDates()).toEqual(['Sat, Nov 21, 6:00 PM'])
    await pass(250)
    expect(page.calls('quotePayment')).toHaveLength(2)
    expect(text()).toContain('and 2 more')
    expect(drawDates()).toHaveLength(4)
    await pressPlay()
    await pass(250)
    expect(drawDates()).toHaveLength(4)
  })

  it.each([
    ['WEEKLY_LIMIT', '/settings/profile-and-settings/responsible-play'],
    ['GAME_LINES', undefined],
  ] as const)('step 1 says that the order exceeds the limit %s, in the server’s words', async (reason, href) => {
    const quotePayment = () => {
      throw new ApiError({ status: 403, code: 'LIMIT_REACHED', message: 'Too much of it.', reason })
    }
    await open({ answers: { quotePayment } })
    await choose('A', 1, 2, 3, 4, 5)
    await pass(250)
    expect(text()).toContain('Too much of it.')
    expect(linkTo('Responsible play')).toBe(href)
    // It has no draws, and none are on their way.
    expect(receipt()[0]).toBe('–')
  })

  it('while sales close in under 40 minutes, the order says by when it has to confirm, and what follows', async () => {
    const note =
      'Pay now and confirm by 5:55 PM to be in today’s draw. If it confirms later, your lines move to Sun, Nov 22.'
    await open({ answers: { quotePayment: () => quoting(1) } })
    await choose('A', 1, 2, 3, 4, 5)
    await pass(250)
    expect(text()).not.toContain('Pay now')
    vi.setSystemTime((START - 300 - 39 * 60) * 1000)
    await pass(1_000)
    expect(text()).toContain(note)
    await pressPlay()
    await pass(250)
    expect(text()).toContain(note)
  })

  it('a later draw of the same day is named with its time', async () => {
    vi.setSystemTime((START - 300 - 39 * 60) * 1000)
    const [first] = [{ ...drawAt(START), number: 1 }]
    await open({
      answers: { quotePayment: () => quoting(1) },
      game: { open_draws: [first, { ...drawAt(START + 3600), number: 2 }] },
    })
    await choose('A', 1, 2, 3, 4, 5)
    await pass(250)
    expect(text()).toContain('If it confirms later, your lines move to Sat, Nov 21, 7:00 PM.')
  })
})

describe('the price', () => {
  it('the price is lines × days × weeks at the ticket price', async () => {
    await open({ props: { luckyDips: 3 } })
    expect(receipt().slice(-5)).toEqual(['3', '× 1', '× 1', '£1.00', '£3.00'])
    await tick('Sunday, Nov 22')
    await tick('2')
    expect(receipt().slice(-5)).toEqual(['3', '× 2', '× 2', '£1.00', '£12.00'])
  })

  it('free tickets reduce the price, but never below zero', async () => {
    await open({ props: { luckyDips: 3 }, game: { tickets_won: 2 } })
    expect(receipt().slice(-6)).toEqual(['3', '× 1', '× 1', '− 2', '£1.00', '£1.00'])
    await pressButton('Delete line A')
    await pressButton('Delete line A')
    expect(receipt().slice(-1)).toEqual(['£0.00'])
    await pressPlay()
    expect(hasButton('Play for free')).toBe(true)
  })

  it('an order without a price is shown as covered, without a choice or explanation of payment', async () => {
    const createPayment = () => ({
      checkout_url: 'http://localhost/checkout/order-1',
      transaction_id: 'order-1',
      promise: '',
    })
    await open({ game: { tickets_won: 1 }, answers: { createPayment } })
    await choose('A', 1, 2, 3, 4, 5)
    expect(text()).toContain('Your free tickets cover this order.')
    expect(text()).not.toContain('You pay in bitcoin')
    await pressPlay()
    expect(text()).toContain('Step 2 of 3')
    expect(text()).toContain('Your free tickets cover this order.')
    for (const words of ['Payment method', 'Bitcoin', 'How to pay', 'in bitcoin'])
      expect(document.querySelector('main, body')?.textContent.replaceAll('Bitcoin Hero', '')).not.toContain(words)
    await pressButton('Play for free')
    expect(page.calls('createPayment')).toHaveLength(1)
  })

  it('an order over two prices lists both, costs their sum, and sends what each draw was shown to cost', async () => {
    const { change, versions, openDraws } = changingGame(START, 5)
    const createPayment = () => ({
      checkout_url: 'http://localhost/checkout/order-1',
      transaction_id: 'order-1',
      promise: '',
    })
    const answers: Answers = { createPayment, getGameVersions: () => versions, getOpenDraws: () => openDraws }
    await open({ game: { change }, answers })
    await choose('A', 1, 2, 3, 4, 5)
    await choose('B', 6, 7, 8, 9, 10)
    await pass(50)
    expect(receipt().slice(-5)).toEqual(['2', '× 1', '× 1', '£1.00', '£2.00'])
    await tick('2')
    expect(receipt().slice(-5)).toEqual(['2', '× 1', '× 2', '1 × £1.00, 1 × £1.50', '£5.00'])
    await pressPlay()
    await pressButton('Pay £5.00')
    await pass(50)
    expect(vi.mocked(promiseFault).mock.lastCall?.[1].drawPrices).toMatchObject({ 1: { GBP: 100 }, 8: { GBP: 150 } })
  })

  it('an order is not paid before the price of each draw is known', async () => {
    const { change, versions, openDraws } = changingGame(START, 5)
    let answer: (draws: typeof openDraws) => void = () => undefined
    const getOpenDraws = () => new Promise<typeof openDraws>((resolve) => (answer = resolve))
    await open({ game: { change }, answers: { getGameVersions: () => versions, getOpenDraws } })
    await choose('A', 1, 2, 3, 4, 5)
    expect(button('Play').disabled).toBe(true)
    answer(openDraws)
    await pass(50)
    expect(button('Play').disabled).toBe(false)
  })

  it('a day of a game that ends can be chosen for as many weeks as it has draws', async () => {
    const days = [6, 7].map((day) => ({ day, time_delta_midnight_utc: 64_800, max_weeks: day === 6 ? 2 : 1 }))
    await open({ props: { luckyDips: 1 }, game: { advanced_ticket_purchase: { days, max_weeks_ahead: 2 } } })
    await tick('2')
    expect(receipt().slice(-3)).toEqual(['× 2', '£1.00', '£2.00'])
    await tick('Sunday, Nov 22')
    expect(receipt().slice(-4)).toEqual(['× 2', '× 1', '£1.00', '£2.00'])
  })

  it('an empty order cannot continue to the payment', async () => {
    await open()
    expect(button('Play').disabled).toBe(true)
    expect(text()).toContain('Choose at least one line and one draw day.')
    await choose('A', 1, 2, 3, 4, 5)
    expect(button('Play').disabled).toBe(false)
    await tick('Saturday, Nov 21')
    expect(button('Play').disabled).toBe(true)
  })
})
