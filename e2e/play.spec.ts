import { expect, type Locator, type Page, test } from '@playwright/test'
import { arriveAsPlayer, GAME, moveClock, numbersOn, PICK, playButton, POOL, systemNow } from './player.ts'

const DAY_SECONDS = 86_400

/** The lines of the order, including the empty one at the end. */
function linesOf(page: Page): Locator {
  return page.getByRole('list', { name: /^Line [A-Z]$/ })
}

function line(page: Page, letter: string): Locator {
  return page.getByRole('list', { name: `Line ${letter}`, exact: true })
}

async function openPicker(page: Page, letter = 'A'): Promise<Locator> {
  await page.getByRole('button', { name: `Choose numbers of line ${letter}` }).click()
  const picker = page.getByRole('dialog', { name: 'SELECT NUMBERS' })
  await expect(picker).toBeVisible()
  return picker
}

async function chooseLine(page: Page, letter: string, numbers: readonly number[]): Promise<void> {
  const picker = await openPicker(page, letter)
  for (const number of numbers) await picker.getByRole('button', { name: String(number), exact: true }).click()
  await picker.getByRole('button', { name: 'CONFIRM' }).click()
  await expect(picker).toHaveCount(0)
}

/** Checks the dates of the draws, the factors of the price and the total in the summary of the order. */
async function expectOrder(page: Page, order: { lines: number; days: number; weeks: number; total: string }) {
  const summary = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Your order' }) })
  await expect(summary.getByRole('definition')).toHaveText([
    ...(order.lines * order.days > 0 ? [/, \d+:\d\d [AP]M/u] : []),
    String(order.lines),
    `× ${order.days}`,
    `× ${order.weeks}`,
    '£1.00',
  ])
  await expect(summary.getByRole('status')).toHaveText(order.total)
}

test('numbers are picked with the keyboard alone, and one too many is refused with an announcement', async ({
  page,
}) => {
  await arriveAsPlayer(page, GAME)
  await page.getByRole('button', { name: 'Choose numbers of line A' }).focus()
  await page.keyboard.press('Enter')
  const picker = page.getByRole('dialog', { name: 'SELECT NUMBERS' })
  await expect(picker).toBeVisible()
  const number = (value: number) => picker.getByRole('button', { name: String(value), exact: true })
  const confirm = picker.getByRole('button', { name: 'CONFIRM' })
  const progress = picker.getByRole('progressbar', { name: 'Numbers picked' })
  await expect(confirm).toBeDisabled()

  // The grid is one tab stop; the arrow keys move sideways, and up and down by a row of seven.
  await number(1).focus()
  for (const [key, reached] of [
    ['ArrowLeft', 1],
    ['ArrowRight', 2],
    ['ArrowDown', 9],
    ['ArrowDown', 16],
    ['ArrowUp', 9],
    ['Home', 8],
    ['End', 14],
    ['Control+End', POOL],
    ['ArrowDown', POOL],
    ['Control+Home', 1],
  ] as const) {
    await page.keyboard.press(key)
    await expect(number(reached), `${key} leads to ${reached}`).toBeFocused()
  }

  for (let picked = 1; picked <= PICK; picked += 1) {
    await expect(confirm).toBeDisabled()
    await page.keyboard.press('Space')
    await expect(progress).toHaveAttribute('aria-valuetext', `${picked} of ${PICK}`)
    await page.keyboard.press('ArrowRight')
  }
  await expect(confirm).toBeEnabled()
  await expect(progress).toHaveCSS('animation-name', 'none')

  await page.keyboard.press('Space')
  await expect(progress, 'flashes').not.toHaveCSS('animation-name', 'none')
  await expect(picker.getByText(`You have all ${PICK}. Remove one to change it.`)).toBeVisible()
  await expect(number(PICK + 1)).toHaveAttribute('aria-pressed', 'false')
  await expect(progress).toHaveAttribute('aria-valuetext', `${PICK} of ${PICK}`)

  // A second press removes a number.
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Space')
  await expect(confirm).toBeDisabled()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await expect(confirm).toBeEnabled()
  await confirm.press('Enter')
  await expect(picker).toHaveCount(0)
  expect(await numbersOn(line(page, 'A'))).toEqual([1, 2, 3, 4, 12])
  await expect(linesOf(page)).toHaveCount(2)
})

test('chosen numbers are saved, replayed, and deleted', { tag: '@variant' }, async ({ page }) => {
  await arriveAsPlayer(page, `${GAME}/lucky-dips/1`)
  await expect(page.getByRole('button', { name: 'Save numbers' })).toHaveCount(0)
  await chooseLine(page, 'B', [2, 4, 6, 8, 10])
  await page.getByRole('button', { name: 'Save numbers' }).click()
  await expect(page.getByText('Your numbers are saved.')).toBeVisible()

  await page.goto(GAME)
  await expect(page.getByText('Saved numbers', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Play saved numbers' }).click()
  // The lucky dip was not kept.
  await expect(linesOf(page)).toHaveCount(2)
  expect(await numbersOn(line(page, 'A'))).toEqual([2, 4, 6, 8, 10])

  await page.getByRole('button', { name: 'Delete saved numbers' }).click()
  await expect(page.getByText('Saved numbers', { exact: true })).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Change line A' })).toBeVisible()
  await expect(page.getByText('Saved numbers', { exact: true })).toHaveCount(0)
})

test('the price is lines × days × weeks, and the order remains after stepping back', async ({ page }) => {
  // On a Monday every day of the week can be chosen (1970-01-05 was one).
  const now = await systemNow(page)
  const nextMonday = Math.ceil((now - 4 * DAY_SECONDS) / (7 * DAY_SECONDS)) * 7 * DAY_SECONDS + 4 * DAY_SECONDS
  await moveClock(page, { to: nextMonday + 60 })

  await arriveAsPlayer(page, `${GAME}/lucky-dips/3`)
  await expectOrder(page, { lines: 3, days: 1, weeks: 1, total: '£3.00' })
  const days = page.getByRole('group', { name: 'Draw days' }).getByRole('checkbox')
  await expect(days).toHaveCount(7)
  await expect(days.first()).toBeChecked()
  await days.nth(2).check()
  await days.nth(6).check()
  await expectOrder(page, { lines: 3, days: 3, weeks: 1, total: '£9.00' })
  await page.getByRole('group', { name: 'Weeks' }).getByRole('radio', { name: '2' }).check()
  await expectOrder(page, { lines: 3, days: 3, weeks: 2, total: '£18.00' })
  for (const place of [0, 2, 6]) await days.nth(place).uncheck()
  await expectOrder(page, { lines: 3, days: 0, weeks: 2, total: '£0.00' })
  await expect(playButton(page)).toBeDisabled()
  await days.nth(1).check()
  const chosen = await numbersOn(line(page, 'B'))

  await expect(page.getByText('Step 1 of 3')).toBeVisible()
  await playButton(page).click()
  await expect(page.getByText('Step 2 of 3')).toBeVisible()
  await expectOrder(page, { lines: 3, days: 1, weeks: 2, total: '£6.00' })
  expect(await numbersOn(line(page, 'B'))).toEqual(chosen)
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(page.getByText('Step 1 of 3')).toBeVisible()
  expect(await numbersOn(line(page, 'B'))).toEqual(chosen)
  await expectOrder(page, { lines: 3, days: 1, weeks: 2, total: '£6.00' })

  // The steps are in the browser's history, and survive a reload.
  await page.goForward()
  await expect(page.getByText('Step 2 of 3')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Step 2 of 3')).toBeVisible()
  await expectOrder(page, { lines: 3, days: 1, weeks: 2, total: '£6.00' })
  expect(await numbersOn(line(page, 'B'))).toEqual(chosen)
  await page.goBack()
  await expect(page.getByText('Step 1 of 3')).toBeVisible()
  await page.reload()
  await expectOrder(page, { lines: 3, days: 1, weeks: 2, total: '£6.00' })

  await playButton(page).click()
  // Without a network nothing is ordered, and nothing when the network is back, until Pay is pressed again.
  const orders: string[] = []
  page.on('request', (request) => request.url().endsWith('/api/v1/payment') && orders.push(request.method()))
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Pay £6.00' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'You are offline. Nothing was ordered. Try again when you are connected.',
  )
  await page.context().setOffline(false)
  await page.waitForFunction(() => navigator.onLine)
  expect(orders).toEqual([])
  await page.getByRole('button', { name: 'Pay £6.00' }).click()
  await page.waitForURL(/\/checkout\//)
  expect(orders).toEqual(['POST'])
  await expect(page.getByText('3 lines in 2 draws', { exact: true })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Pay £6.00' })).toBeVisible()
})
