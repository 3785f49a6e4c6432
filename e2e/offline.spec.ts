import { expect, test } from '@playwright/test'
import { arriveAsPlayer, GAME, moveClock, openDraw } from './player.ts'

test.use({ serviceWorkers: 'allow' })

/** Waits until the worker has filled its caches. */
const untilKept = async () => {
  await navigator.serviceWorker.ready
  for (;;) {
    for (const name of await caches.keys())
      if ((await (await caches.open(name)).match('/offline-results.json')) !== undefined) return name
    await new Promise((later) => setTimeout(later, 100))
  }
}

test('the last results can be read without a connection, with their time; online again, the site is back', async ({
  page,
  context,
}) => {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  const { end_at: endAt } = await openDraw(page)
  await moveClock(page, { to: endAt + 120 })
  await page.goto('/')
  await page.evaluate(untilKept)

  await context.setOffline(true)
  await page.goto(`${GAME}/draws`)
  await expect(page).toHaveTitle('You are offline – Fairball')
  await expect(page.getByRole('heading', { level: 1, name: 'You are offline' })).toBeVisible()
  await expect(
    page.getByText(/^These are the last results kept on this device, from \w+ \d+, \d{4} at \d+:\d\d (AM|PM)\./),
  ).toBeVisible()
  // The requested game comes first.
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('Bitcoin Hero')
  await expect(page.getByRole('list', { name: 'Numbers' }).first().getByRole('listitem')).toHaveCount(5)
  for (const width of [1280, 390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow, `sideways scroll at ${width} px`).toBeLessThanOrEqual(0)
  }

  await context.setOffline(false)
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Bitcoin Hero')
  expect(complaints).toEqual([])
})

test('no data of a player is cached, and the site can remove the worker with its caches', async ({ page }) => {
  await arriveAsPlayer(page, '/settings/general/my-games')
  await expect(page.getByRole('heading', { level: 1, name: 'My games' })).toBeVisible()
  await page.evaluate(untilKept)
  const kept = await page.evaluate(async () => {
    const found: string[] = []
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname)
    return found
  })
  expect(kept.toSorted()).toEqual([
    expect.stringMatching(/^\/assets\/anybody-.*\.woff2$/),
    expect.stringMatching(/^\/assets\/figtree-.*\.woff2$/),
    '/favicon.svg',
    '/offline-results.json',
  ])

  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.postMessage('leave'))
  await expect
    .poll(() =>
      page.evaluate(async () => [
        (await caches.keys()).length,
        (await navigator.serviceWorker.getRegistrations()).length,
      ]),
    )
    .toEqual([0, 0])
})
