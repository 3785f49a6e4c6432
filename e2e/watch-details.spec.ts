import { expect, type Page, test } from '@playwright/test'
import { forgetLimits, pressByKey } from './account.ts'
import { expectNoFaults, expectNoSidewaysScroll, order, PHONE, randomLines } from './journeys.ts'
import { arriveAsPlayer, GAME, moveClock, numbersOn, openDraw, payFromTestWallet, PICK } from './player.ts'

const WATCH = `${GAME}/watch`

function tag(page: Page, text: string) {
  return page.getByRole('status').getByText(text, { exact: true })
}

function tray(page: Page) {
  return page.getByRole('list', { name: 'Numbers of this draw' })
}

test(
  'before the draw there are a link to play, prizes, other draws, and a sound that is off by default',
  { tag: '@variant' },
  async ({ page }) => {
    await openDraw(page)
    await page.goto(WATCH)
    await expect(page.getByRole('heading', { level: 1, name: /^Bitcoin Hero, draw \d+$/ })).toBeVisible()
    await expect(page.getByRole('timer', { name: 'Time until the draw' })).toBeVisible()
    await expect(page.getByText(/^\d+\.\d{8} BTC$/).first()).toBeVisible()
    await expect(page.getByRole('link', { name: 'PLAY THE GAME' })).toHaveAttribute('href', GAME)
    await expect(page.getByRole('link', { name: 'CHECK PREVIOUS RESULTS' })).toHaveAttribute('href', `${GAME}/results`)
    const prizes = page.getByRole('table', { name: 'Prizes of this draw' })
    await expect(prizes.getByRole('row', { name: /Match 5/ })).toContainText('Jackpot')
    await expect(prizes.getByRole('row', { name: /Match 2/ })).toContainText('Free ticket')
    const sound = page.getByRole('button', { name: 'Sound' })
    await expect(sound).toHaveAttribute('aria-pressed', 'false')
    await expectNoFaults(page, 'watch, before')
    await pressByKey(page, sound, 'Space')
    await expect(sound).toHaveAttribute('aria-pressed', 'true')
    await page.reload()
    await expect(sound).toHaveAttribute('aria-pressed', 'true')
    const others = page.getByRole('navigation', { name: 'Watch another game' })
    await expect(others.getByRole('link')).toHaveCount(5)
    await others.getByRole('link', { name: /Treasure/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: /^Treasure, draw \d+$/ })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: /^Bitcoin Hero, draw \d+$/ })).toBeVisible()
  },
)

test('on a phone a draw can be followed from before its start to its end, which shows the winners', async ({
  page,
}) => {
  await forgetLimits(page)
  const draw = await openDraw(page)
  await arriveAsPlayer(page, '/')
  const weekday = new Date(draw.start_at * 1000).getUTCDay() || 7
  // Of a thousand lines some win in every draw.
  await payFromTestWallet(page, { transaction_id: await order(page, { lines: randomLines(990), days: [weekday] }) })
  await page.setViewportSize(PHONE)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await moveClock(page, { to: draw.start_at - 6 })
  await page.goto(WATCH)
  await expect(tag(page, 'STARTS SOON')).toBeVisible()
  await expect(page.getByRole('link', { name: 'PLAY THE GAME' })).toHaveCount(0)
  await expect(tray(page).getByText('not drawn yet')).toHaveCount(PICK)
  await expectNoSidewaysScroll(page, 'watch, soon')
  await expect(tag(page, 'LIVE')).toBeVisible()
  await moveClock(page, { to: draw.start_at + 45 })
  await expect.poll(() => numbersOn(tray(page))).toHaveLength(2)
  await expectNoFaults(page, 'watch, live')
  await page.setViewportSize(PHONE)
  // The player's lines begin in the first view, and the balls stay in view above them.
  const own = page.getByRole('heading', { name: 'Your lines (990)' })
  await page.evaluate(() => scrollTo(0, 0))
  expect((await own.boundingBox())?.y).toBeLessThan(PHONE.height)
  await page.getByRole('button', { name: 'Show all 990 lines' }).scrollIntoViewIfNeeded()
  const top = (await tray(page).boundingBox())?.y ?? NaN
  expect(top).toBeGreaterThanOrEqual(0)
  expect(top).toBeLessThan(40)

  await moveClock(page, { to: draw.end_at + 5 })
  await expect(tag(page, 'ENDED')).toBeVisible()
  await expect.poll(() => numbersOn(tray(page))).toHaveLength(PICK)
  await expect(page.getByRole('link', { name: 'See my lines' })).toBeVisible()
  await expect(page.getByText(/^You won .*\d/u).last()).toBeVisible()
  await expect(page.getByText(/^\d+ winning lines?$/u)).toBeVisible()
  await expect(page.getByText('You win!', { exact: true }).first()).toBeVisible()
  await expectNoFaults(page, 'watch, ended')
  await page.setViewportSize(PHONE)
  await expect(page.getByRole('link', { name: 'CHECK RESULTS' })).toHaveAttribute('href', `${GAME}/results`)
  await page.getByRole('link', { name: 'Draw details' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Bitcoin Hero draw \d+$/ })).toBeVisible()
  await page.goBack()
  await expect(tag(page, 'ENDED')).toBeVisible()
})
