import { expect, test } from '@playwright/test'
import { expectNoFaults } from './journeys.ts'
import { openDraw } from './player.ts'

interface ListedGame {
  key: string
  color: string
}

test('a game that comes while the page is open has its own colours, without a build', async ({ page }) => {
  await openDraw(page)
  let isThere = false
  await page.route('**/api/v1/games', async (route) => {
    const response = await route.fetch()
    const games = (await response.json()) as ListedGame[]
    const seventh = { ...games[0], id: 7, key: 'starter', name: 'Starter', color: '#9BE15D' }
    await route.fulfill({ response, json: isThere ? [...games, seventh] : games })
  })
  await page.goto('/')
  const cards = page.getByRole('region', { name: 'All games' }).getByRole('listitem')
  const colorOf = (name: string) =>
    cards
      .filter({ hasText: name })
      .getByRole('article')
      .evaluate((card) => getComputedStyle(card).getPropertyValue('--g'))
  expect(await colorOf('Bitcoin Hero')).toBe('#FF6F96')
  isThere = true
  // The demo's pages fetch the games every ten seconds.
  await expect(cards.filter({ hasText: 'Starter' })).toHaveCount(1, { timeout: 20_000 })
  await expect.poll(() => colorOf('Starter')).toBe('#9BE15D')
  expect(await colorOf('Bitcoin Hero')).toBe('#FF6F96')
  await expectNoFaults(page, 'home with a seventh game')
})
