import { act } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '@fairball/contract/client'
import {
  choose,
  days,
  GAME,
  lines,
  linkTo,
  open,
  page,
  pressPlay,
  refuse,
  reload,
  setUpPlayPage,
} from '../../testing/play-page.tsx'
import { promiseFault } from '../../proof/check-promise.ts'
import { alerts, button, hasButton, pass, pressButton, text, tick } from '../../testing/render-page.tsx'
import type { Answers } from '../../testing/render-page.tsx'

// Promises are held against orders in tests of their own (proof/check-promise.test.ts).
vi.mock('../../proof/check-promise.ts', () => ({ promiseFault: vi.fn(async () => null) }))

setUpPlayPage()

/** What the server answers to an order. */
const MADE = { checkout_url: 'http://localhost/checkout/order-1', transaction_id: 'order-1', promise: 'the promise' }

/** The device loses its network, or has it again. */
const setOnline = (isOnline: boolean) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
  act(() => void window.dispatchEvent(new Event(isOnline ? 'online' : 'offline')))
}

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
    await act(async () => page.tab.back())
    expect(text()).toContain('Step 1 of 3')
    await act(async () => page.tab.forward())
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
    await act(async () => page.tab.follow(GAME))
    await reload(dips)
    expect(lines()).not.toEqual(made)
  })

  it('never show a payment without something to pay for', async () => {
    await open()
    await act(() => page.tab.router.navigate({ href: GAME, state: { page: { step: 2, draftId: 'of another tab' } } }))
    expect(text()).toContain('Step 1 of 3')
    await choose('A', 1, 2, 3, 4, 5)
    expect(text()).toContain('Step 1 of 3')
  })

  it('stay as they are while the next page loads', async () => {
    await open()
    await toPayment()
    await act(async () => page.tab.follow('/checkout/order-1'))
    expect(text()).toContain('Step 2 of 3')
    await act(async () => page.tab.back())
    expect(text()).toContain('Step 2 of 3')
  })

  it('leave the step of another game alone while its page loads', async () => {
    await open()
    const state = { page: { step: 2, draftId: 'of another game' } }
    await act(async () => void page.tab.router.navigate({ href: '/game/treasure', state }))
    expect(page.tab.router.history.location.state.page).toEqual(state.page)
  })

  it('show somebody else’s lines to nobody', async () => {
    await open()
    await choose('A', 1, 2, 3, 4, 5)
    await reload({ profile: { username: 'player-xyz789' } })
    expect(lines()).toEqual([[]])
  })
})

describe('the initiation of a payment', () => {
  const pay = () => pressButton('Pay £1.00')
  const openAtPayment = async (answers: Answers) => {
    await open({ answers })
    await choose('A', 5, 4, 3, 2, 1)
    await pressPlay()
  }

  it('sends whole lines with days and weeks, and goes where they are paid', async () => {
    await openAtPayment({ createPayment: () => MADE })
    await pay()
    expect(page.calls('createPayment')).toEqual([
      {
        type: 'lotto',
        key: 'bitcoin-hero',
        days: [6],
        weeks: 1,
        tickets: [{ isLuckyDip: false, numbers: [1, 2, 3, 4, 5] }],
        secret: expect.stringMatching(/^[0-9a-f]{64}$/u),
      },
    ])
    expect(page.tab.entries.at(-1)).toBe('/checkout/order-1')
    expect(button('Pay £1.00').getAttribute('aria-busy')).toBe('true')
  })

  it('goes nowhere where the promise for it is another one, and says so', async () => {
    vi.mocked(promiseFault).mockResolvedValueOnce('It names other draws than you chose.')
    await openAtPayment({ createPayment: () => MADE })
    await pay()
    expect(alerts().join()).toContain('so no payment is shown. It names other draws than you chose. Nothing was paid.')
    expect(page.tab.entries.at(-1)).toBe(GAME)
    expect(linkTo('What this browser keeps')).toBe('/fairness#memory')
  })

  it('is one order when it is tried again, also after a reload, and another one when it was changed', async () => {
    const keys: unknown[] = []
    const createPayment: Answers['createPayment'] = ({ headers }) => {
      keys.push(headers?.['idempotency-key'])
      if (keys.length === 1) refuse(500, 'INTERNAL_SERVER_ERROR')()
      return MADE
    }
    await openAtPayment({ createPayment })
    await pay()
    await pay()
    await act(async () => page.tab.back()) // from where it is paid
    await reload({ answers: { createPayment } })
    await pay()
    expect(new Set(keys).size).toBe(1)
    await act(async () => page.tab.back())
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
        return MADE
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
    await openAtPayment({ createPayment: () => MADE })
    await pay()
    const shown = new Event('pageshow')
    Object.assign(shown, { persisted: true })
    await act(async () => window.dispatchEvent(shown))
    await pass(0)
    expect(button('Pay £1.00').getAttribute('aria-busy')).toBeNull()
  })
})
