import { expect, type Page, test } from '@playwright/test'
import { accountMenu, arriveAsPlayer, GAME, logIn, logOut, moveClock, playButton, register } from './player.ts'

/** A time after the 10 minutes of an access token, in seconds. */
const PAST_ACCESS = 11 * 60
const PLAYERS_PAGES = [
  `${GAME}/results`,
  `${GAME}/results/2`,
  '/settings/general/tickets',
  '/settings/general/my-games',
  '/settings/general/messages',
  '/settings/profile-and-settings/personal-details',
  '/settings/profile-and-settings/password-change',
  '/settings/profile-and-settings/security',
  '/settings/profile-and-settings/email-preferences',
  '/settings/funds-and-payments/balance',
  '/settings/funds-and-payments/transaction-history',
  '/settings/funds-and-payments/crypto-account-details',
]

test('the lines of an unfinished order survive a reload, and are deleted with the logout, in another tab too', async ({
  page,
}) => {
  const keptOrders = (tab: Page) =>
    tab.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('order:')).length)
  await arriveAsPlayer(page, `${GAME}/lucky-dips/2`)
  const other = await page.context().newPage()
  await other.goto(`${GAME}/lucky-dips/3`)
  for (const tab of [page, other]) {
    await expect(playButton(tab)).toBeVisible()
    await tab.reload()
    await expect(playButton(tab)).toBeVisible()
    expect(await keptOrders(tab)).toBe(1)
  }
  await logOut(page)
  await expect(page.getByRole('link', { name: 'LOG IN' }).first()).toBeVisible()
  await other.waitForURL((url) => url.pathname === '/login')
  for (const tab of [page, other]) expect(await keptOrders(tab)).toBe(0)
  await expect(accountMenu(other)).toHaveCount(0)
  await other.goto('/settings/general/my-games')
  await other.waitForURL(/\/login\?path=/)
})

test('logging in in one tab logs in the other tab too', { tag: '@variant' }, async ({ page }) => {
  const { email } = await register(page)
  const other = await page.context().newPage()
  await other.goto('/login')
  await expect(other.getByLabel('Email or username')).toBeVisible()

  await page.goto('/login?path=/game/treasure')
  await logIn(page, email)
  await page.waitForURL((url) => url.pathname === '/game/treasure')
  await expect(accountMenu(page)).toBeVisible()
  await other.waitForURL((url) => url.pathname === '/')
  await expect(accountMenu(other)).toBeVisible()
})

test(
  'an expired access token is renewed behind the scenes, in two tabs at once',
  { tag: '@variant' },
  async ({ page }) => {
    await arriveAsPlayer(page, '/settings/general/my-games')
    const other = await page.context().newPage()
    await other.goto('/settings/general/messages')
    await expect(other.getByText('No messages.')).toBeVisible()

    const clickAround = async (tab: Page) => {
      const settings = tab.getByRole('navigation', { name: 'Settings', exact: true })
      for (const name of ['Transaction history', 'Security', 'Email preferences', 'Personal details']) {
        await settings.getByRole('link', { name }).click()
        await expect(tab.getByRole('heading', { level: 1, name })).toBeVisible()
        await expect(tab.locator('main [aria-busy="true"]')).toHaveCount(0)
        await expect(tab.getByText('Data cannot be loaded!')).toHaveCount(0)
      }
      await expect(tab.getByText(/@example\.org/).or(tab.getByLabel('Email'))).toBeVisible()
      await expect(accountMenu(tab)).toBeVisible()
    }
    for (let round = 0; round < 2; round += 1) {
      await moveClock(page, { advance: PAST_ACCESS })
      await Promise.all([clickAround(page), clickAround(other)])
    }
    for (const tab of [page, other]) {
      await tab.reload()
      await expect(accountMenu(tab)).toBeVisible()
    }
  },
)

test('after the login a path to another site leads home', async ({ baseURL, page }) => {
  const { email } = await register(page)
  await page.route(/^https?:\/\/evil\.example/, (route) => route.abort())
  await page.goto(`/login?path=${encodeURIComponent('//evil.example')}`)
  await logIn(page, email)
  await expect(accountMenu(page)).toBeVisible()
  await expect(page).toHaveURL(`${baseURL}/`)
})

test('pages for players send visitors to the login, and then back', { tag: '@variant' }, async ({ page }) => {
  for (const path of PLAYERS_PAGES) {
    await page.goto(path)
    await page.waitForURL(`**/login?path=${path}`)
  }
  const { email } = await register(page)
  await logIn(page, email)
  await page.waitForURL((url) => url.pathname === '/settings/funds-and-payments/crypto-account-details')
})
