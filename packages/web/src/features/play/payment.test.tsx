import { act } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '@fairball/contract/client'
import {
  choose,
  days,
  GAME,
  lines,
  linkTo,
  NOTHING_SET,
  open,
  page,
  pressPlay,
  refuse,
  reload,
  setUpPlayPage,
} from '../../testing/play-page.tsx'
import { PAID_FOR } from '../../testing/checkout.ts'
import { Tab } from '../../testing/tab.tsx'
import { promiseFault } from '../../proof/check-promise.ts'
import { alerts, button, hasButton, pass, pressButton, text, tick } from '../../testing/render-page.tsx'
import type { Answers } from '../../testing/render-page.tsx'
import { payoutDetails } from '../../testing/payout-details.ts'

// proof/check-promise.test.ts tests how promises are checked against orders.
vi.mock('../../proof/check-promise.ts', () => ({ promiseFault: vi.fn(async () => null) }))

setUpPlayPage()

/** The server's answer to an order. */
const MADE = { checkout_url: 'http://localhost/checkout/order-1', transaction_id: 'order-1', promise: 'the promise' }

const EXPIRED = { status: 'EXPIRED' as const, game_key: 'bitcoin-hero', order: PAID_FOR }

/** Disconnects or reconnects the device. */
const setOnline = (isOnline: boolean) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
  act(() => void window.dispatchEvent(new Event(isOnline ? 'online' : 'offline')))
}

describe('the steps', () => {
  const toPayment = async () => {
    await choose('A', 1, 2, 3, 4, 5)
    await pressPlay()
  }

  it('the steps lead to the payment method with its help, and back', async () => {
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
  ])('step 2 says where prizes go, and offers to add an address if there %s', async (_what, address, href) => {
    await open({ answers: { getCryptoAccountDetails: () => payoutDetails({ btc_address: address }) } })
    await toPayment()
    expect(text()).toContain('Pay from any bitcoin wallet. Prizes go to your payout address.')
    expect(linkTo('Add it now')).toBe(href)
  })

  it('step 2 says what is left of the weekly limit', async () => {
    const getResponsiblePlay = () => ({ ...NOTHING_SET, weekly_limit: 50, weekly_left: 48 })
    await open({ answers: { getResponsiblePlay } })
    await toPayment()
    expect(text()).toContain('£48.00 of your £50.00 weekly limit is left.')
  })

  it('step 2 that the page opened at leads back to step 1', async () => {
    const tab = new Tab(GAME)
    await open({ tab, props: { transactionId: 'order-1' }, answers: { getPayment: () => EXPIRED } })
    await pass(1_000)
    await pressButton('Try again')
    await reload({ tab })
    expect(text()).toContain('Step 2 of 3')
    await pressButton('Back')
    expect(text()).toContain('Step 1 of 3')
    expect(lines()).toEqual([[1, 2, 3, 4, 5], []])
  })

  it('the steps are entries of the browser’s history', async () => {
    await open()
    await toPayment()
    await act(async () => page.tab.back())
    expect(text()).toContain('Step 1 of 3')
    await act(async () => page.tab.forward())
    expect(text()).toContain('Step 2 of 3')
  })

  it('the steps and the lines survive a reload', async () => {
    await open()
    await choose('A', 1, 2, 3, 4, 5)
    await tick('Sunday, Nov 22')
    await reload()
    expect(lines()).toEqual([[1, 2, 3, 4, 5], []])
    expect(days().slice(-2)).toEqual(['Saturday, Nov 21 chosen', 'Sunday, Nov 22 chosen'])
    await pressPlay()
    await reload()
    expect(text()).toContain('Step 2 of 3')
    expect(hasButton('Pay £2.00')).toBe(true)
  })

  it('the lucky dips of an address stay with its entry in the history, and are new if the link is followed again', async () => {
    const dips = { props: { luckyDips: 4 } }
    await open(dips)
    const made = lines()
    await reload(dips)
    expect(lines()).toEqual(made)
    await act(async () => page.tab.follow(GAME))
    await reload(dips)
    expect(lines()).not.toEqual(made)
  })

  it('the steps never show a payment for an empty order', async () => {
    await open()
    await act(() => page.tab.router.navigate({ href: GAME, state: { page: { step: 2, draftId: 'of another tab' } } }))
    expect(text()).toContain('Step 1 of 3')
    await choose('A', 1, 2, 3, 4, 5)
    expect(text()).toContain('Step 1 of 3')
  })

  it('the payment of an order that was bought never shows other lines, as new lucky dips of its address', async () => {
    const state = { page: { step: 2, draftId: 'bought meanwhile' } }
    await open()
    await act(() => page.tab.router.navigate({ href: GAME, state }))
    await reload({ props: { luckyDips: 3 } })
    expect(lines()).toHaveLength(4)
    expect(text()).toContain('Step 1 of 3')
  })

  it('the steps stay unchanged while the next page loads', async () => {
    await open()
    await toPayment()
    await act(async () => page.tab.follow('/checkout/order-1'))
    expect(text()).toContain('Step 2 of 3')
    await act(async () => page.tab.back())
    expect(text()).toContain('Step 2 of 3')
  })

  it('a change of the game does not change the step of the other one while its page loads', async () => {
    await open()
    const state = { page: { step: 2, draftId: 'of another game' } }
    await act(async () => void page.tab.router.navigate({ href: '/game/treasure', state }))
    expect(page.tab.router.history.location.state.page).toEqual(state.page)
  })

  it('the lines of one player are not shown to another', async () => {
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

  it('Pay sends complete lines with days and weeks, and opens the payment page', async () => {
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

  it('the payment page does not open if the promise differs from the order, and the page says so', async () => {
    vi.mocked(promiseFault).mockResolvedValueOnce('It names other draws than you chose.')
    await openAtPayment({ createPayment: () => MADE })
    await pay()
    expect(alerts().join()).toContain('so no payment is shown. It names other draws than you chose. Nothing was paid.')
    expect(page.tab.entries.at(-1)).toBe(GAME)
    expect(linkTo('What this browser keeps')).toBe('/fairness#memory')
  })

  it('a retry is the same order, even after a reload, and a changed order is another one', async () => {
    const keys: unknown[] = []
    const createPayment: Answers['createPayment'] = ({ headers }) => {
      keys.push(headers?.['idempotency-key'])
      if (keys.length === 1) refuse(500, 'INTERNAL_SERVER_ERROR')()
      return MADE
    }
    await openAtPayment({ createPayment })
    await pay()
    await pay()
    await act(async () => page.tab.back()) // back from the payment page
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

  it('Pay orders nothing without a network, then or later, until it is pressed again', async () => {
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
    'a payment that fails with %i %s shows the specification’s sentence, until the step changes',
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
  ] as const)('a payment that fails with %i %s says how to proceed', async (status, code, sentence) => {
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
    'a payment that fails with %i %s by the limit %s links to the place to correct it',
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

  it('a limit that the order exceeds is said once: under the order, and after Pay above it', async () => {
    const refused = refuse(403, 'LIMIT_REACHED')
    await openAtPayment({ createPayment: refused, quotePayment: refused })
    await pass(250)
    const told = () => text().split('of the server').length - 1
    expect(told()).toBe(1)
    await pay()
    expect(alerts().join()).toContain('of the server')
    expect(told()).toBe(1)
  })

  it('Pay works again once the player comes back from a provider’s payment page', async () => {
    await openAtPayment({ createPayment: () => MADE })
    await pay()
    const shown = new Event('pageshow')
    Object.assign(shown, { persisted: true })
    await act(async () => window.dispatchEvent(shown))
    await pass(0)
    expect(button('Pay £1.00').getAttribute('aria-busy')).toBeNull()
  })
})
