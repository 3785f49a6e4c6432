import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { GAME, moveClock, nextDraw } from './player.ts'

// A refused worker would complain in the console.
test.use({ serviceWorkers: 'allow' })

/** What moves by itself while a page arrives, at most (stack-web, section 5). */
const MOST_SHIFT = 0.02
const MOVING_PAGES = ['/', GAME, `${GAME}/draws`, `${GAME}/draw/1`]
/** Pages with much text in the first view, or that go on by themselves. */
const GROWING_PAGES = ['/fairness', `${GAME}/watch`, `${GAME}/draw/1/proof`]
const STILL_PAGES = [
  ...[390, 1280].flatMap((width) => MOVING_PAGES.map((path) => ({ path, width }))),
  ...[360, 390].flatMap((width) => GROWING_PAGES.map((path) => ({ path, width }))),
]
const QUIET_PAGES = [
  '/about-us',
  '/cookies',
  '/fairness',
  '/feedback',
  '/help-and-contact-us',
  '/how-to-claim',
  '/privacy-policy',
  '/terms',
  '/where-the-money-goes',
  '/winners-and-good-causes',
  `${GAME}/watch`,
  `${GAME}/statistics`,
  `${GAME}/draw/1/proof`,
  '/login',
  '/open-an-account',
  '/links',
]

/** An entry of the browser's list of layout shifts, of which the DOM's types know nothing. */
type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] }

test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage()
  const drawn = (await (await page.request.get('/api/v1/games/bitcoin-hero/draws')).json()) as { results: unknown[] }
  if (drawn.results.length === 0) await moveClock(page, { to: (await nextDraw(page)).end_at + 120 })
  await page.close()
})

for (const { path, width } of STILL_PAGES)
  test(`${path} stands still while it arrives over a slow line, ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    await page.addInitScript(() => {
      const shifts: { value: number; moved: string[] }[] = []
      Object.assign(globalThis, { shifts })
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[])
          if (!hadRecentInput) shifts.push({ value, moved: sources.map(({ node }) => node?.textContent ?? '') })
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const network = await page.context().newCDPSession(page)
    await network.send('Network.enable')
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 200_000,
      uploadThroughput: 90_000,
    })
    await page.goto(path, { waitUntil: 'networkidle' })
    await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
    const shifts = await page.evaluate(
      () => (globalThis as unknown as { shifts: { value: number; moved: string[] }[] }).shifts,
    )
    const sum = shifts.reduce((total, { value }) => total + value, 0)
    expect(sum, JSON.stringify(shifts)).toBeLessThanOrEqual(MOST_SHIFT)
  })

test('no page complains in the console, and each has one heading, a title, a description and valid structured data', async ({
  page,
}) => {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  const titles = new Set<string>()
  for (const path of [...MOVING_PAGES, ...QUIET_PAGES]) {
    const answer = await page.goto(path)
    expect.soft(answer?.status(), path).toBe(200)
    await expect.soft(page.getByRole('heading', { level: 1 }), path).toHaveCount(1)
    titles.add(await page.title())
    const head = await page.evaluate(() => ({
      description: document.querySelector('meta[name="description"]')?.getAttribute('content') ?? '',
      robots: document.querySelector('meta[name="robots"]')?.getAttribute('content') ?? null,
      data: document.querySelector('script[type="application/ld+json"]')?.textContent ?? null,
      image: document.querySelector('meta[property="og:image"]')?.getAttribute('content') ?? null,
    }))
    expect.soft(head.description.length, `description of ${path}`).toBeGreaterThan(40)
    expect.soft(head.robots, path).toBe(path === '/links' ? 'noindex' : null)
    if (path === '/links') continue
    expect.soft(JSON.parse(head.data ?? '')).toMatchObject({ '@context': 'https://schema.org' })
    const picture = await page.request.get(head.image ?? '')
    expect.soft([picture.status(), picture.headers()['content-type']], path).toEqual([200, 'image/png'])
  }
  expect(titles.size).toBe(MOVING_PAGES.length + QUIET_PAGES.length)
  expect(complaints).toEqual([])
})

test('the server renders its pages with React’s production build, in the demo as well', () => {
  const folder = join(import.meta.dirname, '../packages/web/dist/server')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'))
  const code = files.map((file) => readFileSync(join(folder, file), 'utf8'))
  expect(code.filter((text) => text.includes('react-dom-server.node.production'))).toHaveLength(1)
  expect(code.filter((text) => /react[\w-]*(?:\.\w+)?\.development\.js/.test(text))).toEqual([])
})

test('who scrolls while the page still becomes usable is not thrown back, and a reload goes on where it was read', async ({
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

/** Opens a page as a slow phone does: its HTML stands, its scripts are still to come. @returns what lets them come, done once they have run */
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
    // React's own properties on an element say that it is taken over.
    await page.waitForFunction(() =>
      Object.keys(document.querySelector('footer') ?? {}).some((key) => key.startsWith('__react')),
    )
    await page.unroute(isScript)
  }
}
