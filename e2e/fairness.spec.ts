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
/** The steps of a check, in their order. */
const STEPS = [
  '1. The log',
  '2. The promise before the first sale',
  '3. The sealed list',
  '4. The beacon',
  '5. The numbers',
  '6. The prizes',
  '7. Your own lines',
]
/** Timeout for loading the worker and its tables on a busy computer, in ms. */
const CHECK_MS = 30_000

let email = ''
let proof = ''

/** A player with three lines in a finished draw. */
test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage()
  await forgetLimits(page)
  const draw = await openDraw(page)
  email = await arriveAsPlayer(page, RESULTS)
  await buy(page, draw)
  await moveClock(page, { to: draw.end_at + 5 })
  await page.goto(RESULTS)
  await plays(page)
    .getByRole('button', { name: /3 lines/u })
    .click()
  const toProof = plays(page).getByRole('link', { name: 'Check this draw yourself' })
  proof = (await toProof.getAttribute('href')) ?? ''
  await page.close()
})

/** Buys three lines in one draw. */
async function buy(page: Page, draw: DrawTimes): Promise<void> {
  const weekday = new Date(draw.start_at * 1000).getUTCDay() || 7
  const lines = [lineAt(0), lineAt(1), lineAt(2)]
  await payFromTestWallet(page, { transaction_id: await order(page, { lines, days: [weekday] }) })
}

function plays(page: Page): Locator {
  return page.getByRole('region', { name: 'Number Matches' }).getByRole('article')
}

function step(page: Page, name: string): Locator {
  return page.getByRole('button', { name: new RegExp(`^${name}`, 'u') })
}

async function verdict(page: Page, sentence: string): Promise<void> {
  await expect(page.getByText(sentence, { exact: true })).toBeVisible({ timeout: CHECK_MS })
}

test('the page about fairness names the served build, which anyone can rebuild', async ({ page }) => {
  await page.goto('/fairness')
  const build = page.locator('#build')
  await expect(build.getByRole('heading')).toHaveText('What this site runs')
  await expect(build).toContainText(buildHash(await builtFiles(join(import.meta.dirname, '../packages/web/dist'))))
  await expect(build).toContainText(`“npm run build-hash -- http://localhost:`)
})

test('a page that is open while sales close checks that the player’s lines are sealed, before the draw', async ({
  page,
}) => {
  const draw = await openDraw(page)
  await arriveAsPlayer(page, RESULTS)
  await buy(page, draw)
  await page.reload()
  await expect(plays(page)).toHaveCount(1)
  await plays(page)
    .getByRole('button', { name: /3 lines/u })
    .click()
  await plays(page).getByRole('link', { name: 'Check this draw yourself' }).click()
  await page.waitForURL(/\/draw\/\d+\/proof$/u)
  const ownProof = page.url()
  await expect(page.getByText(/it is open for sale/u)).toBeVisible({ timeout: CHECK_MS })
  await expectNoFaults(page, 'proof, open for sale')

  await page.goBack()
  await expect(plays(page)).toHaveCount(1)
  await moveClock(page, { to: draw.ticket_sell_closes_at + 5 })
  await expect(plays(page)).toContainText(/Your 3 lines were sealed on .*, before the draw’s randomness existed\./u, {
    timeout: CHECK_MS,
  })
  expect(await systemNow(page)).toBeLessThan(draw.start_at)
  await expectNoFaults(page, 'results, sealed')
  await page.goto(ownProof)
  await expect(page.getByText(/Your 3 lines were sealed on/u)).toBeVisible()
  await expect(page.getByText(/its entries are sealed/u)).toBeVisible({ timeout: CHECK_MS })
  await expect(step(page, '7. Your own lines')).toContainText('Passed')
  await expect(page.getByText('Ball by ball')).toHaveCount(0)
  await expectNoFaults(page, 'proof, sealed')

  await moveClock(page, { to: draw.end_at + 5 })
  await page.goto(ownProof)
  await verdict(page, 'All checks passed.')
  await page.goto(`${GAME}/watch`)
  await expect(page.getByRole('link', { name: 'Check this draw', exact: true })).toHaveAttribute(
    'href',
    new URL(ownProof).pathname,
  )
})

test('a play links to the proof of its draw, which works with a keyboard and on a phone', async ({ page }) => {
  await arriveAgain(page, RESULTS, email)
  await pressByKey(page, plays(page).getByRole('button', { name: /3 lines/u }))
  await pressByKey(page, plays(page).getByRole('link', { name: 'Check this draw yourself' }))
  await page.waitForURL((url) => url.pathname === proof)
  await verdict(page, 'All checks passed.')
  for (const name of STEPS) await expect(step(page, name)).toContainText('Passed')
  await expectNoFaults(page, 'proof, drawn')

  const sealing = step(page, STEPS[2] ?? '')
  await pressByKey(page, sealing)
  await expect(sealing).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByText('The tree over the entries has the root in the seal', { exact: false })).toBeVisible()
  for (const name of [...STEPS.slice(0, 2), ...STEPS.slice(3)]) await step(page, name).click()
  await expectNoFaults(page, 'proof, all steps open')

  // The balls of the derivation are those of the draw.
  const derived = await page.getByRole('listitem', { name: /^Ball \d+: \d+$/u }).all()
  const numbers = await Promise.all(
    derived.map(async (ball) => Number((await ball.getAttribute('aria-label'))?.split(': ')[1])),
  )
  expect(numbers).toHaveLength(PICK)
  await expect(page.getByText(/^Byte [0-9a-f]{2} = \d+\. \d+ mod 36 left = place \d+ → ball \d+$/u)).toHaveCount(1)

  await page.setViewportSize(PHONE)
  await expectNoSidewaysScroll(page, 'proof on a phone')
  await page.goto(proof.replace('/proof', ''))
  expect(await numbersOn(page.getByRole('list', { name: /^Numbers of draw/u }))).toEqual(numbers)
  await page.getByRole('link', { name: 'Check this draw yourself' }).click()
  await page.waitForURL((url) => url.pathname === proof)
})

test('a saved bundle is checked without a connection; a changed one fails with the reason', async ({ page }) => {
  await page.goto(proof)
  await verdict(page, 'All checks passed.')
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
  await expect(page.getByRole('list', { name: 'Latest statements of the log' }).getByRole('listitem')).toHaveCount(10)
  const witness = await page.getByRole('link', { name: 'Download the witness' }).getAttribute('href')
  expect((await page.request.get(witness ?? '')).ok()).toBe(true)
  await expectNoFaults(page, 'fairness')
  const input = page.getByLabel('Bundle or evidence file')
  const choose = async (text: string, name: string) => {
    await input.setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
    await expect(page.getByRole('region', { name: `What is in ${name}` })).toBeVisible()
  }
  await page.context().setOffline(true)
  await choose(bundle, 'draw.bundle.json')
  await verdict(page, 'All checks passed.')
  await expectNoFaults(page, 'fairness, a saved bundle')

  const changed = JSON.parse(bundle) as { entries: string }
  const entries = Buffer.from(changed.entries, 'base64')
  entries[20] = (entries[20] ?? 0) ^ 1
  await choose(JSON.stringify({ ...changed, entries: entries.toString('base64') }), 'changed.json')
  await verdict(page, 'A check failed.')
  await expect(page.getByText('The entries here are not those that were sealed.')).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download evidence' }).click()
  const evidence = await readFile(await (await download).path(), 'utf8')
  expect((JSON.parse(evidence) as { failed: string[] }).failed).toContain('close.root')
  await expectNoFaults(page, 'fairness, a changed bundle')

  await choose('not a bundle', 'holiday.txt')
  await expect(page.getByRole('region', { name: 'What is in holiday.txt' })).toContainText('This file is not JSON')
})

test('a visitor checks the same draw; a log that differs from the verified one is a failure with evidence', async ({
  page,
}) => {
  await page.goto(proof)
  await verdict(page, 'All checks passed.')
  await expect(step(page, '7. Your own lines')).toContainText('Not checkable here')
  // This browser saw nothing before the draw, and a demo's beacon is its own.
  await expect(page.getByText(/that takes somebody who saw it in time\.$/u)).toBeVisible()
  await expect(page.getByText(/this shows the arithmetic, not the honesty\.$/u)).toBeVisible()
  // The known log in the browser is changed instead of the operator's: they differ either way.
  await page.evaluate(() => {
    const key = 'fairball.fairness'
    const seen = JSON.parse(localStorage.getItem(key) ?? '{}') as { head: { hash: string } }
    localStorage.setItem(key, JSON.stringify({ ...seen, head: { ...seen.head, hash: 'ab'.repeat(32) } }))
  })
  await page.reload()
  await verdict(page, 'A check failed.')
  await expect(page.getByText(/the log was changed, or split in two/u)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download evidence' })).toBeVisible()
  await page.getByRole('link', { name: 'What this browser remembers' }).click()
  await page.getByRole('button', { name: 'Delete all of it' }).click()
  await page.getByRole('button', { name: 'Yes, delete it' }).click()
  await page.goto(proof)
  await verdict(page, 'All checks passed.')
})

test('a check without data says that this proves nothing about the draw, and can be retried', async ({ page }) => {
  await page.route('**/api/v1/fairness/draws/*/*/entries', (route) => route.abort())
  await page.goto(proof)
  await expect(page.getByText(/could not be fetched\. That says nothing about the draw\./u)).toBeVisible({
    timeout: CHECK_MS,
  })
  await expectNoFaults(page, 'proof, not fetched')
  await page.unroute('**/api/v1/fairness/draws/*/*/entries')
  await page.getByRole('button', { name: 'Try again' }).click()
  await verdict(page, 'All checks passed.')
})
