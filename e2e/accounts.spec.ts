import { expect, test } from '@playwright/test'
import {
  forgetLimits,
  mailedLink,
  mailTo,
  notice,
  pressByKey,
  tabTo,
  typeInto,
  usernameOf,
  VISITORS_PAGES,
} from './account.ts'
import { accountMenu, arriveAsPlayer, GAME, logIn, newEmail, openAccount, PASSWORD, register } from './player.ts'

const DETAILS = '**/settings/profile-and-settings/personal-details'
const UNVERIFIED = /Your email is not verified! Please check you mail inbox or/

test.beforeAll(forgetLimits)

test('an account is opened with the keyboard alone, once all fields are valid', async ({ page }) => {
  await page.goto('/open-an-account?path=/game/treasure')
  const main = page.getByRole('main')
  await typeInto(page, 'Email', 'newcomer@nowhere')
  await typeInto(page, 'Confirm email', 'somebody-else@example.org')
  await typeInto(page, 'Password', 'short')
  await tabTo(page, page.getByRole('checkbox', { name: 'I am 18 or over' }))
  await page.keyboard.press('Tab')
  for (const text of [
    'Invalid email',
    'Email and confirm email do not match.',
    /^Must be 8 characters or longer - at least one small and one capital letter, one digit and one symbol/,
    'You must be 18 or over to play.',
  ])
    await expect(main.getByText(text)).toBeVisible()
  await expect(main.getByRole('button', { name: 'Open an Account' })).toBeDisabled()

  const email = newEmail()
  await page.getByLabel('Email', { exact: true }).focus()
  await typeInto(page, 'Email', email)
  await typeInto(page, 'Confirm email', '')
  await expect(main.getByText('Email and confirm email do not match.')).toBeVisible()
  await typeInto(page, 'Confirm email', email)
  await expect(main.getByText('Email and confirm email do not match.')).toHaveCount(0)
  await typeInto(page, 'Password', PASSWORD)
  await tabTo(page, page.getByRole('checkbox', { name: 'I am 18 or over' }))
  await page.keyboard.press('Space')
  await pressByKey(page, main.getByRole('button', { name: 'Open an Account' }))
  await page.waitForURL((url) => url.pathname === '/game/treasure')
  await expect(accountMenu(page)).toBeVisible()
  await mailTo(page, email, 'Please verify your email address')
})

test('the banner sends the mail again, and its link verifies the address in every tab, once', async ({ page }) => {
  const email = await openAccount(page, GAME)
  await expect(page.getByText(UNVERIFIED)).toBeVisible()
  const first = await mailedLink(page, email, '/verify-email/')
  await page.getByRole('button', { name: 'resend email' }).click()
  await expect(page.getByText('The email is on its way. Please check your mail inbox.')).toBeVisible()
  const other = await page.context().newPage()
  const link = await mailedLink(page, email, '/verify-email/')
  expect(link).not.toBe(first)
  await other.goto(link)
  await expect(notice(other, 'Your email address is verified. Prizes can be paid to you now.')).toBeVisible()
  await expect(page.getByText(UNVERIFIED), 'the other tab shows no banner').toHaveCount(0)
  await other.getByRole('link', { name: 'Go to personal details' }).click()
  await other.waitForURL(DETAILS)

  await other.goto(link)
  await expect(other.getByRole('alert')).toContainText('Incorrect or already used link for email confirmation')
  await expect(other.getByRole('main').getByRole('link', { name: /contact/i })).toHaveAttribute(
    'href',
    '/help-and-contact-us',
  )
})

test('a player logs in by username with the keyboard alone', { tag: '@variant' }, async ({ browser, page }) => {
  await arriveAsPlayer(page, '/')
  const username = await usernameOf(page)
  const context = await browser.newContext()
  const visitor = await context.newPage()
  await visitor.goto('/login')
  await typeInto(visitor, 'Email or username', username)
  await typeInto(visitor, 'Password', PASSWORD)
  await visitor.keyboard.press('Enter')
  await visitor.waitForURL((url) => url.pathname === '/')
  await expect(accountMenu(visitor)).toHaveAccessibleName(new RegExp(username))
  await context.close()
})

test(
  'a wrong password and an unknown account get the same message, and the right password logs in',
  { tag: '@variant' },
  async ({ page }) => {
    const { email } = await register(page)
    await page.goto('/login')
    const button = page.getByRole('main').getByRole('button', { name: 'LOG IN' })
    await expect(button).toBeDisabled()
    for (const name of [email, `nobody-${email}`]) {
      await page.getByLabel('Email or username').fill(name)
      await page.getByLabel('Password', { exact: true }).fill('Wrong-horse7battery')
      await button.click()
      await expect(page.getByRole('alert')).toHaveText(
        'Invalid credentials. Check your email or username and your password.',
      )
      await expect(page.getByLabel('Email or username')).toHaveValue(name)
    }
    await logIn(page, email)
    await page.waitForURL((url) => url.pathname === '/')
  },
)

test(
  'the page a visitor came from is remembered through login and opening an account',
  { tag: '@variant' },
  async ({ page }) => {
    await page.goto('/game/treasure')
    await page.getByRole('banner').getByRole('link', { name: 'LOG IN' }).click()
    await page.waitForURL('**/login?path=/game/treasure')
    // The game page, which stays until the login has loaded, has such a link too.
    await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Open an account' }).click()
    await page.waitForURL('**/open-an-account?path=/game/treasure')
    // Wait for the heading of each page: the previous page stays until then.
    await expect(page.getByRole('heading', { level: 1, name: 'Open an account' })).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Log In' }).click()
    await page.waitForURL('**/login?path=/game/treasure')
    await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible()
    await page.getByRole('link', { name: 'Forgotten password?' }).click()
    await page.waitForURL(/\/forgotten-password/)
    await expect(page.getByRole('heading', { level: 1, name: 'Forgotten password' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible()
    const { email } = await register(page)
    await logIn(page, email)
    await page.waitForURL((url) => url.pathname === '/game/treasure')
  },
)

test(
  'opening an account stays on this site, whatever path is given',
  { tag: '@variant' },
  async ({ baseURL, page }) => {
    await page.route(/^https?:\/\/[^/]*evil\.example/, (route) => route.abort())
    await page.goto(`/open-an-account?path=${encodeURIComponent('/\t/evil.example')}`)
    const email = newEmail()
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.getByLabel('Confirm email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByText('I am 18 or over').click()
    await page.keyboard.press('Enter')
    await expect(accountMenu(page)).toBeVisible()
    await expect(page).toHaveURL(`${baseURL}/`)
  },
)

test('every page for visitors sends a player to the personal details', { tag: '@variant' }, async ({ page }) => {
  await arriveAsPlayer(page, '/')
  for (const path of VISITORS_PAGES) {
    await page.goto(path)
    await page.waitForURL(DETAILS)
  }
})
