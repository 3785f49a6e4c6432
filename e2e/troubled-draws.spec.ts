import { expect, type Page, test } from '@playwright/test'
import type { WatchData } from '@fairball/contract/schemas/game'
import { forgetLimits, pressByKey, SETTINGS } from './account.ts'
import { askAgain, closeLid, layWire, openLid, sleepUntil } from './computer.ts'
import { expectNoFaults, lineAt, order, PHONE } from './journeys.ts'
import {
  arriveAsPlayer,
  GAME,
  moveClock,
  nextDraw,
  numbersOn,
  openDraw,
  payFromTestWallet,
  PICK,
  systemNow,
} from './player.ts'

const WATCH = `${GAME}/watch`

function tag(page: Page, text: string) {
  return page.getByRole('status').getByText(text, { exact: true })
}

function tray(page: Page) {
  return page.getByRole('list', { name: 'Numbers of this draw' })
}

function plays(page: Page) {
  return page.getByRole('region', { name: 'Number Matches' }).getByRole('article')
}

/** Opens the watch page of the draw, and waits until it follows the draw. */
async function watch(page: Page): Promise<void> {
  const isFollowed = page.waitForRequest('**/watch/stream')
  await page.goto(WATCH)
  await isFollowed
}

test('a tab that slept through the draw has every ball when it wakes, or says what it missed', async ({
  browser,
  page,
}) => {
  const draw = await openDraw(page)
  const { number } = draw
  const beganAt = draw.start_at - 60
  await moveClock(page, { to: beganAt })
  const tabs = [await browser.newPage(), await browser.newPage()] as const
  const [soon, late] = tabs
  for (const tab of tabs) {
    await tab.clock.install()
    await watch(tab)
    await expect(tag(tab, 'STARTS SOON')).toBeVisible()
    await closeLid(tab)
  }

  await moveClock(page, { to: draw.end_at + 5 })
  await openLid(soon, draw.end_at + 5 - beganAt)
  await expect(tag(soon, 'ENDED')).toBeVisible()
  const drawn = await numbersOn(tray(soon))
  expect(drawn).toHaveLength(PICK)
  await expect(soon.getByRole('link', { name: 'CHECK RESULTS' })).toBeVisible()

  await moveClock(page, { to: draw.end_at + 605 })
  await openLid(late, draw.end_at + 605 - beganAt)
  await expect(
    late.getByText(`Draw ${number} ended while this page was away. Its numbers: ${drawn.join(', ')}.`),
  ).toBeVisible()
  await expect(tray(late).getByText('not drawn yet')).toHaveCount(PICK)
  await expectNoFaults(late, 'watch, slept until the next draw')
  await pressByKey(late, late.getByRole('link', { name: `See draw ${number}` }))
  await expect(late.getByRole('heading', { level: 1, name: `Bitcoin Hero draw ${number}` })).toBeVisible()
  for (const tab of tabs) await tab.close()
})

test('a connection that breaks during a draw is shown as lost, and reopened without a missed ball', async ({
  baseURL,
  browser,
  page,
}) => {
  const wire = await layWire(baseURL ?? '')
  const draw = await openDraw(page)
  await moveClock(page, { to: draw.start_at - 6 })
  const watching = await browser.newPage({ baseURL: wire.url, viewport: PHONE })
  let opened = 0
  watching.on('request', (request) => {
    if (request.url().endsWith('/stream')) opened += 1
  })
  await watching.goto(WATCH)
  await expect(tag(watching, 'STARTS SOON')).toBeVisible()
  await expect.poll(() => opened).toBe(1)
  await moveClock(page, { to: draw.start_at + 25 })
  await expect.poll(() => numbersOn(tray(watching))).toHaveLength(1)
  expect(opened).toBe(1)

  wire.cut()
  const lost = 'Connection lost. The draw continues; we’ll catch up when you’re back.'
  await expect(watching.getByRole('paragraph').filter({ hasText: lost })).toBeVisible()
  await expect(watching.getByRole('status').filter({ hasText: lost })).toBeAttached()
  await expectNoFaults(watching, 'watch, connection lost')
  await watching.setViewportSize(PHONE)
  await moveClock(page, { to: draw.start_at + 65 })
  expect(await numbersOn(tray(watching))).toHaveLength(1)
  wire.mend()
  await expect.poll(() => numbersOn(tray(watching))).toHaveLength(3)
  await expect.poll(() => opened, { timeout: 30_000 }).toBeGreaterThan(1)
  await moveClock(page, { to: draw.end_at + 5 })
  await expect(tag(watching, 'ENDED')).toBeVisible()
  expect(await numbersOn(tray(watching))).toHaveLength(PICK)
  await watching.close()
  wire.close()
})

test('while the random number of a draw is late its live page says why, and the balls follow once it arrives', async ({
  page,
}) => {
  const draw = await openDraw(page)
  await moveClock(page, { to: draw.start_at - 60 })
  await page.route('**/watch/stream', (route) => route.abort())
  await watch(page)
  await expect(tag(page, 'STARTS SOON')).toBeVisible()
  await expectNoFaults(page, 'watch, soon')
  // The demo's source of randomness is never late, so the real answers are changed to those of a late one.
  const late: WatchData = { draw: [true, false, false, false, false], prizes: false }
  await page.route('**/api/v1/games/bitcoin-hero/watch', async (route) => {
    await route.fulfill({ response: await route.fetch(), json: { ok: true, data: late } })
  })
  await moveClock(page, { to: draw.end_at + 5 })
  await askAgain(page)
  await expect(page.getByText('The random number is late. The balls are drawn as soon as it arrives.')).toBeVisible()
  await expect(tag(page, 'LIVE')).toBeVisible()
  await expect(tray(page).getByText('being drawn')).toHaveCount(1)
  await expect(page.getByRole('table', { name: 'Prizes of this draw' }).getByText('not drawn yet')).not.toHaveCount(0)
  await expectNoFaults(page, 'watch, random number late')
  await page.unroute('**/api/v1/games/bitcoin-hero/watch')
  await expect(tag(page, 'ENDED')).toBeVisible()
  await expect.poll(() => numbersOn(tray(page))).toHaveLength(PICK)
})

test(
  'a draw that misses its time is delayed, and the third time it is void and its lines play later',
  { tag: '@variant' },
  async ({ browser, page }) => {
    await forgetLimits(page)
    // The first draw of a new product has the next one close behind it; the ones after it are a day apart.
    await moveClock(page, { to: (await openDraw(page)).end_at + 605 })
    const draw = await openDraw(page)
    const { number } = draw
    const weekday = new Date(draw.start_at * 1000).getUTCDay() || 7
    await arriveAsPlayer(page, GAME)
    await payFromTestWallet(page, { transaction_id: await order(page, { lines: [lineAt(0)], days: [weekday] }) })
    const watching = await browser.newPage()
    await moveClock(page, { to: draw.ticket_sell_closes_at - 60 })
    await watch(watching)
    await expect(watching.getByRole('link', { name: 'PLAY THE GAME' })).toBeVisible()

    await sleepUntil(page, draw.start_at - 5)
    await askAgain(watching)
    await expect(watching.getByText('This draw is delayed. Sales stay closed; every line stays in.')).toBeVisible()
    await expect(tag(watching, 'STARTS SOON')).toBeVisible()
    await expect(watching.getByRole('link', { name: 'PLAY THE GAME' })).toHaveCount(0)
    await expect(watching.getByRole('timer', { name: 'Time until the draw' })).toContainText(/1[45]\s*Mins/)
    await expectNoFaults(watching, 'watch, delayed')
    await page.goto(`${GAME}/draw/${number}`)
    await expect(page.getByText('Sales closed').first()).toBeVisible()
    await page.goto(`${GAME}/results`)
    await expect(plays(page).getByText('Upcoming draw', { exact: true })).toBeVisible()

    // After the second and third miss the draw is void.
    for (let again = 0; again < 2; again += 1) await sleepUntil(page, (await nextDraw(page)).start_at - 5)
    await askAgain(watching)
    await expect(
      watching.getByText(
        `Draw ${number} did not take place. Its lines play in a later draw at no cost, and their players have a message that says so.`,
      ),
    ).toBeVisible()
    await expectNoFaults(watching, 'watch, after a void draw')
    await watching.setViewportSize(PHONE)
    await watching.getByRole('link', { name: `See draw ${number}` }).click()
    await expect(watching.getByText('Void', { exact: true })).toBeVisible()
    await expect(
      watching.getByText(
        'This draw did not take place. Its plays moved to the next open draw of the game, free of charge.',
      ),
    ).toBeVisible()
    await expect(watching.getByText('No money moved: each entry kept its stake.')).toBeVisible()
    await expectNoFaults(watching, 'draw, void')
    await watching.goto(`${GAME}/draws`)
    await expect(watching.getByRole('article').or(watching.getByText('No draw history yet.')).first()).toBeVisible()
    await expect(watching.getByRole('main').getByRole('link', { name: `Draw ${number}`, exact: true })).toHaveCount(0)

    await page.goto(SETTINGS.messages)
    await pressByKey(page, page.getByRole('button', { name: /^Your Bitcoin Hero lines moved to a later draw/ }))
    const next = await nextDraw(page)
    await expect(
      page.getByText(
        new RegExp(
          `^Draw ${number} of Bitcoin Hero could not be held, so your lines play later: in draw ${number + 1} on .+ \\(London\\) instead of draw ${number}\\.$`,
        ),
      ),
    ).toBeVisible()
    await expect(page.getByText('You pay nothing more, and nothing is lost.')).toBeVisible()
    await expectNoFaults(page, 'messages, lines moved')
    await page.goto(`${GAME}/results`)
    await expect(plays(page).getByText('Upcoming draw', { exact: true })).toBeVisible()
    await moveClock(page, { to: next.end_at + 605 })
    await page.reload()
    await expect(plays(page)).toHaveCount(1)
    await expect(plays(page).getByText('Upcoming draw', { exact: true })).toHaveCount(0)
    expect(await systemNow(page)).toBeGreaterThan(next.end_at)
    await watching.close()
  },
)
