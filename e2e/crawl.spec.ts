import { expect, type Page, test } from '@playwright/test'
import { callAs, forgetLimits } from './account.ts'
import { expectNoSidewaysScroll, lineAt, order, PHONE, settled, WIDE } from './journeys.ts'
import { accessibilityFaults, arriveAsPlayer, GAME, moveClock, openDraw, payFromTestWallet } from './player.ts'
import { expectReadableAtTwice } from './text-size.ts'

/** So many pages of one kind, such as draws, are opened; the others are only asked for. */
const SAME_KIND = 2
/** More pages than the site has kinds of: whoever meets it has found a way that never ends. */
const MOST_PAGES = 140

/** The misspelling that the specification lists leads to the game itself (section 2). */
const REDIRECTS: Readonly<Record<string, string>> = { '/game/threasure': '/game/treasure' }
/** The page for what is missing is a 404, also by its own name. */
const MISSING = ['/page-not-found']
/** The page of components shows also those that wait. */
const ALWAYS_BUSY = ['/links/design']
/** Addresses that were mailed act once, for the player of another journey: they are asked for and never opened. */
const ACTING = /^\/(?:verify-email|reset-password|stop-address-change)\//u
/** What the browser may say of a page: an outdated token was refused and is renewed, and in the frame that shows a mail no script may run. */
const EXPECTED_COMPLAINT =
  /^(?:Failed to load resource: the server responded with a status of 401|Blocked script execution in 'about:blank')/u

/** Where pages are found at first: the developer's index, and the sitemap as a search engine reads it. */
async function seeds(page: Page): Promise<string[]> {
  const robots = await (await page.request.get('/robots.txt')).text()
  const [, sitemap = '/sitemap.xml'] = /^Sitemap: (.+)$/mu.exec(robots) ?? []
  const answer = await page.request.get(new URL(sitemap, 'http://localhost').pathname)
  expect(answer.status(), 'the sitemap').toBe(200)
  const found = [...(await answer.text()).matchAll(/<loc>(.*?)<\/loc>/gu)].map(([, url = '']) => new URL(url).pathname)
  expect(found.length, 'addresses in the sitemap').toBeGreaterThan(20)
  return ['/links', ...Object.keys(REDIRECTS), ...found]
}

/** What kind of page an address is of: games, numbers and ids tell no more. */
function kindOf(path: string): string {
  return path
    .replace(/[?#].*$/u, '')
    .replace(/^\/game\/[^/]+/u, '/game/:key')
    .replaceAll(/\/(?:\d+|[\da-f-]{36})(?=\/|$)/gu, '/:id')
}

/** The addresses on this site that a page links to, without its anchors. */
async function linksOn(page: Page): Promise<string[]> {
  const addresses = await page
    .locator('a[href]')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))
  const origin = new URL(page.url()).origin
  return addresses
    .map((address) => new URL(address))
    .filter((address) => address.origin === origin)
    .map(({ pathname, search }) => pathname + search)
}

/** Each anchor that a page links to on itself is there. */
async function expectAnchors(page: Page, path: string): Promise<void> {
  const missing = await page.locator('a[href]').evaluateAll((links) =>
    links
      .map((link) => new URL((link as HTMLAnchorElement).href))
      .filter(({ pathname, hash }) => pathname === location.pathname && hash.length > 1)
      .map(({ hash }) => hash)
      .filter((hash) => document.getElementById(decodeURIComponent(hash.slice(1))) === null),
  )
  expect.soft(missing, `anchors of ${path} that are nowhere`).toEqual([])
}

/** The pages that were looked at with text at 200%: once is enough. */
const readAtTwice = new Set<string>()

/** A window of 1280 px that is zoomed to 200% has so many of the page's pixels. */
const ZOOMED = { width: WIDE.width / 2, height: WIDE.height / 2 }

/** With text at 200%, by larger letters or by zoom, the page is read without scrolling sideways. */
async function expectUsableAtTwice(page: Page, path: string): Promise<void> {
  for (const size of [PHONE, WIDE]) {
    await page.setViewportSize(size)
    await expectReadableAtTwice(page, path)
  }
  await page.setViewportSize(ZOOMED)
  await expectNoSidewaysScroll(page, `${path}, zoomed to 200%,`)
  await page.setViewportSize(WIDE)
}

/** What a crawl found. */
interface Crawl {
  /** The addresses of the pages that were opened, by title. */
  titles: Map<string, string[]>
  pages: number
}

/** Follows every link from the seeds on: each is answered with 200 or as documented, and each page is in order, with text at 200% too. */
async function crawl(page: Page, baseURL: string): Promise<Crawl> {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED_COMPLAINT.test(message.text()))
      complaints.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))

  const waiting = await seeds(page)
  const seen = new Set<string>(waiting)
  const kinds = new Map<string, number>()
  const titles: Crawl['titles'] = new Map()
  let pages = 0
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const answer = await page.request.get(path, { maxRedirects: 0 })
    if (MISSING.includes(path)) {
      expect.soft(answer.status(), path).toBe(404)
      continue
    }
    const redirect = REDIRECTS[path]
    if (redirect !== undefined) {
      expect.soft([answer.status(), answer.headers()['location']], path).toEqual([301, redirect])
      continue
    }
    expect.soft(answer.status(), path).toBe(200)
    const { 'content-type': type = '', 'content-disposition': disposition = '' } = answer.headers()
    if (!type.startsWith('text/html') || disposition.startsWith('attachment') || path.startsWith('/api/')) continue
    if (ACTING.test(path)) continue
    const kind = kindOf(path)
    const many = kinds.get(kind) ?? 0
    kinds.set(kind, many + 1)
    if (many >= SAME_KIND) continue

    pages += 1
    expect(pages, 'pages that were opened').toBeLessThan(MOST_PAGES)
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    if (!ALWAYS_BUSY.includes(path)) await settled(page)
    await expect.soft(page.locator('h1'), `headings of ${path}`).toHaveCount(1)
    await expectAnchors(page, path)
    if (!readAtTwice.has(path)) await expectUsableAtTwice(page, path)
    readAtTwice.add(path)
    // A page that leads on in the browser, such as that of a logged-in player, is known by where it leads.
    const { pathname } = new URL(page.url())
    const title = await page.title()
    expect.soft(title, `title of ${path}`).toMatch(/Fairball/u)
    if (!(titles.get(title) ?? []).includes(pathname)) titles.set(title, [...(titles.get(title) ?? []), pathname])
    for (const link of await linksOn(page))
      if (!seen.has(link)) {
        seen.add(link)
        waiting.push(link)
      }
  }
  expect(complaints, `complaints of pages of ${baseURL}`).toEqual([])
  return { titles, pages }
}

/** Addresses of the same page: a game's lucky dips are the game, and a play that stands open is its page of the results. */
function isSamePage(paths: readonly string[]): boolean {
  return (
    new Set(paths.map((path) => path.replace(/\/lucky-dips\/\d+$|(?<=\/results)\/1\/[\da-f-]{36}$/u, ''))).size === 1
  )
}

function expectOwnTitles({ titles }: Crawl): void {
  const shared = [...titles].filter(([, paths]) => !isSamePage(paths))
  expect(Object.fromEntries(shared), 'titles that several pages have').toEqual({})
}

test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage()
  await forgetLimits(page)
  await page.close()
})

test('every link that a visitor finds leads somewhere, and every page has one heading and a title of its own', async ({
  page,
  baseURL,
}) => {
  test.setTimeout(300_000)
  const found = await crawl(page, baseURL ?? '')
  expect(found.pages).toBeGreaterThan(40)
  expectOwnTitles(found)
})

test('every link that a player with plays, wins and messages finds leads somewhere', async ({ page, baseURL }) => {
  test.setTimeout(300_000)
  await arriveAsPlayer(page, '/')
  const draw = await openDraw(page)
  const weekday = new Date(draw.start_at * 1000).getUTCDay() || 7
  const lines = [lineAt(0), lineAt(1), lineAt(2)]
  await payFromTestWallet(page, { transaction_id: await order(page, { lines, days: [weekday] }) })
  await moveClock(page, { to: draw.end_at + 605 })
  await callAs(page, 'GET', '/settings/messages')
  await page.goto(`${GAME}/results`)
  const found = await crawl(page, baseURL ?? '')
  expect(found.pages).toBeGreaterThan(40)
  expectOwnTitles(found)
})

test('the page of components has no faults in either theme, alone or side by side', async ({ page }) => {
  test.setTimeout(180_000)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/links/design')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Components')
  for (const width of [1280, 390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    await expectNoSidewaysScroll(page, `components at ${width} px`)
  }
  for (const theme of ['Side by side', 'As the system has it']) {
    await page.getByRole('button', { name: theme }).click()
    expect.soft(await accessibilityFaults(page), theme).toEqual([])
  }
  await page.getByText('Reduced motion', { exact: true }).click()
  await page.getByRole('button', { name: 'Open one that scrolls' }).first().click()
  await expect(page.getByRole('dialog', { name: 'A dialog' })).toBeVisible()
})
