import { act } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@fairball/contract/client'
import type { OrderPayment } from '@fairball/contract/schemas/order'
import type { ErrorCode } from '@fairball/domain/errors'
import type { Game } from '../../shared/data/games.ts'
import { drawAt, heroGame } from '../../testing/hero-game.ts'
import {
  alerts,
  button,
  control,
  hasButton,
  pass,
  pressButton,
  renderPage,
  text,
  tick,
} from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { Tab } from '../../testing/tab.tsx'
import { PlayScreen } from './play-screen.tsx'
import type { PlayScreenProps } from './play-screen.tsx'

// A Saturday: the draws of Monday to Friday have passed.
const NOW = Date.parse('2026-11-21T12:00:00Z') / 1000
const START = NOW + 6 * 3600
const GAME = '/game/bitcoin-hero'

// What a screen loads late is there already, so that it comes at once.
beforeAll(() =>
  Promise.all([
    import('./components/anonymous-view.tsx'),
    import('./components/player-steps.tsx'),
    import('./components/configuration.tsx'),
    import('./components/line-picker.tsx'),
    import('./components/how-to-play.tsx'),
    import('./components/payment-step.tsx'),
  ]),
)

const NOTHING_SET = {
  weekly_limit: null,
  weekly_limit_next: null,
  weekly_limit_next_at: null,
  time_out_until: null,
  excluded_until: null,
  reminder_minutes: null,
}
const refuse = (status: number, code: ErrorCode) => (): never => {
  throw new ApiError({ status, code, message: 'of the server' })
}

interface Setting {
  game?: Partial<Game>
  props?: Partial<PlayScreenProps>
  answers?: Answers
  profile?: Parameters<typeof renderPage>[1]['profile']
}

let page: RenderedPage
let tab: Tab
const open = async ({ game = {}, props = {}, answers = {}, profile = {} }: Setting = {}) => {
  const shown = { gameKey: 'bitcoin-hero', luckyDips: 0, transactionId: null, ...props }
  page = await renderPage(<PlayScreen {...shown} />, {
    answers: {
      getGames: () => [heroGame(START, game)],
      getSavedNumbers: () => ({ ok: true, data: [] }),
      getLastPlayedNumbers: () => [],
      getResponsiblePlay: () => NOTHING_SET,
      getCryptoAccountDetails: () => ({ btc_address: 'bcrt1qexample' }),
      ...answers,
    },
    profile,
    tab,
  })
  await pass(0)
  await pass(0)
}
const reload = async (setting: Setting = {}) => {
  page.unmount()
  await open(setting)
}
beforeEach(() => {
  vi.useFakeTimers({ now: NOW * 1000 })
  sessionStorage.clear()
  tab = new Tab(GAME)
})
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** The device loses its network, or has it again. */
const setOnline = (isOnline: boolean) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
  act(() => void window.dispatchEvent(new Event(isOnline ? 'online' : 'offline')))
}
const dialog = () => document.querySelector('dialog')
const linkTo = (name: string) =>
  [...document.querySelectorAll('a')].find((link) => link.textContent === name)?.getAttribute('href')
/** The numbers of each line, as they are read. */
const lines = () =>
  [...document.querySelectorAll('[aria-label^="Line "]')].map((line) =>
    [...line.querySelectorAll('li')].map((ball) => Number.parseInt(ball.textContent, 10)).filter(Number.isInteger),
  )
const pick = async (...numbers: number[]) => {
  for (const number of numbers) await pressButton(String(number))
}
const choose = async (letter: string, ...numbers: number[]) => {
  await pressButton(hasButton(`Change line ${letter}`) ? `Change line ${letter}` : `Choose numbers of line ${letter}`)
  await pick(...numbers)
  await pressButton('CONFIRM')
}
const days = () =>
  [...document.querySelectorAll('input[type="checkbox"]')].map((box) => {
    const { disabled, checked, parentElement } = box as HTMLInputElement
    return `${parentElement?.textContent}${disabled ? ' passed' : ''}${checked ? ' chosen' : ''}`
  })
/** The factors of the sum, and the sum. */
const receipt = () => [...document.querySelectorAll('dd, output')].map((value) => value.textContent)
const pressEscape = async () => {
  // The browser makes a request to close of it.
  act(() => void dialog()?.dispatchEvent(new Event('cancel', { cancelable: true })))
  await pass(0)
}
const pressPlay = () => pressButton('Play')

describe('a game’s page for visitors', () => {
  it('shows the game, its prizes and the way in, and no form', async () => {
    await open({ profile: null })
    expect(text()).toContain('Numbers on a line5 from 36')
    expect(text()).toContain('Ticket price£1.00')
    expect(text()).toContain('DrawsEvery day at 6:00 PM')
    expect(text()).toContain('Sales close5 minutes before the draw')
    expect(text()).toContain('Match 51 in 376,992Jackpot')
    expect(text()).toContain('Match 4')
    expect(text()).toContain('£300.00')
    expect(text()).toContain('Free ticket')
    expect(linkTo('Log in To Play')).toBe('/login?path=/game/bitcoin-hero')
    expect(hasButton('Play')).toBe(false)
    expect(document.getElementById('game-settings-block')).not.toBeNull()
  })

  it('says that sales open soon while nothing is on sale, and offers no way to play', async () => {
    await open({ profile: null, game: { is_on_sale: false } })
    expect(text()).toContain('Sales open soon')
    expect(text()).not.toContain('Log in To Play')
    await reload({ game: { is_on_sale: false } })
    expect(text()).toContain('Sales open soon')
    expect(hasButton('Play')).toBe(false)
  })

  it('leads back to the lucky dips, or to the payment, that the address names', async () => {
    await open({ profile: null, props: { luckyDips: 3 } })
    expect(linkTo('Log in To Play')).toBe('/login?path=/game/bitcoin-hero/lucky-dips/3')
    page.unmount()
    await open({ profile: null, props: { transactionId: 'order-1' } })
    expect(text()).toContain('Log in to see this payment.')
    expect(linkTo('Log in To Play')).toBe('/login?path=/game/bitcoin-hero%3Ftransaction_id%3Dorder-1')
  })
})

describe('the head of a game’s page', () => {
  it.each([
    ['long before the draw', START - 3601, []],
    ['an hour before the start', START - 3600, ['WATCH THE DRAWS']],
    ['while it is drawn', START + 159, ['WATCH THE DRAWS']],
    ['after the end', START + 160, ['CHECK DRAW HISTORY']],
  ])('has the buttons of the moment %s', async (_when, at, expected) => {
    vi.setSystemTime(at * 1000)
    await open({ profile: null })
    const shown = ['WATCH THE DRAWS', 'CHECK DRAW HISTORY'].filter((name) => linkTo(name) !== undefined)
    expect(shown).toEqual(expected)
    expect(document.querySelector('[role="timer"]')?.textContent).toMatch(/^\d\dDays\d\dHours\d\dMins\d\dSec$/)
  })

  it.each([
    [
      '3 minutes before the draw',
      START - 180,
      'Sales for the draw at 6:00 PM are closed. Next draw: Sunday at 6:00 PM',
      '01Days00Hours03Mins00Sec',
    ],
    [
      'a second after its start',
      START + 1,
      'Being drawn now. Next draw: Sunday at 6:00 PM',
      '00Days23Hours59Mins59Sec',
    ],
    ['9 minutes after it', START + 540, 'Drawn at 6:00 PM. Next draw: Sunday at 6:00 PM', '00Days23Hours51Mins00Sec'],
  ])('points at the draw that an order made now counts for %s', async (_when, at, sentence, left) => {
    vi.setSystemTime(at * 1000)
    const dayAfter = { ...drawAt(START + 2 * 86_400), number: 3 }
    const tomorrow = { ...drawAt(START + 86_400), number: 2 }
    await open({ game: { open_draws: [tomorrow, dayAfter] } })
    expect(document.querySelector('header')?.textContent).toContain(sentence)
    expect(document.querySelector('[role="timer"]')?.textContent).toBe(left)
    expect(days().slice(-2)).toEqual(['Saturday: counts for Mon, Nov 23', 'Sunday chosen'])
    await tick('Sunday')
    await tick('Saturday: counts for Sun, Nov 22')
    expect(days().slice(-2)).toEqual(['Saturday: counts for Sun, Nov 22 chosen', 'Sunday'])
    expect(text()).not.toContain('Soon')
    // The one day that is left of this week is today, and its draw is that of tomorrow.
    page.unmount()
    sessionStorage.clear()
    vi.setSystemTime((at + 86_400) * 1000)
    await open({ game: { next_draw: tomorrow, open_draws: [tomorrow, dayAfter] } })
    expect(days().slice(-1)).toEqual(['Sunday: counts for Mon, Nov 23 chosen'])
  })

  it('moves to the next draw at the close of sales without asking for the games', async () => {
    vi.setSystemTime((START - 301) * 1000)
    await open()
    expect(document.querySelector('header')?.textContent).toContain('draw: Today at 6:00 PM')
    await pass(1_000)
    expect(document.querySelector('header')?.textContent).toContain('Next draw: Sunday at 6:00 PM')
  })

  it('explains the game in six steps with a counter and a bar', async () => {
    await open()
    await pressButton('How to play')
    const seen: string[] = []
    for (let step = 1; step <= 6; step += 1) {
      expect(dialog()?.textContent).toContain(`${step} of 6`)
      expect(dialog()?.querySelector('[role="progressbar"]')?.getAttribute('aria-valuenow')).toBe(String(step))
      expect(hasButton('Previous')).toBe(step > 1)
      expect(hasButton('GOT IT')).toBe(step === 6)
      seen.push(dialog()?.querySelector('h3 + p')?.textContent ?? '')
      if (step < 6) await pressButton('NEXT')
    }
    expect(seen[4]).toBe("Choose for how many weeks; 1 is this week's draw, up to 2.")
    expect(seen[5]).toContain('After pressing play you must sign in before confirming.')
    await pressButton('Previous')
    expect(dialog()?.textContent).toContain('5 of 6')
    await pressButton('NEXT')
    await pressButton('GOT IT')
    expect(dialog()).toBeNull()
  })

  it('leaves the focus in the explanation when Previous goes away', async () => {
    await open()
    await pressButton('How to play')
    await pressButton('NEXT')
    act(() => button('Previous').focus())
    await pressButton('Previous')
    expect(document.activeElement).toBe(button('NEXT'))
  })
})

describe('the banner of an unverified email', () => {
  it('says so with the specification’s words, and sends the email again', async () => {
    await open({ profile: { is_email_verified: false }, answers: { resendVerificationEmail: () => ({ ok: true }) } })
    expect(text()).toContain('Your email is not verified! Please check you mail inbox or resend email')
    await pressButton('resend email')
    expect(page.calls('resendVerificationEmail')).toHaveLength(1)
    expect(text()).toContain('The email is on its way.')
  })

  it('stays, with the reason, when the email cannot be sent', async () => {
    const resendVerificationEmail = refuse(429, 'TOO_MANY_REQUESTS')
    await open({ profile: { is_email_verified: false }, answers: { resendVerificationEmail } })
    await pressButton('resend email')
    expect(alerts().join()).toContain('Your email is not verified! Please check you mail inbox or resend email')
  })

  it('is not there for players whose email is verified, nor for visitors', async () => {
    await open()
    expect(text()).not.toContain('Your email is not verified!')
    page.unmount()
    await open({ profile: null })
    expect(text()).not.toContain('Your email is not verified!')
  })
})

describe('the lines of an order', () => {
  it('are picked in a dialog that confirms a whole line only, and appends an empty one', async () => {
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

  it('keep the focus of somebody who uses the keyboard', async () => {
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

  it('refuse a number too many: the bar flashes', async () => {
    await open()
    await pressButton('Choose numbers of line A')
    await pick(1, 2, 3, 4, 5)
    expect(dialog()?.querySelector('[role="progressbar"]')?.className).not.toContain('flash')
    await pick(6)
    expect(dialog()?.querySelector('[role="progressbar"]')?.className).toContain('flash')
    expect(button('6').getAttribute('aria-pressed')).toBe('false')
  })

  it('are cleared by Clear All, confirmed numbers too', async () => {
    await open()
    await choose('A', 1, 2, 3, 4, 5)
    await pressButton('Change line A')
    await pressButton('Clear All')
    expect(dialog()?.textContent).toContain('0 of 5')
    expect(button('Clear All').disabled).toBe(true)
    await pressEscape()
    expect(lines()).toEqual([[], []])
  })

  it('go back to what was confirmed when the dialog is closed whole, and are emptied when it is closed incomplete', async () => {
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

  it('are deleted one by one, and an empty one always stays', async () => {
    await open({ props: { luckyDips: 2 } })
    const [, second] = lines()
    await pressButton('Delete line A')
    expect(lines()).toEqual([second, []])
    await pressButton('Delete line A')
    expect(lines()).toEqual([[]])
    expect(hasButton('Delete line A')).toBe(false)
  })

  it('begin with the lucky dips of the address, none of which has the highest number', async () => {
    await open({ props: { luckyDips: 200 } })
    const made = lines().slice(0, -1)
    expect(made).toHaveLength(200)
    for (const line of made) expect(new Set(line).size).toBe(5)
    expect(Math.max(...made.flat())).toBeLessThan(36)
    expect(Math.min(...made.flat())).toBe(1)
  })

  it('are counted up and down by the lucky dip counter, which does not go below 0', async () => {
    await open({ props: { luckyDips: 1 } })
    await pressButton('More: Lucky dips in this order')
    expect(lines()).toHaveLength(3)
    await pressButton('Fewer: Lucky dips in this order')
    await pressButton('Fewer: Lucky dips in this order')
    expect(lines()).toEqual([[]])
    // It keeps the focus, so it is marked, not disabled; pressing it again changes nothing.
    expect(button('Fewer: Lucky dips in this order').getAttribute('aria-disabled')).toBe('true')
    await pressButton('Fewer: Lucky dips in this order')
    expect(lines()).toEqual([[]])
  })

  it('are added several at once by Quick Lucky Dip', async () => {
    await open()
    expect(text()).toContain('Quick Lucky Dip')
    await pressButton('More: Lucky dip lines to add')
    await pressButton('Add 4 lines')
    expect(lines()).toHaveLength(5)
    expect(document.querySelector('[aria-label="Lucky dips in this order"] output')?.textContent).toBe('4')
  })
})

describe('saved and last played numbers', () => {
  const SAVED = [
    [1, 2, 3, 4, 5],
    [6, 7, 8, 9, 10],
  ]

  it('can be saved once a line that is no lucky dip is confirmed', async () => {
    const saveNumbers = () => ({ ok: true as const, data: [[1, 2, 3, 4, 5]] })
    await open({ props: { luckyDips: 1 }, answers: { saveNumbers } })
    expect(hasButton('Save numbers')).toBe(false)
    await choose('B', 1, 2, 3, 4, 5)
    await pressButton('Save numbers')
    expect(page.calls('saveNumbers')).toEqual([{ lines: [[1, 2, 3, 4, 5]] }])
    expect(text()).toContain('Your numbers are saved.')
    expect(hasButton('Play saved numbers')).toBe(true)
    // Other lines are not what was saved.
    await choose('C', 6, 7, 8, 9, 10)
    expect(text()).not.toContain('Your numbers are saved.')
  })

  it('take the place of the lines as chosen ones, with an empty one after them', async () => {
    const getSavedNumbers = () => ({ ok: true, data: SAVED }) as const
    await open({ props: { luckyDips: 3 }, answers: { getSavedNumbers, getLastPlayedNumbers: () => [[9, 8, 7, 6, 5]] } })
    await pressButton('Play saved numbers')
    expect(lines()).toEqual([...SAVED, []])
    expect(document.querySelector('[aria-label="Lucky dips in this order"] output')?.textContent).toBe('0')
    await pressButton('Replay: Last played numbers')
    expect(lines()).toEqual([[9, 8, 7, 6, 5], []])
  })

  it('are gone when they are deleted', async () => {
    const getSavedNumbers = () => ({ ok: true, data: SAVED }) as const
    await open({ answers: { getSavedNumbers, deleteSavedNumbers: () => ({ ok: true, data: [] }) } })
    await pressButton('Delete saved numbers')
    expect(page.calls('deleteSavedNumbers')).toHaveLength(1)
    // The button has gone, so the focus is with the news.
    expect(document.activeElement?.textContent).toBe('Your saved numbers are deleted.')
    expect(hasButton('Play saved numbers')).toBe(false)
    expect(text()).toContain('Your saved numbers are deleted.')
  })

  it('say that they are saved, or that they are deleted, but never both', async () => {
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

  it('can be asked for again when they could not be loaded', async () => {
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
  it('has today and the days after it to choose from, the first of them chosen, and says that others have passed', async () => {
    await open()
    expect(days()).toEqual([
      'Monday passed',
      'Tuesday passed',
      'Wednesday passed',
      'Thursday passed',
      'Friday passed',
      'Saturday chosen',
      'Sunday',
    ])
    expect(text()).toContain('Some days cannot be chosen because they have passed.')
  })

  it('has all days when none of this week is left', async () => {
    const purchase = {
      days: [
        { day: 2, time_delta_midnight_utc: 0 },
        { day: 4, time_delta_midnight_utc: 0 },
      ],
    }
    await open({ game: { advanced_ticket_purchase: { ...purchase, max_weeks_ahead: 1 } } })
    expect(days()).toEqual(['Tuesday chosen', 'Thursday'])
    expect(text()).not.toContain('because they have passed')
  })

  it.each([
    ['Asia/Kathmandu', 'Saturday chosen', 'Sunday'],
    ['Asia/Dhaka', 'Sunday chosen', 'Monday'],
    ['Pacific/Kiritimati', 'Sunday chosen', 'Monday'],
    ['Etc/GMT+12', 'Saturday chosen', 'Sunday'],
  ])('names the days where the player is, as in %s', async (zone, ...expected) => {
    await open({ profile: { time_zone: zone } })
    expect(days().slice(-2)).toEqual(expected)
  })

  it('offers 1 to the most weeks', async () => {
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
  ])('notes what the next tickets count for when the draw %s', async (_when, at, window, note) => {
    vi.setSystemTime(at * 1000)
    await open({ game: { next_draw: drawAt(START, window) } })
    expect(text()).toContain(note)
  })

  it.each([START - 301, START])('does not note it at %i', async (at) => {
    vi.setSystemTime(at * 1000)
    await open()
    expect(text()).not.toContain('count for the next draw')
  })

  it.each([
    ['there are no days', [], 4],
    ['it can be played for no week', [6], 0],
  ])('is not there when %s', async (_why, drawDays, weeks) => {
    const purchaseDays = drawDays.map((day) => ({ day, time_delta_midnight_utc: 0 }))
    await open({ game: { advanced_ticket_purchase: { days: purchaseDays, max_weeks_ahead: weeks } } })
    expect(text()).toContain('The game is not available at the moment')
    expect(hasButton('Play')).toBe(false)
  })

  it('begins again when the times of the next draw change', async () => {
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

describe('the price', () => {
  it('is lines × days × weeks at the ticket price', async () => {
    await open({ props: { luckyDips: 3 } })
    expect(receipt().slice(-5)).toEqual(['3', '× 1', '× 1', '£1.00', '£3.00'])
    await tick('Sunday')
    await tick('2')
    expect(receipt().slice(-5)).toEqual(['3', '× 2', '× 2', '£1.00', '£12.00'])
  })

  it('is less by the free tickets, and never below zero', async () => {
    await open({ props: { luckyDips: 3 }, game: { tickets_won: 2 } })
    expect(receipt().slice(-6)).toEqual(['3', '× 1', '× 1', '− 2', '£1.00', '£1.00'])
    await pressButton('Delete line A')
    await pressButton('Delete line A')
    expect(receipt().slice(-1)).toEqual(['£0.00'])
    await pressPlay()
    expect(hasButton('Play for free')).toBe(true)
  })

  it('of nothing is spoken of as covered, and no way to pay is asked or explained', async () => {
    const createPayment = () => ({ checkout_url: 'http://localhost/checkout/order-1', transaction_id: 'order-1' })
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

  it('keeps from going on while there is nothing to pay for', async () => {
    await open()
    expect(button('Play').disabled).toBe(true)
    expect(text()).toContain('Choose at least one line and one draw day.')
    await choose('A', 1, 2, 3, 4, 5)
    expect(button('Play').disabled).toBe(false)
    await tick('Saturday')
    expect(button('Play').disabled).toBe(true)
  })
})

describe('the steps', () => {
  const toPayment = async () => {
    await choose('A', 1, 2, 3, 4, 5)
    await pressPlay()
  }

  it('go on to the payment method with its help, and back', async () => {
    await open()
    await toPayment()
    expect(text()).toContain('Step 2 of 3')
    expect(text()).toContain('Payment method')
    expect(document.querySelector('input[type="radio"]:checked')?.parentElement?.textContent).toContain('Bitcoin')
    expect(button('How to pay with bitcoin').getAttribute('aria-expanded')).toBe('false')
    await pressButton('How to pay with bitcoin')
    expect(text()).toContain('Bitcoin payments take 10-30 minutes to confirm.')
    expect(document.activeElement?.textContent).toContain('Step 2 of 3')
    await pressButton('Back')
    expect(text()).toContain('Step 1 of 3')
    expect(lines()).toEqual([[1, 2, 3, 4, 5], []])
  })

  it.each([
    ['is one', 'bcrt1qexample', undefined],
    ['is none', null, '/settings/funds-and-payments/crypto-account-details'],
  ])('say where prizes go, and offer to add an address where there %s', async (_what, address, href) => {
    await open({ answers: { getCryptoAccountDetails: () => ({ btc_address: address }) } })
    await toPayment()
    expect(text()).toContain('Pay from any bitcoin wallet. Prizes go to your payout address.')
    expect(linkTo('Add it now')).toBe(href)
  })

  it('are entries of the browser’s history', async () => {
    await open()
    await toPayment()
    await act(async () => tab.back())
    expect(text()).toContain('Step 1 of 3')
    await act(async () => tab.forward())
    expect(text()).toContain('Step 2 of 3')
  })

  it('and the lines outlive a reload', async () => {
    await open()
    await choose('A', 1, 2, 3, 4, 5)
    await tick('Sunday')
    await reload()
    expect(lines()).toEqual([[1, 2, 3, 4, 5], []])
    expect(days().slice(-2)).toEqual(['Saturday chosen', 'Sunday chosen'])
    await pressPlay()
    await reload()
    expect(text()).toContain('Step 2 of 3')
    expect(hasButton('Pay £2.00')).toBe(true)
  })

  it('keep the lucky dips of an address for its entry of the history, and make new ones when it is followed again', async () => {
    const dips = { props: { luckyDips: 4 } }
    await open(dips)
    const made = lines()
    await reload(dips)
    expect(lines()).toEqual(made)
    await act(async () => tab.follow(GAME))
    await reload(dips)
    expect(lines()).not.toEqual(made)
  })

  it('never show a payment without something to pay for', async () => {
    await open()
    await act(() => tab.router.navigate({ href: GAME, state: { page: { step: 2, draftId: 'of another tab' } } }))
    expect(text()).toContain('Step 1 of 3')
    await choose('A', 1, 2, 3, 4, 5)
    expect(text()).toContain('Step 1 of 3')
  })

  it('stay as they are while the next page loads', async () => {
    await open()
    await toPayment()
    await act(async () => tab.follow('/checkout/order-1'))
    expect(text()).toContain('Step 2 of 3')
    await act(async () => tab.back())
    expect(text()).toContain('Step 2 of 3')
  })

  it('leave the step of another game alone while its page loads', async () => {
    await open()
    const page = { step: 2, draftId: 'of another game' }
    await act(async () => void tab.router.navigate({ href: '/game/treasure', state: { page } }))
    expect(tab.router.history.location.state.page).toEqual(page)
  })

  it('show somebody else’s lines to nobody', async () => {
    await open()
    await choose('A', 1, 2, 3, 4, 5)
    await reload({ profile: { username: 'player-xyz789' } })
    expect(lines()).toEqual([[]])
  })
})

describe('the initiation of a payment', () => {
  const made = { checkout_url: 'http://localhost/checkout/order-1', transaction_id: 'order-1' }
  const pay = () => pressButton('Pay £1.00')
  const openAtPayment = async (answers: Answers) => {
    await open({ answers })
    await choose('A', 5, 4, 3, 2, 1)
    await pressPlay()
  }

  it('sends whole lines with days and weeks, and goes where they are paid', async () => {
    await openAtPayment({ createPayment: () => made })
    await pay()
    expect(page.calls('createPayment')).toEqual([
      {
        type: 'lotto',
        key: 'bitcoin-hero',
        days: [6],
        weeks: 1,
        tickets: [{ isLuckyDip: false, numbers: [1, 2, 3, 4, 5] }],
      },
    ])
    expect(tab.entries.at(-1)).toBe('/checkout/order-1')
    expect(button('Pay £1.00').getAttribute('aria-busy')).toBe('true')
  })

  it('is one order when it is tried again, also after a reload, and another one when it was changed', async () => {
    const keys: unknown[] = []
    const createPayment: Answers['createPayment'] = ({ headers }) => {
      keys.push(headers?.['idempotency-key'])
      if (keys.length === 1) refuse(500, 'INTERNAL_SERVER_ERROR')()
      return made
    }
    await openAtPayment({ createPayment })
    await pay()
    await pay()
    await act(async () => tab.back()) // from where it is paid
    await reload({ answers: { createPayment } })
    await pay()
    expect(new Set(keys).size).toBe(1)
    await act(async () => tab.back())
    await pressButton('Back')
    await choose('B', 6, 7, 8, 9, 10)
    await pressPlay()
    await pressButton('Pay £2.00')
    expect(new Set(keys).size).toBe(2)
  })

  it('that is pressed without a network orders nothing, then or later, until it is pressed again', async () => {
    const keys: unknown[] = []
    await openAtPayment({
      createPayment: ({ headers }) => {
        keys.push(headers?.['idempotency-key'])
        return made
      },
    })
    setOnline(false)
    await pay()
    await pass(5_000)
    expect(alerts()).toEqual(['You are offline. Nothing was ordered. Try again when you are connected.'])
    expect(button('Pay £1.00').getAttribute('aria-busy')).toBeNull()
    const kept = JSON.parse(Object.values(sessionStorage)[0] ?? '{}') as { order: { attempt: { id: string } } }
    setOnline(true)
    await pass(30_000)
    expect(page.calls('createPayment')).toHaveLength(0)
    await pay()
    expect(keys).toEqual([kept.order.attempt.id])
    expect(alerts()).toEqual([])
  })

  it.each([
    [500, 'INTERNAL_SERVER_ERROR'],
    [400, 'INVALID_PAYLOAD'],
    [409, 'IDEMPOTENCY_CONFLICT'],
  ] as const)(
    'that fails with %i %s says the specification’s sentence, until the screen switches',
    async (status, code) => {
      await openAtPayment({ createPayment: refuse(status, code) })
      await pay()
      const sentence = 'An unexpected error occurred while initiating the payment. Please try again later.'
      expect(alerts()).toEqual([sentence])
      await pressButton('Back')
      await pressPlay()
      expect(alerts()).toEqual([])
    },
  )

  it.each([
    [409, 'GAME_NOT_AVAILABLE', 'The game is not available at the moment'],
    [503, 'RATE_UNAVAILABLE', 'The exchange rate is not available at the moment. Please try again later.'],
    [403, 'LIMIT_REACHED', 'of the server'],
  ] as const)('that fails with %i %s says what can be done about it', async (status, code, sentence) => {
    await openAtPayment({ createPayment: refuse(status, code) })
    await pay()
    expect(alerts().join()).toContain(sentence)
  })

  it.each([
    [403, 'LIMIT_REACHED', 'WEEKLY_LIMIT', '/settings/profile-and-settings/responsible-play', false],
    [403, 'LIMIT_REACHED', 'GAME_LINES', undefined, true],
    [403, 'LIMIT_REACHED', 'EQUAL_LINES', undefined, true],
    [429, 'TOO_MANY_REQUESTS', 'OPEN_ORDERS', undefined, false],
    [403, 'SELF_EXCLUDED', undefined, '/settings/profile-and-settings/responsible-play', false],
  ] as const)(
    'that fails with %i %s by the limit %s leads where that can be mended',
    async (status, code, reason, limits, hasLines) => {
      await openAtPayment({
        createPayment: () => {
          throw new ApiError({ status, code, message: 'Which limit it was.', ...(reason && { reason }) })
        },
      })
      await pay()
      expect(alerts().join()).toContain('Which limit it was.')
      expect(linkTo('Responsible play')).toBe(limits)
      expect(hasButton('Change your lines')).toBe(hasLines)
      if (!hasLines) return
      await pressButton('Change your lines')
      expect(text()).toContain('Step 1 of 3')
      expect(lines()).toEqual([[1, 2, 3, 4, 5], []])
    },
  )

  it('can be pressed again when the player comes back from a payment page elsewhere', async () => {
    await openAtPayment({ createPayment: () => made })
    await pay()
    const shown = new Event('pageshow')
    Object.assign(shown, { persisted: true })
    await act(async () => window.dispatchEvent(shown))
    await pass(0)
    expect(button('Pay £1.00').getAttribute('aria-busy')).toBeNull()
  })
})

describe('the payment status', () => {
  const openStatus = (payment: () => Omit<OrderPayment, 'game_key'> & { game_key?: string }, setting: Setting = {}) => {
    const getPayment = () => ({ game_key: 'bitcoin-hero', ...payment() })
    tab = new Tab(`${GAME}?transaction_id=order-1`)
    return open({ ...setting, props: { transactionId: 'order-1' }, answers: { getPayment, ...setting.answers } })
  }

  it('goes to the page of the order’s own game, and shows nothing of it on another’s', async () => {
    await openStatus(() => ({ status: 'PAID', game_key: 'mega-ball' }))
    await pass(1_000)
    expect(tab.entries).toEqual(['/game/mega-ball?transaction_id=order-1'])
    expect(text()).not.toContain('Payment confirmed!')
  })

  const headline = () => document.querySelector('section[data-view] h2')?.textContent

  it('is asked for a second after the return', async () => {
    await openStatus(() => ({ status: 'PAID' }))
    expect(text()).toContain('Step 3 of 3')
    await pass(900)
    expect(text()).toContain('Checking payment status')
    expect(page.calls('getPayment')).toHaveLength(0)
    await pass(100)
    expect(page.calls('getPayment')).toHaveLength(1)
    expect(text()).toContain('Payment confirmed!')
  })

  it('leads on to another game and to the numbers when it is confirmed', async () => {
    await openStatus(() => ({ status: 'PAID' }))
    await pass(1_000)
    expect(linkTo('Play More')).toBe('/game/bitcoin-hero')
    expect(linkTo('Check Your Numbers')).toBe('/game/bitcoin-hero/results')
    expect(linkTo('Check Purchased Tickets')).toBeUndefined()
    expect(text()).not.toContain('later draw')
  })

  it('says that bitcoin takes its time, and turns to confirmed automatically', async () => {
    let status: 'PROCESSING' | 'PAID' = 'PROCESSING'
    await openStatus(() => ({ status }))
    await pass(1_000)
    expect(text()).toContain('Transaction still processing')
    expect(headline()).toBe('Payment seen.')
    expect(text()).toContain('Bitcoin payments take 10-30 minutes to confirm. You can leave this page.')
    expect(linkTo('Play More')).toBe('/game/bitcoin-hero')
    expect(linkTo('Check Purchased Tickets')).toBe('/game/bitcoin-hero/results')
    status = 'PAID'
    await pass(5_000)
    expect(headline()).toBe('Payment confirmed!')
  })

  it('says by when the payment has to be in a block, and what holds afterwards', async () => {
    let status: 'PROCESSING' | 'EXPIRED' = 'PROCESSING'
    await openStatus(() => ({ status, block_by: NOW + 360 }))
    await pass(1_000)
    expect(text()).toContain('Your payment must be in a block by ')
    status = 'EXPIRED'
    await pass(365_000)
    expect(text()).toContain(
      'Your payment has not confirmed yet. If we can no longer accept the order, we send the money back.',
    )
    expect(text()).not.toContain('The time to pay is over.')
  })

  const PRICE = {
    crypto: { value: '0.00012000', code: 'BTC' as const },
    fiat: { GBP: { value: 12, symbol: '£', position_of_symbol: 'LEFT' as const } },
  }
  const MISSING = { value: '0.00004000', code: 'BTC' as const }
  const order = { expires_at: NOW + 761, price: PRICE, missing: null }
  const NEVER_BOUGHT = ['Check Purchased Tickets', 'Check Your Numbers']
  const CASES = [
    {
      payment: { status: 'PENDING', order: { ...order, missing: PRICE.crypto } },
      headline: 'Not paid yet: 12:40 left.',
      words: ['£12.00 · 0.00012000 BTC', 'Once you have paid, bitcoin payments take 10-30 minutes to confirm.'],
      primary: 'Go to payment',
      without: NEVER_BOUGHT,
    },
    {
      payment: { status: 'UNDERPAID', order: { ...order, missing: MISSING } },
      headline: '0.00004000 BTC is still missing.',
      words: ['Once you have paid, bitcoin payments take 10-30 minutes to confirm.'],
      primary: 'Go to payment',
      without: NEVER_BOUGHT,
    },
    {
      payment: { status: 'PROCESSING', order },
      headline: 'Payment seen.',
      words: ['Bitcoin payments take 10-30 minutes to confirm. You can leave this page.'],
      primary: null,
      without: ['Go to payment', 'Check Your Numbers'],
    },
    {
      payment: { status: 'EXPIRED', order, lines: [[1, 2, 3, 4, 5]] },
      headline: 'The time to pay is over.',
      words: ['If you already sent it, it still counts if it confirms in time; otherwise we refund it.'],
      primary: 'Try again',
      without: [...NEVER_BOUGHT, 'Go to payment'],
    },
    {
      payment: { status: 'REFUNDED' },
      headline: 'The payment is refunded',
      words: ['The bitcoin goes to the address saved in your crypto account details, or waits until you save one.'],
      primary: 'Crypto account details',
      without: [...NEVER_BOUGHT, 'Go to payment'],
    },
    {
      payment: { status: 'PAID' },
      headline: 'Payment confirmed!',
      words: ['Your lines are in the draw. Good luck!'],
      primary: null,
      without: ['Go to payment', 'Check Purchased Tickets', 'Try again'],
    },
  ] as const
  const getCheckoutAddress = () => ({ checkout_url: 'http://localhost/checkout/order-1' })
  const expectShown = ({ payment: { status }, ...expected }: (typeof CASES)[number]) => {
    expect(headline()).toBe(expected.headline)
    for (const words of expected.words) expect(text()).toContain(words)
    const isDecided = status === 'PAID' || status === 'REFUNDED'
    expect(text().includes('Transaction still processing')).toBe(!isDecided)
    const names = [...document.querySelectorAll('main a, main button, section a, section button')].map((one) =>
      one.textContent.trim(),
    )
    if (expected.primary !== null) expect(names).toContain(expected.primary)
    for (const name of expected.without) expect(names).not.toContain(name)
  }
  const answerOf = ({ payment }: (typeof CASES)[number]) => structuredClone(payment) as OrderPayment

  it.each(CASES)('of an order that is $payment.status says what is true, and offers what helps', async (shown) => {
    await openStatus(() => answerOf(shown), { answers: { getCheckoutAddress } })
    await pass(1_000)
    expectShown(shown)
  })

  it('follows the order through all of it while the page is open', async () => {
    let shown: (typeof CASES)[number] = CASES[0]
    await openStatus(() => answerOf(shown), { answers: { getCheckoutAddress } })
    await pass(1_000)
    for (const next of [CASES[1], CASES[2], CASES[3]]) {
      shown = next
      await pass(5_000)
      expectShown(next)
    }
    shown = CASES[4]
    await pass(15_000)
    expectShown(shown)
  })

  it('counts down, invites nobody to pay at the end of it, and reads no seconds out', async () => {
    await openStatus(() => answerOf(CASES[0]), { answers: { getCheckoutAddress } })
    await pass(1_000)
    const timer = document.querySelector('[data-view] [role="status"] [role="timer"]')
    expect([timer?.textContent, timer?.getAttribute('aria-live')]).toEqual(['12:40', 'off'])
    await pass(10_000)
    expect(headline()).toBe('Not paid yet: 12:30 left.')
    await pass(750_000)
    expect(headline()).toBe('The time to pay is over.')
    expect(linkTo('Go to payment')).toBeUndefined()
  })

  it('says that the player’s own limits ended an order, and invites nobody to try it again', async () => {
    await openStatus(() => ({ ...answerOf(CASES[3]), ended_because: 'PAUSE' }))
    await pass(1_000)
    expect(headline()).toBe('A break from playing has begun, so this order can no longer be paid.')
    expect(text()).toContain('Transaction still processing')
    expect(text()).toContain('Please send no bitcoin for it.')
    expect(hasButton('Try again')).toBe(false)
  })

  it('begins a new order with the lines of the one that expired', async () => {
    await openStatus(() => answerOf(CASES[3]))
    await pass(1_000)
    await pressButton('Try again')
    expect(tab.entries.at(-1)).toBe(GAME)
    page.unmount()
    tab = new Tab(GAME)
    await open()
    expect(lines()).toEqual([[1, 2, 3, 4, 5], []])
  })

  it('leads back to the payment provider’s page where the order is paid there', async () => {
    const getCheckoutAddress = () => ({ checkout_url: 'https://pay.example/i/7' })
    await openStatus(() => ({ status: 'PENDING' }), { answers: { getCheckoutAddress } })
    await pass(1_000)
    expect(linkTo('Go to payment')).toBe('https://pay.example/i/7')
  })

  it('names the draws that lines went into when it was confirmed after the close of the one they were for', async () => {
    const moved = [{ from: 12, to: 13, date: NOW + 30 * 3600 }]
    await openStatus(() => ({ status: 'PAID', moved }))
    await pass(1_000)
    expect(text()).toContain('Payment confirmed!')
    expect(text()).toContain('Draw 12 closed first. Those lines are now in draw 13: Nov 22, 2026 at 6:00 PM.')
    expect(text()).toContain('You pay nothing more. A message says the same.')
  })

  it('says that it cannot be loaded, and leads back to the game', async () => {
    await openStatus(refuse(404, 'NOT_FOUND'))
    await pass(30_000)
    expect(text()).toContain('Data cannot be loaded! Please try again later.')
    expect(linkTo('Play More')).toBe('/game/bitcoin-hero')
  })

  it.each([
    ['is seen', 'PROCESSING', [[]]],
    ['is not', 'PENDING', [[1, 2, 3, 4, 5], []]],
  ] as const)('lets go of the lines of its order when the payment %s', async (_what, status, left) => {
    const made = { checkout_url: 'http://localhost/checkout/order-1', transaction_id: 'order-1' }
    await open({ answers: { createPayment: () => made } })
    await choose('A', 1, 2, 3, 4, 5)
    await pressPlay()
    await pressButton('Pay £1.00')
    page.unmount()
    await openStatus(() => ({ status }))
    await pass(1_000)
    page.unmount()
    tab = new Tab(GAME)
    await open()
    expect(lines()).toEqual(left)
  })
})
