import { expect, test } from '@playwright/test'
import { expectNoFaults, MOVING } from './journeys.ts'
import { GAME, moveClock, nextDraw, openAccount, openDraw, PASSWORD } from './player.ts'

/** A regtest address of a made-up key (BIP 173). */
const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

// With movement, as most people see it.
test.use(MOVING)

test('a new player gets from opening an account to a drawn and paid-out line by clicking', async ({ page }) => {
  test.setTimeout(120_000)
  await openDraw(page)
  const email = await openAccount(page, GAME)
  await expect(page.getByText('Your email is not verified!')).toBeVisible()

  // The verification link, from the outbox on /links.
  await page.goto('/links')
  const mails = (await (await page.request.get(`/api/v1/dev/mail?to=${email}`)).json()) as { links: string[] }[]
  const link = new URL(mails[0]?.links[0] ?? '')
  await page.goto(link.pathname)
  await expect(page.getByText('Your email address is verified.')).toBeVisible()

  await page.goto('/settings/funds-and-payments/crypto-account-details')
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Bitcoin address').fill(ADDRESS)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible()

  await page.goto(`${GAME}/lucky-dips/5`)
  await page.getByRole('button', { name: 'Choose numbers' }).first().click()
  const picker = page.getByRole('dialog')
  await expect(picker.getByText('SELECT NUMBERS')).toBeVisible()
  for (const number of [3, 8, 13, 21, 34])
    await picker.getByRole('button', { name: String(number), exact: true }).click()
  await picker.getByRole('button', { name: 'CONFIRM' }).click()
  await page.getByRole('button', { name: /^Play/ }).first().click()
  await expect(page.getByText('Payment method')).toBeVisible()
  await page.getByRole('button', { name: /^Pay £6\.00/ }).click()

  await page.waitForURL(/\/checkout\//)
  await expect(page.getByText('0.00006000').first()).toBeVisible()
  await page.getByRole('button', { name: /test bitcoin/i }).click()
  await page.waitForURL(/transaction_id=/)
  await expect(page.getByText('Payment confirmed!')).toBeVisible()
  // The page names the scripts of this step: they do not wait for one another.
  expect(await (await page.request.get(page.url())).text()).toMatch(
    /<link rel="modulepreload" href="\/assets\/payment-step-/,
  )
  await expect(page.getByText('6 lines in 1 draw. Good luck!')).toBeVisible()
  const ticket = page.getByRole('region', { name: 'Your ticket' })
  await expect(ticket.getByRole('list', { name: /^Line /u })).toHaveCount(5)
  await ticket.getByRole('button', { name: 'and 1 more' }).click()
  await expect(ticket.getByRole('list', { name: 'Line F' })).toBeVisible()
  // Address and email are there already: nothing is missing but the date.
  await expect(page.getByRole('button', { name: 'Add to calendar' })).toHaveCount(1)
  await expectNoFaults(page, 'paid ticket')

  const draw = await nextDraw(page)
  await moveClock(page, { to: draw.start_at - 5 })
  await page.goto(`${GAME}/watch`)
  await expect(page.getByText('STARTS SOON').first()).toBeVisible()
  await expect(page.getByText('LIVE', { exact: true }).first()).toBeVisible({ timeout: 15_000 })
  await moveClock(page, { to: draw.end_at + 5 })
  await expect(page.getByText('ENDED').first()).toBeVisible({ timeout: 30_000 })

  // Ten minutes have passed on the system's clock: the session refreshes automatically.
  await page.goto(`${GAME}/results`)
  await expect(page.getByRole('heading', { name: 'Bitcoin Hero Results' })).toBeVisible()
  await expect(page.getByText('Upcoming draw')).toHaveCount(0)
  await page.goto(`${GAME}/draws`)
  await expect(page.getByText('No draw history yet.')).toHaveCount(0)
  await page.goto('/settings/funds-and-payments/transaction-history')
  await expect(page.getByText('Paid').first()).toBeVisible()

  // The same numbers again are a draft at the payment; nothing is ordered.
  await page.goto('/settings/general/tickets')
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Bitcoin Hero/ })
    .click()
  await page.getByRole('button', { name: 'Same numbers again' }).click()
  await expect(page.getByText('Step 2 of 3')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Pay £/ })).toBeVisible()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(page.getByText('Step 1 of 3')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Change line F' })).toBeVisible()
})
