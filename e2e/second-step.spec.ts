import { expect, type Locator, type Page, test } from '@playwright/test'
import {
  arriveWithTwofa,
  authenticatorWithKey,
  codeOf,
  forgetLimits,
  logInToSecondStep,
  mailTo,
  notice,
  pressByKey,
  SETTINGS,
  tabTo,
  typeInto,
  wrongCodeOf,
} from './account.ts'
import { accountMenu, arriveAsPlayer, logOut, moveClock, PASSWORD } from './player.ts'

/** Time for the second step, in seconds. */
const SECOND_STEP = 5 * 60
const CODE = 'Code of your authenticator app'
const QUESTION = 'Security question'

test.beforeAll(forgetLimits)

function block(page: Page, title: string): Locator {
  return page
    .getByRole('main')
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
}

/** Checks the current step of the set-up of two-factor. */
async function expectStep(page: Page, step: number): Promise<void> {
  await expect(block(page, 'Two-Factor Authentication').locator('[aria-current="step"]')).toContainText(String(step))
}

test(
  'two-factor is set up in five steps with the keyboard alone, and its recovery codes are shown once',
  { tag: '@variant' },
  async ({ page }) => {
    const email = await arriveAsPlayer(page, SETTINGS.security)
    const twofa = block(page, 'Two-Factor Authentication')
    const back = twofa.getByRole('button', { name: 'One step back' })
    await pressByKey(page, twofa.getByRole('button', { name: 'Set up now' }))

    // The password: a wrong one is refused, the arrow leads back to the introduction.
    await expectStep(page, 2)
    await typeInto(page, 'Password', 'Wrong-horse7battery')
    await page.keyboard.press('Enter')
    await expect(twofa.getByText('Invalid password! Try again.')).toBeVisible()
    await pressByKey(page, back)
    await pressByKey(page, twofa.getByRole('button', { name: 'Set up now' }))
    await typeInto(page, 'Password', PASSWORD)
    await page.keyboard.press('Enter')

    // The app, then the QR code with the key for apps that cannot scan, and back and forth between them.
    await expectStep(page, 3)
    await pressByKey(page, twofa.getByRole('button', { name: 'NEXT' }))
    await expectStep(page, 4)
    await expect(twofa.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
    await pressByKey(page, back)
    await expectStep(page, 3)
    await pressByKey(page, twofa.getByRole('button', { name: 'NEXT' }))
    await expectStep(page, 4)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await pressByKey(page, twofa.getByRole('button', { name: 'Copy key' }))
    await expect(twofa.getByRole('button', { name: 'Copied' })).toBeVisible()
    const key = await page.evaluate(() => navigator.clipboard.readText())
    expect(key).toMatch(/^[A-Z2-7]{32}$/)
    const authenticator = authenticatorWithKey(key)
    await pressByKey(page, twofa.getByRole('button', { name: 'NEXT' }))

    // A wrong code is cleared; the right one switches it on.
    await expectStep(page, 5)
    const code = twofa.getByLabel('Authenticator code')
    await tabTo(page, code)
    await page.keyboard.type(await wrongCodeOf(page, authenticator))
    await page.keyboard.press('Enter')
    await expect(twofa.getByText('Invalid 6-digits code! Try again.')).toBeVisible()
    await expect(code).toHaveValue('')
    await tabTo(page, code)
    await page.keyboard.type(await codeOf(page, authenticator))
    await page.keyboard.press('Enter')
    await expect(twofa.getByText('Two-factor authentication is on.')).toBeVisible()
    const recoveryCodes = await twofa.getByRole('listitem').allTextContents()
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const recoveryCode of recoveryCodes) expect(recoveryCode).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/)
    await pressByKey(page, twofa.getByRole('button', { name: 'Done' }))
    await expect(twofa.getByRole('button', { name: 'Disable' })).toBeVisible()
    await page.reload()
    await expect(twofa.getByRole('button', { name: 'Disable' })).toBeVisible()
    await expect(page.getByText(recoveryCodes[0] ?? 'no code')).toHaveCount(0)
    await mailTo(page, email, 'Two-factor authentication is on')
  },
)

test('a login with two-factor takes a code, keeps the path, and refuses a wrong code and a used one', async ({
  page,
}) => {
  const { email, authenticator } = await arriveWithTwofa(page, SETTINGS.security)
  await logOut(page)
  await page.waitForURL(/\/login\?path=/)
  // What a visitor picks, in another tab too, waits behind both steps of the login.
  const other = await page.context().newPage()
  await other.goto('/game/treasure')
  await other.getByRole('button', { name: 'Lucky dip for line A' }).click()
  await expect(other.getByText('Kept in this browser for 24 hours.')).toBeVisible()
  await other.close()
  await logInToSecondStep(page, email, '/game/treasure')
  await expect(page).toHaveURL(/\?path=\/game\/treasure$/)
  await expect(page.getByRole('timer')).toHaveText(/Time left to log in: 0(5:00|4:5\d)/)
  await expect(page.getByLabel(QUESTION)).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('link', { name: /contact/i })).toHaveAttribute(
    'href',
    '/help-and-contact-us',
  )

  await typeInto(page, CODE, await wrongCodeOf(page, authenticator))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Invalid 2FA authorization code.')
  await expect(page.getByLabel(CODE)).toHaveValue('')
  const code = await codeOf(page, authenticator)
  await typeInto(page, CODE, code)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/game/treasure')
  await expect(accountMenu(page)).toBeVisible()
  await expect(page.getByText('Your line is here.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Change line A' })).toBeVisible()

  // The same code again, within its half minute.
  await logOut(page)
  await page.goto('/game/treasure')
  await expect(page.getByRole('button', { name: 'Lucky dip for line A' })).toBeVisible()
  await logInToSecondStep(page, email)
  await typeInto(page, CODE, code)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Invalid 2FA authorization code.')
  await moveClock(page, { advance: 60 })
  await typeInto(page, CODE, await codeOf(page, authenticator))
  await page.keyboard.press('Enter')
  await expect(accountMenu(page)).toBeVisible()
})

test('a recovery code lets a player in once, without a phone', { tag: '@variant' }, async ({ page }) => {
  const { email, recoveryCodes } = await arriveWithTwofa(page, SETTINGS.security)
  const [code = ''] = recoveryCodes
  const logInWithIt = async () => {
    await logOut(page)
    await logInToSecondStep(page, email)
    await pressByKey(page, page.getByRole('button', { name: 'Use a recovery code instead' }))
    await typeInto(page, 'Recovery code', code.toUpperCase())
    await page.keyboard.press('Enter')
  }
  await logInWithIt()
  await expect(accountMenu(page)).toBeVisible()
  await mailTo(page, email, 'A recovery code was used')
  await logInWithIt()
  await expect(page.getByRole('alert')).toContainText('Invalid 2FA authorization code.')
  await page.getByRole('button', { name: 'Use the authenticator app instead' }).click()
  await expect(page.getByLabel(CODE)).toHaveValue('')
})

test(
  'after five minutes both the code and the address of the second step have expired',
  { tag: '@variant' },
  async ({ page }) => {
    const { email, authenticator } = await arriveWithTwofa(page, SETTINGS.security)
    await logOut(page)
    await logInToSecondStep(page, email)
    const key = new URL(page.url()).pathname.split('/').at(-1)
    await moveClock(page, { advance: SECOND_STEP + 1 })
    const answer = await page.request.post('/api/v1/auth/login-secure', {
      data: { key, twofa_code: await codeOf(page, authenticator) },
    })
    expect(answer.status()).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { code: 'INVALID_KEY' } })
    await page.reload()
    await expect(notice(page, 'The time window of 5 min. to log in has expired!')).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Try again' }).click()
    await expect(page.getByLabel('Email or username')).toBeVisible()
  },
)

test(
  'two-factor is disabled with the password, and the next login asks for no code',
  { tag: '@variant' },
  async ({ page }) => {
    const { email } = await arriveWithTwofa(page, '/')
    await page.goto(SETTINGS.security)
    const twofa = block(page, 'Two-Factor Authentication')
    await twofa.getByRole('button', { name: 'Disable' }).click()
    await twofa.getByLabel('Password', { exact: true }).fill('Wrong-horse7battery')
    await page.keyboard.press('Enter')
    await expect(twofa.getByRole('alert')).toHaveText('Invalid credentials.')
    await twofa.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(twofa.getByRole('button', { name: 'Set up now' })).toBeVisible()
    await mailTo(page, email, 'Two-factor authentication is off')
    await logOut(page)
    await page.goto('/login')
    await page.getByLabel('Email or username').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === '/')
  },
)

test(
  'a security question is set with the keyboard alone, and cancelling restores the saved one',
  { tag: '@variant' },
  async ({ page }) => {
    const email = await arriveAsPlayer(page, SETTINGS.security)
    const question = block(page, 'Security Question')
    const edit = question.getByRole('button', { name: 'Edit security question' })
    const active = question.getByRole('switch', { name: 'Ask the security question at login' })
    await pressByKey(page, edit)
    await pressByKey(page, active, 'Space')
    const choice = question.getByRole('combobox')
    await tabTo(page, choice)
    await page.keyboard.press('ArrowDown')
    await expect(choice).not.toHaveValue('0')
    const asked = (await choice.locator('option:checked').textContent()) ?? ''
    await typeInto(page, 'Answer', ' ')
    await expect(question.getByRole('button', { name: 'Save' })).toBeDisabled()
    await typeInto(page, 'Answer', 'Grüne Gasse 7')
    await pressByKey(page, question.getByRole('button', { name: 'Save' }))
    await expect(question.getByText('On', { exact: true })).toBeVisible()
    await expect(question.getByText(asked)).toBeVisible()
    await expect(page.getByText('Grüne Gasse 7')).toHaveCount(0)
    await mailTo(page, email, 'Your security question was changed')

    await pressByKey(page, edit)
    await pressByKey(page, active, 'Space')
    await expect(active).not.toBeChecked()
    await pressByKey(page, question.getByRole('button', { name: 'Cancel' }))
    await expect(question.getByText('On', { exact: true })).toBeVisible()
    await pressByKey(page, edit)
    await expect(active).toBeChecked()
    await expect(question.getByLabel('Answer')).toHaveValue('')

    // A login then asks for it; case and spaces of the answer do not count.
    await logOut(page)
    await logInToSecondStep(page, email)
    await expect(page.getByLabel(CODE)).toHaveCount(0)
    const answerWith = async (answer: string) => {
      await page.getByLabel(QUESTION).selectOption(asked)
      await page.getByLabel('Answer').fill(answer)
      await page.keyboard.press('Enter')
    }
    await answerWith('Blue Lane 8')
    await expect(page.getByRole('alert')).toContainText('Invalid security question or answer.')
    await answerWith('grünegasse 7')
    await expect(accountMenu(page)).toBeVisible()
  },
)
