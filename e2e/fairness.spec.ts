import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { builtFiles, buildHash } from '../packages/server/src/http/build-hash.ts'
import { forgetLimits, pressByKey } from './account.ts'
import { expectNoFaults, expectNoSidewaysScroll, lineAt, order, PHONE } from './journeys.ts'
import {
  arriveAgain,
  arriveAsPlayer,
  type DrawTimes,
  GAME,
  moveClock,
  numbersOn,
  openDraw,
  payFromTestWallet,
  PICK,
  systemNow,
} from './player.ts'

const RESULTS = `${GAME}/results`
/** The groups of checks, in their order. */
const GROUPS = [
  '1. The public log',
  '2. The announcement before the first sale',
  '3. The sealed list',
  '4. The random number',
  '5. The numbers',
  '6. Money and prizes',
  '7. Your promises and receipts',
]
/** A demo has its own beacon, so none of its draws is proved. */
const HOLDS = 'Your browser recalculated this draw. Not proved here:'
const PRIVATE = 'that nobody knew the random number before: it comes from a private beacon'
const NOT_SEEN = 'that the list was sealed before the random number'
/** Timeout for loading the worker and its tables on a busy computer, in ms. */
const CHECK_MS = 30_000

let email = ''
let proof = ''

test.beforeAll(forgetLimits)
// The first journey leaves a player with three lines in a finished draw to the others.
test.describe.configure({ mode: 'serial' })

/** Buys three lines in one draw. */
async function buy(page: Page, draw: DrawTimes): Promise<void> {
  const weekday = new Date(draw.start_at * 1000).getUTCDay() || 7
  const lines = [lineAt(0), lineAt(1), lineAt(2)]
  await payFromTestWallet(page, { transaction_id: await order(page, { lines, days: [weekday] }) })
}

function plays(page: Page): Locator {
  return page.getByRole('region', { name: 'Number Matches' }).getByRole('article')
}

function group(page: Page, name: string): Locator {
  return page.getByRole('button', { name: new RegExp(`^${name}`, 'u') })
}

/** Runs in the page: replaces the key that its browser has stored for each log. */
async function keepOtherKeys(): Promise<void> {
  const answer = async <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve) => request.addEventListener('success', () => resolve(request.result)))
  const database = await answer(indexedDB.open('fairball.draws'))
  const logs = database.transaction('logs', 'readwrite').objectStore('logs')
  for (const log of (await answer(logs.getAll())) as object[]) {
    await answer(logs.put({ ...log, keys: ['ab'.repeat(32)] }))
  }
  database.close()
}

/** The player's own plays on the page of a proof, where their question is open. */
function ownPlays(page: Page): Locator {
  return page.locator('section', { has: page.getByRole('heading', { level: 4, name: 'Your plays' }) }).last()
}

async function verdict(page: Page, sentence: string): Promise<void> {
  await expect(page.getByText(sentence, { exact: true })).toBeVisible({ timeout: CHECK_MS })
}

test('a page that is open while sales close checks before the draw that the player’s lines are sealed', async ({
  page,
}) => {
  const draw = await openDraw(page)
  email = await arriveAsPlayer(page, RESULTS)
  await buy(page, draw)
  await page.reload()
  await expect(plays(page)).toHaveCount(1)
  await plays(page)
    .getByRole('button', { name: /3 lines/u })
    .click()
  await plays(page).getByRole('link', { name: 'Check this draw yourself' }).click()
  await page.waitForURL(/\/draw\/\d+\/proof$/u)
  proof = new URL(page.url()).pathname
  await verdict(page, 'What has been published so far is in order.')
  await expectNoFaults(page, 'proof, open for sale')

  await page.goBack()
  await expect(plays(page)).toHaveCount(1)
  await moveClock(page, { to: draw.ticket_sell_closes_at + 5 })
  await expect(plays(page)).toContainText(
    /Your 3 lines were in the list sealed on .*, before the random number existed\./u,
    {
      timeout: CHECK_MS,
    },
  )
  expect(await systemNow(page)).toBeLessThan(draw.start_at)
  await expectNoFaults(page, 'results, sealed')
  await page.goto(proof)
  await expect(page.getByText(/Your 3 lines were in the list sealed on/u)).toBeVisible()
  await verdict(page, 'What has been published so far is in order.')
  await expect(group(page, GROUPS[6] ?? '')).toContainText('All 3 of your lines are in the sealed list.')
  await group(page, GROUPS[6] ?? '').click()
  await expect(ownPlays(page)).toContainText('In the sealed list, place')
  await expect(page.getByText('Ball by ball')).toHaveCount(0)
  await expectNoFaults(page, 'proof, sealed')

  await moveClock(page, { to: draw.end_at + 5 })
  await page.goto(proof)
  await verdict(page, HOLDS)
  await expect(page.getByText(PRIVATE, { exact: true })).toBeVisible()
  // This browser saw the list in time.
  await expect(page.getByText(NOT_SEEN, { exact: true })).toHaveCount(0)
  await expect(page.getByText(/nobody chose/iu)).toHaveCount(0)
  await page.goto(`${GAME}/watch`)
  await expect(page.getByRole('link', { name: 'Check this draw', exact: true })).toHaveAttribute('href', proof)
})

test('a play links to the proof of its draw, which works with a keyboard and on a phone', async ({ page }) => {
  await arriveAgain(page, RESULTS, email)
  await pressByKey(page, plays(page).getByRole('button', { name: /3 lines/u }))
  await pressByKey(page, plays(page).getByRole('link', { name: 'Check this draw yourself' }))
  await page.waitForURL((url) => url.pathname === proof)
  await verdict(page, HOLDS)
  for (const name of [...GROUPS.slice(0, 2), ...GROUPS.slice(4, 6)])
    await expect(group(page, name)).toContainText('Passed')
  await expect(page.getByText('Your 3 lines were all in the sealed list.', { exact: true })).toBeVisible()

  const sealing = group(page, GROUPS[2] ?? '')
  await pressByKey(page, sealing)
  await expect(sealing).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByText('These are the plays that were sealed', { exact: true })).toBeVisible()
  for (const name of [...GROUPS.slice(0, 2), ...GROUPS.slice(3)]) await group(page, name).click()
  await expect(ownPlays(page)).toContainText('3 lines')
  await pressByKey(page, page.getByRole('button', { name: 'From the sealed seed to the balls' }))
  for (const fold of ['Prizes', 'The log’s key']) await page.getByRole('button', { name: fold, exact: true }).click()
  await expectNoFaults(page, 'proof, everything open')

  // The balls of the derivation are those of the draw.
  const derived = await page.getByRole('listitem', { name: /^Ball \d+: \d+$/u }).all()
  const numbers = await Promise.all(
    derived.map(async (ball) => Number((await ball.getAttribute('aria-label'))?.split(': ')[1])),
  )
  expect(numbers).toHaveLength(PICK)
  await expect(page.getByText(/^Byte [0-9a-f]{2} = \d+\. \d+ mod 36 left = place \d+ → ball \d+$/u)).toHaveCount(1)

  await page.setViewportSize(PHONE)
  await expectNoSidewaysScroll(page, 'proof on a phone')
  // What was published is what was recalculated.
  for (const name of ['Published numbers', 'Numbers recalculated here'])
    expect(await numbersOn(page.getByRole('list', { name }))).toEqual(numbers)
  await page.goto(proof.replace('/proof', ''))
  expect(await numbersOn(page.getByRole('list', { name: /^Numbers of draw/u }))).toEqual(numbers)
  await page.getByRole('link', { name: 'Check this draw yourself' }).click()
  await page.waitForURL((url) => url.pathname === proof)
})

test('the page about fairness names the served build and checks a saved bundle without a connection; a changed one accuses nobody', async ({
  page,
}) => {
  await page.goto(proof)
  await verdict(page, HOLDS)
  const saving = page.waitForEvent('download')
  await pressByKey(page, page.getByRole('button', { name: 'Download bundle' }))
  const file = await saving
  expect(file.suggestedFilename()).toMatch(/^fairball-bitcoin-hero-\d+\.bundle\.json$/u)
  const bundle = await readFile(await file.path(), 'utf8')

  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: /^Fairness/u })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Fairness you can check' })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Check .*, draw \d+$/u })).toBeVisible()
  await pressByKey(page, page.locator('summary', { hasText: 'For experts' }))
  const build = page.locator('#build')
  await expect(build.getByRole('heading')).toHaveText('What this site runs')
  await expect(build).toContainText(buildHash(await builtFiles(join(import.meta.dirname, '../packages/web/dist'))))
  await expect(build).toContainText(`“npm run build-hash -- http://localhost:`)
  await expect(page.getByRole('list', { name: 'Latest statements of the log' }).getByRole('listitem')).toHaveCount(10)
  const witness = await page.getByRole('link', { name: 'Download the witness' }).getAttribute('href')
  expect((await page.request.get(witness ?? '')).ok()).toBe(true)
  await expectNoFaults(page, 'fairness, for experts')
  const input = page.getByLabel('Bundle or evidence file')
  const choose = async (text: string, name: string) => {
    await input.setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
    await expect(page.getByRole('region', { name: `What is in ${name}` })).toBeVisible()
  }
  await page.context().setOffline(true)
  await choose(bundle, 'draw.bundle.json')
  await verdict(page, HOLDS)
  await expectNoFaults(page, 'fairness, a saved bundle')

  await choose(bundle.replace(/(\\ntime )(\d)/u, '$19$2'), 'changed.json')
  await verdict(page, 'This record is incomplete or damaged.')
  await expect(page.getByRole('button', { name: 'Download evidence' })).toHaveCount(0)
  await expectNoFaults(page, 'fairness, a changed bundle')

  await choose('not a bundle', 'holiday.txt')
  await expect(page.getByRole('region', { name: 'What is in holiday.txt' })).toContainText('Not judged')
  await page.context().setOffline(false)
})

test(
  'a visitor can check the same draw, and a log with a key unknown to the browser proves nothing to it',
  { tag: '@variant' },
  async ({ page }) => {
    await page.goto(proof)
    await verdict(page, HOLDS)
    await expect(group(page, GROUPS[6] ?? '')).toContainText('Not judged')
    // This browser saw nothing before the draw.
    await expect(page.getByText(NOT_SEEN, { exact: true })).toBeVisible()
    await expect(page.getByText(PRIVATE, { exact: true })).toBeVisible()
    // As in a browser that knew the demo before a reset.
    await page.evaluate(keepOtherKeys)
    await page.reload()
    await verdict(page, 'This record is incomplete or damaged.')
    await expect(group(page, GROUPS[0] ?? '')).toContainText('Incomplete or damaged')
    await page.getByRole('link', { name: 'What this browser keeps' }).click()
    await page.getByRole('button', { name: 'Delete all of it' }).click()
    await page.getByRole('button', { name: 'Yes, delete it' }).click()
    await expect(page.getByText(/^Nothing yet\./u)).toBeVisible()
    await page.goto(proof)
    await verdict(page, HOLDS)
  },
)

test(
  'a check without data says that this proves nothing about the draw, and can be retried',
  { tag: '@variant' },
  async ({ page }) => {
    await page.route('**/fairball/**', (route) => route.abort())
    await page.goto(proof)
    await verdict(page, 'Couldn’t load the records.')
    await expectNoFaults(page, 'proof, not fetched')
    await page.unroute('**/fairball/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await verdict(page, HOLDS)
  },
)
