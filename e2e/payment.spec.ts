import { expect, type Locator, type Page, test } from '@playwright/test'
import { callAs } from './account.ts'
import { expectNoFaults } from './journeys.ts'
import { arriveAsPlayer, GAME, moveClock, openDraw, orderLuckyDips, payFromTestWallet, playButton } from './player.ts'

const HISTORY = '/settings/funds-and-payments/transaction-history'
/** A time after the 15 minutes of an invoice, in seconds. */
const PAST_EXPIRY = 16 * 60

function state(page: Page, title: string): Locator {
  return page.getByRole('heading', { level: 2, name: title })
}

test(
  'an underpaid checkout shows the missing amount, and every page shows the refund after the deadline',
  { tag: '@variant' },
  async ({ page }) => {
    await openDraw(page)
    await arriveAsPlayer(page)
    const order = await orderLuckyDips(page, 1)
    await expect(state(page, 'Waiting for your payment')).toBeVisible()
    await expect(page.getByText('0.00001000').first()).toBeVisible()
    await expect(page.getByRole('timer', { name: 'Time left to pay' })).toHaveText(/^1[45]:\d\d/)
    await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()

    expect(await payFromTestWallet(page, { transaction_id: order, amount: '0.00000400' })).toBe('UNDERPAID')
    await expect(state(page, 'Part of your payment is missing')).toBeVisible()
    await expect(page.getByText('Still missing', { exact: true })).toBeVisible()
    await expect(page.getByText('0.00000600 BTC')).toBeVisible()
    await expect(page.getByText('0.00000400 BTC').first()).toBeVisible()

    const back = await page.goto(`${GAME}?transaction_id=${order}`)
    await expect(state(page, '0.00000600 BTC is still missing.')).toBeVisible()
    // The page names the scripts of this step: they do not wait for one another.
    expect(await back?.text()).toMatch(/<link rel="modulepreload" href="\/assets\/payment-step-/)
    await expectNoFaults(page, 'payment, underpaid')
    await page.getByRole('link', { name: 'Go to payment' }).click()
    await expect(state(page, 'Part of your payment is missing')).toBeVisible()
    await moveClock(page, { advance: PAST_EXPIRY })
    await expect(state(page, 'The payment is refunded')).toBeVisible()
    await page.getByRole('link', { name: 'Back to the game' }).click()
    await page.waitForURL(/transaction_id=/)
    await expect(state(page, 'The payment is refunded')).toBeVisible()
    await expectNoFaults(page, 'payment, refunded')
    await page.goto(HISTORY)
    await expect(page.getByRole('cell', { name: 'Refunded' }).first()).toBeVisible()
    await expect(page.getByText('0.00000400').first()).toBeVisible()
  },
)

test('an expired checkout says so, and offers no payment', { tag: '@variant' }, async ({ page }) => {
  await openDraw(page)
  await arriveAsPlayer(page)
  const order = await orderLuckyDips(page, 1)
  await expect(state(page, 'Waiting for your payment')).toBeVisible()
  await moveClock(page, { advance: PAST_EXPIRY })
  await expect(state(page, 'The time to pay is over')).toBeVisible()
  await expect(page.getByRole('button', { name: /test bitcoin/i })).toHaveCount(0)
  await expect(page.getByText('Send it to this address')).toHaveCount(0)

  await page.goto(`${GAME}?transaction_id=${order}`)
  await expect(page.getByText('Transaction still processing')).toBeVisible()
  await expect(state(page, 'The time to pay is over.')).toBeVisible()
  await expectNoFaults(page, 'payment, expired')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Step 2 of 3')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Line A' }).getByRole('listitem')).toHaveCount(5)
  await page.goto(HISTORY)
  await expect(page.getByRole('cell', { name: 'Expired' })).toBeVisible()
})

test(
  'a seen payment shows its confirmations, and is confirmed with the next block',
  { tag: '@variant' },
  async ({ page }) => {
    await openDraw(page)
    await arriveAsPlayer(page)
    const order = await orderLuckyDips(page, 1)
    expect(await payFromTestWallet(page, { transaction_id: order, confirmations: 0 })).toBe('PROCESSING')
    await expect(state(page, 'Payment seen')).toBeVisible()
    await expect(page.getByRole('progressbar', { name: 'Confirmations of the payment' })).toHaveAttribute(
      'aria-valuenow',
      '0',
    )
    // The answer is delayed until the waiting page has been checked.
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/api/v1/payment?**', async (route) => {
      await released
      await route.continue()
    })
    await page.getByRole('link', { name: 'Back to the game' }).click()
    await expect(state(page, 'Checking payment status')).toBeVisible()
    await expectNoFaults(page, 'payment, asked')
    release()
    await expect(page.getByText('Transaction still processing')).toBeVisible()
    await expect(state(page, 'Payment seen.')).toBeVisible()
    await expect(page.getByText(/10-30 minutes to confirm/)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Check Purchased Tickets' })).toHaveAttribute('href', `${GAME}/results`)
    await expectNoFaults(page, 'payment, processing')
    await page.unroute('**/api/v1/payment?**')
    await page.reload()
    await expect(state(page, 'Payment seen.')).toBeVisible()
    await page.goBack()
    await expect(state(page, 'Payment seen')).toBeVisible()

    await moveClock(page, { advance: 11 * 60 })
    await page.waitForURL(/transaction_id=/)
    await expect(state(page, 'Payment confirmed!')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Check Your Numbers' })).toHaveAttribute('href', `${GAME}/results`)
    await expectNoFaults(page, 'payment, confirmed')
    await page.getByRole('link', { name: 'Play More' }).click()
    await expect(page.getByText('Step 1 of 3')).toBeVisible()
    await expect(page.getByText('Last played numbers')).toBeVisible()
  },
)

test('a stranger sees only the facts for paying an order', { tag: '@variant' }, async ({ browser, page }) => {
  await openDraw(page)
  const email = await arriveAsPlayer(page)
  const order = await orderLuckyDips(page, 1)
  await payFromTestWallet(page, { transaction_id: order })

  const stranger = await (await browser.newContext()).newPage()
  // Anyone with the order's id may pay it, such as from a phone with the wallet. The page does not show whose order it
  // is.
  const checkout = await stranger.request.get(`/checkout/${order}`)
  const { username } = (await callAs(page, 'GET', '/profile')) as { username: string }
  for (const secret of [email, username]) expect(await checkout.text()).not.toContain(secret)
  await stranger.goto(`${GAME}?transaction_id=${order}`)
  await expect(stranger.getByText('Log in to see this payment.')).toBeVisible()
  await expectNoFaults(stranger, 'payment of another player')
  await arriveAsPlayer(stranger, `${GAME}?transaction_id=${order}`)
  await expect(stranger.getByText('Data cannot be loaded! Please try again later.')).toBeVisible()
  await expectNoFaults(stranger, 'payment, not loaded')
  await expect(stranger.getByText('Payment confirmed!')).toHaveCount(0)
  await expect(stranger.getByText('Transaction still processing')).toHaveCount(0)
  await stranger.context().close()
})

test('an order paid for by free tickets is confirmed immediately', { tag: '@variant' }, async ({ page }) => {
  const draw = await openDraw(page)
  await arriveAsPlayer(page)
  // Of 200 random lines some have two matches, which win a free ticket, in all but one of 10¹⁰ draws.
  const order = await orderLuckyDips(page, 200)
  await payFromTestWallet(page, { transaction_id: order })
  await page.waitForURL(/transaction_id=/)
  await expect(state(page, 'Payment confirmed!')).toBeVisible()
  await moveClock(page, { to: draw.end_at + 605 })

  await page.goto(`${GAME}/lucky-dips/1`)
  await expect(page.getByText('Free tickets won')).toBeVisible()
  await playButton(page).click()
  await page.getByRole('button', { name: 'Play for free' }).click()
  await expect(state(page, 'Payment confirmed!')).toBeVisible()
  expect(new URL(page.url()).pathname).toBe(GAME)
})
