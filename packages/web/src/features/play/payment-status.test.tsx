import { describe, expect, it, vi } from 'vitest'
import type { OrderPayment } from '@fairball/contract/schemas/order'
import {
  choose,
  GAME,
  lines,
  linkTo,
  NOW,
  open,
  page,
  pressPlay,
  reload,
  refuse,
  setUpPlayPage,
} from '../../testing/play-page.tsx'
import type { Setting } from '../../testing/play-page.tsx'
import { hasButton, pass, pressButton, text } from '../../testing/render-page.tsx'
import { CHECKOUT, PAID_FOR } from '../../testing/checkout.ts'
import { heroGame } from '../../testing/hero-game.ts'
import { DAY, ordered, papers } from '../../testing/paid-page.tsx'
import { Tab } from '../../testing/tab.tsx'

// proof/check-promise.test.ts tests how promises are checked against orders.
vi.mock('../../proof/check-promise.ts', () => ({ promiseFault: vi.fn(async () => null) }))

setUpPlayPage()

describe('the payment status', () => {
  const openStatus = (payment: () => Pick<OrderPayment, 'status'> & Partial<OrderPayment>, setting: Setting = {}) => {
    const getPayment = () => ({ game_key: 'bitcoin-hero', order: PAID_FOR, ...payment() })
    const getCheckout = () => CHECKOUT
    const tab = new Tab(`${GAME}?transaction_id=order-1`)
    return open({
      tab,
      ...setting,
      props: { transactionId: 'order-1' },
      answers: { getPayment, getCheckout, ...setting.answers },
    })
  }

  it('the status opens on the page of the order’s game, and is not shown on another game’s page', async () => {
    await openStatus(() => ({ status: 'PAID', game_key: 'mega-ball' }))
    await pass(1_000)
    expect(page.tab.entries).toEqual(['/game/mega-ball?transaction_id=order-1'])
    expect(text()).not.toContain('Payment confirmed!')
  })

  const headline = () => document.querySelector('section[data-view] h2, h2')?.textContent

  it('the status is fetched a second after the return', async () => {
    await openStatus(() => ({ status: 'PAID' }))
    expect(text()).toContain('Step 3 of 3')
    await pass(900)
    expect(text()).toContain('Checking payment status')
    expect(page.calls('getPayment')).toHaveLength(0)
    await pass(100)
    expect(page.calls('getPayment')).toHaveLength(1)
    expect(text()).toContain('Payment confirmed!')
  })

  it('a confirmed payment links to another game and to the numbers', async () => {
    await openStatus(() => ({ status: 'PAID' }))
    await pass(1_000)
    expect(linkTo('Play More')).toBe('/game/bitcoin-hero')
    expect(linkTo('Check Your Numbers')).toBe('/game/bitcoin-hero/results')
    expect(linkTo('Check Purchased Tickets')).toBeUndefined()
    expect(text()).not.toContain('later draw')
  })

  it('the status says that bitcoin takes a while, and turns to confirmed automatically', async () => {
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

  it('the status gives the deadline for the block, and then the consequence', async () => {
    let status: 'PROCESSING' | 'EXPIRED' = 'PROCESSING'
    await openStatus(() => ({ status, block_by: NOW + 20 }))
    await pass(1_000)
    expect(text()).toContain('Your payment must be in a block by ')
    status = 'EXPIRED'
    await pass(25_000)
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
  const order = { ...PAID_FOR, expires_at: NOW + 761, price: PRICE }
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
      words: [
        'Bitcoin payments take 10-30 minutes to confirm. You can leave this page.',
        '0 of 1 confirmations',
        'Sat, Nov 21, 6:00 PM',
      ],
      primary: null,
      without: ['Go to payment', 'Check Your Numbers'],
    },
    {
      payment: { status: 'EXPIRED', order },
      headline: 'The time to pay is over.',
      words: ['If you already sent it, it still counts if it confirms in time; otherwise we refund it.'],
      primary: 'Try again',
      without: [...NEVER_BOUGHT, 'Go to payment'],
    },
    {
      payment: { status: 'REFUNDED' },
      headline: 'The payment is refunded',
      words: ['The bitcoin goes to the address saved in your crypto account details, or waits until you save one.'],
      primary: 'Balance',
      without: [...NEVER_BOUGHT, 'Go to payment'],
    },
    {
      payment: { status: 'PAID' },
      headline: 'Payment confirmed!',
      words: ['1 line in 1 draw. Good luck!'],
      primary: 'Add to calendar',
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

  it.each(CASES)(
    'the status of an order that is $payment.status has its facts and the matching links',
    async (shown) => {
      await openStatus(() => answerOf(shown), { answers: { getCheckoutAddress } })
      await pass(1_000)
      expectShown(shown)
    },
  )

  it('the status follows the order through all states while the page is open', async () => {
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

  it('confirmations are left out if a payment provider counts them', async () => {
    await openStatus(() => ({ status: 'PROCESSING' }), { answers: { getCheckout: refuse(404, 'NOT_FOUND') } })
    await pass(20_000)
    expect(headline()).toBe('Payment seen.')
    expect(text()).not.toContain('confirmations')
    expect(page.calls('getCheckout')).toHaveLength(1)
  })

  it('the countdown ends without an invitation to pay, and is not announced every second', async () => {
    const soon = { ...CASES[0].payment.order, expires_at: NOW + 61 }
    await openStatus(() => ({ status: 'PENDING', order: soon }), { answers: { getCheckoutAddress } })
    await pass(1_000)
    const timer = document.querySelector('[data-view] [role="status"] [role="timer"]')
    expect([timer?.textContent, timer?.getAttribute('aria-live')]).toEqual(['01:00', 'off'])
    await pass(10_000)
    expect(headline()).toBe('Not paid yet: 00:50 left.')
    await pass(50_000)
    expect(headline()).toBe('The time to pay is over.')
    expect(linkTo('Go to payment')).toBeUndefined()
  })

  it('the status says that the player’s own limits ended an order, without an invitation to retry', async () => {
    await openStatus(() => ({ ...answerOf(CASES[3]), ended_because: 'PAUSE' }))
    await pass(1_000)
    expect(headline()).toBe('A break from playing has begun, so this order can no longer be paid.')
    expect(text()).toContain('Transaction still processing')
    expect(text()).toContain('Please send no bitcoin for it.')
    expect(hasButton('Try again')).toBe(false)
  })

  it('a button begins a new order with the lines of the one that expired', async () => {
    await openStatus(() => answerOf(CASES[3]))
    await pass(1_000)
    await pressButton('Try again')
    expect(page.tab.entries.at(-1)).toBe(GAME)
    await reload()
    expect(lines()).toEqual([[1, 2, 3, 4, 5]])
    expect(text()).toContain('Step 2 of 3')
  })

  it('the status links to the payment provider’s page if the order is paid there', async () => {
    const getCheckoutAddress = () => ({ checkout_url: 'https://pay.example/i/7' })
    await openStatus(() => ({ status: 'PENDING' }), { answers: { getCheckoutAddress } })
    await pass(1_000)
    expect(linkTo('Go to payment')).toBe('https://pay.example/i/7')
  })

  it('the page says that the status cannot be loaded, and leads back to the game', async () => {
    await openStatus(refuse(404, 'NOT_FOUND'))
    await pass(30_000)
    expect(text()).toContain('Data cannot be loaded! Please try again later.')
    expect(linkTo('Play More')).toBe('/game/bitcoin-hero')
    const asked = page.calls('getPayment').length
    await pass(60_000)
    expect(page.calls('getPayment')).toHaveLength(asked)
  })

  it('a server that fails is asked less often, and the status follows once it answers', async () => {
    let getPayment: NonNullable<Setting['answers']>['getPayment'] = refuse(500, 'INTERNAL_SERVER_ERROR')
    await openStatus(() => ({ status: 'PAID' }), { answers: { getPayment: (input) => getPayment?.(input) as never } })
    await pass(30_000)
    expect(text()).toContain('Data cannot be loaded! Please try again later.')
    expect(page.calls('getPayment').length).toBeLessThan(30)
    getPayment = () => ({ status: 'PAID', game_key: 'bitcoin-hero', order: PAID_FOR })
    await pass(20_000)
    expect(text()).toContain('Payment confirmed!')
  })

  it.each([
    ['is seen', 'PROCESSING', [[]]],
    ['is not', 'PENDING', [[1, 2, 3, 4, 5], []]],
  ] as const)('the tab drops the lines of the order once the payment %s', async (_what, status, left) => {
    const made = { checkout_url: 'http://localhost/checkout/order-1', transaction_id: 'order-1', promise: '' }
    await open({ answers: { createPayment: () => made } })
    await choose('A', 1, 2, 3, 4, 5)
    await pressPlay()
    await pressButton('Pay £1.00')
    page.unmount()
    await openStatus(() => ({ status }))
    await pass(1_000)
    page.unmount()
    await open()
    expect(lines()).toEqual(left)
  })

  describe('a game that is no longer drawn', () => {
    const openEnded = (payment: () => Pick<OrderPayment, 'status'> & Partial<OrderPayment>, setting: Setting = {}) =>
      openStatus(payment, {
        ...setting,
        answers: {
          getGames: () => [heroGame(NOW + DAY, { key: 'mega-ball', name: 'Mega Ball' })],
          getRetiredGames: () => [
            { key: 'bitcoin-hero', name: 'Bitcoin Hero', color: '#FF9A1F', retired_at: NOW - 60, into: 'mega-ball' },
          ],
          getReceipt: () => papers().before,
          getTickets: () => ({ results: [], total_pages: 0 }),
        },
      })

    it('a paid order of it is a ticket', async () => {
      await openEnded(() => ({ status: 'PAID', order: ordered(2, 1) }))
      await pass(1_000)
      expect(headline()).toBe('Payment confirmed!')
      expect(document.querySelector('section[aria-label="Your ticket"] h2')?.textContent).toBe('Bitcoin Hero, draw 12')
      expect(lines()).toHaveLength(2)
      expect(text()).not.toContain('has ended')
    })

    it.each([
      ['REFUNDED', 'The payment is refunded'],
      ['EXPIRED', 'The time to pay is over.'],
    ] as const)('an order of it that is %s says so, without a new one', async (status, words) => {
      await openEnded(() => ({ status }))
      await pass(1_000)
      expect(text()).toContain(words)
      expect(hasButton('Try again')).toBe(false)
      expect(text()).not.toContain('Prizes')
    })

    it('a visitor reads only that it has ended', async () => {
      await openEnded(() => ({ status: 'PAID' }), { profile: null })
      await pass(1_000)
      expect(text()).toContain('Bitcoin Hero has ended')
      expect(page.calls('getPayment')).toEqual([])
    })
  })
})
