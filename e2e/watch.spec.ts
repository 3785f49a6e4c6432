import { expect, type Page, test } from '@playwright/test'
import {
  accessibilityFaults,
  accountMenu,
  arriveAsPlayer,
  GAME,
  moveClock,
  numbersOn,
  openDraw,
  orderLuckyDips,
  payFromTestWallet,
  PICK,
} from './player.ts'

const BALL_SECONDS = 20

function tray(page: Page) {
  return page.getByRole('list', { name: 'Numbers of this draw' })
}

function tag(page: Page, text: string) {
  return page.getByRole('status').getByText(text, { exact: true })
}

/** Follows the draw of the open watch page from just before its start to its end; returns the shown numbers. */
async function watchDraw(page: Page, draw: { start_at: number }): Promise<number[]> {
  await expect(tag(page, 'STARTS SOON')).toBeVisible()
  await expect(tray(page).getByText('not drawn yet')).toHaveCount(PICK)
  await expect(tag(page, 'LIVE')).toBeVisible()
  await expect(tray(page).getByText('being drawn')).toHaveCount(1)
  let seen: number[] = []
  for (let ball = 1; ball <= PICK; ball += 1) {
    await moveClock(page, { to: draw.start_at + ball * BALL_SECONDS })
    await expect.poll(() => numbersOn(tray(page)), { message: `ball ${ball} appears` }).toHaveLength(ball)
    const numbers = await numbersOn(tray(page))
    // The balls that were there stay, in their order.
    expect(numbers.slice(0, seen.length)).toEqual(seen)
    seen = numbers
    // Each ball says what it means for the player's lines.
    await expect(page.getByText(new RegExp(`^${numbers.at(-1)} (matches|is on none)`, 'u'))).toBeVisible()
  }
  await expect(tag(page, 'ENDED')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Prizes of this draw' })).toBeVisible()
  return seen
}

test('a draw goes from STARTS SOON to LIVE with one ball after another to ENDED, and its record can be checked', async ({
  page,
}) => {
  test.setTimeout(90_000)
  const draw = await openDraw(page)
  await arriveAsPlayer(page, '/')
  const order = await orderLuckyDips(page, 12)
  await payFromTestWallet(page, { transaction_id: order })
  await expect(page.getByRole('heading', { name: 'Payment confirmed!' })).toBeVisible()
  await page.waitForURL(/transaction_id=/)

  await page.goto(`${GAME}/watch`)
  await expect(page.getByRole('link', { name: 'PLAY THE GAME' })).toBeVisible()
  await expect(page.getByText('You have 12 lines in this draw.')).toBeVisible()
  await moveClock(page, { to: draw.start_at - 6 })
  await page.goto(`${GAME}/watch`)
  await expect(accountMenu(page)).toBeVisible()
  await expect(page.getByText(/^Sales are closed\. \d+ lines are sealed\.$/u)).toBeVisible()
  const drawn = await watchDraw(page, draw)
  await page.getByRole('button', { name: 'Show all 12 lines' }).click()
  const own = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Your lines (12)' }) })
  const watched = own.last().getByRole('list', { name: /^Line [A-L]$/u })
  await expect(watched).toHaveCount(12)
  for (const line of await watched.all())
    await expect(line.getByText('match')).toHaveCount(
      (await numbersOn(line)).filter((number) => drawn.includes(number)).length,
    )
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('link', { name: 'CHECK RESULTS' }).click()

  // The results mark the numbers of each line that were drawn.
  await expect(page.getByRole('heading', { name: 'Bitcoin Hero Results' })).toBeVisible()
  const play = page.getByRole('article').filter({ hasText: '12 lines' })
  const header = play.getByRole('button', { expanded: false })
  await expect(header).toBeVisible()
  await header.click()
  expect(await numbersOn(play.getByRole('list', { name: 'Numbers drawn' }))).toEqual(drawn)
  const lines = play.getByRole('list', { name: /^Line \d+$/ })
  await expect(lines).toHaveCount(12)
  for (const line of await lines.all()) {
    const matching = (await numbersOn(line)).filter((number) => drawn.includes(number))
    await expect(line.getByText('match')).toHaveCount(matching.length)
  }
  expect(await accessibilityFaults(page)).toEqual([])

  // The page of the draw has the data to check it.
  await play.getByRole('link', { name: /^Draw \d+$/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Bitcoin Hero draw \d+$/ })).toBeVisible()
  expect(await numbersOn(page.getByRole('list', { name: /in the order drawn/i }))).toEqual(drawn)
  await expect(page.getByRole('heading', { name: 'Fairness record' })).toBeVisible()
  await page.getByRole('button', { name: 'Replay this draw' }).click()
  const replay = page.getByRole('region', { name: /^Bitcoin Hero, draw \d+ · / })
  await replay.getByRole('button', { name: 'Next ball' }).click()
  await expect(replay.getByText('Ball 2 of 5', { exact: true })).toBeVisible()
  await expect(replay.getByText(new RegExp(`^${drawn[0]} (matches|is on none)`, 'u'))).toBeVisible()
  await replay.getByRole('button', { name: 'Skip' }).click()
  expect(await numbersOn(tray(page))).toEqual(drawn)
  for (const name of [
    'Announcement (hash)',
    'Seed hash',
    'Sealed list (hash of its statement)',
    'Seed',
    'Result (hash)',
  ])
    await expect(page.getByRole('term').getByText(name, { exact: true })).toBeVisible()
  for (const name of ['Root of all plays', 'Random number’s round', 'Random number’s signature'])
    await expect(page.getByRole('term').getByText(name, { exact: true })).toBeVisible()
  expect(await accessibilityFaults(page)).toEqual([])
})
