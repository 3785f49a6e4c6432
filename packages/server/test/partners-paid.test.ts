import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../src/config/config.ts'
import { sql, t } from '../src/db/sql.ts'
import { donationPool, partner } from '../src/modules/ledger/accounts.ts'
import { balanceOf, ledgerViolations } from '../src/modules/ledger/service.ts'
import type { OperatorContext } from '../src/modules/operator/action.ts'
import {
  approveBatch,
  holdAllPayouts,
  listPayouts,
  retryAllPayouts,
  takeBackBatch,
} from '../src/modules/operator/payout-actions.ts'
import { payoutCommands } from '../src/modules/operator/payout-commands.ts'
import { createSeal } from '../src/runtime/seal.ts'
import { testApplication } from './application.ts'
import { START_AT, TEST_BITCOIN, siteWith, testLottery, type TestLottery, type TestLotteryOptions } from './lottery.ts'
import { rigDraw } from './rigged-draw.ts'
import { type Death, Died, mortalDb, rewindableRandom } from './mortal-db.ts'
import { deathsAmong } from './share.ts'

const GAME = 'bitcoin-hero'
const FIRST_START_AT = START_AT + 15 * 60
const FIRST_END_AT = FIRST_START_AT + 160
/** A job whose worker died is free again within a minute. */
const LEASE_SECONDS = 61
/** What is refused at its signature is planned again after a minute. */
const REPLANNED_SECONDS = 120
/** Long enough for everything due to be done; the next draw comes later. */
const LATER_SECONDS = 1800
/** The line that is made to win. */
const CHOSEN = [1, 2, 3, 4, 5]
/** 101,000 sats of stakes, of which good causes get 5,050. */
const LINES = [CHOSEN, ...Array.from({ length: 100 }, (_, place) => [10, 11, 12, 13 + (place % 10), 30])]

/** Regtest addresses of made-up keys. */
const WELLS = 'bcrt1qz390yjx4f9s07ztuvyx89rtg8k76xsnsllsw9d'
const BOOKS = 'bcrt1q4gm8v458qjzchcg8089wzxdrju0hz74l8v92vn'
const OTHER = 'bcrt1qdndnkxtccwaefxn8y5262h9m9gzqgms68qyc87'
const WINNER = 'bcrt1qzkfswytc4x8p7yz0rchwvuhc7ueyctwlr8ecwe'

const findPaid = sql({
  name: 'partners-test.find-paid',
  text: `select sats from test_wallet_txs where address = $1 and direction = 'out' order by at, outpoint`,
  params: [t.text],
  row: { sats: t.bigint },
})

/** What a start reads from a content file with these partners. */
async function contentWith(addresses: Readonly<Record<string, string | null>>) {
  const folder = await mkdtemp(join(tmpdir(), 'fairball-partners-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'content.json')
  const partners = Object.entries(addresses).map(([id, address]) => {
    return { id, name: `The ${id}`, url: `https://${id}.example`, address }
  })
  await writeFile(path, JSON.stringify({ partners }))
  return readConfig({ CONTENT_FILE: path }).content
}

const partnersWith = async (addresses: Readonly<Record<string, string | null>>) => [
  ...(await contentWith(addresses)).partners,
]

async function paidTo({ db }: Pick<TestLottery, 'db'>, address: string): Promise<bigint[]> {
  return (await db.run(findPaid, [address])).map(({ sats }) => sats)
}

const deskOf = ({ db, runtime, lottery }: TestLottery): OperatorContext => ({
  db,
  runtime,
  jobs: lottery.queue,
  actor: 'operator',
})

/** A lottery whose first draw is drawn, with the jackpot won, and settled as soon as the clock moves on. */
async function drawnLottery(options: TestLotteryOptions): Promise<TestLottery> {
  const test = await testLottery(options)
  const playerId = await test.addPlayer({ address: WINNER })
  await test.buy({ playerId, gameKey: GAME, lines: LINES, days: [3] })
  await test.moveTo(FIRST_START_AT + 60)
  await test.rig(GAME, CHOSEN)
  return test
}

/** A lottery whose jackpot was won while all payouts are held. */
async function wonLottery(addresses: Readonly<Record<string, string | null>>): Promise<TestLottery> {
  const test = await drawnLottery({ partners: await partnersWith(addresses) })
  await holdAllPayouts(deskOf(test))
  await test.moveTo(FIRST_END_AT)
  expect(await paidTo(test, WINNER)).toEqual([])
  return test
}

/** Begins with another content file, lets payouts continue, and lets time pass. */
async function goOn(test: TestLottery, addresses: Readonly<Record<string, string | null>>): Promise<void> {
  await test.restart({ site: siteWith(await partnersWith(addresses)) })
  await retryAllPayouts(deskOf(test))
  await test.moveTo(test.runtime.clock.now() + LATER_SECONDS)
  expect(await paidTo(test, WINNER)).toHaveLength(1)
}

const owedTo = (test: TestLottery, id: string) => balanceOf(test.db, partner(id))
const setAsideFor = (test: TestLottery) => balanceOf(test.db, donationPool(GAME))

describe('partners of the content file', () => {
  it('the whole program pays partners their share of the donation once, at their address in the file', async () => {
    const content = await contentWith({ wells: WELLS, books: BOOKS })
    const site = await testApplication({ games: 'one game', startAt: START_AT, config: { content } })
    const { db, runtime, call, moveTo } = site
    const { bearer } = await site.signUp({ address: WINNER })
    const body = { type: 'lotto', key: GAME, days: [3], weeks: 1, tickets: LINES.map(ticketOf) }
    const order = await call('POST', '/payment', { bearer, body })
    await call('POST', '/dev/pay', { body: { transaction_id: order.body.transaction_id } })
    await moveTo(FIRST_START_AT + 60)
    await rigDraw(db, GAME, CHOSEN)
    await moveTo(FIRST_END_AT + LATER_SECONDS)
    expect(runtime.clock.now()).toBe(FIRST_END_AT + LATER_SECONDS)

    expect(await paidTo(site, WELLS)).toEqual([2525n])
    expect(await paidTo(site, BOOKS)).toEqual([2525n])
    expect(await ledgerViolations(db)).toEqual([])
    for (const account of [partner('wells'), partner('books'), donationPool(GAME)])
      expect(await balanceOf(db, account)).toBe(0n)
    expect((await call('GET', '/solvency')).body).toMatchObject({ solvent: true, difference: '0.00000000' })
    const shown = [
      { name: 'The wells', url: 'https://wells.example/' },
      { name: 'The books', url: 'https://books.example/' },
    ]
    const draw = (await call('GET', `/games/${GAME}/draws/1`)).body
    expect(draw).toMatchObject({
      partners: shown,
      money: { released: { donation: { crypto: { value: '0.00005050' } } } },
    })
  }, 60_000)

  it('partners share to the satoshi: what cannot be divided stays for the next jackpot', async () => {
    const test = await drawnLottery({ partners: await partnersWith({ wells: WELLS, books: BOOKS, other: OTHER }) })
    await test.moveTo(FIRST_END_AT)
    for (const address of [WELLS, BOOKS, OTHER]) expect(await paidTo(test, address)).toEqual([1683n])
    expect(await setAsideFor(test)).toBe(1n)
    expect(await test.violations()).toEqual([])
  })

  it('partners are paid at the address in the current file, if it changed before the payout was made', async () => {
    const test = await wonLottery({ wells: WELLS, books: BOOKS })
    await goOn(test, { wells: OTHER, books: BOOKS })
    expect(await paidTo(test, WELLS)).toEqual([])
    expect(await paidTo(test, OTHER)).toEqual([2525n])
    expect(await paidTo(test, BOOKS)).toEqual([2525n])
    expect(await test.violations()).toEqual([])
  })

  it.each([
    ['are paid at the new address where a payout to the old one was made and not signed before the change', false],
    ['are paid at the new address where the operator cancels that payout before it is signed', true],
  ])('partners %s', async (_title, cancels) => {
    const bitcoin = { ...TEST_BITCOIN, payoutApprovalSats: 2000n }
    const test = await drawnLottery({ partners: await partnersWith({ wells: WELLS }) })
    await test.restart({ bitcoin, site: siteWith(await partnersWith({ wells: WELLS })) })
    await test.moveTo(FIRST_END_AT)
    await test.restart({ bitcoin, site: siteWith(await partnersWith({ wells: OTHER })) })
    const desk = deskOf(test)
    const batchesOfPartner = async () => (await listPayouts(desk)).batches.filter(({ sats }) => sats === 5050n)
    for (const { id } of await batchesOfPartner()) await (cancels ? takeBackBatch(desk, id) : approveBatch(desk, id))
    await test.moveTo(FIRST_END_AT + REPLANNED_SECONDS)
    for (const { id, state } of await batchesOfPartner()) if (state === 'WAITING_APPROVAL') await approveBatch(desk, id)
    await test.moveTo(FIRST_END_AT + LATER_SECONDS)
    expect(await paidTo(test, WELLS)).toEqual([])
    expect(await paidTo(test, OTHER)).toEqual([5050n])
    expect(await test.violations()).toEqual([])
  })

  it('partners removed from the file stay owed, which the operator can see, and are paid when they return', async () => {
    const test = await wonLottery({ wells: WELLS, books: BOOKS })
    await goOn(test, { wells: WELLS })
    expect(await paidTo(test, WELLS)).toEqual([2525n])
    expect(await paidTo(test, BOOKS)).toEqual([])
    expect(await owedTo(test, 'books')).toBe(2525n)
    const context = { ...test, seal: createSeal(new Uint8Array(32), test.runtime.random), config: readConfig({}) }
    expect(await payoutCommands['payouts-list'].run(context)).toContain('\nowed to partner  books  0.00002525 BTC')
    expect(await test.violations()).toEqual([])
    await goOn(test, { books: OTHER, wells: WELLS })
    expect(await paidTo(test, OTHER)).toEqual([2525n])
    expect(await paidTo(test, WELLS)).toEqual([2525n])
    expect(await owedTo(test, 'books')).toBe(0n)
    expect(await test.violations()).toEqual([])
  })

  it('partners without an address wait for one, and are paid from the start that brings it, with no one else to pay', async () => {
    const test = await drawnLottery({ partners: await partnersWith({ wells: null }) })
    await test.moveTo(FIRST_END_AT + LATER_SECONDS)
    expect(await owedTo(test, 'wells')).toBe(5050n)
    await test.restart({ site: siteWith(await partnersWith({ wells: WELLS })) })
    await test.lottery.queue.runDue()
    expect(await paidTo(test, WELLS)).toEqual([5050n])
    await test.restart({ site: siteWith(await partnersWith({ wells: WELLS })) })
    await test.moveTo(FIRST_END_AT + 2 * LATER_SECONDS)
    expect(await paidTo(test, WELLS)).toEqual([5050n])
    expect(await test.violations()).toEqual([])
  })

  it('new partners get nothing of a jackpot that was won before', async () => {
    const test = await wonLottery({ wells: WELLS })
    await goOn(test, { wells: WELLS, books: BOOKS })
    expect(await paidTo(test, WELLS)).toEqual([5050n])
    expect(await paidTo(test, BOOKS)).toEqual([])
    expect(await owedTo(test, 'books')).toBe(0n)
    expect(await test.violations()).toEqual([])
  })

  it('partners stay owed if all of them leave the file', async () => {
    const left = await wonLottery({ wells: WELLS, books: BOOKS })
    await goOn(left, {})
    expect([await owedTo(left, 'wells'), await owedTo(left, 'books')]).toEqual([2525n, 2525n])
    expect(await left.violations()).toEqual([])
  })

  it('without partners, what is set aside waits for the next jackpot', async () => {
    const none = await wonLottery({})
    await goOn(none, { wells: WELLS })
    expect(await setAsideFor(none)).toBe(5050n)
    expect(await paidTo(none, WELLS)).toEqual([])
    await winNextDraw(none)
    const [sats = 0n, ...more] = await paidTo(none, WELLS)
    expect(more).toEqual([])
    expect(sats).toBe(5050n + 50n)
    expect(await setAsideFor(none)).toBe(0n)
    expect(await none.violations()).toEqual([])
  })
})

describe('partners are paid exactly once, wherever the process dies', () => {
  const STEPS = new Set([
    'draws.settle',
    'payouts.insert-batch',
    'payouts.insert-tx',
    'test-wallet.insert-transaction',
    'payouts.mark-sent',
  ])

  /** From the draw on, with or without a death at one of its steps. @returns the number of steps */
  async function live(death: Death | null, heir: 'worker' | 'start'): Promise<number> {
    const random = rewindableRandom('partners')
    let mortal: ReturnType<typeof mortalDb> | undefined
    const test = await drawnLottery({
      partners: await partnersWith({ wells: WELLS, books: BOOKS }),
      random,
      wrapDb: (db) => {
        mortal = mortalDb(db, { random, isStep: (names) => [...names].some((name) => STEPS.has(name)) })
        return mortal.db
      },
    })
    if (mortal === undefined) throw new Error('the lottery was given its database')
    mortal.arm(death)
    try {
      await test.moveTo(FIRST_END_AT + 1)
    } catch (error) {
      if (!(error instanceof Died)) throw error
    }
    const died = mortal.isDead()
    const steps = mortal.steps()
    mortal.revive()
    if (died) await (heir === 'worker' ? test.takeOver() : test.restart())
    await test.moveTo(FIRST_END_AT + LEASE_SECONDS)
    await test.moveTo(FIRST_END_AT + LATER_SECONDS)

    const about = death === null ? 'nobody died' : `died ${death.when} step ${death.step}`
    expect(died, about).toBe(death !== null)
    for (const address of [WELLS, BOOKS]) expect(await paidTo(test, address), about).toEqual([2525n])
    expect(await paidTo(test, WINNER), about).toHaveLength(1)
    expect([await owedTo(test, 'wells'), await owedTo(test, 'books')], about).toEqual([0n, 0n])
    expect(await test.violations(), about).toEqual([])
    return steps
  }

  it('partners are paid once from the settlement of the draw to the payout that has left', async () => {
    const steps = await live(null, 'worker')
    expect(steps).toBeGreaterThanOrEqual(5)
    for (const { dieAt: step, when } of deathsAmong(steps))
      await live({ step, when }, when === 'before' ? 'worker' : 'start')
  }, 240_000)
})

const ticketOf = (numbers: number[]) => ({ isLuckyDip: false, numbers })

/** The next draw, in which one line is played and wins: its stake is 1,000 sats. */
async function winNextDraw(test: TestLottery): Promise<void> {
  const [draw] = await test.rows<{ start_at: string; end_at: string; weekday: number }>(
    `select start_at, end_at, weekday from draws where game_key = $1 and status = 'open' and closes_at > $2
     order by start_at limit 1`,
    [GAME, test.runtime.clock.now()],
  )
  if (draw === undefined) throw new Error('no draw is open')
  const playerId = await test.addPlayer({ address: WINNER })
  await test.buy({ playerId, gameKey: GAME, lines: [CHOSEN], days: [draw.weekday] })
  await test.moveTo(Number(draw.start_at) + 60)
  await test.rig(GAME, CHOSEN)
  await test.moveTo(Number(draw.end_at))
}
