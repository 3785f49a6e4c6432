import { expect, test } from '@playwright/test'
import { forgetLimits, pressByKey } from './account.ts'
import { checkDownloads, history } from './draw-history.ts'
import { DAY_SECONDS, expectNoFaults, expectNoSidewaysScroll, lineAt, order, PHONE } from './journeys.ts'
import { arriveAsPlayer, GAME, moveClock, openDraw, payFromTestWallet } from './player.ts'

const DRAWS = `${GAME}/draws`

/** Holds at least eleven draws, for two pages, one with a played line. */
test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage()
  await forgetLimits(page)
  const draw = await openDraw(page)
  await arriveAsPlayer(page)
  const weekday = new Date(draw.start_at * 1000).getUTCDay() || 7
  await payFromTestWallet(page, { transaction_id: await order(page, { lines: [lineAt(0)], days: [weekday] }) })
  await moveClock(page, { to: draw.end_at + 605 })
  while ((await history(page)).total_pages < 2) await moveClock(page, { advance: DAY_SECONDS })
  await page.close()
})

test(
  'the draw history has pages with addresses, newest first, links to each draw, and downloads',
  { tag: '@variant' },
  async ({ page }) => {
    const { results } = await history(page)
    const [newest] = results
    await page.goto(DRAWS)
    await expect(page.getByRole('heading', { level: 1, name: 'Bitcoin Hero Results' })).toBeVisible()
    await expect(page.getByRole('heading', { level: 2, name: 'Draw History', exact: true })).toBeVisible()
    const draws = page.getByRole('article')
    await expect(draws).toHaveCount(results.length)
    await expect(
      page
        .getByRole('list', { name: /^Numbers of draw/ })
        .first()
        .getByRole('listitem'),
    ).toHaveText(newest?.numbers.map(String) ?? [])
    await expect(draws.first().getByText('- - - - -')).toBeVisible()
    // Only players see links to play.
    await expect(page.getByRole('main').getByRole('link', { name: 'Play Bitcoin Hero' })).toHaveCount(0)
    await expect(page.getByRole('navigation', { name: 'Results sections' })).toHaveCount(0)
    await expectNoFaults(page, 'draw history')
    await checkDownloads(page)

    const pages = page.getByRole('navigation', { name: 'Draw History pages' })
    await pages.getByRole('link', { name: 'Next page' }).click()
    await page.waitForURL((url) => url.pathname === `${DRAWS}/2`)
    const second = await history(page, 2)
    await expect(draws).toHaveCount(second.results.length)
    await draws.first().getByRole('link', { name: /^Draw/ }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Bitcoin Hero draw ${second.results[0]?.number}`)
    await page.goBack()
    await page.waitForURL((url) => url.pathname === `${DRAWS}/2`)
    await expect(draws).toHaveCount(second.results.length)
    await page.setViewportSize(PHONE)
    await expect(pages.getByRole('link', { name: 'Page 1' })).toBeVisible()
    await expectNoSidewaysScroll(page, 'draw history, page 2')
    for (const bad of ['0', 'last']) {
      await page.goto(`${DRAWS}/${bad}`)
      await page.waitForURL((url) => url.pathname === '/page-not-found')
    }
    await page.goto(`${DRAWS}/99`)
    await page.getByRole('main').getByRole('link', { name: 'Go to page 1' }).click()
    await expect(draws).toHaveCount(results.length)

    await arriveAsPlayer(page, DRAWS)
    await expect(page.getByRole('main').getByRole('link', { name: 'Play Bitcoin Hero' })).toHaveAttribute('href', GAME)
    await expect(page.getByRole('navigation', { name: 'Results sections' })).toBeVisible()
  },
)

test('a draw has a page before, during and after the draw', { tag: '@variant' }, async ({ page }) => {
  const draw = await openDraw(page)
  const { number } = draw
  const address = `${GAME}/draw/${number}`
  await page.goto(address)
  await expect(page.getByText('Open for sale')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Play Bitcoin Hero' })).toHaveAttribute('href', GAME)
  await expect(page.getByText('The prizes are shown once the last ball is.')).toBeVisible()
  await expectNoFaults(page, 'draw, open')
  await moveClock(page, { to: draw.ticket_sell_closes_at + 60 })
  await page.reload()
  await expect(page.getByText('Sales closed').first()).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'WATCH THE DRAWS' })).toHaveAttribute(
    'href',
    `${GAME}/watch`,
  )
  await moveClock(page, { to: draw.end_at + 605 })
  await page.reload()
  await expect(page.getByText('Drawn', { exact: true })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Prizes of this draw by number of matches' })).toBeVisible()
  await page.getByRole('link', { name: 'Draw History' }).first().click()
  await page.waitForURL((url) => url.pathname === DRAWS)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: `Bitcoin Hero draw ${number}` })).toBeVisible()
  await page.goForward()
  await expect(page.getByRole('heading', { level: 2, name: 'Draw History', exact: true })).toBeVisible()
  await page.goto(`${GAME}/draw/99999`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^You didn't break the Internet/)
})

test('the money of a played draw adds up on both sides', { tag: '@variant' }, async ({ page }) => {
  const played = (await Promise.all([history(page, 1), history(page, 2)])).flatMap(({ results }) => results)
  let entries = ''
  for (const { number } of played.toReversed()) {
    const answer = (await (await page.request.get(`/api/v1/games/bitcoin-hero/draws/${number}`)).json()) as {
      entries: number | null
    }
    if (answer.entries !== null && answer.entries > 0) entries = String(number)
    if (entries !== '') break
  }
  await page.goto(`${GAME}/draw/${entries}`)
  const sums: bigint[] = []
  for (const name of ['Came in', 'Went out']) {
    const side = page.getByRole('region', { name })
    const amounts = (await side.getByRole('definition').allTextContents()).map((text) =>
      BigInt((/(\d)\.(\d{8}) BTC$/.exec(text) ?? ['', '0', '0']).slice(1).join('')),
    )
    const total = amounts.at(-1) ?? 0n
    expect(amounts.slice(0, -1).reduce((sum, part) => sum + part, 0n)).toBe(total)
    sums.push(total)
  }
  expect(sums[0]).toBe(sums[1])
  expect(sums[0]).toBeGreaterThan(0n)
  await expectNoFaults(page, 'draw, played')
})

test(
  'the statistics show each number and the jackpots, say that they predict nothing, and have tables',
  { tag: '@variant' },
  async ({ page }) => {
    await page.goto(DRAWS)
    await page.getByRole('main').getByRole('link', { name: 'Statistics' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Bitcoin Hero Statistics' })).toBeVisible()
    await expect(
      page.getByText(/^Past draws cannot predict future ones\. Every combination is equally likely/),
    ).toBeVisible()
    const { draws } = (await (await page.request.get('/api/v1/games/bitcoin-hero/statistics')).json()) as {
      draws: number
    }
    if (draws < 20) {
      await expect(page.getByText('Too few draws for a chart.')).toHaveCount(2)
      const counts = page.getByRole('list', { name: 'How often each number was drawn' })
      await expect(counts.getByRole('listitem')).toHaveCount(36)
    } else {
      await expect(page.getByRole('table', { name: 'How often each number was drawn' }).getByRole('row')).toHaveCount(
        37,
      )
      await expect(page.getByRole('img', { name: /^The jackpot of the last \d+ draws/ })).toBeVisible()
      await pressByKey(page, page.getByRole('button', { name: 'All jackpots as a table' }))
    }
    const table = page.getByRole('table', { name: 'Jackpot over time' })
    await expect(table.getByRole('link', { name: /^Draw \d+$/ }).first()).toBeVisible()
    await expectNoFaults(page, 'statistics')
    await page.reload()
    await page.getByRole('main').getByRole('link', { name: 'Draw History' }).click()
    await page.waitForURL((url) => url.pathname === DRAWS)
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: 'Bitcoin Hero Statistics' })).toBeVisible()
  },
)
