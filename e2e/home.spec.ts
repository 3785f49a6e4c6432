import { expect, type Locator, type Page, test } from '@playwright/test'
import { pressByKey, tabTo } from './account.ts'
import { expectNoFaults, expectNoSidewaysScroll, PHONE } from './journeys.ts'
import { GAME, moveClock, openDraw, systemNow } from './player.ts'

interface Draw {
  start_at: number
  end_at: number
  ticket_sell_closes_at: number
}

async function games(page: Page): Promise<{ key: string; name: string; next_draw: Draw }[]> {
  return (await (await page.request.get('/api/v1/games')).json()) as { key: string; name: string; next_draw: Draw }[]
}

/** The game on sale that closes next. */
async function closingNext(page: Page) {
  const now = await systemNow(page)
  const [next] = (await games(page))
    .filter(({ next_draw: draw }) => draw.ticket_sell_closes_at > now)
    .toSorted((a, b) => a.next_draw.ticket_sell_closes_at - b.next_draw.ticket_sell_closes_at)
  if (next === undefined) throw new Error('no game is sold')
  return next
}

function hero(page: Page) {
  return page.getByRole('region').filter({ has: page.getByRole('heading', { level: 1 }) })
}

test(
  'the home page shows the game that closes next, with the buttons for the time of its draw',
  { tag: '@variant' },
  async ({ page }) => {
    // The first draw of a new product, or of another game, is only minutes away; the buttons are checked from before
    // their times.
    await moveClock(page, { to: (await openDraw(page)).end_at + 605 })
    let game = await closingNext(page)
    while (game.next_draw.start_at - 3660 < (await systemNow(page))) {
      await moveClock(page, { to: game.next_draw.ticket_sell_closes_at + 1 })
      game = await closingNext(page)
    }
    const { start_at: startAt, ticket_sell_closes_at: closesAt } = game.next_draw
    await moveClock(page, { to: startAt - 3660 })
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(game.name)
    await expect(hero(page).getByRole('timer', { name: 'Time until the draw' })).toHaveText(
      /^\d+Days\d+Hours\d+Mins\d+Sec$/,
    )
    await expect(hero(page).getByText(/^Estimated jackpot: /)).toBeAttached()
    const play = hero(page).getByRole('link', { name: /^PLAY FOR £/ })
    const watch = hero(page).getByRole('link', { name: 'WATCH THE DRAWS' })
    const results = hero(page).getByRole('link', { name: 'CHECK RESULTS' })
    await expect(play).toHaveAttribute('href', `/game/${game.key}`)
    await expect(results).toHaveAttribute('href', `/game/${game.key}/results`)
    await expect(watch).toHaveCount(0)
    await expect(page.getByRole('banner').getByRole('link', { name: /^Watch/ })).toHaveCount(0)

    // From an hour before the start the draw can be watched, from here and from the bar at the top.
    await moveClock(page, { to: startAt - 3599 })
    await page.reload()
    await expect(watch).toHaveAttribute('href', `/game/${game.key}/watch`)
    await expect(page.getByRole('banner').getByRole('link', { name: 'Watch The Draws' })).toHaveAttribute(
      'href',
      `/game/${game.key}/watch`,
    )
    await moveClock(page, { to: closesAt + 1 })
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText((await closingNext(page)).name)
    await page.getByRole('banner').getByRole('link', { name: 'Watch The Draws' }).click()
    await expect(
      page.getByRole('heading', { level: 1, name: new RegExp(`^${game.name}, draw \\d+$`, 'u') }),
    ).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText((await closingNext(page)).name)
    await page.goForward()
    await expect(
      page.getByRole('heading', { level: 1, name: new RegExp(`^${game.name}, draw \\d+$`, 'u') }),
    ).toBeVisible()
  },
)

test(
  'an open home page keeps its game, with the buttons for each phase of its draw, up to the draw history',
  { tag: '@variant' },
  async ({ page }) => {
    // Drawn at six every day, Bitcoin Hero is the game that closes next in its last minute.
    await moveClock(page, { to: (await openDraw(page)).end_at + 605 })
    const draw = await openDraw(page)
    await moveClock(page, { to: draw.ticket_sell_closes_at - 60 })
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bitcoin Hero')
    const play = hero(page).getByRole('link', { name: /^PLAY FOR £/ })
    const watch = hero(page).getByRole('link', { name: 'WATCH THE DRAWS' })
    const history = hero(page).getByRole('link', { name: 'CHECK DRAW HISTORY' })
    for (const button of [play, watch]) await expect(button).toBeVisible()
    await expect(history).toHaveCount(0)

    await moveClock(page, { to: draw.ticket_sell_closes_at + 5 })
    await expect(async () => {
      await anyAnswer(page)
      await expect(play).toHaveCount(0, { timeout: 2_000 })
    }).toPass()
    await expect(watch).toBeVisible()
    await expect(history).toHaveCount(0)
    await moveClock(page, { to: draw.end_at + 5 })
    await anyAnswer(page)
    await expect(watch).toHaveCount(0)
    await expect(play).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bitcoin Hero')
    await expectNoFaults(page, 'home, draw ended')
    await page.setViewportSize(PHONE)
    await expect(hero(page).getByRole('link', { name: 'CHECK RESULTS' })).toHaveAttribute('href', `${GAME}/results`)
    await history.click()
    await page.waitForURL((url) => url.pathname === `${GAME}/draws`)
    await expect(page.getByRole('heading', { level: 1, name: 'Bitcoin Hero Results' })).toBeVisible()

    // The link to a player's own results leads visitors to the login first.
    await page.goBack()
    await hero(page).getByRole('link', { name: 'CHECK RESULTS' }).click()
    await page.waitForURL(/\/login\?path=.*results$/)
  },
)

/** Chooses a game of a group. The lower half of the page responds once its scripts have loaded. */
async function chooseGame(group: Locator, game: string): Promise<void> {
  const button = group.getByRole('button', { name: game })
  await expect(async () => {
    await button.click()
    await expect(button).toHaveAttribute('aria-pressed', 'true', { timeout: 2_000 })
  }).toPass()
}

/** Makes the page fetch something: an open page notices a jump of the clock with the next answer. */
async function anyAnswer(page: Page): Promise<void> {
  const group = page.getByRole('group', { name: 'Game whose draws are checked' })
  await group.getByRole('button', { name: 'Bitcoin Hero' }).click()
  await page.getByLabel('Your numbers').fill('1 2 3 4 5')
  await page.getByRole('button', { name: 'Check numbers' }).click()
}

test('the games are three to a row on a screen and one on a phone, and each links to its page', async ({ page }) => {
  await page.goto('/')
  const cards = page.getByRole('region', { name: 'All games' }).getByRole('listitem')
  await expect(cards).toHaveCount((await games(page)).length)
  const rows = async () => {
    const tops = await cards.evaluateAll((all) => all.map((card) => Math.round(card.getBoundingClientRect().top)))
    return Map.groupBy(tops, (top) => top)
      .values()
      .map((row) => row.length)
      .toArray()
  }
  expect(await rows()).toEqual([3, 3])
  await page.setViewportSize(PHONE)
  expect(await rows()).toEqual([1, 1, 1, 1, 1, 1])
  await expectNoSidewaysScroll(page, 'home')
  await cards.filter({ hasText: 'Mega Ball' }).getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Mega Ball' })).toBeVisible()
  await page.goBack()
  await expect(cards.first()).toBeVisible()
})

test(
  'typed numbers, and numbers picked with the keyboard alone, are checked against the draws',
  { tag: '@variant' },
  async ({ page }) => {
    const draw = await openDraw(page)
    await moveClock(page, { to: draw.end_at + 605 })
    const history = (await (await page.request.get('/api/v1/games/bitcoin-hero/draws')).json()) as {
      results: { number: number; numbers: number[] }[]
    }
    const last = history.results[0] ?? { number: 0, numbers: [] }
    await page.goto('/')
    const chosen = page.getByRole('group', { name: 'Game whose draws are checked' })
    await chooseGame(chosen, 'Bitcoin Hero')
    const field = page.getByLabel('Your numbers')
    const check = page.getByRole('button', { name: 'Check numbers' })
    await field.fill('1 2 3')
    await check.click()
    await expect(field).toHaveAccessibleDescription(/A line has exactly 5 numbers\./)
    await expectNoFaults(page, 'home, refused numbers')

    await field.fill(last.numbers.join(' '))
    await page.keyboard.press('Enter')
    const won = page.getByRole('listitem').filter({ hasText: '5 matches' })
    await expect(won.getByText('Jackpot', { exact: true })).toBeVisible()
    await expectNoFaults(page, 'home, checked numbers')
    await won.getByRole('link', { name: `Draw ${last.number}` }).click()
    await expect(page.getByRole('heading', { level: 1, name: `Bitcoin Hero draw ${last.number}` })).toBeVisible()
    await page.goBack()

    // The grid, by keyboard; the game is chosen again, since the form was reset.
    await pressByKey(page, chosen.getByRole('button', { name: 'Bitcoin Hero' }))
    await pressByKey(page, page.getByRole('button', { name: 'Pick numbers from a grid' }))
    const picker = page.getByRole('dialog', { name: 'SELECT NUMBERS' })
    await tabTo(page, picker.getByRole('button', { name: '1', exact: true }))
    for (let picked = 0; picked < 5; picked += 1) {
      await page.keyboard.press('Space')
      await page.keyboard.press('ArrowRight')
    }
    await expectNoFaults(page, 'home, picker')
    await pressByKey(page, picker.getByRole('button', { name: 'CONFIRM' }))
    await expect(field).toHaveValue('1 2 3 4 5')
    await pressByKey(page, check)
    await expect(page.getByText(/^These numbers (have won nothing|won )/)).toBeVisible()
  },
)
