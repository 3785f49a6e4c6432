import { expect, test } from '@playwright/test'
import { callAs, forgetLimits, pressByKey, SETTINGS } from './account.ts'
import { expectNoFaults, expectNoSidewaysScroll, lineAt, order, PHONE, WEEKDAYS } from './journeys.ts'
import { accountMenu, arriveAsPlayer, GAME, moveClock, openDraw, payFromTestWallet, systemNow } from './player.ts'

test(
  'played games are listed with their jackpot, next draw and links; the list is empty before',
  { tag: '@variant' },
  async ({ page }) => {
    await forgetLimits(page)
    await openDraw(page)
    await arriveAsPlayer(page, '/')
    // The account menu, by keyboard.
    await pressByKey(page, accountMenu(page))
    await pressByKey(page, page.getByRole('banner').getByRole('link', { name: 'My games' }))
    const main = page.getByRole('main')
    await expect(main.getByText('No games played yet.')).toBeVisible()
    await expect(main.getByRole('link', { name: 'See all games' })).toHaveAttribute('href', '/')
    await expectNoFaults(page, 'my games, none')
    await payFromTestWallet(page, { transaction_id: await order(page, { lines: [lineAt(0)], days: WEEKDAYS }) })
    await page.reload()
    const game = main.getByRole('article').filter({ hasText: 'Bitcoin Hero' })
    await expect(game.getByText('£20K')).toBeVisible()
    await expect(game).toContainText(/Next draw.* at \d+:\d\d (AM|PM)/)
    await expectNoFaults(page, 'my games')
    await page.setViewportSize(PHONE)
    const tabs = page.getByRole('navigation', { name: 'General' })
    await tabs.getByRole('link', { name: 'Messages' }).click()
    await page.waitForURL((url) => url.pathname === SETTINGS.messages)
    await page.goBack()
    await game.getByRole('link', { name: 'Check Results of Bitcoin Hero' }).click()
    await page.waitForURL((url) => url.pathname === `${GAME}/results`)
    await page.goBack()
    await game.getByRole('link', { name: 'Play Bitcoin Hero' }).click()
    await page.waitForURL((url) => url.pathname === GAME)
  },
)

test('messages open, are read and unread, and have pages', { tag: '@variant' }, async ({ page }) => {
  await openDraw(page)
  await arriveAsPlayer(page, SETTINGS.messages)
  const main = page.getByRole('main')
  await expect(main.getByText('No messages.')).toBeVisible()
  await expectNoFaults(page, 'messages, none')
  for (let bought = 0; bought < 11; bought += 1)
    await payFromTestWallet(page, {
      transaction_id: await order(page, {
        lines: [lineAt(bought)],
        days: [new Date((await systemNow(page)) * 1000).getUTCDay() || 7],
      }),
    })
  await moveClock(page, { advance: 1 })
  await page.reload()
  const title = main.getByRole('button', { name: /^Your Bitcoin Hero numbers are in/ })
  await expect(title).toHaveCount(10)
  await expect(main.getByText('New', { exact: true })).toHaveCount(10)
  const bold = async () =>
    await title.first().evaluate((button) => getComputedStyle(button.querySelector('span span') ?? button).fontWeight)
  expect(Number(await bold())).toBeGreaterThanOrEqual(600)
  await pressByKey(page, title.first(), 'Space')
  await expect(title.first()).toHaveAttribute('aria-expanded', 'true')
  await expect(main.getByRole('link', { name: 'See your numbers' })).toHaveAttribute(
    'href',
    new RegExp(`${GAME}/results$`),
  )
  await expect(main.getByText('New', { exact: true })).toHaveCount(9)
  expect(Number(await bold())).toBeLessThan(600)
  await expectNoFaults(page, 'messages, one open')
  await pressByKey(page, main.getByRole('button', { name: 'Mark as Unread' }))
  await expect(main.getByText('New', { exact: true })).toHaveCount(10)
  await expect(page.getByRole('banner').getByText('11 unread messages')).toBeAttached()
  expect(
    ((await callAs(page, 'GET', '/settings/messages')) as { results: { is_read: boolean }[] }).results[0]?.is_read,
  ).toBe(false)

  await page.getByRole('navigation', { name: 'Message pages' }).getByRole('link', { name: 'Page 2' }).click()
  await page.waitForURL((url) => url.pathname === `${SETTINGS.messages}/2`)
  await expect(title).toHaveCount(1)
  await page.reload()
  await expect(title).toHaveCount(1)
  await page.setViewportSize(PHONE)
  await expectNoSidewaysScroll(page, 'messages, page 2')
  await page.goBack()
  await expect(title).toHaveCount(10)
  await page.goto(`${SETTINGS.messages}/7`)
  await main.getByRole('link', { name: 'Go to page 1' }).click()
  await expect(title).toHaveCount(10)
  await page.goto(`${SETTINGS.messages}/none`)
  await page.waitForURL((url) => url.pathname === '/page-not-found')
})
