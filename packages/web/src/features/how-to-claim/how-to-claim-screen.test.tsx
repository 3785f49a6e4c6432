import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { renderPage, text } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { HowToClaimScreen } from './how-to-claim-screen.tsx'

let page: RenderedPage
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

it('the page says that there is nothing to claim, and leads to the crypto account details', async () => {
  page = await renderPage(<HowToClaimScreen />, { answers: {}, profile: null })
  expect(text()).toContain('There is nothing to claim')
  expect(text()).toContain('within an hour')
  const links = [...document.querySelectorAll('a')].filter((link) => link.textContent === 'Crypto account details')
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/settings/funds-and-payments/crypto-account-details',
    '/settings/funds-and-payments/crypto-account-details',
  ])
})

it('the page explains CLAIM, and what to do without a bitcoin address or a verified email address', async () => {
  page = await renderPage(<HowToClaimScreen />, { answers: {}, profile: null })
  expect([...document.querySelectorAll('h2, h3')].map((one) => one.textContent)).toEqual([
    'From the draw to your address',
    'Your line wins',
    'The payment leaves',
    'You see it',
    'What CLAIM means',
    'No bitcoin address is saved',
    'The email address is not verified',
    'The bitcoin address was changed',
    'The prize is very small',
    'A prize never expires',
    'Free tickets',
  ])
  expect(text()).toContain('180 days')
})
