import type pg from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { Crasher, onlyDeath } from '../../../test/crasher.ts'
import { testDatabase, type TestDatabase } from '../../../test/database.ts'
import { bankroll, winnings, wallet } from '../ledger/accounts.ts'
import { checkpointAccount, postTransfer } from '../ledger/service.ts'
import type { Tx } from '../../db/pool.ts'
import { checkNewPostings, findViolations } from './service.ts'

let test: TestDatabase
let reader: pg.Client
let posted = 0
let now = 1_000_000

beforeEach(async () => {
  test = await testDatabase()
  reader = await test.connect()
})

const post = (tx: Tx, sats: bigint, from = wallet, to = bankroll): Promise<boolean> =>
  postTransfer(tx, { event: 'test.moved', subject: String(++posted), at: now, moves: [{ from, to, sats }] })
const postNow = (sats: bigint, from = wallet, to = bankroll): Promise<boolean> =>
  test.db.transaction((tx) => post(tx, sats, from, to))

/** What the next minute's check finds in the ledger; the accounts of these tests have no players and no orders. */
async function found(pieceSize?: bigint): Promise<string[]> {
  now += 60
  const checked = await checkNewPostings(test.db, now, pieceSize)
  if (checked === null) throw new Error('it was not time')
  await checked.done()
  const ledgers = checked.violations.filter(({ invariant }) => ['I1', 'I2', 'I14'].includes(invariant))
  return ledgers.map(({ invariant, what }) => `${invariant}: ${what}`)
}

/** Does what the program never does, without the database's own checks. */
async function tamper(sql: string): Promise<void> {
  const client = await test.connect()
  await client.query('set session_replication_role = replica')
  await client.query(sql)
}

async function mark(): Promise<{ upto: string; newest: string; total: string; verified: string }> {
  const { rows } = await reader.query<{ upto: string; newest: string; total: string; verified: string }>(
    `select upto_posting_id as upto, (select max(id) from postings) as newest, total_sats as total,
      (select coalesce(sum(abs(natural_sats)), 0) from ledger_verified) as verified from ledger_watermark`,
  )
  const [row] = rows
  if (row === undefined) throw new Error('there is no watermark')
  return row
}

/** Looks until the watermark is at the newest posting: transactions of other databases on the server hold it up too. */
async function followed(pieceSize?: bigint): Promise<void> {
  await expect
    .poll(async () => {
      expect(await found(pieceSize)).toEqual([])
      const { upto, newest } = await mark()
      return upto === newest
    })
    .toBe(true)
}

describe('the check of new postings', () => {
  it('the watermark follows the ledger in pieces, and its sums are those of the postings', async () => {
    for (let n = 1n; n <= 7n; n += 1n) await postNow(n)
    await followed(3n)
    expect(await mark()).toEqual({ upto: '14', newest: '14', total: '0', verified: '56' })
    await postNow(4n, bankroll, winnings(8n))
    await followed(3n)
    expect(await mark()).toEqual({ upto: '16', newest: '16', total: '0', verified: '56' })
  })

  it('a transaction that drew its ids early and commits late is never behind the watermark', async () => {
    const late = Promise.withResolvers<void>()
    const drawn = Promise.withResolvers<void>()
    await postNow(1n)
    await followed()
    const slow = test.db.transaction(async (tx) => {
      await post(tx, 10n, wallet, winnings(8n))
      drawn.resolve()
      await late.promise
    })
    await drawn.promise
    for (let n = 0; n < 4; n += 1) {
      await postNow(5n, wallet, winnings(7n))
      expect(await found()).toEqual([])
    }
    expect((await mark()).upto).toBe('2')
    late.resolve()
    await slow
    await followed()
    expect(await mark()).toEqual({ upto: '12', newest: '12', total: '0', verified: '62' })
  })

  it.each<[what: string, sql: string, says: RegExp]>([
    [
      'a transfer that does not balance',
      `with t as (insert into transfers (event, key, at) values ('test.theft', 'test.theft:1', 1) returning id)
        insert into postings (transfer_id, account_id, amount_sats) select t.id, a.id, 5 from t, ledger_accounts a limit 1`,
      /^I1: transfer test.theft:1 has 1 postings that sum to 5,I1: the ledger sums to 5$/,
    ],
    [
      'a transfer without postings',
      `insert into transfers (event, key, at) values ('test.empty', 'test.empty:1', 1)`,
      /^I1: transfer test.empty:1 has 0 postings that sum to 0$/,
    ],
    [
      'a trigger that is off',
      `alter table postings disable trigger postings_append_only`,
      /^I1: missing, off or changed: CREATE TRIGGER postings_append_only /,
    ],
    [
      'a changed checkpoint',
      `update ledger_checkpoints set balance_sats = balance_sats + 1000`,
      /^I14: the checkpoint of bankroll .* says 1006 sats, its postings come to 6$/,
    ],
    [
      'a checkpoint that ends at a posting of another account',
      `update ledger_checkpoints set upto_posting_id = upto_posting_id - 1`,
      /^I14: the checkpoint of bankroll /,
    ],
  ])('%s is found with the next look, and again until it is gone', async (_what, sql, says) => {
    for (const sats of [1n, 2n, 3n]) await postNow(sats)
    await test.db.transaction((tx) => checkpointAccount(tx, bankroll))
    await followed()
    await tamper(sql)
    for (const _ of [1, 2, 3]) expect((await found()).join()).toMatch(says)
  })

  it('an account below zero is found with the next look, stays found behind the watermark, and is right once it is filled', async () => {
    await postNow(8n)
    await postNow(5n, winnings(7n), winnings(8n))
    for (const _ of [1, 2, 3]) expect(await found()).toEqual(['I2: winnings 7 stands at -5 sats'])
    await postNow(6n, wallet, winnings(7n))
    expect(await found()).toEqual([])
  })

  it('a row changed behind the watermark is found by the check of everything', async () => {
    await postNow(1n)
    await followed()
    await tamper('update postings set amount_sats = amount_sats - 1 where id = 1')
    expect(await found()).toEqual([])
    expect((await findViolations(test.db)).map(({ invariant }) => invariant)).toContain('I1')
  })

  it('wherever the process dies, each posting is counted once in the sums of the watermark', async () => {
    const crasher = new Crasher()
    const db = crasher.wrapDb(test.db)
    let sats = 0
    for (let dieAt = 1; dieAt <= 9; dieAt += 1)
      for (const when of ['before', 'after'] as const) {
        for (const _ of [1, 2]) sats += (await postNow(3n)) ? 6 : 0
        now += 60
        crasher.arm(dieAt, when)
        const look = async (): Promise<void> => await (await checkNewPostings(db, now, 3n))?.done()
        await look().catch(onlyDeath)
      }
    await followed()
    const { upto, newest, total, verified } = await mark()
    expect([upto, total, verified]).toEqual([newest, '0', String(sats)])
  })

  it('one check is made a minute, however many processes look', async () => {
    const looks = await Promise.all([1, 2, 3].map(() => checkNewPostings(test.db, now + 60)))
    expect(looks.filter((one) => one !== null)).toHaveLength(1)
  })
})
