import { expect, type Page, test } from '@playwright/test'
import { forgetLimits, mailedLink, notice, SETTINGS } from './account.ts'
import { accountMenu, GAME, logOut, newEmail, register } from './player.ts'

const FAILED = 'Unable to log in via Google.'

test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage()
  await forgetLimits(page)
  await page.close()
})

/** Presses the button, and gives the provider's window. */
async function openProvider(page: Page): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  return await opened
}

/** Goes through the provider's pages as a person does. */
async function logInAtProvider(provider: Page, person: { account: string; email: string; isVerified?: boolean }) {
  await provider.getByLabel('Account').fill(person.account)
  await provider.getByLabel('E-mail', { exact: true }).fill(person.email)
  if (person.isVerified === false) await provider.getByLabel('The e-mail address is verified').uncheck()
  await provider.getByRole('button', { name: 'Log in' }).click()
  await provider.getByRole('button', { name: 'Continue' }).click()
}

let accounts = 0
/** A person whom the provider has not seen before. */
function somebody() {
  accounts += 1
  return { account: `person-${accounts}-${process.pid}`, email: newEmail() }
}

test('a visitor logs in through a social network, comes back to the page, and has no password here', async ({
  page,
}) => {
  const person = somebody()
  await page.goto('/login?path=/game/treasure')
  const provider = await openProvider(page)
  await expect(page.getByText('Continue in the window of Google.')).toBeVisible()
  const closed = provider.waitForEvent('close')
  await logInAtProvider(provider, person)
  await closed
  await page.waitForURL((url) => url.pathname === '/game/treasure')
  await expect(accountMenu(page)).toBeVisible()

  await page.goto(SETTINGS.personalDetails)
  const settings = page.getByRole('navigation', { name: 'Settings', exact: true })
  await expect(page.getByRole('main').getByText(person.email)).toBeVisible()
  await expect(settings.getByRole('link', { name: 'Security' })).toBeVisible()
  await expect(settings.getByRole('link', { name: 'Password change' })).toHaveCount(0)
  await page.goto(SETTINGS.passwordChange)
  await page.waitForURL((url) => url.pathname === '/')

  // Without two-factor there is nothing that could prove who changes the bitcoin address.
  await page.goto(SETTINGS.cryptoAccount)
  await expect(notice(page, /please switch on two-factor authentication first/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit' })).toHaveCount(0)
  await page.getByRole('main').getByRole('link', { name: 'Go to Security' }).click()
  await page.waitForURL((url) => url.pathname === SETTINGS.security)

  // The set-up of two-factor goes from the introduction to the app, and back.
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Set up now' }).click()
  await expect(main.getByRole('button', { name: 'NEXT' })).toBeVisible()
  await expect(main.getByLabel('Password', { exact: true })).toHaveCount(0)
  await main.getByRole('button', { name: 'One step back' }).click()
  await expect(main.getByRole('button', { name: 'Set up now' })).toBeVisible()

  // The same person comes back to the same account.
  await logOut(page)
  await page.goto('/login')
  const again = await openProvider(page)
  if (await again.getByLabel('Account').isVisible()) await logInAtProvider(again, person)
  await expect(accountMenu(page)).toBeVisible()
  await page.goto(SETTINGS.personalDetails)
  await expect(page.getByRole('main').getByText(person.email)).toBeVisible()
})

test('a window that is closed, or in which the person cancels, says that the login failed', async ({ page }) => {
  await page.goto('/login')
  const closed = await openProvider(page)
  await closed.getByLabel('Account').waitFor()
  await closed.close()
  await expect(page.getByRole('alert')).toHaveText(FAILED)

  const cancelled = await openProvider(page)
  await cancelled.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('alert')).toHaveText(FAILED)
  const right = await openProvider(page)
  await logInAtProvider(right, somebody())
  await expect(accountMenu(page)).toBeVisible()
})

test('nobody gets into an account of this site by its e-mail address at the network alone', async ({ page }) => {
  const { email } = await register(page)
  await page.goto('/open-an-account')
  const provider = await openProvider(page)
  await logInAtProvider(provider, { ...somebody(), email })
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(accountMenu(page)).toHaveCount(0)
  await page.goto(await mailedLink(page, email, '/verify-email/'))
  await expect(notice(page, /^Your email address is verified/)).toBeVisible()
})

test('the page that takes the answer leaves no token in its address, and an answer nobody asked for opens nothing', async ({
  page,
}) => {
  await page.goto('/login')
  const stranger = await page.context().newPage()
  await stranger.goto('/social-login/google#access_token=stolen&state=guessed')
  await expect(stranger.getByText('You can close this window.')).toBeVisible()
  expect(new URL(stranger.url()).hash).toBe('')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByLabel('Email or username')).toBeVisible()
  await expect(accountMenu(page)).toHaveCount(0)
})

test('the game page and the page for opening an account offer the same buttons', async ({ page }) => {
  for (const path of ['/open-an-account', '/login']) {
    await page.goto(path)
    await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Continue with Facebook' }), 'not configured').toHaveCount(0)
  }
  await page.goto(GAME)
  await expect(
    page
      .getByRole('main')
      .getByRole('link', { name: /Log In to Play/i })
      .first(),
  ).toBeVisible()
})
