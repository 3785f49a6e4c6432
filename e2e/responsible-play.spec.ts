import { expect, type Locator, type Page, test } from '@playwright/test'
import { callAs, forgetLimits, pressByKey, SETTINGS, tabTo } from './account.ts'
import { arriveAsPlayer, GAME, moveClock, openDraw, playButton } from './player.ts'

const DAY = 86_400
const PAUSED = /^You are taking a time-out until /
const EXCLUDED = /^You have excluded yourself from playing until /

test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage()
  await forgetLimits(page)
  await page.close()
})

function block(page: Page, title: string): Locator {
  return page
    .getByRole('main')
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
}

/** Tries to order a number of lucky dips, up to the press of Pay. */
async function order(page: Page, lines: number): Promise<void> {
  await openDraw(page)
  await page.goto(`${GAME}/lucky-dips/${lines}`)
  await playButton(page).click()
  await page.getByRole('button', { name: /^Pay £/ }).click()
}

test('a weekly limit is set with the keyboard alone, applies to the order, and is raised after a day', async ({
  page,
}) => {
  await arriveAsPlayer(page, SETTINGS.responsiblePlay)
  const limit = block(page, 'Weekly spending limit')
  const typeLimit = async (amount: string) => {
    await pressByKey(page, limit.getByRole('button', { name: 'Edit weekly spending limit' }))
    const toggle = limit.getByRole('switch', { name: 'Limit what I spend in a week' })
    if (!(await toggle.isChecked())) await pressByKey(page, toggle, 'Space')
    const field = limit.getByLabel('Most in seven days (GBP)')
    await tabTo(page, field)
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(amount)
  }
  await expect(limit.getByText('No limit')).toBeVisible()
  await typeLimit('a lot')
  await page.keyboard.press('Tab')
  await expect(limit.getByText('Enter an amount of money, such as 50 or 49.90.')).toBeVisible()
  await pressByKey(page, limit.getByRole('button', { name: 'Cancel' }))
  await typeLimit('2')
  await page.keyboard.press('Enter')
  await expect(limit.getByText('£2.00 a week')).toBeVisible()

  await order(page, 3)
  await expect(page.getByRole('alert')).toContainText(/limit/i)
  await expect(page.getByText('£2.00 of your £2.00 weekly limit is left.')).toBeVisible()
  await expect(page).not.toHaveURL(/\/checkout\//)
  await order(page, 2)
  await page.waitForURL(/\/checkout\//)

  await page.goto(SETTINGS.responsiblePlay)
  await typeLimit('10')
  await page.keyboard.press('Enter')
  await expect(limit.getByText(/^Your change is waiting and applies from /)).toBeVisible()
  await expect(limit.getByText('£2.00 a week')).toBeVisible()
  await expect(limit.getByText('£10.00 a week')).toBeVisible()
  await moveClock(page, { advance: DAY + 1 })
  await page.reload()
  await expect(limit.getByText('£10.00 a week')).toBeVisible()
  await expect(limit.getByText('£2.00 a week')).toHaveCount(0)
})

test(
  'a time-out is confirmed twice, ends automatically, and until then nothing can be bought',
  { tag: '@variant' },
  async ({ page }) => {
    await arriveAsPlayer(page, SETTINGS.responsiblePlay)
    const timeOut = block(page, 'Time-out')
    await timeOut.getByText('2 days').click()
    await timeOut.getByRole('button', { name: 'Take a time-out' }).click()
    const dialog = page.getByRole('dialog', { name: 'Take a time-out of 2 days?' })
    await expect(dialog.getByText(/It cannot be ended early/)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(timeOut.getByText(PAUSED)).toHaveCount(0)

    await timeOut.getByRole('button', { name: 'Take a time-out' }).click()
    await dialog.getByRole('button', { name: 'Take a time-out' }).click()
    await expect(timeOut.getByText(PAUSED)).toBeVisible()
    await page.goto(GAME)
    await expect(page.getByRole('main').getByText(PAUSED)).toBeVisible()
    await order(page, 1)
    await expect(page.getByRole('alert').or(page.getByText(PAUSED)).first()).toBeVisible()
    await expect(page).not.toHaveURL(/\/checkout\//)

    await moveClock(page, { advance: 2 * DAY + 60 })
    await order(page, 1)
    await page.waitForURL(/\/checkout\//)
  },
)

test('self-exclusion takes a tick and a press, with the keyboard alone, and cannot be undone', async ({ page }) => {
  await arriveAsPlayer(page, SETTINGS.responsiblePlay)
  const exclusion = block(page, 'Self-exclusion')
  await pressByKey(page, exclusion.getByRole('button', { name: 'Exclude myself' }))
  const dialog = page.getByRole('dialog', { name: 'Exclude yourself for 6 months?' })
  const confirm = dialog.getByRole('button', { name: 'Exclude myself' })
  await expect(confirm).toBeDisabled()
  await pressByKey(page, dialog.getByLabel('I understand that this cannot be undone.'), 'Space')
  await pressByKey(page, confirm)
  await expect(dialog).toHaveCount(0)
  await expect(exclusion.getByText(EXCLUDED)).toBeVisible()
  await expect(block(page, 'Time-out')).toHaveCount(0)
  await page.goto(GAME)
  await expect(page.getByRole('main').getByText(EXCLUDED)).toBeVisible()
  await order(page, 1)
  await expect(page.getByRole('alert').or(page.getByText(EXCLUDED)).first()).toBeVisible()
  await expect(page).not.toHaveURL(/\/checkout\//)
})

test('a reminder appears after the chosen time, and offers a break', { tag: '@variant' }, async ({ page }) => {
  await page.clock.install()
  await arriveAsPlayer(page, SETTINGS.messages)
  await callAs(page, 'PUT', '/settings/responsible-play', { reminder_minutes: 1 })
  await page.reload()
  // The account menu may be the server's rendering, and the page before the reload may have counted already: the time
  // counts once this page knows the player's choice.
  await page.evaluate(() => localStorage.removeItem('fairball.play-time'))
  await expect.poll(() => page.evaluate(() => localStorage.getItem('fairball.play-time'))).not.toBeNull()
  const reminder = page.getByRole('dialog', { name: 'You have been here for 1 minute' })
  await page.clock.runFor(45_000)
  await expect(reminder).toHaveCount(0)
  await page.clock.runFor(30_000)
  await expect(reminder).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(reminder).toHaveCount(0)
  await page.clock.runFor(75_000)
  await page.getByRole('dialog').getByRole('button', { name: 'Take a break' }).click()
  await page.waitForURL((url) => url.pathname === SETTINGS.responsiblePlay)
})
