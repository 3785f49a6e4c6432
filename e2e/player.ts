import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Locator, type Page } from '@playwright/test'

/** The password of every player of the journeys. */
export const PASSWORD = 'Correct-horse7battery'
/** The game of the journeys: drawn every day, 5 numbers of 36, one pound a line. */
export const GAME = '/game/bitcoin-hero'
/** How many numbers make a line of {@link GAME}, and the highest of them. */
export const [PICK, POOL] = [5, 36] as const

const API = '/api/v1'
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The times of a draw, in epoch seconds. */
export interface DrawTimes {
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

/** Opens an account as a newcomer does and comes to `path`; gives the address it was opened with. */
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

/** Makes an account that nobody is signed in to; gives its address and the token that a browser would keep. */
export async function register(page: Page): Promise<{ email: string; refreshToken: string }> {
  const email = newEmail()
  const answer = await page.request.post(`${API}/auth/register`, {
    data: { email, email_confirm: email, password: PASSWORD },
  })
  expect(answer.status()).toBe(201)
  const { refresh_token: refreshToken } = (await answer.json()) as { refresh_token: string }
  return { email, refreshToken }
}

/** Comes to `path` as a new player who signed in on an earlier visit; gives the address of the account. */
export async function arriveAsPlayer(page: Page, path: string): Promise<string> {
  const { email, refreshToken } = await register(page)
  await arriveWithToken(page, path, refreshToken)
  return email
}

/** Comes to `path` as a player who signed in on this device on an earlier visit. */
export async function arriveAgain(page: Page, path: string, email: string): Promise<void> {
  const answer = await page.request.post(`${API}/auth/login`, {
    data: { email_or_username: email, password: PASSWORD },
  })
  const { refresh_token: refreshToken } = (await answer.json()) as { refresh_token: string }
  await arriveWithToken(page, path, refreshToken)
}

async function arriveWithToken(page: Page, path: string, refreshToken: string): Promise<void> {
  await page.goto(`${API}/dev/clock`)
  await page.evaluate((token) => localStorage.setItem('refresh_token', token), refreshToken)
  await page.goto(path)
  await expect(accountMenu(page)).toBeVisible()
}

/** Fills in the login page, which has to be open. */
export async function logIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email or username').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('main').getByRole('button', { name: 'LOG IN' }).click()
}

/** What only those who are signed in see, on every page. */
export function accountMenu(page: Page): Locator {
  return page.getByRole('button', { name: /signed in as/ })
}

/** Chooses an entry of the account menu. */
export async function logOut(page: Page): Promise<void> {
  await accountMenu(page).click()
  await page.getByRole('button', { name: 'Log Out' }).click()
}

/** The system's time in epoch seconds. */
export async function systemNow(page: Page): Promise<number> {
  const { now } = (await (await page.request.get(`${API}/dev/clock`)).json()) as { now: number }
  return now
}

/** Moves the system's clock forward, and waits until all that is due by then is done. */
export async function moveClock(page: Page, body: { to: number } | { advance: number }): Promise<void> {
  const answer = await page.request.post(`${API}/dev/clock`, { data: body })
  expect(answer.ok()).toBe(true)
  const { now } = (await answer.json()) as { now: number }
  await renewTokens(page, now)
}

/** An access token that has less than this to go counts as outdated, in seconds: the page may ask for something at any moment. */
const SPARE_SECONDS = 60

/**
 * Has the page of a player renew its tokens where a jump to `now` has outdated them. A page that is left in the middle of renewing them loses the
 * answer: the next one would send a token that was used, which ends the session.
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

/** When an access token expires, in epoch seconds (RFC 7519, section 4.1.4); 0 for what is no token. */
function expiryOf(token: string): number {
  const [, claims] = token.split('.')
  if (claims === undefined) return 0
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: number }).exp
}

/** The draw that the game shows now; it may be over already. */
export async function nextDraw(page: Page): Promise<DrawTimes> {
  const games = (await (await page.request.get(`${API}/games`)).json()) as { key: string; next_draw: DrawTimes }[]
  const hero = games.find((game) => game.key === 'bitcoin-hero')
  if (hero === undefined) throw new Error('bitcoin-hero is not offered')
  return hero.next_draw
}

/** The draw that tickets bought now count for. An earlier one that still runs or is still shown is waited for. */
export async function openDraw(page: Page): Promise<DrawTimes> {
  const shown = await nextDraw(page)
  if ((await systemNow(page)) < shown.ticket_sell_closes_at - 120) return shown
  await moveClock(page, { to: shown.end_at + 605 })
  return nextDraw(page)
}

/** The numbers that are shown on the balls of a line or of a draw; places without a number are left out. */
export async function numbersOn(balls: Locator): Promise<number[]> {
  const texts = await balls.getByRole('listitem').allTextContents()
  return texts.map((text) => Number.parseInt(text, 10)).filter((number) => Number.isInteger(number))
}

/** Orders so many lucky dips by clicking, as a signed-in player, up to the checkout; gives the order's id. */
export async function orderLuckyDips(page: Page, lines: number): Promise<string> {
  await page.goto(`${GAME}/lucky-dips/${lines}`)
  await playButton(page).click()
  await page.getByRole('button', { name: /^Pay £/ }).click()
  await page.waitForURL(/\/checkout\//)
  return new URL(page.url()).pathname.split('/').at(-1) ?? ''
}

/** The button that leads from the numbers to the payment. */
export function playButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Play', exact: true }).filter({ visible: true })
}

/** Pays an order from the test wallet: what is missing, or `amount` in BTC, with enough confirmations unless told otherwise. */
export async function payFromTestWallet(
  page: Page,
  body: { transaction_id: string; amount?: string; confirmations?: number },
): Promise<string> {
  const answer = await page.request.post(`${API}/dev/pay`, { data: body })
  expect(answer.ok()).toBe(true)
  return ((await answer.json()) as { status: string }).status
}

/** The faults that axe finds on the page as it stands; by some rules alone where they are named. */
export async function accessibilityFaults(page: Page, rules: readonly string[] | null = null): Promise<string[]> {
  // Evaluated, not added as a script: the pages' security policy allows no script but their own.
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axeSource)
  await arrived(page)
  return page.evaluate(async (only) => {
    // axe puts itself on the window; its own types are not loaded into the page.
    const { axe } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    }
    // Of what passed nothing is told: that would be half of the work.
    const all = { resultTypes: ['violations'], preload: false }
    const { violations } = await axe.run(only === null ? all : { ...all, runOnly: only })
    return violations.map((violation) => `${violation.id}: ${violation.nodes[0]?.html ?? ''}`)
  }, rules)
}

/** Until everything that moves or fades in has arrived: half-way there its contrast is nobody's. What moves for ever is not waited for. */
async function arrived(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document.getAnimations().every((animation) => {
      const isEndless = animation.effect?.getComputedTiming().endTime === Infinity
      return isEndless || animation.playState === 'finished'
    }),
  )
}
