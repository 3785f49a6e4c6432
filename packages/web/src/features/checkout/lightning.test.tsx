import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@fairball/contract/client'
import type { Checkout } from '@fairball/contract/schemas/order'
import { promiseFault } from '../../proof/check-promise.ts'
import { keptStore } from '../../proof/kept-store.ts'
import { keptOrder } from '../../testing/kept-order.ts'
import { CHECKOUT, CHECKOUT_ADDRESS as ADDRESS, CHECKOUT_NOW as NOW } from '../../testing/checkout.ts'
import { alerts, hasButton, pass, pressButton, renderPage, text } from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { CheckoutScreen } from './checkout-screen.tsx'

// proof/check-promise.test.ts tests how promises are checked against orders.
vi.mock('../../proof/check-promise.ts', () => ({ promiseFault: vi.fn(async () => null) }))

// What loads after the page; loaded here, it is available immediately.
await Promise.all([
  import('../../proof/check-payment.ts'),
  import('../../proof/kept-store.ts'),
  import('./components/ways-to-pay.tsx'),
])

/** Over 2,000 satoshis, of the hash 0101…; signed by a made-up key. */
const BOLT11 =
  'lnbcrt20u1p4srp7qpp5qyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqsdzcgeskjunzv9kxcw3qgf5hgcm0d9hzqjr9wfhjcgp3ypkxjmn99ssrygrywfshwuewyp8hyer9wgsrqvpsxqcrqvpssp5qgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqxqzuycqpj9qyysgqte8zy7jc6yzc74cvavv0pvsmdpwy8vy46v9h59s78smm4q3rzhhk93aqtdkwp40znpe8r38w87cz0ejzj2h0upls7uu5980vylhzu2qqq2afdg'
const HASH = '01'.repeat(32)
const LIGHTNING = {
  bolt11: BOLT11,
  payment_hash: HASH,
  expires_at: NOW + 900,
  state: 'open',
  paid_at: null,
  is_first: true,
} as const
const OPEN = { lightning: LIGHTNING, unified_uri: `${CHECKOUT.uri}&lightning=${BOLT11}` }

let page: RenderedPage
const open = async (checkout: Partial<Checkout> = {}, answers: Answers = {}) => {
  page = await renderPage(<CheckoutScreen orderId="order-1" />, {
    answers: { getCheckout: () => ({ ...CHECKOUT, ...OPEN, ...checkout }), ...answers },
  })
  await pass(10)
}
beforeEach(() => void vi.useFakeTimers({ now: NOW * 1000 }))
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

const tabs = () => [...document.querySelectorAll<HTMLElement>('[role="tab"]')]
const chosen = () =>
  tabs()
    .find((tab) => tab.getAttribute('aria-selected') === 'true')
    ?.querySelector('strong')?.textContent
const names = () => tabs().map((tab) => tab.querySelector('strong')?.textContent)
const press = async (tab: HTMLElement | undefined) => {
  await act(async () => tab?.click())
  await pass(10)
}
const qrName = () => document.querySelector('svg[role="img"]')?.getAttribute('aria-label')
const wallet = () =>
  [...document.querySelectorAll('a')].find((link) => link.textContent === 'Open in wallet')?.getAttribute('href')

describe('an order that can be paid over Lightning', () => {
  it('Lightning comes first for a small amount, with a code, a button and the invoice to copy', async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    await open()
    expect([names(), chosen()]).toEqual([['Lightning', 'Bitcoin'], 'Lightning'])
    expect(qrName()).toBe('QR code of the Lightning invoice, for the camera of a wallet')
    expect(wallet()).toBe(`lightning:${BOLT11}`)
    expect(text()).not.toContain('Send it to this address')
    await pressButton('Copy invoice')
    expect(writeText).toHaveBeenLastCalledWith(BOLT11)
    writeText.mockRestore()
  })

  it('the other tab has the address, and one code for both kinds of wallet', async () => {
    await open()
    await press(tabs()[1])
    expect(chosen()).toBe('Bitcoin')
    expect(text()).toContain('Send it to this address')
    expect(wallet()).toBe(OPEN.unified_uri)
    expect(qrName()).toBe('QR code of the payment, for the camera of a wallet')
  })

  it('the arrow keys move between the tabs, and the focus goes with them', async () => {
    await open({ lightning: { ...LIGHTNING, is_first: false } })
    expect([names(), chosen()]).toEqual([['Bitcoin', 'Lightning'], 'Bitcoin'])
    tabs()[0]?.focus()
    const key = new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true })
    await act(async () => document.activeElement?.dispatchEvent(key))
    await pass(10)
    expect([chosen(), document.activeElement]).toEqual(['Lightning', tabs()[1]])
    expect(tabs().map((tab) => tab.tabIndex)).toEqual([-1, 0])
  })

  it.each(['closed', 'paid'] as const)('an invoice that is %s is not offered', async (state) => {
    await open({ lightning: { ...LIGHTNING, state }, unified_uri: CHECKOUT.uri })
    expect(tabs()).toEqual([])
    expect(wallet()).toBe(CHECKOUT.uri)
    expect(hasButton('Pay with test Lightning')).toBe(false)
  })

  it('while Lightning cannot be used, the page says so in a sentence and has the address', async () => {
    await open({ lightning: { ...LIGHTNING, state: 'unavailable', bolt11: null }, unified_uri: CHECKOUT.uri })
    expect(text()).toContain('Lightning cannot be used at the moment. Please pay to the bitcoin address.')
    expect(tabs()).toEqual([])
    expect(text()).toContain('Send it to this address')
  })

  it('the demo’s wallet pays the invoice at a press', async () => {
    await open({}, { payFromTestWallet: () => ({ status: 'PAID' }) })
    await pressButton('Pay with test Lightning')
    expect(page.calls('payFromTestWallet')).toMatchObject([{ transaction_id: 'order-1', method: 'lightning' }])
    page.unmount()
    const payFromTestWallet = () => {
      throw new ApiError({ status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'of the server' })
    }
    await open({}, { payFromTestWallet })
    await pressButton('Pay with test Lightning')
    expect(alerts()).toEqual(['The test wallet could not pay. Please try again.'])
  })
})

describe('an order of this browser', () => {
  beforeEach(() =>
    keptStore().put(
      'orders',
      keptOrder({
        player: 'player-abc123',
        secret: 'ab'.repeat(32),
        madeAt: NOW,
        lines: [[1, 2, 3, 4, 5]],
        promise: 'the promise',
      }),
    ),
  )
  afterEach(() => keptStore().forget())

  it('both ways to pay are held against the promise', async () => {
    await open()
    const [pay, also] = [
      { by: 'bitcoin', address: ADDRESS },
      { by: 'lightning', hash: HASH },
    ]
    expect(promiseFault).toHaveBeenLastCalledWith(expect.anything(), expect.anything(), { pay, sats: 2000n, also })
    expect(qrName()).toContain('Lightning')
  })

  it('no code is shown for an invoice that the operator did not promise', async () => {
    vi.mocked(promiseFault).mockResolvedValueOnce('The promise is for another payment than the one shown.')
    await open()
    expect(alerts().join()).toContain('Please do not pay.')
    expect([qrName(), wallet(), tabs()]).toEqual([undefined, undefined, []])
  })
})
