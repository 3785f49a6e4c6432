import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@fairball/contract/client'
import type { Checkout } from '@fairball/contract/schemas/order'
import { promiseFault } from '../../proof/check-promise.ts'
import { keptStore } from '../../proof/kept-store.ts'
import { keptOrder } from '../../testing/kept-order.ts'
import { CHECKOUT, CHECKOUT_ADDRESS as ADDRESS, CHECKOUT_NOW as NOW } from '../../testing/checkout.ts'
import { pounds } from '../../testing/pounds.ts'
import { alerts, hasButton, pass, pressButton, renderPage, text } from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { CheckoutScreen } from './checkout-screen.tsx'

// proof/check-promise.test.ts tests how promises are checked against orders.
vi.mock('../../proof/check-promise.ts', () => ({ promiseFault: vi.fn(async () => null) }))

// The code that checks a payment loads later; loaded here, it is available immediately.
await Promise.all([import('../../proof/check-payment.ts'), import('../../proof/kept-store.ts')])

let page: RenderedPage
const open = async (checkout: Partial<Checkout> | (() => never), answers: Answers = {}, isPlayer = true) => {
  const getCheckout = typeof checkout === 'function' ? checkout : () => ({ ...CHECKOUT, ...checkout })
  page = await renderPage(<CheckoutScreen orderId="order-1" />, {
    answers: { getCheckout, ...answers },
    profile: isPlayer ? {} : null,
  })
  await pass(10)
}
beforeEach(() => void vi.useFakeTimers({ now: NOW * 1000 }))
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

const crypto = (value: string) => ({ value, code: 'BTC' as const })
const [NOTHING, WHOLE] = [crypto('0.00000000'), crypto('0.00002000')]
const SEEN = { received: WHOLE, missing: NOTHING }
const TXID = 'ab'.repeat(32)
const transaction = (confirmations: number, link: string | null = null) => ({
  outpoint: `${TXID}:0`,
  txid: TXID,
  link,
  amount: WHOLE,
  confirmations,
})
const hasQr = () => document.querySelector('svg[role="img"]') !== null
const isInvitedToPay = () => text().includes('Send it to this address') || hasQr()
/** Texts that a screen reader announces. */
const spoken = () =>
  [...document.querySelectorAll('[role="status"], [aria-live="polite"]')].map((one) => one.textContent).join('|')

const linkTo = (name: string) =>
  [...document.querySelectorAll('a')].find((link) => link.textContent === name)?.getAttribute('href')

const ORDER = keptOrder({
  player: 'player-abc123',
  secret: 'ab'.repeat(32),
  madeAt: NOW,
  lines: [[1, 2, 3, 4, 5]],
  promise: 'the promise',
})

describe('a payment of an order that was made in this browser', () => {
  beforeEach(() => keptStore().put('orders', ORDER))
  afterEach(() => keptStore().forget())

  it('a payment is shown once its promise is checked, with a note that says so', async () => {
    const checked = Promise.withResolvers<string | null>()
    vi.mocked(promiseFault).mockReturnValueOnce(checked.promise)
    await open({})
    expect(spoken()).toContain('Checking what the operator has signed for this payment…')
    expect([hasQr(), linkTo('Open in wallet')]).toEqual([false, undefined])
    checked.resolve(null)
    await pass(10)
    expect(spoken()).toContain('the operator has signed that this payment buys your lines')
    expect([hasQr(), linkTo('Open in wallet')]).toEqual([true, CHECKOUT.uri])
    const shown = { pay: { by: 'bitcoin', address: ADDRESS }, sats: 2000n }
    expect(promiseFault).toHaveBeenLastCalledWith(expect.anything(), ORDER, shown)
  })

  it('a payment is not shown if the operator has signed something else', async () => {
    vi.mocked(promiseFault).mockResolvedValueOnce('It is for other lines.')
    await open({})
    expect(alerts().join()).toContain('Please do not pay. It is for other lines.')
    expect(isInvitedToPay()).toBe(false)
    expect(linkTo('Open in wallet')).toBeUndefined()
  })

  it('a payment is not shown if the code to scan differs from the page', async () => {
    await open({ uri: `bitcoin:${ADDRESS}?amount=0.00009000` })
    expect(alerts().join()).toContain('The code to scan does not match this page.')
    expect(isInvitedToPay()).toBe(false)
  })

  it('a payment is not shown until its promise can be checked', async () => {
    vi.mocked(promiseFault).mockRejectedValue(new Error('offline'))
    await open({})
    await pass(30_000)
    expect(text()).toContain('could not be fetched, so no code is shown')
    expect(hasQr()).toBe(false)
    vi.mocked(promiseFault).mockResolvedValue(null)
    await pressButton('Check the payment')
    await pass(10)
    expect(hasQr()).toBe(true)
  })
})

describe('the page where an order is paid', () => {
  it('an order that was not made in this browser is shown with a note that it cannot be checked', async () => {
    await open({})
    expect(spoken()).toContain('This order was not made in this browser')
    expect(hasQr()).toBe(true)
  })

  it('the page shows amount and address, as a code and as text, and the time left', async () => {
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

  it('an order over two prices lists both', async () => {
    const price = (value: number) => ({ fiat: pounds(value).fiat })
    await open({
      line_prices: [
        { draws: 3, price: price(1) },
        { draws: 1, price: price(1.5) },
      ],
    })
    expect(text()).toContain('Price of a line£1.00 in 3 draws, £1.50 in 1 draw')
    page.unmount()
    await open({})
    expect(text()).not.toContain('Price of a line')
  })

  it('the page asks only for the missing part if too little was sent', async () => {
    const uri = `bitcoin:${ADDRESS}?amount=0.00000600`
    const parts = { missing: crypto('0.00000600'), received: crypto('0.00001400') }
    await open({ status: 'UNDERPAID', uri, ...parts, transactions: [{ ...transaction(0), amount: parts.received }] })
    expect(text()).toContain('Part of your payment is missing')
    expect(text()).toContain('0.00000600 BTC')
    expect(text()).toContain('Received so far0.00001400 BTC')
    expect(text()).toContain('or we’ll refund it.')
    expect(linkTo('Open in wallet')).toBe(uri)
    expect(text()).not.toContain('£2.00') // the full price
  })

  it('the countdown changes only the seconds, and warns once', async () => {
    await open({ expires_at: NOW + 200 })
    const before = spoken()
    await pass(10_000)
    expect(spoken()).toBe(before)
    expect(document.querySelector('[role="timer"]')?.getAttribute('aria-live')).toBe('off')
    await pass(11_000)
    expect(spoken()).toContain('Less than 3 minutes left')
  })

  it('the countdown follows the server’s clock, not this device’s', async () => {
    page = await renderPage(<CheckoutScreen orderId="order-1" />, {
      answers: { getCheckout: () => ({ ...CHECKOUT, expires_at: NOW + 4_500 }) },
      profile: null,
      startedAt: NOW + 3_600,
    })
    await pass(0)
    expect(document.querySelector('[role="timer"]')?.textContent).toContain('15:00')
  })

  it('while a payment is confirmed, the page says how long that takes and that it can be closed', async () => {
    await open({ status: 'PROCESSING', ...SEEN, transactions: [transaction(0)] })
    expect(text()).toContain('Payment seen')
    expect(text()).toContain('Bitcoin payments take 10-30 minutes to confirm')
    expect(text()).toContain('you can close this page')
    expect(text()).toContain('0 of 1 confirmations')
    expect(isInvitedToPay()).toBe(false)
    expect(linkTo('Back to the game')).toBe('/game/bitcoin-hero?transaction_id=order-1')
  })

  it('the page gives the deadline for the block in the viewer’s time zone, and then the consequence', async () => {
    const blockBy = NOW + 6 * 60
    await open({ status: 'PROCESSING', ...SEEN, block_by: blockBy, transactions: [transaction(0)] })
    expect(text()).toContain('Your payment must be in a block by 12:06 PM to keep this price.')
    await pass(360_000)
    expect(text()).toContain(
      'Your payment has not confirmed yet. If we can no longer accept the order, we send the money back.',
    )
    expect(text()).not.toContain('must be in a block')
    expect(text()).toContain('0 of 1 confirmations')
  })

  it('a transaction links to the explorer if the network has one', async () => {
    const link = `https://explorer.example/tx/${TXID}`
    await open({ status: 'PROCESSING', ...SEEN, confirmations_needed: 3, transactions: [transaction(2, link)] })
    expect(text()).toContain('2 of 3 confirmations')
    const shown = [...document.querySelectorAll('a')].find((one) => one.href === link)
    expect([shown?.target, shown?.rel]).toEqual(['_blank', 'noreferrer'])
    expect(hasButton('Copy transaction id')).toBe(false)
    page.unmount()
    await open({ status: 'PROCESSING', ...SEEN, transactions: [transaction(0)] })
    expect(hasButton('Copy transaction id')).toBe(true)
  })

  it('the page says that the chain reversed the payment, and that no one has to pay again', async () => {
    await open({ status: 'PROCESSING', ...SEEN, is_taken_back: true, transactions: [transaction(0)] })
    expect(text()).toContain('Waiting for a new confirmation')
    expect(text()).toContain('Please do not pay again')
    expect(isInvitedToPay()).toBe(false)
    page.unmount()
    await open({ is_taken_back: true })
    expect(text()).toContain('A confirmed payment was reversed by the bitcoin network')
    expect(isInvitedToPay()).toBe(true)
  })

  it('the page returns to the game once the order is paid', async () => {
    let status: Checkout['status'] = 'PROCESSING'
    await open({}, { getCheckout: () => ({ ...CHECKOUT, ...SEEN, status }) })
    status = 'PAID'
    await pass(2_500)
    expect(text()).toContain('Payment confirmed!')
    await pass(2_000)
    expect(page.tab.entries).toEqual(['/game/bitcoin-hero?transaction_id=order-1'])
  })

  it('the page stays open for visitors, who would only be asked to log in', async () => {
    await open({ status: 'PAID', ...SEEN, transactions: [transaction(1)] }, {}, false)
    await pass(10_000)
    expect(text()).toContain('Payment confirmed!')
    expect(text()).toContain('You can close this page.')
    expect(page.tab.entries).toEqual(['/'])
    expect(linkTo('Continue')).toBe('/game/bitcoin-hero')
  })

  it('the page stays open to show an overpaid amount', async () => {
    const excess = crypto('0.00000500')
    await open({
      status: 'PAID',
      received: crypto('0.00002500'),
      missing: NOTHING,
      excess,
      transactions: [transaction(1)],
    })
    await pass(10_000)
    expect(text()).toContain('You sent 0.00000500 BTC more than the price. It goes to your balance')
    expect(text()).toContain('Overpaid0.00000500 BTC')
    expect(page.tab.entries).toEqual(['/'])
    expect(linkTo('Continue')).toBe('/game/bitcoin-hero?transaction_id=order-1')
  })

  it('the page names the new draw of lines that were paid too late for theirs', async () => {
    await open({ status: 'PAID', ...SEEN, moved: [{ from: 7, to: 8, date: NOW + 86_400 }] }, {}, false)
    expect(text()).toContain('Draw 7 closed first. Those lines are now in draw 8: Sun, Nov 22, ')
    expect(text()).toContain('You pay nothing more.')
  })

  it('the page offers no payment once the deadline has passed', async () => {
    await open({ expires_at: NOW + 10 })
    expect(hasButton('Pay with test bitcoin')).toBe(true)
    await pass(10_000)
    expect(text()).toContain('The time to pay is over')
    expect(text()).toContain('Please do not send bitcoin to this address any more.')
    expect(hasButton('Pay with test bitcoin')).toBe(false)
    expect(isInvitedToPay()).toBe(false)
  })

  it('the page says what happens to money that arrived after the deadline', async () => {
    await open({ status: 'EXPIRED', ...SEEN, is_late: true, expires_at: NOW - 60, transactions: [transaction(0)] })
    expect(text()).toContain('Payment seen after the deadline')
    expect(text()).toContain('Please do not send anything more.')
    expect(text()).toContain('0 of 1 confirmations')
    page.unmount()
    const parts = { received: crypto('0.00001400'), missing: crypto('0.00000600') }
    await open({ status: 'EXPIRED', ...parts, expires_at: NOW - 60, transactions: [transaction(0)] })
    expect(text()).toContain('Please do not send the missing part any more.')
    expect(isInvitedToPay()).toBe(false)
  })

  it.each([
    ['PAUSE', 'A break from playing has begun'],
    ['WEEKLY_LIMIT', 'The new weekly limit leaves no room for this order'],
  ] as const)('the page says why an order ended early (%s), and shows no address', async (because, why) => {
    await open({ status: 'EXPIRED', ended_because: because, address: null, uri: null })
    expect(text()).toContain(why)
    expect(text()).toContain('Anything already sent goes back.')
    expect(text()).not.toContain(ADDRESS)
    expect(isInvitedToPay()).toBe(false)
  })

  it('the page says where a refund goes', async () => {
    await open({ status: 'REFUNDED' })
    expect(text()).toContain('The payment is refunded')
    expect(text()).toContain('The bitcoin goes to the address saved in your crypto account details')
  })

  it('the page says so if the test wallet could not pay', async () => {
    const payFromTestWallet = () => {
      throw new ApiError({ status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'of the server' })
    }
    await open({}, { payFromTestWallet })
    await pressButton('Pay with test bitcoin')
    expect(alerts()).toEqual(['The test wallet could not pay. Please try again.'])
  })

  it('amount and address are copied in the form a wallet accepts, with a note', async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    await open({})
    await pressButton('Copy amount')
    expect(writeText).toHaveBeenLastCalledWith('0.00002000')
    expect(spoken()).toContain('Copied')
    await pass(700)
    await pressButton('Copy address')
    expect(writeText).toHaveBeenLastCalledWith(ADDRESS)
    writeText.mockRestore()
  })

  it('the code can be enlarged and closed again', async () => {
    await open({})
    await pressButton('Enlarge the code')
    expect(document.querySelector('dialog')?.open).toBe(true)
    expect(document.querySelectorAll('svg[role="img"]')).toHaveLength(2)
    await pressButton('Close')
    expect(document.querySelector('dialog')?.open).toBe(false)
    expect(document.querySelectorAll('svg[role="img"]')).toHaveLength(1)
  })

  it('while the server cannot be reached, the page keeps its data, retries, and says so', async () => {
    let isReached = true
    const failure = () => new ApiError({ status: 0, code: 'NETWORK_ERROR', message: 'no answer' })
    await open({}, { getCheckout: () => (isReached ? CHECKOUT : Promise.reject(failure())) })
    expect(text()).toContain('Updates automatically.')
    isReached = false
    await pass(20_000)
    expect(text()).toContain('Fairball cannot be reached at the moment. Status at ')
    expect(isInvitedToPay()).toBe(true)
    expect(document.querySelectorAll('[aria-busy="true"]')).toHaveLength(0)
    isReached = true
    await pass(10_000)
    expect(text()).toContain('Updates automatically.')
  })

  it('the page says so if the bitcoin node does not answer', async () => {
    await open({ status: 'PROCESSING', ...SEEN, is_live: false, transactions: [transaction(0)] })
    expect(text()).toContain('The bitcoin node does not answer at the moment')
  })

  it('the page does not wait forever for the first answer', async () => {
    let isReached = false
    const failure = () => new ApiError({ status: 0, code: 'NETWORK_ERROR', message: 'no answer' })
    await open({}, { getCheckout: () => (isReached ? CHECKOUT : Promise.reject(failure())) })
    await pass(20_000)
    expect(hasButton('Try again')).toBe(true)
    isReached = true
    await pass(10_000)
    expect(text()).toContain('Waiting for your payment')
  })

  it('the page is the same for visitors and players', async () => {
    await open({}, {}, false)
    expect(text()).toContain('0.00002000 BTC')
    expect(linkTo('Open in wallet')).toBe(CHECKOUT.uri)
  })

  it('the page says that there is no such payment, and does not ask again', async () => {
    await open(() => {
      throw new ApiError({ status: 404, code: 'NOT_FOUND', message: 'of the server' })
    })
    await pass(60_000)
    expect(text()).toContain('There is no such payment.')
    expect(page.calls('getCheckout')).toHaveLength(1)
  })

  it('the page is excluded from search engines', async () => {
    await open({})
    expect(document.querySelector('meta[name="robots"]')?.getAttribute('content')).toContain('noindex')
  })
})
