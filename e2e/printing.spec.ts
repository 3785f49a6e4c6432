import { readFileSync } from 'node:fs'
import { type Browser, expect, type Locator, type Page, test } from '@playwright/test'
import { fromHex } from '../packages/domain/src/protocol/bytes.ts'
import { readNote } from '../packages/domain/src/protocol/note.ts'
import { playSecret } from '../packages/domain/src/protocol/plays.ts'
import { readStatementOf } from '../packages/domain/src/protocol/statements.ts'
import { writeTicketCode } from '../packages/web/src/proof/ticket-code.ts'
import { callAs, forgetLimits } from './account.ts'
import { expectNoFaults, lineAt, order } from './journeys.ts'
import { arriveAsPlayer, GAME, moveClock, openDraw, payFromTestWallet } from './player.ts'
import { logFileOf } from './product-log.ts'

/** A millimetre on paper, in CSS pixels. */
const MM = 96 / 25.4
/** Timeout for loading the worker and its tables on a busy computer, in ms. */
const CHECK_MS = 30_000

test.beforeAll(forgetLimits)

/** Number of sheets of a printed page. */
async function sheetsOf(page: Page): Promise<number> {
  const pdf = await page.pdf({ format: 'A4' })
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/gu)?.length ?? 0
}

/** Checks that navigation and controls are not printed. */
async function expectNothingToPress(page: Page): Promise<void> {
  for (const part of ['banner', 'navigation', 'contentinfo', 'button'] as const)
    for (const one of await page.getByRole(part).all()) await expect(one).toBeHidden()
  await expect(page.getByText('Test mode', { exact: true })).toBeHidden()
}

/** Checks for dark ink on white, in any theme. */
async function expectDarkInk(words: Locator): Promise<void> {
  expect(await words.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(28, 20, 51)')
}

/** The address in the code of the player's ticket with these lines, and its secret as bytes. */
async function codeOf(page: Page, proof: string, lines: number): Promise<{ address: string; secret: Uint8Array }> {
  const plays = (await callAs(page, 'GET', '/games/bitcoin-hero/plays')) as {
    data: { results: { id: string; tickets: unknown[] }[] }
  }
  const play = plays.data.results.find(({ tickets }) => tickets.length === lines)
  const papers = (await callAs(page, 'GET', `/plays/${play?.id}/receipt`)) as {
    secret: string
    username: string
    receipts: { note: string }[]
  }
  const { open, index } = readStatementOf('receipt', readNote(papers.receipts.at(-1)?.note ?? '')?.text ?? '')
  const secret = playSecret(fromHex(papers.secret), fromHex(open))
  const code = writeTicketCode({ index, ps: secret, username: papers.username })
  return { address: `${new URL(proof, page.url()).href}#${code}`, secret }
}

/** Everything that a page keeps in its browser, as text. */
async function keptBy(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const stored: unknown[] = [
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      history.state,
      document.cookie,
      location.href,
    ]
    const answer = async <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => request.addEventListener('success', () => resolve(request.result)))
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await answer(indexedDB.open(name))
      for (const store of database.objectStoreNames)
        stored.push(await answer(database.transaction(store).objectStore(store).getAll()))
      database.close()
    }
    for (const name of await caches.keys())
      stored.push((await (await caches.open(name)).keys()).map((request) => request.url))
    return JSON.stringify(stored)
  })
}

/** Scans a ticket on another device without a login: it shows the lines, and no part of its secret leaves the page. */
async function expectScanned(
  browser: Browser,
  { address, secret }: { address: string; secret: Uint8Array },
): Promise<void> {
  const context = await browser.newContext()
  const sent: string[] = []
  context.on('request', (request) => {
    // The browser itself cuts off the part after '#' of what it sends.
    const [url = ''] = request.isNavigationRequest() ? request.url().split('#') : [request.url()]
    sent.push(JSON.stringify([url, request.headers(), request.postData()]))
  })
  const device = await context.newPage()
  const complaints: string[] = []
  device.on('console', (message) => complaints.push(message.text()))
  await device.goto(address)
  await expect(device.getByText(/^In the sealed list: 3 lines of player-/u)).toBeVisible({ timeout: CHECK_MS })
  const ticket = device.locator('section').filter({ has: device.getByRole('heading', { name: 'Scanned ticket' }) })
  await expect(ticket.getByRole('list', { name: /^Line [ABC]$/u })).toHaveCount(3)
  await expectNoFaults(device, 'proof, scanned ticket')
  expect(device.url()).toBe(address.split('#')[0])
  const logged = readFileSync(logFileOf(new URL(address).port), 'utf8')
  expect(logged).toContain('a session was opened')
  const everything = [...sent, ...complaints, await keptBy(device), logged].join('\n')
  expect(sent.length).toBeGreaterThan(10)
  const bytes = Buffer.from(secret)
  for (const text of [bytes.toString('base64url'), bytes.toString('base64'), bytes.toString('hex')])
    for (const part of [text.slice(0, 10), text.slice(-12, -2)]) expect(everything).not.toContain(part)
  await context.close()
}

test('an open play prints as a ticket that proves its lines to anyone who scans it, and the proof prints without controls', async ({
  browser,
  page,
}) => {
  test.setTimeout(120_000)
  await page.emulateMedia({ colorScheme: 'dark' })
  const draw = await openDraw(page)
  await arriveAsPlayer(page)
  const weekday = new Date(draw.start_at * 1000).getUTCDay() || 7
  const lines = [lineAt(0), lineAt(1), lineAt(2)]
  const many = Array.from({ length: 24 }, (_, place) => lineAt(place))
  for (const some of [lines, lines.slice(0, 1), many])
    await payFromTestWallet(page, { transaction_id: await order(page, { lines: some, days: [weekday] }) })
  await moveClock(page, { to: draw.end_at + 605 })
  await page.goto(`${GAME}/results`)
  const play = page.getByRole('article').filter({ hasText: '3 lines' })
  await play.getByRole('button', { name: /3 lines/u }).click()
  await expect(play.getByRole('button', { name: 'Print ticket' })).toBeVisible()
  await expect(play.getByText('Fairball ticket')).toBeHidden()
  const proof = await play.getByRole('link', { name: 'Check this draw yourself' }).getAttribute('href')

  await page.emulateMedia({ media: 'print' })
  await expect(play.getByText('Fairball ticket')).toBeVisible()
  await expectDarkInk(play.getByText('Fairball ticket'))
  await expect(play.getByRole('definition').first()).toHaveText('Bitcoin Hero')
  await expect(play.getByText(/^Receipt \(SHA-256\): [\da-f]{64}$/u)).toBeVisible()
  await expect(play.getByText(new RegExp(`^Check this draw at http://localhost:\\d+${proof}$`, 'u'))).toBeVisible()
  const code = play.getByRole('img', { name: 'Code that proves this ticket' })
  await expect(code).toBeVisible()
  // A scanner needs 32 mm.
  expect((await code.boundingBox())?.width).toBeGreaterThanOrEqual(32 * MM)
  await expect(play.getByText(/^Scan after sales close to prove these lines were in the draw\./u)).toBeVisible()
  await expect(play.getByRole('list', { name: 'Line C' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden()
  await expect(page.getByText('1 line', { exact: true })).toBeHidden()
  await expectNothingToPress(page)
  await expect(play.getByText(/^Test mode: this play was made with test bitcoin/u)).toBeVisible()
  expect(await sheetsOf(page)).toBe(1)

  await page.emulateMedia({ media: 'screen' })
  await page.reload()
  const long = page.getByRole('article').filter({ hasText: '24 lines' })
  await long.getByRole('button', { name: /24 lines/u }).click()
  await expect(long.getByRole('list', { name: /^Line /u })).toHaveCount(20)
  await page.emulateMedia({ media: 'print' })
  await expect(long.getByRole('button', { name: 'Show all 24 lines' })).toBeHidden()
  await expect(long.getByRole('list', { name: /^Line /u })).toHaveCount(24)

  await page.emulateMedia({ media: 'screen' })
  await expectScanned(browser, await codeOf(page, proof ?? '', lines.length))
  await page.goto(proof ?? '')
  await expect(page.getByText('It matches.', { exact: true })).toBeVisible({ timeout: CHECK_MS })
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText(/^The draw’s start: /u)).toBeVisible()
  await expect(page.getByText(new RegExp(`^Checked at http://localhost:\\d+${proof}$`, 'u'))).toBeVisible()
  await expectDarkInk(page.getByRole('heading', { level: 1 }))
  await expect(page.getByRole('button', { name: 'Check again' })).toBeHidden()
  await expect(page.getByRole('navigation').first()).toBeHidden()
  // Nothing on paper can be opened: all values behind the answers are there.
  await expect(page.getByText('log.keys', { exact: true })).toBeVisible()
  for (const panel of await page.locator('[data-printed]').all()) await expect(panel).toBeVisible()
  expect(await page.locator('[data-printed]').count()).toBeGreaterThanOrEqual(9)
  expect(await sheetsOf(page)).toBeLessThanOrEqual(12)
})
