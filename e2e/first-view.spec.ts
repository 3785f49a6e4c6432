import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { MOVING } from './journeys.ts'
import { type DrawTimes, GAME, moveClock, nextDraw, systemNow } from './player.ts'

// These journeys measure layout shifts.
test.use(MOVING)

/** Maximum layout shift while a page loads (stack-web, section 5). */
const MAX_SHIFT = 0.02
const MOVING_PAGES = ['/', GAME, `${GAME}/draws`, `${GAME}/draw/1`]
/** Pages with much text in the first view, or that update automatically. */
const GROWING_PAGES = ['/fairness', `${GAME}/watch`, `${GAME}/draw/1/proof`]
/** `npm test` looks at phones, where more is below each other. */
const WIDTHS = [
  { width: 360, paths: GROWING_PAGES },
  { width: 390, paths: MOVING_PAGES },
  { width: 1280, paths: MOVING_PAGES, tag: '@variant' },
]
const BEFORE_CLOSE_SECONDS = 900

/** An entry of the browser's list of layout shifts, which the DOM's types lack. */
type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] }
/** A shift of the layout, with the texts that moved. */
interface Moved {
  readonly value: number
  readonly moved: readonly string[]
}

test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage()
  const drawn = (await (await page.request.get('/api/v1/games/bitcoin-hero/draws')).json()) as { results: unknown[] }
  if (drawn.results.length === 0) await moveClock(page, { to: (await nextDraw(page)).end_at + 120 })
  // In the hour before a draw the first view has the most parts; far enough from its close that nothing changes
  // meanwhile.
  await moveClock(page, { to: (await nextClose(page)) - BEFORE_CLOSE_SECONDS })
  await page.close()
})

for (const { width, paths, tag = [] } of WIDTHS)
  test(`no page shifts while it loads over a slow line, ${width} px wide`, { tag }, async ({ context }) => {
    // They wait for the line most of the time, so all load at once.
    const shifts = await Promise.all(paths.map(async (path) => [path, await shiftsOf(context, path, width)] as const))
    for (const [path, entries] of shifts) {
      const sum = entries.reduce((total, { value }) => total + value, 0)
      expect.soft(sum, `${path}: ${JSON.stringify(entries)}`).toBeLessThanOrEqual(MAX_SHIFT)
    }
  })

/** Opens a page over a slow line of its own. @returns what moved until it was complete */
async function shiftsOf(context: BrowserContext, path: string, width: number): Promise<Moved[]> {
  const page = await context.newPage()
  await page.setViewportSize({ width, height: 844 })
  await page.addInitScript(() => {
    const shifts: Moved[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[])
        if (!hadRecentInput) shifts.push({ value, moved: sources.map(({ node }) => node?.textContent ?? '') })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 90_000,
  })
  await page.goto(path, { waitUntil: 'networkidle' })
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
  const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: Moved[] }).shifts)
  await page.close()
  return shifts
}

test('the server renders its pages with React’s production build, in the demo too', () => {
  const folder = join(import.meta.dirname, '../packages/web/dist/server')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'))
  const code = files.map((file) => readFileSync(join(folder, file), 'utf8'))
  expect(code.filter((text) => text.includes('react-dom-server.node.production'))).toHaveLength(1)
  expect(code.filter((text) => /react[\w-]*(?:\.\w+)?\.development\.js/.test(text))).toEqual([])
})

test('a page scrolled before it is usable stays where it is, and a reload returns to the same place', async ({
  page,
}) => {
  const place = () => page.evaluate(() => scrollY)
  const takeOver = await withoutScripts(page, () => page.goto('/terms', { waitUntil: 'commit' }))
  await page.mouse.wheel(0, 900)
  await expect.poll(place).toBe(900)
  await takeOver()
  expect(await place()).toBe(900)

  const takeOverAgain = await withoutScripts(page, () => page.reload({ waitUntil: 'commit' }))
  await expect.poll(place).toBe(900)
  await page.mouse.wheel(0, -500)
  await expect.poll(place).toBe(400)
  await takeOverAgain()
  expect(await place()).toBe(400)

  await page.reload()
  await expect.poll(place).toBe(400)
})

/** @returns the next close of sales of any game that is far enough away */
async function nextClose(page: Page): Promise<number> {
  const games = (await (await page.request.get('/api/v1/games')).json()) as { next_draw: DrawTimes }[]
  const from = (await systemNow(page)) + BEFORE_CLOSE_SECONDS
  return Math.min(...games.map((game) => game.next_draw.ticket_sell_closes_at).filter((closesAt) => closesAt > from))
}

/**
 * Opens a page with its HTML but without its scripts, as on a slow phone.
 * @returns a function that loads the scripts and waits until they have run
 */
async function withoutScripts(page: Page, open: () => Promise<unknown>): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<void>()
  const isScript = /\/assets\/entry-client-[^/]+\.js$/
  await page.route(isScript, async (route) => {
    await gate.promise
    await route.continue()
  })
  await open()
  await expect(page.getByRole('contentinfo')).toBeVisible()
  return async () => {
    gate.resolve()
    await page.waitForLoadState('networkidle')
    // React's own properties on an element show that it is hydrated.
    await page.waitForFunction(() =>
      Object.keys(document.querySelector('footer') ?? {}).some((key) => key.startsWith('__react')),
    )
    await page.unroute(isScript)
  }
}
