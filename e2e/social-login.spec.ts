import { expect, type Page, test } from '@playwright/test'
import { forgetLimits, mailedLink, notice, SETTINGS } from './account.ts'
import { accountMenu, logOut, newEmail, register } from './player.ts'

const FAILED = 'Unable to log in via Google.'

test.beforeAll(forgetLimits)

/** Presses the button, and returns the provider's window. */
async function openProvider(page: Page): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  return await opened
}

/** Goes through the provider's pages as a person does. */
async function logInAtProvider(provider: Page, person: { account: string; email: string; isVerified?: boolean }) {
  await provider.getByLabel('Account').fill(person.account)
  await provider.getByLabel('Email', { exact: true }).fill(person.email)
  if (person.isVerified === false) await provider.getByLabel('The email address is verified').uncheck()
  await provider.getByRole('button', { name: 'Log in' }).click()
  await provider.getByRole('button', { name: 'Continue' }).click()
}

test(
  'in the demo a visitor clicks through the placeholder for a network that is not configured',
  { tag: '@variant' },
  async ({ page }) => {
    const email = newEmail()
    await page.goto('/login')
    const opened = page.waitForEvent('popup')
    await page.getByRole('button', { name: 'Continue with Facebook' }).click()
    const standIn = await opened
    await expect(standIn.getByRole('heading', { name: 'Stand-in for Facebook' })).toBeVisible()
    await standIn.getByLabel('Name').fill(`face-${process.pid}`)
    await standIn.getByLabel('Email').fill(email)
    const closed = standIn.waitForEvent('close')
    await standIn.getByRole('button', { name: 'Continue' }).click()
    await closed
    await expect(accountMenu(page)).toBeVisible()

    await logOut(page)
    await page.goto('/login')
    const again = page.waitForEvent('popup')
    await page.getByRole('button', { name: 'Continue with Facebook' }).click()
    await (await again).getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('Unable to log in via Facebook.')).toBeVisible()
  },
)

let accounts = 0
/** A person who is new to the provider. */
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

  // Without two-factor the player cannot prove who changes the bitcoin address.
  await page.goto(SETTINGS.cryptoAccount)
  await expect(notice(page, /please switch on two-factor authentication first/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit' })).toHaveCount(0)
  await page.getByRole('main').getByRole('link', { name: 'Go to Security' }).click()
  await page.waitForURL((url) => url.pathname === SETTINGS.security)

  // The set-up of two-factor moves from the introduction to the app, and back.
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

test('closing the provider’s window shows that the login failed', { tag: '@variant' }, async ({ page }) => {
  await page.goto('/login')
  const closed = await openProvider(page)
  await closed.getByLabel('Account').waitFor()
  await closed.close()
  await expect(page.getByRole('alert')).toHaveText(FAILED)
})

test(
  'an email address at the network alone does not open the account with that address here',
  { tag: '@variant' },
  async ({ page }) => {
    const { email } = await register(page)
    await page.goto('/open-an-account')
    const provider = await openProvider(page)
    await logInAtProvider(provider, { ...somebody(), email })
    await expect(page.getByRole('alert')).toBeVisible()
    await expect(accountMenu(page)).toHaveCount(0)
    await page.goto(await mailedLink(page, email, '/verify-email/'))
    await expect(notice(page, /^Your email address is verified/)).toBeVisible()
  },
)

test('the page for the answer leaves no token in its address, and an unrequested answer is ignored', async ({
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
