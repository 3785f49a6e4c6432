import { expect, type Page, test } from '@playwright/test'
import {
  arriveWithTwofa,
  codeOf,
  forgetLimits,
  mailedLink,
  mailTo,
  notice,
  pressByKey,
  SETTINGS,
  typeInto,
  wrongCodeOf,
} from './account.ts'
import { accountMenu, arriveAgain, arriveAsPlayer, moveClock, PASSWORD, register } from './player.ts'

const NEW_PASSWORD = 'Other-horse8battery'
const RESET_HOUR = 60 * 60
const BAD_LINK = 'Incorrect or already used link for password reset'

test.beforeAll(forgetLimits)

/** Requests a reset link as a player, and reads it from the mail. */
async function requestLink(page: Page, email: string): Promise<string> {
  await page.goto('/forgotten-password')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByRole('button', { name: 'Send Reset Link' }).click()
  await expect(notice(page, 'Reset link sent successfully. Please check your email.')).toBeVisible()
  return await mailedLink(page, email, '/reset-password/')
}

async function logInWith(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email or username').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

test('a forgotten password is reset with the keyboard alone, once, and every session ends', async ({
  browser,
  page,
}) => {
  const elsewhere = await browser.newContext()
  const signedIn = await elsewhere.newPage()
  const email = await arriveAsPlayer(signedIn, SETTINGS.messages)

  await page.goto('/forgotten-password')
  for (const name of ['Log In', 'Open an Account', /contact us/i])
    await expect(page.getByRole('main').getByRole('link', { name })).toBeVisible()
  await typeInto(page, 'Email', email)
  await page.keyboard.press('Enter')
  await expect(notice(page, 'Reset link sent successfully. Please check your email.')).toBeVisible()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('')

  const link = await mailedLink(page, email, '/reset-password/')
  await page.goto(link)
  await typeInto(page, 'Password', NEW_PASSWORD)
  await typeInto(page, 'Confirm password', 'short')
  await page.keyboard.press('Tab')
  await expect(page.getByText('Invalid password confirm')).toBeVisible()
  await typeInto(page, 'Confirm password', PASSWORD)
  await expect(page.getByText('Password and confirm password should match')).toBeVisible()
  await expect(page.getByLabel('Authenticator code')).toHaveCount(0)
  await typeInto(page, 'Confirm password', NEW_PASSWORD)
  await pressByKey(page, page.getByRole('button', { name: 'Reset Password' }))
  await expect(notice(page, 'Password has been reset successfully.')).toBeVisible()
  for (const field of ['Password', 'Confirm password'])
    await expect(page.getByLabel(field, { exact: true })).toHaveValue('')

  await page.goto(link)
  await expect(page.getByRole('alert')).toContainText(BAD_LINK)

  await signedIn.goto(SETTINGS.security)
  await signedIn.waitForURL(/\/login/)
  await elsewhere.close()

  await logInWith(page, email, PASSWORD)
  await expect(page.getByRole('alert')).toHaveText(
    'Invalid credentials. Check your email or username and your password.',
  )
  await logInWith(page, email, NEW_PASSWORD)
  await expect(accountMenu(page)).toBeVisible()
  await mailTo(page, email, 'Your password was changed')
})

test(
  'a reset link is checked first, and an unknown or expired one is refused',
  { tag: '@variant' },
  async ({ page }) => {
    let answer = () => {}
    const asked = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/v1/auth/reset-password?**', async (route) => {
      await asked
      await route.continue()
    })
    await page.goto('/reset-password/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
    await expect(notice(page, 'The validation of the reset link is pending! Please wait.').first()).toBeVisible()
    answer()
    await expect(page.getByRole('alert')).toContainText(BAD_LINK)
    await expect(
      page
        .getByRole('main')
        .getByRole('link', { name: /contact/i })
        .first(),
    ).toHaveAttribute('href', '/help-and-contact-us')

    const { email } = await register(page)
    const link = await requestLink(page, email)
    await moveClock(page, { advance: RESET_HOUR + 1 })
    await page.goto(link)
    await expect(page.getByRole('alert')).toContainText(BAD_LINK)
    await expect(page.getByRole('button', { name: 'Reset Password' })).toHaveCount(0)
  },
)

test(
  'a player with two-factor also needs a code to reset the password',
  { tag: '@variant' },
  async ({ page, browser }) => {
    const { email, authenticator } = await arriveWithTwofa(page, '/')
    await page.goto(await mailedLink(page, email, '/verify-email/')) // an address that was never verified needs no code
    await expect(notice(page, 'Your email address is verified. Prizes can be paid to you now.')).toBeVisible()
    const context = await browser.newContext()
    const visitor = await context.newPage()
    await visitor.goto(await requestLink(visitor, email))
    await visitor.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
    await visitor.getByLabel('Confirm password').fill(NEW_PASSWORD)
    const code = visitor.getByLabel('Authenticator code')
    await code.fill(await wrongCodeOf(visitor, authenticator))
    await visitor.keyboard.press('Enter')
    await expect(visitor.getByRole('alert')).toContainText('Invalid 2FA authorization code.')
    await expect(code).toHaveValue('')
    await expect(visitor.getByLabel('Password', { exact: true })).toHaveValue(NEW_PASSWORD)
    await code.fill(await codeOf(visitor, authenticator))
    await expect(visitor.getByRole('alert'), 'typing clears the message').toHaveCount(0)
    await visitor.keyboard.press('Enter')
    await expect(notice(visitor, 'Password has been reset successfully.')).toBeVisible()
    await context.close()
  },
)

test(
  'the password is changed with the keyboard alone, with messages for errors, and the other sessions end',
  { tag: '@variant' },
  async ({ browser, page }) => {
    const email = await arriveAsPlayer(page, SETTINGS.passwordChange)
    const elsewhere = await browser.newContext()
    const other = await elsewhere.newPage()
    await arriveAgain(other, SETTINGS.messages, email)

    const main = page.getByRole('main')
    const save = main.getByRole('button', { name: 'Save' })
    await pressByKey(page, main.getByRole('button', { name: 'Change' }))
    await typeInto(page, 'Current password', 'Wrong-horse7battery')
    await typeInto(page, 'New password', 'Wrong-horse7battery')
    await typeInto(page, 'Confirm password', 'Another-horse9battery')
    await expect(main.getByText('The new password must differ from the current one.')).toBeVisible()
    await expect(save).toBeDisabled()
    await typeInto(page, 'New password', NEW_PASSWORD)
    await typeInto(page, 'Confirm password', NEW_PASSWORD)
    await page.keyboard.press('Enter')
    await expect(
      main.getByText('Please check the fields below and make sure all the required data are filled in.'),
    ).toBeVisible()
    await expect(main.getByText('Invalid credentials.')).toBeVisible()

    await page.route('**/api/v1/settings/password', (route) => route.fulfill({ status: 503, body: '' }), { times: 1 })
    await typeInto(page, 'Current password', PASSWORD)
    await page.keyboard.press('Enter')
    await expect(main.getByText('Error. Please wait a few minutes before you try again.')).toBeVisible()
    await pressByKey(page, save)
    await expect(main.getByText('Your password has been changed.')).toBeVisible()
    await expect(main.getByRole('textbox')).toHaveCount(0)

    await other.getByRole('navigation', { name: 'Settings', exact: true }).getByText('Security').click()
    await other.waitForURL(/\/login/)
    await elsewhere.close()
    await mailTo(page, email, 'Your password was changed')
    await page.reload()
    await expect(accountMenu(page), 'this session continues').toBeVisible()
  },
)
