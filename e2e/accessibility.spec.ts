import { expect, type Page, test } from '@playwright/test'
import {
  authenticatorWithKey,
  callAs,
  codeOf,
  forgetLimits,
  logInToSecondStep,
  mailedLink,
  SETTINGS,
} from './account.ts'
import { expectNoFaults } from './journeys.ts'
import {
  accessibilityFaults,
  accountMenu,
  arriveAsPlayer,
  follow,
  logOut,
  moveClock,
  newEmail,
  PASSWORD,
  register,
} from './player.ts'

const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const UNKNOWN_KEY = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

test.beforeAll(forgetLimits)

test('the pages for logging in and opening an account have no faults in any state', async ({ page }) => {
  const main = page.getByRole('main')
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Games' }).press('ArrowDown')
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Bitcoin Lotto' }),
  ).toBeFocused()
  expect.soft(await accessibilityFaults(page), 'a list of the bar').toEqual([])
  await page.keyboard.press('Escape')
  await page.getByLabel('Email or username').fill('nobody')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toBeVisible()
  await expectNoFaults(page, 'login refused')

  await follow(page, '/open-an-account')
  await page.getByLabel('Email', { exact: true }).fill('nobody')
  await page.getByLabel('Confirm email').fill('somebody')
  await page.getByLabel('Password', { exact: true }).fill('Abc1!x')
  await page.getByLabel('Password', { exact: true }).blur()
  await expect(main.getByText('Medium')).toBeVisible()
  await expectNoFaults(page, 'opening an account with errors')

  await follow(page, '/forgotten-password')
  await page.getByLabel('Email', { exact: true }).fill(newEmail())
  await page.keyboard.press('Enter')
  await expect(main.getByText(/^Reset link sent successfully/)).toBeVisible()
  await expectNoFaults(page, 'forgotten password, sent')

  await follow(page, `/reset-password/${UNKNOWN_KEY}`)
  await expect(page.getByRole('alert')).toBeVisible()
  await expectNoFaults(page, 'bad reset link')
  const { email } = await register(page)
  await page.request.get(`/api/v1/auth/forgotten-password?email=${encodeURIComponent(email)}`)
  await page.goto(await mailedLink(page, email, '/reset-password/'))
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm password').fill('other')
  await page.getByLabel('Confirm password').blur()
  await expect(main.getByText('Invalid password confirm')).toBeVisible()
  await expectNoFaults(page, 'reset with errors')

  await follow(page, new URL(await mailedLink(page, email, '/verify-email/')).pathname)
  await expect(main.getByText(/^Your email address is verified/)).toBeVisible()
  await expectNoFaults(page, 'verified')
  await page.goto(`/verify-email/${UNKNOWN_KEY}`)
  await expect(page.getByRole('alert')).toBeVisible()
  await expectNoFaults(page, 'bad verification link')
  await follow(page, `/stop-address-change/${UNKNOWN_KEY}`)
  await expect(main.getByRole('button', { name: 'Stop the change' })).toBeVisible()
  await expectNoFaults(page, 'stopping an address change')
  await page.goto('/social-login/google')
  await expect(page.getByText('You can close this window.')).toBeVisible()
  await expectNoFaults(page, 'answer of a social network')
})

test('the settings and the second step have no faults in any state', async ({ page }) => {
  test.setTimeout(300_000)
  const email = await arriveAsPlayer(page, SETTINGS.personalDetails)
  await checkDetails(page)
  await checkLimitsAndContact(page)
  await checkTwofa(page)
  await checkSecondStep(page, email)
})

async function checkDetails(page: Page): Promise<void> {
  const main = page.getByRole('main')
  const edit = main.getByRole('button', { name: 'Edit', exact: true })
  await edit.waitFor()
  await expectNoFaults(page, 'personal details', 'whole page')
  await edit.click()
  await page.getByLabel('Username').fill('who?')
  await page.getByLabel('Email', { exact: true }).fill(newEmail())
  await expect(main.getByText('This email address is available.')).toBeVisible()
  await expectNoFaults(page, 'editing personal details')

  await follow(page, SETTINGS.passwordChange)
  await main.getByRole('button', { name: 'Change' }).click()
  await page.getByLabel('Current password').fill('short')
  await page.getByLabel('New password').fill('short')
  await page.getByLabel('New password').blur()
  await expectNoFaults(page, 'changing the password')
  await follow(page, SETTINGS.emailPreferences)
  await edit.click()
  await expectNoFaults(page, 'email preferences')

  await follow(page, SETTINGS.cryptoAccount)
  await edit.click()
  await page.getByLabel('Bitcoin address').fill('satoshi')
  await page.getByLabel('Bitcoin address').blur()
  await expectNoFaults(page, 'editing the bitcoin address')
  await page.getByLabel('Bitcoin address').fill(ADDRESS)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(main.getByText('Your bitcoin address has been saved.')).toBeVisible()
  await expectNoFaults(page, 'a saved bitcoin address')
  for (const path of [SETTINGS.messages, '/settings/funds-and-payments/transaction-history']) {
    await follow(page, path)
    await expect(main.getByText(/^(?:No messages\.|There are no recent transactions to display\.)$/)).toBeVisible()
    await expectNoFaults(page, path)
  }
}

async function checkLimitsAndContact(page: Page): Promise<void> {
  const main = page.getByRole('main')
  await follow(page, SETTINGS.responsiblePlay)
  await main.getByRole('button', { name: 'Edit weekly spending limit' }).click()
  await main.getByRole('switch').click()
  await main.getByLabel('Most in seven days (GBP)').fill('a lot')
  await main.getByRole('button', { name: 'Edit reminders' }).click()
  await expectNoFaults(page, 'responsible play')
  await main.getByRole('button', { name: 'Exclude myself' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectNoFaults(page, 'self-exclusion')
  await page.keyboard.press('Escape')

  await follow(page, SETTINGS.personalData)
  await main.getByRole('button', { name: 'Close my account …' }).click()
  await main.getByLabel('Type CLOSE to confirm').fill('close')
  await main.getByLabel('Type CLOSE to confirm').blur()
  await expectNoFaults(page, 'closing the account')
  await follow(page, '/help-and-contact-us')
  await expect(accountMenu(page)).toBeVisible()
  await main.getByLabel('Name').focus()
  await main.getByLabel('Name').blur()
  await expectNoFaults(page, 'contact')
  await follow(page, '/links/outbox')
  await expect(page.locator('iframe')).toBeVisible()
  await expectNoFaults(page, 'outbox')
}

/** Switches two-factor on. */
async function checkTwofa(page: Page): Promise<void> {
  const main = page.getByRole('main')
  await follow(page, SETTINGS.security)
  await expect(main.getByText('This device')).toBeVisible()
  await expectNoFaults(page, 'security')
  await main.getByRole('button', { name: 'Set up now' }).click()
  await page.getByLabel('Password', { exact: true }).fill('Wrong-horse7battery')
  await page.keyboard.press('Enter')
  await expect(main.getByText('Invalid password! Try again.')).toBeVisible()
  await expectNoFaults(page, 'two-factor, password')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await main.getByRole('button', { name: 'NEXT' }).click()
  await expect(main.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  await expectNoFaults(page, 'two-factor, QR code')
  const { qr_code_uri: uri } = (await callAs(page, 'GET', '/settings/security/twofa/qr')) as { qr_code_uri: string }
  await main.getByRole('button', { name: 'NEXT' }).click()
  await expectNoFaults(page, 'two-factor, code')
  const key = new URL(uri).searchParams.get('secret') ?? ''
  await main.getByLabel('Authenticator code').fill(await codeOf(page, authenticatorWithKey(key)))
  await page.keyboard.press('Enter')
  await expect(main.getByText('Two-factor authentication is on.')).toBeVisible()
  await expectNoFaults(page, 'recovery codes')
  await main.getByRole('button', { name: 'Done' }).click()
  await main.getByRole('button', { name: 'Disable' }).click()
  await main.getByRole('button', { name: 'Edit security question' }).click()
  await main.getByRole('switch').click()
  await main.getByLabel('Answer').fill(' ')
  await main.getByLabel('Answer').blur()
  await expectNoFaults(page, 'disabling two-factor and editing the question')
}

async function checkSecondStep(page: Page, email: string): Promise<void> {
  await callAs(page, 'PUT', '/settings/security/security-questions', {
    is_active: true,
    security_question_id: 1,
    answer: 'Blue Lane 7',
  })
  await logOut(page)
  await logInToSecondStep(page, email)
  await expect(page.getByLabel('Answer')).toBeVisible()
  await page.getByLabel('Code of your authenticator app').fill('12')
  await page.getByLabel('Code of your authenticator app').blur()
  await expectNoFaults(page, 'second step')
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click()
  await expectNoFaults(page, 'second step with a recovery code')
  await moveClock(page, { advance: 301 })
  await page.reload()
  await expect(page.getByText('The time window of 5 min. to log in has expired!')).toBeVisible()
  await expectNoFaults(page, 'second step expired')
}
