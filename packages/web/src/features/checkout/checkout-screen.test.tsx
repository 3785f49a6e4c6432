import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@fairball/contract/client'
import type { Checkout } from '@fairball/contract/schemas/order'
import { alerts, hasButton, pass, pressButton, renderPage, text } from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { CheckoutScreen } from './checkout-screen.tsx'

const NOW = Date.parse('2026-11-21T12:00:00Z') / 1000
const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const CHECKOUT: Checkout = {
  transaction_id: 'order-1',
  status: 'PENDING',
  game_key: 'bitcoin-hero',
  game_name: 'Bitcoin Hero',
  lines: 1,
  draws: 2,
  network: 'regtest',
  address: ADDRESS,
  uri: `bitcoin:${ADDRESS}?amount=0.00002000`,
  amount: {
    crypto: { value: '0.00002000', code: 'BTC' },
    fiat: { GBP: { value: 2, symbol: '£', position_of_symbol: 'LEFT' } },
  },
  received: { value: '0.00000000', code: 'BTC' },
  missing: { value: '0.00002000', code: 'BTC' },
  confirmations: 0,
  confirmations_needed: 1,
  expires_at: NOW + 900,
  return_url: 'http://localhost/game/bitcoin-hero?transaction_id=order-1',
  can_pay_from_test_wallet: true,
}

const navigate = vi.hoisted(() => vi.fn())
vi.mock('../../app/navigation.tsx', () => ({ useNavigate: () => navigate }))

// What a screen loads late is there already, so that it comes at once.
beforeAll(() => import('../../ui/qr-code.tsx'))

let page: RenderedPage
const open = async (checkout: Partial<Checkout> | (() => never), answers: Answers = {}, isPlayer = true) => {
  const getCheckout = typeof checkout === 'function' ? checkout : () => ({ ...CHECKOUT, ...checkout })
  page = await renderPage(<CheckoutScreen orderId="order-1" />, {
    answers: { getCheckout, ...answers },
    profile: isPlayer ? {} : null,
  })
  await pass(0)
}
beforeEach(() => void vi.useFakeTimers({ now: NOW * 1000 }))
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
  navigate.mockReset()
})

const linkTo = (name: string) =>
  [...document.querySelectorAll('a')].find((link) => link.textContent === name)?.getAttribute('href')

describe('the page where an order is paid', () => {
  it('shows what to send where, as code and as text, and the time that is left', async () => {
    await open({})
    expect(text()).toContain('Bitcoin Hero1 line in 2 draws')
    expect(text()).toContain('Waiting for your payment')
    expect(text()).toContain('0.00002000 BTC')
    expect(text()).toContain('£2.00')
    expect(document.querySelector('[role="timer"]')?.textContent).toContain('15:00')
    expect(linkTo('Open in wallet')).toBe(CHECKOUT.uri)
    await pass(61_000)
    expect(document.querySelector('[role="timer"]')?.textContent).toContain('13:59')
  })

  it('says how much is missing when too little was sent', async () => {
    const crypto = (value: string) => ({ value, code: 'BTC' as const })
    await open({ status: 'UNDERPAID', missing: crypto('0.00000600'), received: crypto('0.00001400') })
    expect(text()).toContain('A part is still missing')
    expect(text()).toContain('0.00000600 BTC')
    expect(text()).toContain('Received so far0.00001400 BTC')
  })

  it('says how long bitcoin takes while a payment is confirmed', async () => {
    await open({ status: 'PROCESSING' })
    expect(text()).toContain('Payment seen')
    expect(text()).toContain('Bitcoin payments take 10-30 minutes to confirm')
    expect(text()).toContain('0 of 1 confirmation')
    expect(linkTo('Back to the game')).toBe('/game/bitcoin-hero?transaction_id=order-1')
  })

  it('goes back to the game by itself once it is paid', async () => {
    let status: Checkout['status'] = 'PROCESSING'
    await open({}, { getCheckout: () => ({ ...CHECKOUT, status }) })
    status = 'PAID'
    await pass(2_500)
    expect(text()).toContain('Payment confirmed!')
    await pass(2_000)
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/game/bitcoin-hero?transaction_id=order-1', { replace: true })
  })

  it('invites to nothing any more when the time is over', async () => {
    await open({ expires_at: NOW + 10 })
    expect(hasButton('Pay with test bitcoin')).toBe(true)
    await pass(10_000)
    expect(text()).toContain('The time to pay is over')
    expect(hasButton('Pay with test bitcoin')).toBe(false)
    expect(text()).not.toContain('Send it to this address')
  })

  it('says where a refund goes', async () => {
    await open({ status: 'REFUNDED' })
    expect(text()).toContain('The payment is refunded')
    expect(text()).toContain('The bitcoin goes to the address saved in your crypto account details')
  })

  it('says so when the test wallet could not pay', async () => {
    const payFromTestWallet = () => {
      throw new ApiError({ status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'of the server' })
    }
    await open({}, { payFromTestWallet })
    await pressButton('Pay with test bitcoin')
    expect(alerts()).toEqual(['The test wallet could not pay. Please try again.'])
  })

  it('shows visitors the way in, and says when there is no such payment', async () => {
    await open({}, {}, false)
    expect(text()).toContain('Log in to see this payment.')
    expect(linkTo('LOG IN')).toBe('/login?path=/checkout/order-1')
    page.unmount()
    await open(() => {
      throw new ApiError({ status: 404, code: 'NOT_FOUND', message: 'of the server' })
    })
    await pass(30_000)
    expect(text()).toContain('There is no such payment.')
  })
})
