import { type Browser, expect, type Page, test } from '@playwright/test'
import { forgetLimits, SETTINGS } from './account.ts'
import { accountMenu, register } from './player.ts'

/** Number of simultaneous refreshes of two tabs: a few by default, more to measure them. */
const ROUNDS = Number(process.env['E2E_REFRESH_ROUNDS'] ?? 4)
/** Number of players that share many rounds, each with two tabs in their own browser. */
const PLAYERS = ROUNDS > 50 ? 10 : 1
/** Maximum time of a round, in ms: each refresh waits for the previous one. */
const ROUND_MS = 15_000
/** Format of an access token. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/

// Traces of twenty tabs would cost more than the rounds.
test.use({ trace: 'off', screenshot: 'off' })

test(`two tabs that refresh at once, ${ROUNDS} times, never log the player out`, async ({ browser, page }) => {
  test.setTimeout(60_000 + (ROUNDS / PLAYERS) * ROUND_MS)
  await forgetLimits(page)
  const rounds = Array.from({ length: PLAYERS }, (_, player) => Math.ceil((ROUNDS - player) / PLAYERS))
  const kept = await Promise.all(rounds.map((count) => refreshInTwoTabs(browser, count)))
  expect(kept.reduce((sum, count) => sum + count, 0)).toBe(ROUNDS)
})

/**
 * Spoils the access tokens of both tabs of a new player at one moment, `rounds` times; returns how often both
 * continued.
 */
async function refreshInTwoTabs(browser: Browser, rounds: number): Promise<number> {
  const context = await browser.newContext()
  const tabs = await Promise.all([context.newPage(), context.newPage()])
  const { refreshToken } = await register(tabs[0])
  await tabs[0].goto('/api/v1/dev/clock')
  await tabs[0].evaluate((token) => localStorage.setItem('refresh_token', token), refreshToken)
  // As in a browser that restores yesterday's tabs: both must refresh at once.
  await Promise.all(tabs.map((tab) => tab.goto(SETTINGS.messages)))
  await Promise.all(tabs.map((tab) => expect(accountMenu(tab)).toBeVisible()))

  let kept = 0
  for (let round = 0; round < rounds; round += 1) {
    // A token that the server refuses; every other time no token in one of the tabs.
    await Promise.all(tabs.map((tab, index) => loseAccess(tab, index === 1 && round % 2 === 1 ? null : 'spoilt')))
    for (const tab of tabs) expect(new URL(tab.url()).pathname).toBe(SETTINGS.messages)
    kept += 1
  }
  await Promise.all(tabs.map((tab) => tab.reload()))
  await Promise.all(tabs.map((tab) => expect(accountMenu(tab)).toBeVisible()))
  await context.close()
  return kept
}

/** Replaces or removes a tab's token; waits until the tab has a valid one again, and shows its player. */
async function loseAccess(tab: Page, token: string | null): Promise<void> {
  await tab.evaluate((text) => {
    if (text === null) sessionStorage.removeItem('access_token')
    else sessionStorage.setItem('access_token', text)
  }, token)
  // The first refused call refreshes for all of them: the test's, or one of the page.
  const access = () => tab.evaluate(() => sessionStorage.getItem('access_token') ?? '')
  await expect.poll(access, { timeout: ROUND_MS }).toMatch(JWT)
  const profile = await tab.request.get('/api/v1/profile', { headers: { authorization: `Bearer ${await access()}` } })
  expect(profile.status()).toBe(200)
  await expect(accountMenu(tab)).toBeVisible()
}
