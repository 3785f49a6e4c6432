import { act } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '@fairball/contract/client'
import type { Checkout } from '@fairball/contract/schemas/order'
import { newOrder, orderAfter } from '../../shared/order/order-draft.ts'
import { keepOrder } from '../../shared/order/kept-order.ts'
import { CHECKOUT, CHECKOUT_NOW as NOW, PAID_FOR } from '../../testing/checkout.ts'
import { heroGame } from '../../testing/hero-game.ts'
import { hasButton, pass, pressButton, renderPage, text } from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { CheckoutScreen } from './checkout-screen.tsx'

// The code that checks a payment loads later; loaded here, it is available immediately.
await Promise.all([
  import('../../proof/check-payment.ts'),
  import('../../proof/kept-store.ts'),
  import('./components/own-lines.tsx'),
  import('./components/folded-code.tsx'),
  import('./way-back.ts'),
  import('../../shared/order/same-numbers.ts'),
])

let page: RenderedPage
const open = async (checkout: Partial<Checkout>, answers: Answers = {}, isPlayer = true) => {
  page = await renderPage(<CheckoutScreen orderId="order-1" />, {
    answers: {
      getCheckout: () => ({ ...CHECKOUT, ...checkout }),
      getGames: () => [heroGame(NOW + 6 * 3600)],
      getPayment: () => ({ status: 'PENDING', game_key: 'bitcoin-hero', order: PAID_FOR }),
      ...answers,
    },
    profile: isPlayer ? {} : null,
  })
  await pass(10)
}
beforeEach(() => {
  vi.useFakeTimers({ now: NOW * 1000 })
  sessionStorage.clear()
})
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const linkTo = (name: string) => [...document.querySelectorAll('a')].find((link) => link.textContent === name)
const hasLines = () => document.querySelector('[aria-label="Line A"]') !== null
const changeOrder = async () => {
  await act(async () => linkTo('← Change your order')?.click())
  await pass(10)
}
const LINE = [[1, 2, 3, 4, 5]]
const PLACE = { gameKey: 'bitcoin-hero', dips: 3, player: 'player-abc123' }
/** The tab's draft that became order 1. */
const keepDraft = () => {
  const draft = orderAfter(newOrder(LINE, { id: 'draft-1', drawTimes: '' }), {
    type: 'attempt',
    attempt: { id: 'attempt-1', of: '', at: NOW, orderId: 'order-1' },
  })
  keepOrder(sessionStorage, PLACE, { order: draft, entry: 'entry-1' })
}

it('the payment is the second of the three steps', async () => {
  await open({})
  expect(document.querySelector('[aria-current="step"]')?.textContent).toBe('Step 2 of 3Payment')
})

it('the player sees the draws that the payment is for, its lines, and by when it must be confirmed', async () => {
  await open({})
  expect(text()).toContain('What you are paying forBitcoin Hero, 1 line in 2 draws')
  expect(text()).toContain('Sat, Nov 21, 6:00 PM')
  expect(text()).toContain('Sun, Nov 22, 6:00 PM')
  expect(hasLines()).toBe(true)
  expect(text()).toContain('Your payment must be confirmed by Sat, Nov 21, 5:55 PM to be in the first of these draws.')
})

it('anyone else with the address sees only the draws', async () => {
  const getPayment = () => {
    throw new ApiError({ status: 404, code: 'NOT_FOUND', message: 'of the server' })
  }
  await open({ draws: 1, draw_refs: CHECKOUT.draw_refs.slice(0, 1) }, { getPayment })
  expect(text()).toContain('to be in that draw.')
  expect(hasLines()).toBe(false)
  page.unmount()
  await open({}, {}, false)
  expect(text()).toContain('Sat, Nov 21, 6:00 PM')
  expect(hasLines()).toBe(false)
  expect(page.calls('getPayment')).toEqual([])
})

it('five lines are shown at first', async () => {
  const lines = Array.from({ length: 7 }, () => ({ numbers: [1, 2, 3, 4, 5], is_lucky_dip: true }))
  await open({}, { getPayment: () => ({ status: 'PENDING', game_key: 'bitcoin-hero', order: { ...PAID_FOR, lines } }) })
  expect(document.querySelectorAll('[aria-label^="Line "]')).toHaveLength(5)
  await pressButton('and 2 more')
  expect(document.querySelectorAll('[aria-label^="Line "]')).toHaveLength(7)
})

it('the way back leads to the step before with the order as the tab keeps it', async () => {
  await open({})
  keepDraft()
  await changeOrder()
  expect(page.tab.entries.at(-1)).toBe('/game/bitcoin-hero/lucky-dips/3')
  expect(page.tab.router.state.location.state.page).toEqual({ step: 2, draftId: 'draft-1', isFirst: true })
})

it('in another tab, the way back takes the lines from the server', async () => {
  await open({})
  await changeOrder()
  expect(page.tab.entries.at(-1)).toBe('/game/bitcoin-hero')
  expect(page.tab.router.state.location.state.page?.step).toBe(2)
  const kept = sessionStorage.getItem('order:bitcoin-hero:0') ?? ''
  expect(kept).toContain('"confirmedNumbers":[1,2,3,4,5]')
  expect(kept).toContain('"orderId":"order-1"')
})

it('once the payment is seen, nothing can be changed', async () => {
  await open({ status: 'PROCESSING', received: CHECKOUT.missing })
  expect(linkTo('← Change your order')).toBeUndefined()
  expect(text()).toContain('What you are paying for')
})

it('the time left is announced at five, three and one minutes', async () => {
  await open({ expires_at: NOW + 310 })
  const announced = () =>
    [...document.querySelectorAll('[aria-live="polite"], [role="status"]')].map((one) => one.textContent).join('|')
  expect(announced()).not.toContain('left')
  await pass(10_000)
  expect(announced()).toContain('5 minutes left to pay.')
  await pass(120_000)
  expect(announced()).toContain('Less than 3 minutes left')
  await pass(120_000)
  expect(announced()).toContain('1 minute left to pay.')
})

it('a device used by touch opens its wallet, and shows the code when asked', async () => {
  vi.spyOn(globalThis, 'matchMedia').mockImplementation(
    (query) =>
      Object.assign(new EventTarget(), { matches: query === '(pointer: coarse)' }) as unknown as MediaQueryList,
  )
  await open({})
  expect(linkTo('Open in wallet')?.getAttribute('href')).toBe(CHECKOUT.uri)
  expect(document.querySelector('svg[role="img"]')?.closest('[hidden]')).not.toBeNull()
  expect(hasButton('Enlarge the code')).toBe(false)
  await pressButton('Show QR code')
  expect(document.querySelector('svg[role="img"]')?.closest('[hidden]')).toBeNull()
})
