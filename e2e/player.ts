import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type APIRequestContext, expect, type Locator, type Page } from '@playwright/test'

/** The password of every player of the journeys. */
export const PASSWORD = 'Correct-horse7battery'
/** The game of the journeys: drawn every day, 5 numbers of 36, one pound a line. */
export const GAME = '/game/bitcoin-hero'
/** The number of numbers of a line of {@link GAME}, and the highest number. */
export const [PICK, POOL] = [5, 36] as const

const API = '/api/v1'
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A draw: its number in its game, and its times in epoch seconds. */
export interface DrawTimes {
  number: number
  start_at: number
  end_at: number
  ticket_sell_closes_at: number
}

let players = 0

/** An address that no journey has used. */
export function newEmail(): string {
  players += 1
  return `e2e-${players}-${process.pid}@example.org`
}

/** Opens an account as a new player, and then `path`; returns the email address. */
export async function openAccount(page: Page, path = '/'): Promise<string> {
  const email = newEmail()
  await page.goto(`/open-an-account?path=${encodeURIComponent(path)}`)
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Confirm email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByText('I am 18 or over').click()
  await page.getByRole('button', { name: 'Open an Account' }).click()
  await page.waitForURL((url) => url.pathname === path)
  return email
}

/** Creates an account without logging a page in; returns its email address and tokens. */
export async function register({ request }: Pick<Page, 'request'>) {
  const email = newEmail()
  const answer = await request.post(`${API}/auth/register`, {
    data: { email, email_confirm: email, password: PASSWORD },
  })
  expect(answer.status()).toBe(201)
  const tokens = (await answer.json()) as { access_token: string; refresh_token: string }
  return { email, accessToken: tokens.access_token, refreshToken: tokens.refresh_token }
}

/**
 * Opens `path` as a new player who logged in on an earlier visit; returns the email address.
 *
 * @param path by default that of a small page
 */
export async function arriveAsPlayer(page: Page, path = '/cookies'): Promise<string> {
  const { email, refreshToken } = await register(page)
  await arriveWithToken(page, path, refreshToken)
  return email
}

/** Opens `path` as a player who logged in on this device on an earlier visit. */
export async function arriveAgain(page: Page, path: string, email: string): Promise<void> {
  const answer = await page.request.post(`${API}/auth/login`, {
    data: { email_or_username: email, password: PASSWORD },
  })
  const { refresh_token: refreshToken } = (await answer.json()) as { refresh_token: string }
  await arriveWithToken(page, path, refreshToken)
}

async function arriveWithToken(page: Page, path: string, refreshToken: string): Promise<void> {
  const login = await page.addInitScript((token) => localStorage.setItem('refresh_token', token), refreshToken)
  await page.goto(path)
  await login.dispose()
  await expect(accountMenu(page)).toBeVisible()
}

/** Opens another page of the app as its links do, without loading a document. */
export async function follow(page: Page, path: string): Promise<void> {
  const title = await page.title()
  await page.evaluate((to) => history.pushState(null, '', to), path)
  await expect(page).not.toHaveTitle(title)
}

/** Fills in the login page, which must be open. */
export async function logIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email or username').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('main').getByRole('button', { name: 'LOG IN' }).click()
}

/** The account menu, which only players see, on every page. */
export function accountMenu(page: Page): Locator {
  return page.getByRole('button', { name: /signed in as/ })
}

/** Logs out through the account menu. */
export async function logOut(page: Page): Promise<void> {
  await accountMenu(page).click()
  await page.getByRole('button', { name: 'Log Out' }).click()
}

/** The system's time in epoch seconds. */
export async function systemNow(page: Page): Promise<number> {
  const { now } = (await (await page.request.get(`${API}/dev/clock`)).json()) as { now: number }
  return now
}

/** Where to move the clock, in seconds. */
type Jump = { to: number } | { advance: number }

/** Moves the system's clock forward, and waits until all work due by then is done. */
export async function moveClock(page: Page, body: Jump): Promise<void> {
  await renewTokens(page, await jump(page.request, body))
}

/** The same where no page of a player is open. @returns the new time */
export async function jump(request: APIRequestContext, body: Jump): Promise<number> {
  const answer = await request.post(`${API}/dev/clock`, { data: body })
  expect(answer.ok()).toBe(true)
  return ((await answer.json()) as { now: number }).now
}

/**
 * An access token with a shorter remaining lifetime, in seconds, counts as outdated: the page may make a call at any
 * moment.
 */
const SPARE_SECONDS = 60

/**
 * Makes the page of a player renew its tokens if a jump to `now` has outdated them. A page that is left during the
 * renewal loses the answer: the next page would send a used token, which ends the session.
 */
async function renewTokens(page: Page, now: number): Promise<void> {
  const access = () => page.evaluate(() => sessionStorage.getItem('access_token'))
  const isPage = page.url().startsWith('http') && (await page.evaluate(() => document.getElementById('start') !== null))
  const token = isPage ? await access() : null
  if (token === null || expiryOf(token) > now + SPARE_SECONDS) return
  await page.evaluate(() => sessionStorage.setItem('access_token', 'outdated'))
  await expect
    .poll(access, { timeout: 5_000 })
    .not.toBe('outdated')
    .catch(() => undefined) // a page without a network cannot
}

/** The expiry of an access token, in epoch seconds (RFC 7519, section 4.1.4); 0 if it is not a token. */
function expiryOf(token: string): number {
  const [, claims] = token.split('.')
  if (claims === undefined) return 0
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: number }).exp
}

/** The draw that the game shows now, which may be over. */
export async function nextDraw(page: Page): Promise<DrawTimes> {
  const games = (await (await page.request.get(`${API}/games`)).json()) as { key: string; next_draw: DrawTimes }[]
  const hero = games.find((game) => game.key === 'bitcoin-hero')
  if (hero === undefined) throw new Error('bitcoin-hero is not offered')
  return hero.next_draw
}

/** The draw of tickets bought now. Waits for the end of an earlier draw that is running or still shown. */
export async function openDraw(page: Page): Promise<DrawTimes> {
  const shown = await nextDraw(page)
  if ((await systemNow(page)) < shown.ticket_sell_closes_at - 120) return shown
  await moveClock(page, { to: shown.end_at + 605 })
  return nextDraw(page)
}

/** The numbers on the balls of a line or of a draw, without empty balls. */
export async function numbersOn(balls: Locator): Promise<number[]> {
  const texts = await balls.getByRole('listitem').allTextContents()
  return texts.map((text) => Number.parseInt(text, 10)).filter((number) => Number.isInteger(number))
}

/** Orders a number of lucky dips by clicking, as a player, up to the checkout; returns the order's id. */
export async function orderLuckyDips(page: Page, lines: number): Promise<string> {
  await page.goto(`${GAME}/lucky-dips/${lines}`)
  await playButton(page).click()
  await page.getByRole('button', { name: /^Pay £/ }).click()
  await page.waitForURL(/\/checkout\//)
  return new URL(page.url()).pathname.split('/').at(-1) ?? ''
}

/** The button from the numbers to the payment. */
export function playButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Play', exact: true }).filter({ visible: true })
}

/** Pays an order from the test wallet: the missing amount, or `amount` in BTC, by default with enough confirmations. */
export async function payFromTestWallet(
  page: Page,
  body: { transaction_id: string; amount?: string; confirmations?: number },
): Promise<string> {
  const answer = await page.request.post(`${API}/dev/pay`, { data: body })
  expect(answer.ok()).toBe(true)
  return ((await answer.json()) as { status: string }).status
}

/**
 * The faults that axe finds on the page in its current state.
 *
 * @param rules the only ones to check; null for all
 * @param parts whether to leave out the bar at the top and the foot, which no state of a page changes
 */
export async function accessibilityFaults(
  page: Page,
  rules: readonly string[] | null = null,
  parts: 'all' | 'without frame' = 'all',
): Promise<string[]> {
  // Evaluated, not added as a script: the pages' security policy allows no script but their own.
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axeSource)
  await arrived(page)
  return page.evaluate(
    async ([only, isFrameLeftOut]) => {
      // axe puts itself on the window; its own types are not loaded into the page.
      const { axe } = window as unknown as {
        axe: { run(on: object, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
      }
      const frame = [...document.querySelectorAll('header, footer')].filter((one) => one.closest('main') === null)
      // Passed checks are not reported: that would be half of the work.
      const all = { resultTypes: ['violations'], preload: false }
      const { violations } = await axe.run(
        isFrameLeftOut ? { exclude: frame } : document,
        only === null ? all : { ...all, runOnly: only },
      )
      return violations.map((violation) => `${violation.id}: ${violation.nodes[0]?.html ?? ''}`)
    },
    [rules, parts === 'without frame'] as const,
  )
}

/**
 * Waits for the end of all movements and fades, because contrast is meaningless in between. Endless movements are
 * ignored.
 */
async function arrived(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document.getAnimations().every((animation) => {
      const isEndless = animation.effect?.getComputedTiming().endTime === Infinity
      return isEndless || animation.playState === 'finished'
    }),
  )
}
