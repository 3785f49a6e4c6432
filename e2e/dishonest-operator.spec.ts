import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { forgetLimits } from './account.ts'
import { expectNoFaults } from './journeys.ts'
import { test } from './operator.ts'
import {
  arriveAgain,
  arriveAsPlayer,
  type DrawTimes,
  GAME,
  moveClock,
  nextDraw,
  openDraw,
  orderLuckyDips,
  payFromTestWallet,
  systemNow,
} from './player.ts'

const KEY = 'bitcoin-hero'
const PYTHON = process.env['PYTHON'] ?? 'python3'
const VERIFIER = join(import.meta.dirname, '../packages/verifier/python/fairball_verify.py')
/** Maximum delay from a play's payment to the log entry of its batch, in seconds. */
const BATCH_SECONDS = 600
/** Timeout for loading the worker and its tables on a busy computer, in ms. */
const CHECK_MS = 30_000
const NOT_SEEN = 'that the list was sealed before the random number'

/** A draw that is open for sale, and the address of its proof. */
interface OpenDraw extends DrawTimes {
  readonly proof: string
}

async function drawOnSale(page: Page): Promise<OpenDraw> {
  await forgetLimits(page)
  let draw = await openDraw(page)
  if ((await systemNow(page)) > draw.ticket_sell_closes_at - 4 * BATCH_SECONDS) {
    await moveClock(page, { to: draw.end_at + 605 })
    draw = await nextDraw(page)
  }
  return { ...draw, proof: `${GAME}/draw/${draw.number}/proof` }
}

/** Buys lines as a player does, and waits for the receipt, which the player's browser keeps. */
async function buyWithReceipt(page: Page, { proof }: OpenDraw, plays = 1): Promise<void> {
  for (let play = 0; play < plays; play += 1)
    await payFromTestWallet(page, { transaction_id: await orderLuckyDips(page, 2) })
  await moveClock(page, { advance: BATCH_SECONDS })
  await page.goto(proof)
  await says(page, 'What has been published so far is in order.')
}

async function says(page: Page, sentence: string | RegExp): Promise<void> {
  await expect(page.getByText(sentence).first()).toBeVisible({ timeout: CHECK_MS })
}

/** Checks that the proof page reports a failed draw, and that the Python verifier accepts its evidence. */
async function expectProvenFailure(page: Page, checks: readonly string[]): Promise<void> {
  await says(page, 'What the operator has signed breaks the rules of the draw. Please keep the evidence.')
  const saving = page.waitForEvent('download')
  // The first one: a notice below may offer evidence too.
  await page.getByRole('button', { name: 'Download evidence' }).first().click()
  const file = await (await saving).path()
  const { status, stdout } = spawnSync(PYTHON, ['-B', VERIFIER, file], { encoding: 'utf8' })
  expect(stdout).toContain('Failed')
  for (const check of checks) expect(stdout).toContain(check)
  expect(status, stdout).toBe(1)
}

test('a paid play that is moved to another draw before the close is reported missing, and its receipt proves it', async ({
  operator,
  page,
}) => {
  const draw = await drawOnSale(page)
  await arriveAsPlayer(page, GAME)
  await buyWithReceipt(page, draw)
  await operator.sql(
    `with moved as (update plays set leaf_index = null, draw_id = next.id
        from draws d join lateral (select id from draws where game_key = d.game_key and number = d.number + 1) next on true
        where plays.draw_id = d.id and d.game_key = '${KEY}' and d.number = ${draw.number} returning d.id, d.open_hash),
      leaves as (delete from play_leaves where draw_id in (select id from moved)),
      batches as (delete from sold_batches where draw_id in (select id from moved)),
      tiles as (delete from tree_tiles where tree in (select 'draw/' || open_hash from moved))
    update draws set leaves = 0, leaf_lines = 0, leaf_free = 0, leaf_stake_sats = 0, sold_hash = null
      where id in (select id from moved)`,
  )
  await moveClock(page, { to: draw.ticket_sell_closes_at + 5 })
  await page.goto(draw.proof)
  await expectProvenFailure(page, ['receipt.leaf'])
  await says(page, 'Not in the sealed list, and no receipt says why')
  await expectNoFaults(page, 'proof, a play moved')
})

test(
  'a replaced receipt contradicts the one that the browser kept',
  { tag: '@variant' },
  async ({ operator, page }) => {
    const draw = await drawOnSale(page)
    await arriveAsPlayer(page, GAME)
    await buyWithReceipt(page, draw, 2)
    await operator.sql(
      `with draw as (select id from draws where game_key = '${KEY}' and number = ${draw.number}),
      gone as (delete from receipts where draw_id in (select id from draw))
    update plays set leaf_index = 1 - leaf_index where draw_id in (select id from draw)`,
    )
    await page.reload()
    await says(page, 'The operator no longer provides a receipt that this browser keeps.')
    await expectNoFaults(page, 'proof, a receipt replaced')
    await moveClock(page, { to: draw.ticket_sell_closes_at + 5 })
    await page.reload()
    await expectProvenFailure(page, ['receipt.leaf'])
  },
)

test(
  'a pot that is changed before the close fails in every browser',
  { tag: '@variant' },
  async ({ operator, page }) => {
    const draw = await drawOnSale(page)
    await arriveAsPlayer(page, GAME)
    await buyWithReceipt(page, draw)
    await operator.sql(`update games set pot_sats = pot_sats - 100 where key = '${KEY}'`)
    await moveClock(page, { to: draw.end_at + 5 })
    await page.goto(draw.proof)
    await expectProvenFailure(page, ['money.pool'])
  },
)

test('a draw closed again after its random number is known fails for a browser that saw the first close; others show that its sealing is not proved', async ({
  browser,
  operator,
  page,
}) => {
  const draw = await drawOnSale(page)
  const email = await arriveAsPlayer(page, GAME)
  await buyWithReceipt(page, draw)
  await operator.keepCopy()
  await payFromTestWallet(page, { transaction_id: await orderLuckyDips(page, 1) })
  await moveClock(page, { to: draw.ticket_sell_closes_at + 5 })
  await page.goto(draw.proof)
  await says(page, /Your 3 lines were in the list sealed on/u)
  await moveClock(page, { to: draw.end_at + 5 })

  await operator.restoreCopy()
  const accomplice = await browser.newPage({ baseURL: operator.url })
  await arriveAsPlayer(accomplice, GAME)
  await payFromTestWallet(accomplice, { transaction_id: await orderLuckyDips(accomplice, 1) })
  await moveClock(accomplice, { to: draw.ticket_sell_closes_at + 5 })
  await arriveAgain(page, draw.proof, email)
  await expectProvenFailure(page, ['log.remembered', 'two heads of size'])

  await moveClock(accomplice, { to: draw.end_at + 5 })
  const visitor = await browser.newPage({ baseURL: operator.url })
  await visitor.goto(draw.proof)
  await says(visitor, 'Your browser recalculated this draw. Not proved here:')
  await says(visitor, NOT_SEEN)
})
