import { expect, type Page, test } from '@playwright/test'
import { callAs, forgetLimits, pressByKey } from './account.ts'
import { DAY_SECONDS, expectNoFaults, goToMonday, lineAt, order, PHONE } from './journeys.ts'
import {
  arriveAgain,
  arriveAsPlayer,
  GAME,
  moveClock,
  numbersOn,
  openDraw,
  payFromTestWallet,
  playButton,
} from './player.ts'

test.beforeAll(forgetLimits)

function days(page: Page) {
  return page.getByRole('group', { name: 'Draw days' })
}

test(
  'how to play has six steps for the keyboard, and closes at its end and by Escape',
  { tag: '@variant' },
  async ({ page }) => {
    await page.goto(GAME)
    const opener = page.getByRole('button', { name: 'How to play' })
    await pressByKey(page, opener)
    const dialog = page.getByRole('dialog', { name: 'How to play' })
    await expect(dialog.getByText('1 of 6', { exact: true })).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Previous' })).toHaveCount(0)
    await expectNoFaults(page, 'how to play')
    for (let step = 2; step <= 6; step += 1) {
      await pressByKey(page, dialog.getByRole('button', { name: 'NEXT' }))
      await expect(dialog.getByText(`${step} of 6`, { exact: true })).toBeVisible()
      await expect(dialog.getByRole('progressbar')).toHaveAttribute('aria-valuenow', String(step))
      if (step === 5) await expect(dialog.getByText(/1 is this week's draw, up to 2\./)).toBeVisible()
    }
    await expect(dialog.getByText(/After pressing play you must sign in before confirming\./)).toBeVisible()
    await pressByKey(page, dialog.getByRole('button', { name: 'Previous' }))
    await expect(dialog.getByText('5 of 6', { exact: true })).toBeVisible()
    await pressByKey(page, dialog.getByRole('button', { name: 'NEXT' }))
    await pressByKey(page, dialog.getByRole('button', { name: 'GOT IT' }))
    await expect(dialog).toHaveCount(0)
    await expect(opener).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.locator('dialog :focus, dialog:focus')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  },
)

test(
  'a visitor sees the game with its odds and prizes, and the buttons for the phase of the draw',
  { tag: '@variant' },
  async ({ page }) => {
    // The first draw of a demo is close; the next one is at its usual time.
    await moveClock(page, { to: (await openDraw(page)).end_at + 605 })
    const draw = await openDraw(page)
    await page.goto(GAME)
    const prizes = page.getByRole('main').getByRole('listitem')
    await expect(prizes.filter({ hasText: 'Match 5' })).toHaveText(/1 in 376,992.*Jackpot/)
    await expect(prizes.filter({ hasText: 'Match 2' })).toHaveText(/Free ticket/)
    await expect(page.getByRole('link', { name: 'Log in To Play' })).toHaveAttribute('href', `/login?path=${GAME}`)
    await expect(page.getByRole('timer', { name: 'Time until the draw' })).toBeVisible()
    await expectNoFaults(page, 'game, visitor')
    const main = page.getByRole('main')
    const watch = main.getByRole('link', { name: 'WATCH THE DRAWS' })
    await expect(watch).toHaveCount(0)
    await moveClock(page, { to: draw.start_at - 3600 })
    await page.reload()
    await expect(watch).toBeVisible()
    await moveClock(page, { to: draw.end_at + 5 })
    await page.reload()
    await expect(main.getByRole('link', { name: 'CHECK DRAW HISTORY' })).toHaveAttribute('href', `${GAME}/draws`)
    await expect(watch).toHaveCount(0)
  },
)

test(
  'the picker closes by a press beside it, on a phone too, and restores the confirmed numbers',
  { tag: '@variant' },
  async ({ page }) => {
    await openDraw(page)
    await arriveAsPlayer(page, GAME)
    for (const viewport of [{ width: 1280, height: 800 }, PHONE]) {
      await page.setViewportSize(viewport)
      await page.getByRole('button', { name: 'Choose numbers of line A' }).click()
      const picker = page.getByRole('dialog', { name: 'SELECT NUMBERS' })
      await picker.getByRole('button', { name: '4', exact: true }).click()
      await expect(picker.getByText('1 of 5', { exact: true })).toBeVisible()
      await page.mouse.click(5, 5)
      await expect(picker).toHaveCount(0)
      expect(await numbersOn(page.getByRole('list', { name: 'Line A', exact: true }))).toEqual([])
    }
  },
)

test(
  'days that have passed cannot be chosen, and days are those of the player’s time zone',
  { tag: '@variant' },
  async ({ page }) => {
    await goToMonday(page)
    await moveClock(page, { advance: 2 * DAY_SECONDS })
    const email = await arriveAsPlayer(page, GAME)
    await expect(days(page).getByText('Some days cannot be chosen because they have passed.')).toBeVisible()
    const boxes = days(page).getByRole('checkbox')
    for (const passed of [0, 1]) await expect(boxes.nth(passed)).toBeDisabled()
    await expect(boxes.nth(2)).toBeChecked()
    await expectNoFaults(page, 'game, days passed')
    const before = (await days(page).locator('label').allTextContents()).map((text) => text.slice(0, 3))
    expect(before).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'])

    // Fourteen hours ahead of UTC the draw at 18:00 is on the next day.
    const zones = (await (await page.request.get('/api/v1/timezones')).json()) as { id: number; label: string }[]
    const far = zones.find(({ label }) => label.includes('Kiritimati'))
    const { username, currency_id: currency } = (await callAs(page, 'GET', '/settings/personal-details')) as {
      username: string
      currency_id: number
    }
    await callAs(page, 'PUT', '/settings/personal-details', {
      username,
      email,
      timezone_id: far?.id,
      currency_id: currency,
    })
    await arriveAgain(page, `${GAME}#game-settings-block`, email)
    await expect(days(page)).toBeInViewport()
    await expect(days(page).locator('label').first()).toHaveText(/^Tue/)
    await expect(days(page).locator('label').last()).toHaveText(/^Mon/)
  },
)

test(
  'last played numbers can be replayed, payment is explained, and a failed start of payment shows why',
  { tag: '@variant' },
  async ({ page }) => {
    const draw = await openDraw(page)
    await arriveAsPlayer(page, GAME)
    const weekday = new Date(draw.start_at * 1000).getUTCDay() || 7
    await payFromTestWallet(page, {
      transaction_id: await order(page, { lines: [lineAt(3), lineAt(4)], days: [weekday] }),
    })
    await page.reload()
    await expectNoFaults(page, 'game, player')
    await pressByKey(page, page.getByRole('button', { name: 'Replay: Last played numbers' }))
    expect(await numbersOn(page.getByRole('list', { name: 'Line A', exact: true }))).toEqual(lineAt(3))
    expect(await numbersOn(page.getByRole('list', { name: 'Line B', exact: true }))).toEqual(lineAt(4))
    await expect(page.getByRole('button', { name: 'Save numbers' })).toBeVisible()
    await pressByKey(page, playButton(page))
    await expect(page.getByText('Step 2 of 3')).toBeVisible()
    await pressByKey(page, page.getByRole('button', { name: 'How to pay with bitcoin' }))
    await expect(page.getByText(/^Bitcoin payments take 10-30 minutes to confirm/)).toBeVisible()
    // The server's literal answer if the operator's bankroll is too low for an order, which never happens in a demo.
    const unavailable = { code: 'GAME_NOT_AVAILABLE', message: 'The game is not available at the moment' }
    await page.route('**/api/v1/payment', (route) => route.fulfill({ status: 409, json: { error: unavailable } }))
    await page.getByRole('button', { name: /^Pay £/ }).click()
    await expect(page.getByRole('alert').getByText('The game is not available at the moment')).toBeVisible()
    await page.route('**/api/v1/payment', (route) => route.fulfill({ status: 500, body: '' }))
    await page.getByRole('button', { name: /^Pay £/ }).click()
    await expect(
      page.getByText('An unexpected error occurred while initiating the payment. Please try again later.'),
    ).toBeVisible()
    await expectNoFaults(page, 'payment method, failed')
    await page.unroute('**/api/v1/payment')
    await page.getByRole('button', { name: /^Pay £2\.00/ }).click()
    await page.waitForURL(/\/checkout\//)
  },
)
