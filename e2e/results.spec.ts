import { type Browser, expect, type Page, test } from '@playwright/test'
import { callAs, forgetLimits, mailedLink, pressByKey, SETTINGS, tabTo } from './account.ts'
import { checkDownloads } from './draw-history.ts'
import {
  DAY_SECONDS,
  expectNoFaults,
  expectNoSidewaysScroll,
  goToMonday,
  lineAt,
  order,
  PHONE,
  randomLines,
  settled,
  WEEKDAYS,
} from './journeys.ts'
import {
  arriveAgain,
  arriveAsPlayer,
  GAME,
  moveClock,
  numbersOn,
  openDraw,
  PASSWORD,
  payFromTestWallet,
  systemNow,
} from './player.ts'

const RESULTS = `${GAME}/results`
const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
/** Number of random lines: some match three numbers and win money, in all but one of 10⁵ draws. */
const MANY = 1000
const POUNDS = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' })

let email = ''
/** When the first draw of the player's lines is over. */
let drawnAt = 0

/** A player with one line on every day of two weeks, and {@link MANY} lines on the first. */
test.beforeAll(async ({ browser }) => {
  await withPage(browser, async (page) => {
    await forgetLimits(page)
    await goToMonday(page)
    drawnAt = (await openDraw(page)).end_at + 605
    email = await arriveAsPlayer(page, RESULTS)
    await page.goto(new URL(await mailedLink(page, email, '/verify-email/')).pathname)
    await expect(page.getByText(/^Your email address is verified/)).toBeVisible()
    for (const wanted of [
      { lines: [lineAt(0)], days: WEEKDAYS, weeks: 2 },
      { lines: randomLines(MANY - 1), days: [1] },
    ])
      await payFromTestWallet(page, { transaction_id: await order(page, wanted) })
  })
})

async function withPage(browser: Browser, run: (page: Page) => Promise<void>): Promise<void> {
  const page = await browser.newPage()
  await run(page)
  await page.close()
}

function plays(page: Page) {
  return page.getByRole('region', { name: 'Number Matches' })
}

function wins(page: Page) {
  return page.getByRole('region', { name: 'Wins' })
}

test(
  'plays that are not drawn yet link to the draw, and their pages have permanent addresses',
  { tag: '@variant' },
  async ({ page }) => {
    await arriveAgain(page, RESULTS, email)
    await expect(plays(page).getByRole('article')).toHaveCount(10)
    await expect(plays(page).getByText('Upcoming draw', { exact: true })).toHaveCount(10)
    await expect(plays(page).getByRole('link', { name: 'WATCH DRAW' }).first()).toHaveAttribute('href', `${GAME}/watch`)
    await expectNoFaults(page, 'results, upcoming')

    const pages = page.getByRole('navigation', { name: 'Number Matches pages' })
    await pages.getByRole('link', { name: 'Page 2' }).click()
    await page.waitForURL((url) => url.pathname === `${RESULTS}/2`)
    await expect(pages.getByRole('link', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page')
    await expect(plays(page).getByRole('article')).toHaveCount(5)
    await page.reload()
    await expect(plays(page).getByRole('article')).toHaveCount(5)
    await page.goBack()
    await page.waitForURL((url) => url.pathname === RESULTS)
    await expect(plays(page).getByRole('article')).toHaveCount(10)
    await page.goForward()
    await expect(plays(page).getByRole('article')).toHaveCount(5)

    await page.goto(`${RESULTS}/9`)
    await expect(plays(page).getByText('This page of the list is empty.')).toBeVisible()
    await plays(page).getByRole('link', { name: 'Go to page 1' }).click()
    await expect(plays(page).getByRole('article')).toHaveCount(10)
    for (const bad of ['0', '-1', '1.5', 'two', '01']) {
      await page.goto(`${RESULTS}/${bad}`)
      await page.waitForURL((url) => url.pathname === '/page-not-found')
    }
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^You didn't break the Internet/)
  },
)

test('wins link to their play, which is open with its matches marked and shows CLAIM until it is paid', async ({
  page,
}) => {
  await moveClock(page, { advance: DAY_SECONDS })
  await arriveAgain(page, RESULTS, email)
  // The single line may win as well.
  const win = wins(page)
    .getByRole('listitem')
    .filter({ hasText: /Prize.*\d lines/ })
    .first()
  await expect(win).toContainText(/£[1-9][\d,]*\.00/)
  await expectNoFaults(page, 'results, won')
  await pressByKey(page, win.getByRole('link', { name: /^More details/ }))
  await page.waitForURL(new RegExp(`${RESULTS}/\\d+/[0-9a-f-]{36}$`))
  const won = plays(page).getByRole('article').filter({ hasText: '999 lines' })
  const header = won.getByRole('button', { expanded: true })
  await expect(header).toContainText('You win a prize')
  await expect(won).toBeInViewport()
  const drawn = await numbersOn(won.getByRole('list', { name: 'Numbers drawn' }))
  const first = won.getByRole('list', { name: /^Line \d+$/ }).first()
  const matched = (await numbersOn(first)).filter((number) => drawn.includes(number))
  expect(matched.length).toBeGreaterThanOrEqual(3)
  await expect(first.getByText('match')).toHaveCount(matched.length)
  await expect(won.getByRole('list', { name: /^Line \d+$/ })).toHaveCount(20)
  await expectNoFaults(page, 'results, a play open')
  await page.reload()
  await expect(header).toBeVisible()
  await pressByKey(page, header)
  await expect(won.getByRole('list', { name: 'Numbers drawn' })).toHaveCount(0)

  await won.getByRole('link', { name: 'CLAIM', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'How to claim' })).toBeVisible()
  await page.goBack()
  await expect(header).toBeVisible()

  // With an address the win is paid within the hour, and nothing is left to claim.
  await callAs(page, 'PUT', '/settings/crypto-account-details', { btc_address: ADDRESS, password: PASSWORD })
  await moveClock(page, { advance: 3600 })
  await page.reload()
  await expect(header).toContainText('The prize is won and claimed')
  await expect(page.getByRole('link', { name: 'CLAIM', exact: true })).toHaveCount(0)
  await page.goto(SETTINGS.messages)
  await expect(page.getByRole('main').getByRole('button', { name: /^£.+ is on its way to you/ })).toBeVisible()
})

test('after a draw the money page shows its money, and the winners page a winner who agreed', async ({ page }) => {
  if ((await systemNow(page)) < drawnAt) await moveClock(page, { to: drawnAt })
  await arriveAgain(page, '/cookies', email)
  await callAs(page, 'PUT', '/settings/winner-consent', { is_shown: true })
  const draws = '/api/v1/games/bitcoin-hero/draws'
  const { results } = (await (await page.request.get(draws)).json()) as { results: { number: number }[] }
  const number = results[0]?.number ?? 0
  // A free ticket that an earlier journey won may play in this draw too.
  const { entries } = (await (await page.request.get(`${draws}/${number}`)).json()) as { entries: number }
  expect(entries).toBeGreaterThanOrEqual(MANY)
  await page.goto('/where-the-money-goes')
  const money = page.getByRole('article').filter({ hasText: `Bitcoin Hero, draw ${number}` })
  await expect(money).toContainText(`${entries.toLocaleString('en-US')} lines`)
  await expect(money).toContainText(POUNDS.format(entries))
  await expect(money).toContainText(`Good causes${POUNDS.format(entries * 0.05)}`)
  await expect(money).toContainText(`Operator${POUNDS.format(entries * 0.15)}`)
  await expect(page.getByText('Covered', { exact: true })).toBeVisible()
  await expectNoFaults(page, 'the money of a draw')
  await money.getByRole('link', { name: `More about draw ${number}` }).click()
  await page.waitForURL((url) => url.pathname === `${GAME}/draw/${number}`)

  await page.goto('/winners-and-good-causes')
  const winner = page
    .getByRole('listitem')
    .filter({ hasText: /pla\*\*\*/ })
    .first()
  await expect(winner).toContainText('Bitcoin Hero')
  await expect(winner).toContainText('BTC')
  await expectNoFaults(page, 'winners')
})

test('games and sections are in bars above the page, the next draw is beside it on a screen and below it on a phone', async ({
  page,
}) => {
  await arriveAgain(page, RESULTS, email)
  await settled(page)
  const games = page.getByRole('navigation', { name: 'Results of other games' })
  const sections = page.getByRole('navigation', { name: 'Results sections' })
  const panel = page.getByRole('complementary')
  await expect(games).toHaveCount(1)
  const left = async () => [(await plays(page).boundingBox())?.x ?? 0, (await panel.boundingBox())?.x ?? 0]
  const [mainLeft = 0, sideLeft = 0] = await left()
  expect(sideLeft).toBeGreaterThan(mainLeft)
  await page.setViewportSize(PHONE)
  await expect(games).toHaveCount(1)
  const [mainLeftOnPhone, sideLeftOnPhone] = await left()
  expect(sideLeftOnPhone).toBe(mainLeftOnPhone)
  await expect(games.getByRole('link', { name: 'Bitcoin Hero' })).toBeInViewport()
  await expectNoSidewaysScroll(page, 'results')
  await tabTo(page, sections.getByRole('link', { name: 'Draw History' }))
  await page.keyboard.press('Enter')
  const opened = async (name: string, path: string) => {
    await page.waitForURL((url) => url.pathname === path)
    await expect(sections.getByRole('link', { name })).toHaveAttribute('aria-current', 'page')
    await settled(page)
  }
  await opened('Draw History', `${GAME}/draws`)
  await checkDownloads(page)
  await sections.getByRole('link', { name: 'Statistics' }).click()
  await opened('Statistics', `${GAME}/statistics`)
  await sections.getByRole('link', { name: 'Check my Numbers' }).click()
  await opened('Check my Numbers', RESULTS)
  await games.getByRole('link', { name: 'Treasure' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Treasure Results' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Bitcoin Hero Results' })).toBeVisible()
})
