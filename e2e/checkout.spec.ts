import { expect, type Locator, type Page, test } from '@playwright/test'
import {
  expectNoFaults,
  expectNoSidewaysScroll,
  order,
  orderOfNewPlayer,
  PHONE,
  randomLines,
  WEEKDAYS,
  WIDE,
} from './journeys.ts'
import { accessibilityFaults, arriveAsPlayer, moveClock, openDraw, payFromTestWallet } from './player.ts'

/** A time after the 15 minutes of an invoice, in seconds. */
const PAST_EXPIRY = 16 * 60
const NARROW = { width: 320, height: 640 }
const SIZES = [WIDE, PHONE, NARROW]

function state(page: Page, title: string): Locator {
  return page.getByRole('heading', { level: 2, name: title })
}

/** A line in every draw of a week, so that no jump of some minutes closes all of them. */
const WANTED = { lines: randomLines(1), days: WEEKDAYS }

/** The amount to send according to the page, in BTC. */
async function amountOf(page: Page, id: string): Promise<number> {
  const answer = (await (await page.request.get(`/api/v1/checkout/${id}`)).json()) as {
    amount: { crypto: { value: string } }
  }
  return Number(answer.amount.crypto.value)
}

/** Checks the page in its current state, and its width on the narrowest phones. */
async function expectNoFaultsAnywhere(page: Page, what: string): Promise<void> {
  await expectNoFaults(page, what)
  await page.setViewportSize(NARROW)
  await expectNoSidewaysScroll(page, `${what}, 320 px`)
  await page.setViewportSize(WIDE)
}

test('a phone without a session sees every state of a payment', async ({ page: phone }) => {
  test.setTimeout(240_000)
  await openDraw(phone)
  const open = async (title: string): Promise<string> => {
    const id = await orderOfNewPlayer(phone, WANTED)
    await phone.goto(`/checkout/${id}`)
    await expect(state(phone, title)).toBeVisible()
    return id
  }

  const id = await open('Waiting for your payment')
  await expectNoFaultsAnywhere(phone, 'waiting')
  await phone.getByRole('button', { name: 'Enlarge the code' }).click()
  await expect(phone.getByRole('dialog')).toBeVisible()
  expect(await accessibilityFaults(phone)).toEqual([])
  await phone.keyboard.press('Escape')
  await expect(phone.getByRole('dialog')).toHaveCount(0)
  await expect(phone.getByRole('button', { name: 'Enlarge the code' })).toBeFocused()

  await moveClock(phone, { advance: 12 * 60 + 30 })
  await expect(phone.getByText('Less than 3 minutes left').first()).toBeVisible()
  await expectNoFaultsAnywhere(phone, 'the last minutes')

  const whole = await amountOf(phone, id)
  await payFromTestWallet(phone, { transaction_id: id, amount: (whole * 0.4).toFixed(8), confirmations: 0 })
  await expect(state(phone, 'Part of your payment is missing')).toBeVisible()
  const rest = (whole * 0.6).toFixed(8)
  await expect(phone.getByText(`${rest} BTC`)).toBeVisible()
  await expect(phone.getByRole('link', { name: 'Open in wallet' })).toHaveAttribute(
    'href',
    new RegExp(String.raw`^bitcoin:bcrt1[0-9a-z]+\?amount=${rest.replace('.', String.raw`\.`)}$`),
  )
  await expectNoFaultsAnywhere(phone, 'underpaid')

  await moveClock(phone, { advance: PAST_EXPIRY })
  // A page that asked just between expiry and refund asks again after a quarter of a minute.
  await expect(state(phone, 'The payment is refunded')).toBeVisible({ timeout: 20_000 })
  await expectNoFaultsAnywhere(phone, 'refunded')

  const seen = await open('Waiting for your payment')
  await payFromTestWallet(phone, { transaction_id: seen, confirmations: 0 })
  await expect(state(phone, 'Payment seen')).toBeVisible()
  await expect(phone.getByText('you can close this page')).toBeVisible()
  await expectNoFaultsAnywhere(phone, 'confirming')
  await moveClock(phone, { advance: 11 * 60 })
  await expect(state(phone, 'Payment confirmed!')).toBeVisible()
  await expect(phone.getByText('You can close this page.')).toBeVisible()
  await expectNoFaultsAnywhere(phone, 'confirmed')
  // It stays on the page: the visitor cannot see the order's page.
  expect(new URL(phone.url()).pathname).toBe(`/checkout/${seen}`)

  const generous = await open('Waiting for your payment')
  await payFromTestWallet(phone, { transaction_id: generous, amount: (whole * 1.5).toFixed(8) })
  await expect(phone.getByText(/^You sent 0\.0000\d+ BTC more than the price\./)).toBeVisible()
  await expectNoFaultsAnywhere(phone, 'overpaid')

  await open('Waiting for your payment')
  await expect(phone.getByRole('tab', { name: /^Lightning/ })).toHaveAttribute('aria-selected', 'true')
  await expect(phone.getByRole('img', { name: /^QR code of the Lightning invoice/ })).toBeVisible()
  await expectNoFaultsAnywhere(phone, 'Lightning')
  await phone.getByRole('tab', { name: /^Lightning/ }).press('ArrowRight')
  await expect(phone.getByText('Send it to this address')).toBeVisible()
  await phone.getByRole('button', { name: 'Pay with test Lightning' }).click()
  await expect(state(phone, 'Payment confirmed!')).toBeVisible({ timeout: 3_000 })
  await expectNoFaultsAnywhere(phone, 'paid over Lightning')

  const late = await open('Waiting for your payment')
  await moveClock(phone, { advance: PAST_EXPIRY })
  await expect(phone.getByText('Please do not send bitcoin to this address any more.')).toBeVisible()
  await expectNoFaultsAnywhere(phone, 'expired')
  await payFromTestWallet(phone, { transaction_id: late, confirmations: 0 })
  await phone.reload()
  await expect(state(phone, 'Payment seen after the deadline')).toBeVisible()
  await expectNoFaultsAnywhere(phone, 'late')
})

test('the states that the demo’s own chain never reaches are shown too', { tag: '@variant' }, async ({ page }) => {
  await openDraw(page)
  await arriveAsPlayer(page)
  const id = await order(page, WANTED)
  await payFromTestWallet(page, { transaction_id: id, confirmations: 0 })
  await page.goto(`/checkout/${id}`)
  await expect(state(page, 'Payment seen')).toBeVisible()
  const txid = 'ab'.repeat(32)
  const amount = { value: '0.00002000', code: 'BTC' }
  const deep = { outpoint: `${txid}:0`, txid, link: `https://explorer.example/tx/${txid}`, amount, confirmations: 2 }
  let change: object = {}
  await page.route('**/api/v1/checkout/*', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), ...change } })
  })
  for (const { what, words, ...shown } of [
    {
      what: 'several confirmations',
      words: '2 of 3 confirmations',
      change: {
        confirmations: 2,
        confirmations_needed: 3,
        transactions: [deep, { ...deep, outpoint: `${txid}:1` }],
        network: 'mainnet',
      },
    },
    { what: 'reversed', words: 'Waiting for a new confirmation', change: { is_taken_back: true } },
    { what: 'no node', words: 'The bitcoin node does not answer at the moment', change: { is_live: false } },
    {
      what: 'a part after the deadline',
      words: 'Please do not send the missing part any more.',
      change: { status: 'UNDERPAID', missing: amount, expires_at: 0 },
    },
  ]) {
    change = shown.change
    await expect(page.getByText(words).first()).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open in wallet' })).toHaveCount(0)
    await expectNoFaultsAnywhere(page, what)
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('the checkout works without scripts and is never cached, and an unknown order has no page', async ({
  browser,
  page,
}) => {
  await openDraw(page)
  const id = await orderOfNewPlayer(page, WANTED)
  const answer = await page.request.get(`/checkout/${id}`)
  expect([answer.status(), answer.headers()['cache-control']]).toEqual([200, 'no-store'])
  expect(await answer.text()).toMatch(/<meta name="robots" content="noindex/)
  expect((await page.request.get(`/api/v1/checkout/${id}`)).headers()['cache-control']).toBe('no-store')
  for (const unknown of ['00000000-0000-4000-8000-000000000000', 'nonsense', 'x'.repeat(2000)]) {
    expect((await page.request.get(`/checkout/${unknown}`)).status(), unknown).toBe(404)
  }
  const whole = await amountOf(page, id)
  const context = await browser.newContext({ javaScriptEnabled: false })
  const phone = await context.newPage()
  for (const size of SIZES) {
    await phone.setViewportSize(size)
    await phone.goto(`/checkout/${id}`)
    await expect(state(phone, 'Waiting for your payment')).toBeVisible()
    await expect(phone.getByText(`${whole.toFixed(8)} BTC`)).toBeVisible()
    await expect(phone.getByText(/^until \d+:\d\d [AP]M UTC$/)).toBeVisible()
    await expect(phone.getByRole('img', { name: /QR code/ })).toBeVisible()
    await expect(phone.getByRole('link', { name: 'Open in wallet' })).toHaveAttribute('href', /^bitcoin:bcrt1/)
    // Controls that need scripts are not shown.
    await expect(phone.getByRole('main').getByRole('button')).toHaveCount(0)
    const width = (await phone.locator('main section').first().boundingBox())?.width ?? Infinity
    expect(width).toBeLessThanOrEqual(size.width)
  }

  await payFromTestWallet(page, { transaction_id: id, amount: (whole * 0.5).toFixed(8), confirmations: 0 })
  await phone.getByRole('link', { name: 'Check again' }).click()
  await expect(state(phone, 'Part of your payment is missing')).toBeVisible()
  await payFromTestWallet(page, { transaction_id: id, confirmations: 0 })
  await phone.getByRole('link', { name: 'Check again' }).click()
  await expect(state(phone, 'Payment seen')).toBeVisible()
  await expect(phone.getByText('0 of 1 confirmations').first()).toBeVisible()
  await context.close()
})

test(
  'the checkout page keeps its data when the connection breaks, and updates again once it is back',
  { tag: '@variant' },
  async ({ page }) => {
    await openDraw(page)
    await arriveAsPlayer(page)
    const id = await order(page, WANTED)
    await page.goto(`/checkout/${id}`)
    const strip = page.getByRole('status').filter({ hasText: /Updates automatically|We’ll keep trying/ })
    const code = page.getByRole('img', { name: /QR code/ })
    await expect(strip).toHaveText('Updates automatically.')
    await expect(code).toBeVisible() // once the promise of the payment is checked
    await page.context().setOffline(true)
    await expect(strip).toHaveText(/^Fairball cannot be reached at the moment\. Status at \d+:\d\d [AP]M\./)
    await expect(code).toBeVisible()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.context().setOffline(false)
    await expect(strip).toHaveText('Updates automatically.')
    await payFromTestWallet(page, { transaction_id: id })
    await page.waitForURL(/transaction_id=/)
  },
)
