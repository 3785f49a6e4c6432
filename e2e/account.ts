import { type APIRequestContext, expect, type Locator, type Page } from '@playwright/test'
import { Secret, TOTP, URI } from 'otpauth'
import { arriveAsPlayer, jump, PASSWORD, systemNow } from './player.ts'

/** The settings pages that the journeys visit. */
export const SETTINGS = {
  messages: '/settings/general/messages',
  personalDetails: '/settings/profile-and-settings/personal-details',
  passwordChange: '/settings/profile-and-settings/password-change',
  security: '/settings/profile-and-settings/security',
  emailPreferences: '/settings/profile-and-settings/email-preferences',
  responsiblePlay: '/settings/profile-and-settings/responsible-play',
  personalData: '/settings/profile-and-settings/personal-data',
  cryptoAccount: '/settings/funds-and-payments/crypto-account-details',
} as const

/** The pages that only visitors see, with an unknown key as an example of all keys. */
export const VISITORS_PAGES = [
  '/login',
  '/login?path=/game/treasure',
  '/open-an-account',
  '/forgotten-password',
  '/login-secure/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  '/reset-password/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
] as const

const API = '/api/v1'
/**
 * Window of the limits per network address for registrations, mails and wrong passwords, in seconds; all journeys share
 * one address.
 */
const LIMITS_WINDOW = 15 * 60
/** How long the job that sends mails is waited for. */
const MAIL_MS = 20_000
/** Maximum presses of Tab to reach a control. */
const MAX_TABS = 90

/** A call of the API: its method, path and body. */
type Call = [method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, data?: object]

/** A mail in the demo's outbox. */
interface Mail {
  to: string
  subject: string
  text: string
  html: string
  links: string[]
}

/** Ends every window of the rate limits, so that a file of journeys begins with fresh ones, before a player arrives. */
export async function forgetLimits({ request }: Pick<Page, 'request'>): Promise<void> {
  await jump(request, { advance: LIMITS_WINDOW + 1 })
}

/** Waits for a mail to an address with these words in its subject or text: a job sends it after the answer. */
export async function mailTo(page: Page, email: string, words: string): Promise<Mail> {
  return await awaited(page, email, (mail) => (`${mail.subject}\n${mail.text}`.includes(words) ? mail : undefined))
}

/** Waits for a mail to an address with a link whose path starts with `start`; returns the newest one's link. */
export async function mailedLink(page: Page, email: string, start: string): Promise<string> {
  return await awaited(page, email, ({ links }) => links.find((link) => new URL(link).pathname.startsWith(start)))
}

/** What `pick` finds in the newest mail to an address in which it finds anything. */
async function awaited<Found>(page: Page, email: string, pick: (mail: Mail) => Found | undefined): Promise<Found> {
  const found: Found[] = []
  await expect(async () => {
    const answer = await page.request.get(`${API}/dev/mail?to=${encodeURIComponent(email)}`)
    const mails = (await answer.json()) as Mail[]
    found.push(...mails.map(pick).filter((each) => each !== undefined))
    expect(found, `picked from the mails "${mails.map(({ subject }) => subject).join('", "')}"`).not.toEqual([])
  }).toPass({ timeout: MAIL_MS })
  return found[0] as Found
}

/** Calls the API with the session of a page, for the preparation of a journey. */
export async function callAs(page: Page, ...call: Call): Promise<unknown> {
  return await callWith(
    page.request,
    (await page.evaluate(() => sessionStorage.getItem('access_token'))) ?? '',
    ...call,
  )
}

/** Calls the API with an access token. */
export async function callWith(request: APIRequestContext, token: string, ...call: Call): Promise<unknown> {
  const [method, path, data] = call
  const answer = await request.fetch(`${API}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(data !== undefined && { data }),
  })
  expect(answer.ok(), `${method} ${path} answered ${answer.status()}`).toBe(true)
  return await answer.json()
}

/** The generated username of a player. */
export async function usernameOf(page: Page): Promise<string> {
  return ((await callAs(page, 'GET', '/profile')) as { username: string }).username
}

/** Opens `path` as a new player with two-factor on; returns the authenticator and the recovery codes. */
export async function arriveWithTwofa(page: Page, path: string) {
  const email = await arriveAsPlayer(page, path)
  const { qr_code_uri: uri } = (await callAs(page, 'GET', '/settings/security/twofa/qr')) as { qr_code_uri: string }
  const authenticator = authenticatorOf(uri)
  const { recovery_codes: recoveryCodes } = (await callAs(page, 'POST', '/settings/security/twofa/verify', {
    code: Number(await codeOf(page, authenticator)),
  })) as { recovery_codes: string[] }
  return { email, authenticator, recoveryCodes }
}

/** An authenticator app that has scanned a QR code. */
function authenticatorOf(uri: string): TOTP {
  const totp = URI.parse(uri)
  if (!(totp instanceof TOTP)) throw new Error(`not a time-based code: ${uri}`)
  return totp
}

/** An authenticator app with a typed key. */
export function authenticatorWithKey(key: string): TOTP {
  return new TOTP({ secret: Secret.fromBase32(key.replaceAll(/\s/gu, '')) })
}

/** The current code of an authenticator, at the system's time. */
export async function codeOf(page: Page, authenticator: TOTP): Promise<string> {
  return authenticator.generate({ timestamp: (await systemNow(page)) * 1000 })
}

/** A code that the authenticator does not show within a minute of now. */
export async function wrongCodeOf(page: Page, authenticator: TOTP): Promise<string> {
  const now = await systemNow(page)
  const near = [-60, -30, 0, 30, 60].map((seconds) => authenticator.generate({ timestamp: (now + seconds) * 1000 }))
  const wrong = Array.from({ length: 10 }, (_, digit) => String(digit).repeat(6)).find((code) => !near.includes(code))
  return wrong ?? '000000'
}

/** Logs in up to the second step. */
export async function logInToSecondStep(page: Page, email: string, path = '/'): Promise<void> {
  await page.goto(path === '/' ? '/login' : `/login?path=${encodeURIComponent(path)}`)
  await page.getByLabel('Email or username').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('main').getByRole('button', { name: 'LOG IN' }).click()
  await page.waitForURL(/\/login-secure\//)
}

/** The notice of a page about the last action. */
export function notice(page: Page, text: string | RegExp): Locator {
  return page.getByRole('main').getByText(text)
}

/** Reaches a control with the Tab key only. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible()
  for (let presses = 0; presses < MAX_TABS; presses += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(control, 'the Tab key reaches the control').toBeFocused()
}

/** Reaches a field with the Tab key only and types into it. */
export async function typeInto(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true })
  await tabTo(page, field)
  await page.keyboard.press('ControlOrMeta+A')
  if (text === '') await page.keyboard.press('Delete')
  else await page.keyboard.insertText(text)
  await expect(field).toHaveValue(text)
}

/** Presses a button or follows a link with the keyboard only. */
export async function pressByKey(page: Page, control: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, control)
  await page.keyboard.press(key)
}
