import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { callAs, forgetLimits, mailedLink, mailTo, notice, pressByKey, SETTINGS, tabTo, typeInto } from './account.ts'
import { accountMenu, arriveAsPlayer, openDraw, orderLuckyDips, PASSWORD, payFromTestWallet } from './player.ts'

const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

test.beforeAll(forgetLimits)

type Visitor = Parameters<typeof accountMenu>[0]

async function closeAccount(page: Visitor): Promise<void> {
  await page.goto(SETTINGS.personalData)
  const main = page.getByRole('main')
  await pressByKey(page, main.getByRole('button', { name: 'Close my account …' }))
  await expect(main.getByRole('button', { name: 'Close my account for good' })).toBeDisabled()
  await typeInto(page, 'Password', PASSWORD)
  await typeInto(page, 'Type CLOSE to confirm', 'CLOSE')
  await pressByKey(page, main.getByRole('button', { name: 'Close my account for good' }))
}

test('a player can download everything kept about them as one file', { tag: '@variant' }, async ({ page }) => {
  const email = await arriveAsPlayer(page, SETTINGS.personalData)
  const download = page.waitForEvent('download')
  await pressByKey(page, page.getByRole('button', { name: 'Download everything about me' }))
  const file = await download
  expect(file.suggestedFilename()).toMatch(/\.json$/)
  const text = readFileSync(await file.path(), 'utf8')
  expect(JSON.parse(text)).toBeTruthy()
  expect(text).toContain(email)
  expect(text).not.toMatch(/argon2|refresh_token/)
})

test('an account is closed with the keyboard alone, by a word and the password, and every session ends', async ({
  page,
}) => {
  const email = await arriveAsPlayer(page)
  const other = await page.context().newPage()
  await other.goto('/settings/general/messages')
  await expect(accountMenu(other)).toBeVisible()

  await page.goto(SETTINGS.personalData)
  await pressByKey(page, page.getByRole('button', { name: 'Close my account …' }))
  await typeInto(page, 'Password', 'Wrong-horse7battery')
  await typeInto(page, 'Type CLOSE to confirm', 'CLOSE')
  await page.keyboard.press('Enter')
  await expect(notice(page, 'Invalid credentials.').first()).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Cancel' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Close my account …' })).toBeFocused()

  await closeAccount(page)
  await expect(accountMenu(page)).toHaveCount(0)
  await expect(accountMenu(other)).toHaveCount(0)
  await mailTo(page, email, 'Your account was closed')
  await page.goto('/login')
  await page.getByLabel('Email or username').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText(
    'Invalid credentials. Check your email or username and your password.',
  )
})

test(
  'an account with pending draws needs a payout address to close, and is paid out first',
  { tag: '@variant' },
  async ({ page }) => {
    const email = await arriveAsPlayer(page)
    await openDraw(page)
    const order = await orderLuckyDips(page, 1)
    expect(await payFromTestWallet(page, { transaction_id: order })).toBe('PAID')
    await closeAccount(page)
    const refusal = page.getByRole('main').getByRole('alert')
    await expect(refusal).toBeVisible()
    await expect(refusal.getByRole('link')).toBeVisible()
    await expect(accountMenu(page)).toBeVisible()

    await page.goto(await mailedLink(page, email, '/verify-email/'))
    await expect(notice(page, /^Your email address is verified/)).toBeVisible()
    await callAs(page, 'PUT', '/settings/crypto-account-details', { btc_address: ADDRESS, password: PASSWORD })
    await closeAccount(page)
    await expect(accountMenu(page)).toHaveCount(0)
    await expect(page.getByText(/paid/).first()).toBeVisible()
  },
)
