import { expect, type Page, test } from '@playwright/test'
import { forgetLimits, mailedLink, mailTo, notice, pressByKey, SETTINGS, typeInto, usernameOf } from './account.ts'
import { accountMenu, arriveAsPlayer, GAME, logIn, newEmail, PASSWORD } from './player.ts'

const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const OTHER_ADDRESS = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry'
const MAINNET_ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'

test.beforeAll(forgetLimits)

/** The row of a value that is not being edited. */
function saved(page: Page, label: string) {
  return page
    .getByRole('main')
    .locator('div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .last()
}

test(
  'a username is checked during typing, and Save is disabled until it is available',
  { tag: '@variant' },
  async ({ browser, page }) => {
    const stranger = await browser.newPage()
    await arriveAsPlayer(stranger, '/')
    const taken = await usernameOf(stranger)
    await stranger.close()

    await arriveAsPlayer(page, SETTINGS.personalDetails)
    const own = await usernameOf(page)
    const main = page.getByRole('main')
    const save = main.getByRole('button', { name: 'Save' })
    await pressByKey(page, main.getByRole('button', { name: 'Edit' }))
    await typeInto(page, 'Username', taken)
    await expect(main.getByText('Username is already occupied.')).toBeVisible()
    await expect(save).toBeDisabled()
    await typeInto(page, 'Username', 'who?')
    await page.keyboard.press('Tab')
    await expect(main.getByText(/^Use letters, digits, spaces, apostrophes/)).toBeVisible()
    await expect(save).toBeDisabled()
    await typeInto(page, 'Username', `${own} the 2nd`)
    await expect(main.getByText('This username is available.')).toBeVisible()
    await pressByKey(page, main.getByRole('button', { name: 'Cancel' }))
    await expect(saved(page, 'Username')).toContainText(own)
    await expect(main.getByText(`${own} the 2nd`)).toHaveCount(0)

    await pressByKey(page, main.getByRole('button', { name: 'Edit' }))
    await expect(page.getByLabel('Username')).toHaveValue(own)
    await typeInto(page, 'Username', `${own} the 2nd`)
    await pressByKey(page, save)
    await expect(main.getByText('Your changes have been saved.')).toBeVisible()
    await expect(accountMenu(page)).toHaveAccessibleName(new RegExp(`${own} the 2nd`))
  },
)

test(
  'a new email address needs the password and a new verification, and the old one gets a notice',
  { tag: '@variant' },
  async ({ page }) => {
    const email = await arriveAsPlayer(page, SETTINGS.personalDetails)
    const next = newEmail()
    const main = page.getByRole('main')
    await main.getByRole('button', { name: 'Edit' }).click()
    await expect(main.getByLabel('Password', { exact: true })).toHaveCount(0)
    await page.getByLabel('Email', { exact: true }).fill(next)
    await expect(main.getByText('This email address is available.')).toBeVisible()
    await expect(main.getByRole('button', { name: 'Save' })).toBeDisabled()
    await main.getByLabel('Password', { exact: true }).fill('Wrong-horse7battery')
    await main.getByRole('button', { name: 'Save' }).click()
    await expect(main.getByText(/^Please check the fields below/)).toBeVisible()
    await expect(main.getByText('Invalid credentials.')).toBeVisible()
    await main.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(main.getByText(/Please verify your new email address with the link we have sent there/)).toBeVisible()
    await expect(saved(page, 'Email')).toContainText(next)
    await mailTo(page, email, 'Your email address was changed')
    await page.goto(await mailedLink(page, next, '/verify-email/'))
    await expect(notice(page, /^Your email address is verified/)).toBeVisible()
  },
)

test('every page uses the chosen time zone and currency', async ({ page }) => {
  await arriveAsPlayer(page, GAME)
  const main = page.getByRole('main')
  await expect(main.getByText(/£/).first()).toBeVisible()
  await page.goto(SETTINGS.personalDetails)
  await expect(saved(page, 'Currency')).toContainText('GBP')
  await expect(saved(page, 'Time zone')).toContainText('London')
  await main.getByRole('button', { name: 'Edit' }).click()
  const tokyo = page.getByLabel('Time zone').getByRole('option', { name: /Tokyo/ })
  await page.getByLabel('Time zone').selectOption((await tokyo.textContent()) ?? '')
  await page.getByLabel('Currency').selectOption('USD')
  await main.getByRole('button', { name: 'Save' }).click()
  await expect(main.getByText('Your changes have been saved.')).toBeVisible()
  await expect(saved(page, 'Time zone')).toContainText('Tokyo')

  // 18:00 in London's winter is 3 o'clock in the morning in Tokyo.
  await page.goto(GAME)
  await expect(accountMenu(page)).toBeVisible()
  await expect(main.getByText(/\$/).first()).toBeVisible()
  await expect(main.getByText(/£/)).toHaveCount(0)
  await page.goto('/')
  await expect(page.getByText(/\$/).first()).toBeVisible()
  await expect(main.getByText(/£/)).toHaveCount(0)
  await page.goto(SETTINGS.security)
  await expect(main.getByText(/^Since /)).toBeVisible()
  const since = (await main.getByText(/^Since /).textContent()) ?? ''
  const { now } = (await (await page.request.get('/api/v1/dev/clock')).json()) as { now: number }
  expect(Math.abs(minutesOfDay(since) - minutesOfDayIn('Asia/Tokyo', now))).toBeLessThanOrEqual(5)
})

test(
  'email preferences are switched with the keyboard alone, and Cancel leaves them as they were',
  { tag: '@variant' },
  async ({ page }) => {
    await arriveAsPlayer(page, SETTINGS.emailPreferences)
    const main = page.getByRole('main')
    await expect(main.getByText(/48 hours/)).toBeVisible()
    await expect(saved(page, 'Lottery games')).toContainText('On')
    await pressByKey(page, main.getByRole('button', { name: 'Edit' }))
    await pressByKey(page, main.getByRole('switch', { name: /Lottery games/ }), 'Space')
    await pressByKey(page, main.getByRole('button', { name: 'Cancel' }))
    await expect(saved(page, 'Lottery games')).toContainText('On')
    await expect(main.getByRole('button', { name: 'Edit' }), 'the focus comes back').toBeFocused()

    await page.keyboard.press('Enter')
    await pressByKey(page, main.getByRole('switch', { name: /Lottery games/ }), 'Space')
    await pressByKey(page, main.getByRole('switch', { name: /Winners and good causes/ }), 'Space')
    await pressByKey(page, main.getByRole('button', { name: 'Save' }))
    await expect(main.getByText('Your changes have been saved.')).toBeVisible()
    await page.reload()
    await expect(saved(page, 'Lottery games')).toContainText('Off')
    await expect(saved(page, 'Winners and good causes')).toContainText('On')
  },
)

test('wins are shown to others only after the player agrees', { tag: '@variant' }, async ({ page }) => {
  await arriveAsPlayer(page, SETTINGS.personalDetails)
  const main = page.getByRole('main')
  const change = main.getByRole('button', { name: 'Change what the Winners page shows' })
  const shown = 'Show my wins under a masked name'
  await expect(saved(page, shown)).toContainText('Off')
  await pressByKey(page, change)
  await expect(main.getByText(/You appear as \S+\*\*\*\S+\./)).toBeVisible()
  await pressByKey(page, main.getByRole('switch', { name: shown }), 'Space')
  await pressByKey(page, main.getByRole('button', { name: 'Save' }))
  await expect(main.getByText('Your changes have been saved.')).toBeVisible()
  await page.reload()
  await expect(saved(page, shown)).toContainText('On')
})

test(
  'only an address of the network is saved, it can be copied, and a changed one applies after a day',
  { tag: '@variant' },
  async ({ page }) => {
    const email = await arriveAsPlayer(page, SETTINGS.cryptoAccount)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const main = page.getByRole('main')
    const save = main.getByRole('button', { name: 'Save' })
    await expect(main.getByText('No address is saved yet. Winnings are held until you add one.')).toBeVisible()
    await main.getByRole('button', { name: 'Edit' }).click()
    await typeInto(page, 'Password', PASSWORD)
    for (const wrong of ['satoshi', `${ADDRESS.slice(0, -1)}1`, MAINNET_ADDRESS]) {
      await page.getByLabel('Bitcoin address').fill(wrong)
      await page.getByLabel('Bitcoin address').blur()
      await expect(main.getByText('Invalid BTC (Bitcoin) address')).toBeVisible()
      await expect(save).toBeDisabled()
    }
    await page.getByLabel('Bitcoin address').fill(ADDRESS)
    await page.getByLabel('Password', { exact: true }).fill('Wrong-horse7battery')
    await save.click()
    await expect(main.getByText('Invalid credentials.')).toBeVisible()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await save.click()
    await expect(main.getByText('Your bitcoin address has been saved.')).toBeVisible()
    await mailTo(page, email, 'It is used from now on.')

    await page.clock.install()
    await page.reload()
    await main.getByRole('button', { name: 'Copy address' }).click()
    await expect(main.getByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(ADDRESS)
    await page.clock.fastForward(650)
    await expect(main.getByRole('button', { name: 'Copy address' })).toBeVisible()

    await main.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Bitcoin address').fill(OTHER_ADDRESS)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(main.getByText('Your bitcoin address has been saved.')).toBeVisible()
    await expect(main.getByText(/24 hours/).first()).toBeVisible()
    expect((await mailTo(page, email, '24 hours')).subject).toBe('Your bitcoin address was changed')

    // An address over Lightning, which the demo's own wallet answers for.
    await pressByKey(page, main.getByRole('button', { name: 'Add a Lightning address' }))
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    const { host } = new URL(page.url())
    await page.getByLabel('Lightning address').fill(`anna@x.${host}`)
    await expect(save).toBeDisabled()
    await page.getByLabel('Lightning address').fill(`Anna@${host}`)
    await page.keyboard.press('Enter')
    await expect(main.getByText('Your Lightning address has been saved.')).toBeVisible()
    await expect(main.getByText(`anna@${host}`)).toBeVisible()
    await mailTo(page, email, `paid over Lightning to anna@${host}`)
    await pressByKey(page, main.getByRole('button', { name: 'Change the way you’re paid first' }))
    await page.getByRole('radio', { name: 'Lightning' }).check()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(main.getByText('Your changes have been saved.')).toBeVisible()
    await mailTo(page, email, 'paid over Lightning first')
  },
)

test(
  'the mail about a changed address can stop the change, with a button and only once',
  { tag: '@variant' },
  async ({ browser, page }) => {
    const email = await arriveAsPlayer(page, SETTINGS.cryptoAccount)
    const main = page.getByRole('main')
    for (const address of [ADDRESS, OTHER_ADDRESS]) {
      await main.getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('Bitcoin address').fill(address)
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.keyboard.press('Enter')
      await expect(main.getByText('Your bitcoin address has been saved.')).toBeVisible()
    }
    const link = await mailedLink(page, email, '/stop-address-change/')
    const context = await browser.newContext()
    const reader = await context.newPage()
    await reader.goto(link)
    // Opening the link alone does nothing: mail scanners open links.
    await expect(reader.getByRole('main').getByRole('button')).toBeVisible()
    await page.reload()
    await expect(accountMenu(page)).toBeVisible()
    await pressByKey(reader, reader.getByRole('main').getByRole('button'))
    await expect(reader.getByRole('main').getByRole('link', { name: /password/i })).toHaveAttribute(
      'href',
      '/forgotten-password',
    )
    await page.goto(SETTINGS.cryptoAccount)
    await page.waitForURL(/\/login/)
    await logIn(page, email)
    await page.waitForURL((url) => url.pathname === SETTINGS.cryptoAccount)
    await expect(main.getByText(ADDRESS.slice(-4))).toBeVisible()
    await expect(main.getByText(OTHER_ADDRESS.slice(-4))).toHaveCount(0)

    await reader.goto(link)
    await reader.getByRole('main').getByRole('button').click()
    await expect(reader.getByRole('main').getByRole('alert')).toBeVisible()
    await context.close()
  },
)

test(
  'a session on another device is revoked, and that device is sent to the login',
  { tag: '@variant' },
  async ({ browser, page }) => {
    const email = await arriveAsPlayer(page)
    const phone = await browser.newContext({
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    })
    const other = await phone.newPage()
    await other.goto(`/login?path=${SETTINGS.messages}`)
    await logIn(other, email)
    await other.waitForURL((url) => url.pathname === SETTINGS.messages)
    await mailTo(page, email, 'New sign-in to your account')

    await page.goto(SETTINGS.security)
    const sessions = page.getByRole('main').getByRole('listitem')
    const iphone = sessions.filter({ hasText: /Safari on iPhone/ })
    await expect(iphone).toBeVisible()
    await expect(sessions.filter({ hasText: 'This device' })).toHaveCount(1)
    await expect(sessions.filter({ hasText: 'This device' }).getByRole('button')).toHaveCount(0)
    await pressByKey(page, iphone.getByRole('button', { name: /^Revoke Safari on iPhone/ }))
    await expect(iphone).toHaveCount(0)

    await other.getByRole('navigation', { name: 'Settings', exact: true }).getByText('Security').click()
    await other.waitForURL(/\/login\?path=/)
    await expect(other.getByLabel('Email or username')).toBeVisible()
    await phone.close()
    await page.reload()
    await expect(accountMenu(page)).toBeVisible()
  },
)

test('the HTML of a message is shown without active content, and opening it marks it as read', async ({ page }) => {
  await arriveAsPlayer(page)
  const content = [
    '<p>Your <strong>prize</strong> is on its way. <a href="https://example.org/win">See it</a></p>',
    '<img src="x" onerror="window.stolen = true"><script>window.stolen = true</script>',
    '<a href="javascript:window.stolen = true">Click me</a><iframe srcdoc="<script>parent.stolen = true</script>"></iframe>',
    '<svg onload="window.stolen = true"></svg><form action="/steal"><input name="password"></form>',
  ].join('')
  await page.route('**/api/v1/settings/messages?**', (route) =>
    route.fulfill({
      json: {
        results: [{ id: '1', created_at: 0, title: 'A message', content, is_read: false, action: null }],
        total_pages: 1,
      },
    }),
  )
  await page.goto(SETTINGS.messages)
  const main = page.getByRole('main')
  const title = main.getByRole('button', { name: 'A message' })
  const marked = page.waitForRequest('**/api/v1/settings/messages/1')
  await pressByKey(page, title)
  expect((await marked).postDataJSON()).toEqual({ is_read: true })
  await expect(main.locator('strong').filter({ hasText: 'prize' })).toBeVisible()
  await expect(main.getByRole('link', { name: 'See it' })).toHaveAttribute('href', 'https://example.org/win')
  await expect(main.locator('script, iframe, svg[onload], form, input, [onerror], [href^="javascript"]')).toHaveCount(0)
  await main.getByText('Click me').click()
  expect(await page.evaluate(() => 'stolen' in window)).toBe(false)
})

/** The minutes of the day of "Since Nov 20, 2026 at 8:05 PM". */
function minutesOfDay(text: string): number {
  const [, hour = '', minute = '', half = ''] = /at (\d+):(\d+) (AM|PM)/.exec(text) ?? []
  return (Number(hour) % 12) * 60 + Number(minute) + (half === 'PM' ? 720 : 0)
}

function minutesOfDayIn(timeZone: string, at: number): number {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, hour: 'numeric', minute: 'numeric' }).formatToParts(
    at * 1000,
  )
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
  return part('hour') * 60 + part('minute')
}
