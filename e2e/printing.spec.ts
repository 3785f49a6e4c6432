import { expect, type Locator, type Page, test } from '@playwright/test'
import { forgetLimits } from './account.ts'
import { lineAt, order } from './journeys.ts'
import { arriveAsPlayer, GAME, moveClock, openDraw, payFromTestWallet } from './player.ts'

/** Timeout for loading the worker and its tables on a busy computer, in ms. */
const CHECK_MS = 30_000

test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage()
  await forgetLimits(page)
  await page.close()
})

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

test('an open play prints as a ticket only, and its draw’s proof prints without controls', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  const draw = await openDraw(page)
  await arriveAsPlayer(page, '/')
  const weekday = new Date(draw.start_at * 1000).getUTCDay() || 7
  const lines = [lineAt(0), lineAt(1), lineAt(2)]
  const many = Array.from({ length: 24 }, (_, place) => lineAt(place))
  for (const some of [lines, lines.slice(0, 1), many])
    await payFromTestWallet(page, { transaction_id: await order(page, { lines: some, days: [weekday] }) })
  await moveClock(page, { to: draw.end_at + 605 })
  await page.goto(`${GAME}/results`)
  const play = page.getByRole('article').filter({ hasText: '3 lines' })
  await play.getByRole('button', { name: /3 lines/u }).click()
  await expect(play.getByRole('button', { name: 'Print this ticket' })).toBeVisible()
  await expect(play.getByText('Fairball ticket')).toBeHidden()
  const proof = await play.getByRole('link', { name: 'Check this draw yourself' }).getAttribute('href')

  await page.emulateMedia({ media: 'print' })
  await expect(play.getByText('Fairball ticket')).toBeVisible()
  await expectDarkInk(play.getByText('Fairball ticket'))
  await expect(play.getByRole('definition').first()).toHaveText('Bitcoin Hero')
  await expect(play.getByText(/^Receipt \(SHA-256\): [\da-f]{64}$/u)).toBeVisible()
  await expect(play.getByText(new RegExp(`^Check this draw at http://localhost:\\d+${proof}$`, 'u'))).toBeVisible()
  await expect(play.getByRole('img', { name: 'Address of the draw’s proof' })).toBeVisible()
  await expect(play.getByRole('list', { name: 'Line 3' })).toBeVisible()
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
  const printed = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        addEventListener('beforeprint', () => resolve(document.querySelectorAll('[aria-label^="Line "]').length))
      }),
  )
  await page.emulateMedia({ media: 'print' })
  await expect(long.getByRole('button', { name: 'Show all 24 lines' })).toBeHidden()
  await page.pdf()
  expect(await printed).toBe(24)

  await page.emulateMedia({ media: 'screen' })
  await page.goto(proof ?? '')
  await expect(page.getByText('It matches.', { exact: true })).toBeVisible({ timeout: CHECK_MS })
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText(/^The draw’s start: /u)).toBeVisible()
  await expect(page.getByText(new RegExp(`^Checked at http://localhost:\\d+${proof}$`, 'u'))).toBeVisible()
  await expectDarkInk(page.getByRole('heading', { level: 1 }))
  await expect(page.getByRole('button', { name: 'Check again' })).toBeHidden()
  await expect(page.getByRole('navigation').first()).toBeHidden()
  expect(await sheetsOf(page)).toBeLessThanOrEqual(5)
})
