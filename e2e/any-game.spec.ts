import { expect, type Page } from '@playwright/test'
import { expectNoFaults } from './journeys.ts'
import { type Operator, test } from './operator.ts'
import { arriveAsPlayer, type DrawTimes, moveClock, payFromTestWallet, playButton, systemNow } from './player.ts'

const KEY = 'starter'
const GAME = `/game/${KEY}`
const DAY = 86_400
/** The demo's pages fetch the games every ten seconds. */
const SEEN_MS = 20_000

/** A file that the operator's commands read. */
interface GamesFile {
  format: string
  games: { key: string; accent: string; rules: Record<string, unknown>; retire: { into: string } | null }[]
}

/** The id of a plan, which the command prints first. */
function planIn(text: string): string {
  return /[\da-f]{8}-[\da-f-]{27}/u.exec(text)?.[0] ?? ''
}

async function nextDrawOf(page: Page, key: string): Promise<DrawTimes> {
  const games = (await (await page.request.get('/api/v1/games')).json()) as { key: string; next_draw: DrawTimes }[]
  const game = games.find((one) => one.key === key)
  if (game === undefined) throw new Error(`${key} is not offered`)
  return game.next_draw
}

/** Plans and applies a games file. @returns what the second command prints */
function apply(operator: Operator, file: GamesFile): string {
  const plan = operator.command('games-plan', operator.file('games.json', file))
  return operator.command('games-apply', planIn(plan), '--reason', 'a journey in a browser')
}

function gameCards(page: Page) {
  return page.getByRole('region', { name: 'All games' }).getByRole('listitem')
}

test('a game that an operator adds is sold and drawn without a build or a restart', async ({ page, operator }) => {
  test.setTimeout(240_000)
  await arriveAsPlayer(page, '/')
  const cards = gameCards(page)
  await expect(cards).toHaveCount(6)

  const file = JSON.parse(operator.command('games-template', 'starter')) as GamesFile
  const [starter] = file.games
  if (starter === undefined) throw new Error('the template has a game')
  const weekday = new Date((await systemNow(page)) * 1000 + 2 * DAY * 1000).getUTCDay() || 7
  starter.accent = '#9BE15D'
  starter.rules = { ...starter.rules, draw_times: [{ day: weekday, minute_of_day: 1080 }], weeks_ahead: 1 }
  apply(operator, file)
  const card = cards.filter({ hasText: 'Starter' })
  await expect(card).toHaveCount(1, { timeout: SEEN_MS })
  const color = () => card.getByRole('article').evaluate((one) => getComputedStyle(one).getPropertyValue('--g'))
  await expect.poll(color).toBe('#9BE15D')
  await expectNoFaults(page, 'home with a seventh game')

  const draw = await nextDrawOf(page, KEY)
  await page.goto(`${GAME}/lucky-dips/3`)
  await expectNoFaults(page, 'playing a seventh game')
  await playButton(page).click()
  await page.getByRole('button', { name: /^Pay £3/ }).click()
  await page.waitForURL(/\/checkout\//)
  await payFromTestWallet(page, { transaction_id: new URL(page.url()).pathname.split('/').at(-1) ?? '' })
  await moveClock(page, { to: draw.end_at + 605 })

  await page.goto(`${GAME}/watch`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectNoFaults(page, 'watching a seventh game')
  await page.goto(`${GAME}/results`)
  await expect(page.getByRole('main').getByText('3 lines').first()).toBeVisible()
  await expectNoFaults(page, 'the results of a seventh game')
  const pictures = await Promise.all(
    [`/share${GAME}.png`, `/share${GAME}/draw/${draw.number}.png`, '/share/game/treasure.png'].map(async (path) => {
      const answer = await page.request.get(path)
      expect(answer.headers()['content-type'], path).toBe('image/png')
      return (await answer.body()).toString('base64')
    }),
  )
  expect(new Set(pictures).size, 'each page has its own picture').toBe(3)
})

test(
  'a game that is retired says so until its end, and then that it has ended',
  { tag: '@variant' },
  async ({ page, operator }) => {
    test.setTimeout(240_000)
    const file = JSON.parse(operator.command('games-export')) as GamesFile
    const starter = file.games.find(({ key }) => key === KEY)
    if (starter === undefined) throw new Error('the journey before added the game')
    starter.retire = { into: 'bitcoin-hero' }
    expect(apply(operator, file)).toContain('Announced.')
    await page.goto(GAME)
    await expect(page.getByText('Starter comes to an end.')).toBeVisible()
    await expectNoFaults(page, 'a game that will end')
    await moveClock(page, { advance: 16 * DAY })
    await page.goto(GAME)
    await expect(page.getByText('Starter has ended')).toBeVisible()
    await expectNoFaults(page, 'a game that has ended')
    await page.goto('/')
    await expect(gameCards(page)).toHaveCount(6)
  },
)

test('a name that an operator gives the site is on its pages at once', async ({ page, operator }) => {
  const plan = operator.command(
    'settings-plan',
    operator.file('settings.json', { format: 'fairball-settings/1', settings: { 'site.name': 'Lucky Sats' } }),
  )
  operator.command('settings-apply', planIn(plan), '--reason', 'a journey in a browser')
  await page.goto('/')
  await expect(page).toHaveTitle(/Lucky Sats/u)
  await expect(
    page
      .getByRole('banner')
      .getByRole('link', { name: /Lucky Sats/u })
      .first(),
  ).toBeVisible()
})
