import { type APIResponse, expect, type Page, test } from '@playwright/test'
import { callAs, forgetLimits } from './account.ts'
import { expectNoFaults, expectNoSidewaysScroll, lineAt, order, settled, WIDE } from './journeys.ts'
import { arriveAsPlayer, GAME, moveClock, openDraw, payFromTestWallet } from './player.ts'
import { expectReadableAtTwice } from './text-size.ts'

/** Limit above the number of kinds of pages: a crawl that reaches it has found an endless path. */
const MAX_PAGES = 140

/** The misspelling in the specification redirects to the game (section 2). */
const REDIRECTS: Readonly<Record<string, string>> = { '/game/threasure': '/game/treasure' }
/** The page for missing addresses is a 404, even at its own address. */
const MISSING = ['/page-not-found']
/** Mailed addresses act once, for the player of another journey: they are requested but never opened. */
const ACTING = /^\/(?:verify-email|reset-password|stop-address-change)\//u
/** The page to return to after a login: one such address stands for all. */
const RETURN_PATH = /([?&]path=).*$/u
/**
 * Allowed messages of the browser: an outdated token is refused and renewed, the frame of a mail blocks scripts, and
 * journeys have no service worker.
 */
const EXPECTED_COMPLAINT =
  /^(?:Failed to load resource: the server responded with a status of 401|Blocked script execution in 'about:blank'|Service Worker registration blocked by Playwright)/u

/** The addresses of the sitemap, read like a search engine. */
async function sitemap(page: Page): Promise<string[]> {
  const robots = await (await page.request.get('/robots.txt')).text()
  const [, address = '/sitemap.xml'] = /^Sitemap: (.+)$/mu.exec(robots) ?? []
  const answer = await page.request.get(new URL(address, 'http://localhost').pathname)
  expect(answer.status(), 'the sitemap').toBe(200)
  const found = [...(await answer.text()).matchAll(/<loc>(.*?)<\/loc>/gu)].map(([, url = '']) => new URL(url).pathname)
  expect(found.length, 'addresses in the sitemap').toBeGreaterThan(20)
  return found
}

/** Requests an address; again if the connection, unused while a page was checked, closes at this moment. */
async function ask(page: Page, path: string): Promise<APIResponse> {
  return await page.request.get(path, { maxRedirects: 0, maxRetries: 2 })
}

/** The kind of page of an address, without games, numbers and ids. Lucky dips lead to the page of their game. */
function kindOf(path: string): string {
  return path
    .replace(/[?#].*$/u, '')
    .replace(/\/lucky-dips\/\d+$/u, '')
    .replace(/^\/game\/[^/]+/u, '/game/:key')
    .replaceAll(/\/(?:\d+|[\da-f-]{36})(?=\/|$)/gu, '/:id')
}

/** The addresses on this site that a page links to, without its anchors. */
async function linksOn(page: Page): Promise<string[]> {
  const addresses = await page
    .locator('a[href]')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))
  return ofThisSite(addresses, new URL(page.url()).origin)
}

/** The same for the server's HTML of a page that is not opened. */
function linksIn(html: string, baseURL: string): string[] {
  const addresses = [...html.matchAll(/<a [^>]*?href="([^"]*)"/gu)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  )
  return ofThisSite(addresses, baseURL)
}

function ofThisSite(addresses: readonly string[], baseURL: string): string[] {
  const { origin } = new URL(baseURL)
  return addresses
    .map((address) => new URL(address, baseURL))
    .filter((address) => address.origin === origin)
    .map(({ pathname, search }) => pathname + search.replace(RETURN_PATH, '$1'))
}

/** Checks that each anchor that a page links to on itself exists. */
async function expectAnchors(page: Page, path: string): Promise<void> {
  const missing = await page.locator('a[href]').evaluateAll((links) =>
    links
      .map((link) => new URL((link as HTMLAnchorElement).href))
      .filter(({ pathname, hash }) => pathname === location.pathname && hash.length > 1)
      .map(({ hash }) => hash)
      .filter((hash) => document.getElementById(decodeURIComponent(hash.slice(1))) === null),
  )
  expect.soft(missing, `missing anchors of ${path}`).toEqual([])
}

/** Viewport of a window of 1280 px at 200% zoom. */
const ZOOMED = { width: WIDE.width / 2, height: WIDE.height / 2 }

const SMALLEST = { width: 320, height: 700 }

/**
 * Checks a page on a screen and on phones down to the smallest, light and dark, and with text at 200% by font size and
 * by zoom.
 */
async function expectGoodLooks(page: Page, path: string): Promise<void> {
  await expectNoFaults(page, path, 'whole page')
  await expectReadableAtTwice(page, path)
  for (const size of [SMALLEST, ZOOMED]) {
    await page.setViewportSize(size)
    await expectNoSidewaysScroll(page, `${path} at ${size.width} px`)
  }
  await page.setViewportSize(WIDE)
}

/** Checks a page's description for search engines and for previews of its link. */
async function expectGoodHead(page: Page, path: string, isListed: boolean): Promise<void> {
  const head = await page.evaluate(() => ({
    description: document.querySelector('meta[name="description"]')?.getAttribute('content') ?? '',
    robots: document.querySelector('meta[name="robots"]')?.getAttribute('content') ?? null,
    data: document.querySelector('script[type="application/ld+json"]')?.textContent ?? null,
    image: document.querySelector('meta[property="og:image"]')?.getAttribute('content') ?? null,
  }))
  if (isListed) expect.soft(head.robots, path).toBeNull()
  if (head.robots !== null) return
  expect.soft(head.description.length, `description of ${path}`).toBeGreaterThan(40)
  expect.soft(JSON.parse(head.data ?? '{}'), path).toMatchObject({ '@context': 'https://schema.org' })
  const picture = await ask(page, head.image ?? '')
  expect.soft([picture.status(), picture.headers()['content-type']], path).toEqual([200, 'image/png'])
}

/** The result of a crawl. */
interface Crawl {
  /** The addresses of the requested pages, by title. */
  titles: Map<string, string[]>
  pages: number
}

/** The kinds of pages already checked: as a player only pages that visitors cannot see, or that differ for players. */
const looked = new Set<string>()
const OTHERS_FOR_PLAYERS = ['/', '/game/:key', '/game/:key/draws']
/** Redirects of visitors from players' pages, and of players from visitors' pages. */
const ELSEWHERE = ['/login', '/settings/profile-and-settings/personal-details']

/**
 * Follows every link from the seeds: each answers 200 or as documented, and one page of each kind is opened and
 * checked.
 */
async function crawl(page: Page, baseURL: string): Promise<Crawl> {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type()) || EXPECTED_COMPLAINT.test(message.text())) return
    complaints.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))

  const listed = await sitemap(page)
  const waiting = ['/links', ...Object.keys(REDIRECTS), ...listed]
  const seen = new Set<string>(waiting)
  const kinds = new Set<string>()
  const follow = (links: readonly string[]) => {
    waiting.push(...new Set(links.filter((link) => !seen.has(link))))
    for (const link of links) seen.add(link)
  }
  const titles: Crawl['titles'] = new Map()
  let pages = 0
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const answer = await ask(page, path)
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
    // The reference and the documentation have their own tests.
    const isOwnPage = type.startsWith('text/html') && !/^\/(?:api|docs)\b/u.test(path)
    if (!isOwnPage || disposition.startsWith('attachment')) continue
    if (ACTING.test(path)) continue
    const html = await answer.text()
    const [, title = ''] = /<title>(.*?)<\/title>/u.exec(html) ?? []
    expect.soft(title, `title of ${path}`).toMatch(/Fairball/u)
    const [pathname = path] = path.split(/[?#]/u)
    titles.set(title, [...(titles.get(title) ?? []), pathname])
    const kind = kindOf(path)
    if (kinds.has(kind) || looked.has(kind)) {
      follow(linksIn(html, baseURL))
      continue
    }
    kinds.add(kind)

    pages += 1
    expect(pages, 'opened pages').toBeLessThan(MAX_PAGES)
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await settled(page)
    const { pathname: at } = new URL(page.url())
    expect.soft([pathname, ...ELSEWHERE], path).toContain(at)
    if (at === pathname) {
      looked.add(kind)
      await expect.soft(page.locator('h1'), `headings of ${path}`).toHaveCount(1)
      await expectAnchors(page, path)
      await expectGoodHead(page, path, listed.includes(path))
      await expectGoodLooks(page, path)
    }
    follow(await linksOn(page))
  }
  expect(complaints, `browser errors on pages of ${baseURL}`).toEqual([])
  return { titles, pages }
}

/** Whether addresses are one page: a game's lucky dips are the game, and an open play is its page of the results. */
function isSamePage(paths: readonly string[]): boolean {
  return (
    new Set(paths.map((path) => path.replace(/\/lucky-dips\/\d+$|(?<=\/results)\/1\/[\da-f-]{36}$/u, ''))).size === 1
  )
}

function expectOwnTitles({ titles }: Crawl): void {
  const shared = [...titles].filter(([, paths]) => !isSamePage(paths))
  expect(Object.fromEntries(shared), 'titles of more than one page').toEqual({})
}

test.beforeAll(forgetLimits)

test('every link for visitors works, and every page has one heading and a unique title', async ({ page, baseURL }) => {
  test.setTimeout(300_000)
  const found = await crawl(page, baseURL ?? '')
  expect(found.pages).toBeGreaterThan(20)
  expectOwnTitles(found)
})

test('every link for a player with plays, wins and messages works', { tag: '@variant' }, async ({ page, baseURL }) => {
  test.setTimeout(300_000)
  await arriveAsPlayer(page, '/')
  const draw = await openDraw(page)
  const weekday = new Date(draw.start_at * 1000).getUTCDay() || 7
  const lines = [lineAt(0), lineAt(1), lineAt(2)]
  await payFromTestWallet(page, { transaction_id: await order(page, { lines, days: [weekday] }) })
  await moveClock(page, { to: draw.end_at + 605 })
  await callAs(page, 'GET', '/settings/messages')
  await page.goto(`${GAME}/results`)
  for (const kind of OTHERS_FOR_PLAYERS) looked.delete(kind)
  const found = await crawl(page, baseURL ?? '')
  expect(found.pages).toBeGreaterThan(12)
  expectOwnTitles(found)
})
