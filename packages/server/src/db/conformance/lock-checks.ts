import type pg from 'pg'
import { sqlState } from '../database-errors.ts'
import { type Check, firstOf, isWaiting, only, onTables, stateAfter, type Trial, unlike } from './trial.ts'

// Rows that several transactions want at the same moment.

const ROWS = `(1, 'open'), (2, 'open'), (3, 'open')`
const draws = (trial: Trial): Promise<string> => trial.table('id int primary key, status text not null', ROWS)

/** The ids of an answer, in its order. */
async function idsOf(client: pg.Client, text: string): Promise<number[]> {
  return (await client.query<{ id: number }>(text)).rows.map(({ id }) => id)
}

const skipLocked = onTables(
  'skip-locked',
  async (trial) => {
    const jobs = await draws(trial)
    const claim = `select id from ${jobs} order by id for update skip locked limit 1`
    await trial.one.query('begin')
    await trial.other.query('begin')
    const first = await idsOf(trial.one, claim)
    const second = await idsOf(trial.other, claim)
    await trial.other.query('rollback')
    await trial.one.query('rollback')
    return firstOf(unlike(first, [1], 'the first claimed'), unlike(second, [2], 'the second claimed'))
  },
  true,
)

const conditionalUpdate = onTables('conditional-update', async (trial) => {
  const table = await draws(trial)
  const move = `update ${table} set status = 'closed' where id = 1 and status = 'open'`
  await trial.one.query('begin')
  await trial.one.query(move)
  const asked = trial.other.query(move)
  const waited = await isWaiting(trial.one, asked)
  await trial.one.query('commit')
  const { rowCount } = await asked
  return firstOf(
    waited ? null : 'the second update did not wait for the first',
    unlike(rowCount, 0, 'after the first moved the row, the second moved'),
  )
})

const uniqueKeyWaits = onTables('unique-key-waits', async (trial) => {
  const table = await trial.table('key text primary key, n int not null')
  const insert = (n: number): string =>
    `insert into ${table} values ('same', ${n}) on conflict (key) do nothing returning n`
  await trial.one.query('begin')
  await trial.one.query(insert(1))
  const asked = trial.other.query(insert(2))
  const waited = await isWaiting(trial.one, asked)
  await trial.one.query('commit')
  const { rowCount } = await asked
  return firstOf(
    waited ? null : 'the second insert did not wait for the first',
    unlike(rowCount, 0, 'the second insert wrote'),
  )
})

const conflictUpdates = onTables('conflict-updates', async (trial) => {
  const table = await trial.table('key text primary key, n int not null')
  const add = `insert into ${table} as t values ('same', 1) on conflict (key) do update set n = t.n + 1 where t.n < 2 returning n`
  const seen: (number | undefined)[] = []
  for (let time = 0; time < 3; time += 1) seen.push((await trial.one.query<{ n: number }>(add)).rows[0]?.n)
  return unlike(seen, [1, 2, undefined], 'three inserts of one key returned')
})

/** A child's insert shares its parent's key, and does not wait for changes of the parent's other columns. */
const parentNotLocked = onTables('parent-not-locked', async (trial) => {
  const parent = await draws(trial)
  const child = await trial.table(`id int primary key, parent_id int not null references ${parent} (id)`)
  await trial.one.query('begin')
  await trial.one.query(`select from ${parent} where id = 1 for no key update`)
  const { rowCount } = await trial.other.query(`insert into ${child} values (1, 1)`)
  const orphan = await stateAfter(trial.other, `insert into ${child} values (2, 9)`)
  await trial.one.query('commit')
  return firstOf(unlike(rowCount, 1, 'rows inserted'), unlike(orphan, '23503', 'a child without a parent'))
})

/** Checkpoints of the ledger wait for all who are posting to the account. */
const keyShareExcludesUpdate = onTables('key-share-excludes-update', async (trial) => {
  const table = await draws(trial)
  await trial.one.query('begin')
  await trial.one.query(`select from ${table} where id = 1 for key share`)
  const asked = trial.other.query(`select from ${table} where id = 1 for update`)
  const waited = await isWaiting(trial.one, asked)
  await trial.one.query('commit')
  await asked
  return waited ? null : 'FOR UPDATE does not wait for FOR KEY SHARE'
})

const lockTimeout = onTables('lock-timeout', async (trial) => {
  const table = await draws(trial)
  await trial.one.query('begin')
  await trial.one.query(`lock table ${table} in access exclusive mode`)
  await trial.other.query(`begin; set local lock_timeout = 20`)
  const state = await stateAfter(trial.other, `select from ${table}`)
  await trial.other.query('rollback')
  await trial.one.query('rollback')
  return unlike(state, '55P03', 'who waits too long for a table fails with')
})

const deadlock = onTables('deadlock', async (trial) => {
  const table = await draws(trial)
  const take = (id: number): string => `update ${table} set status = 'taken' where id = ${id}`
  const stateOf = (asked: Promise<unknown>): Promise<string> =>
    asked.then(
      () => 'none',
      (error: unknown) => sqlState(error) ?? String(error),
    )
  await Promise.all([trial.one.query('begin'), trial.other.query('begin')])
  await trial.one.query(take(1))
  await trial.other.query(take(2))
  const states = await Promise.all([
    stateOf(trial.one.query(take(2)).then(() => trial.one.query('commit'))),
    stateOf(trial.other.query(take(1)).then(() => trial.other.query('commit'))),
  ])
  await Promise.all([trial.one.query('rollback'), trial.other.query('rollback')])
  return unlike(states.toSorted(), ['40P01', 'none'], 'of two transactions that wait for each other')
})

const readCommitted = onTables('read-committed', async (trial) => {
  const table = await draws(trial)
  const count = `select count(*)::int as n from ${table}`
  await trial.one.query('begin')
  const before = await only(trial.one, count)
  await trial.other.query('begin')
  await trial.other.query(`insert into ${table} values (4, 'open')`)
  const dirty = await only(trial.one, count)
  await trial.other.query('commit')
  const after = await only(trial.one, count)
  await trial.one.query('commit')
  return unlike([before, dirty, after], [{ n: 3 }, { n: 3 }, { n: 4 }], 'before, during and after another commit')
})

const repeatableRead = onTables('repeatable-read', async (trial) => {
  const table = await draws(trial)
  const count = `select count(*)::int as n from ${table}`
  await trial.one.query('begin isolation level repeatable read')
  const before = await only(trial.one, count)
  await trial.other.query(`insert into ${table} values (4, 'open')`)
  const after = await only(trial.one, count)
  await trial.one.query('commit')
  return unlike([before, after], [{ n: 3 }, { n: 3 }], 'one snapshot, before and after another commit')
})

const lostUpdateRefused = onTables('lost-update-refused', async (trial) => {
  const table = await draws(trial)
  await trial.one.query('begin isolation level repeatable read')
  await trial.one.query(`select count(*) from ${table}`)
  await trial.other.query(`update ${table} set status = 'closed' where id = 1`)
  const state = await stateAfter(trial.one, `update ${table} set status = 'drawn' where id = 1`)
  await trial.one.query('rollback')
  return unlike(state, '40001', 'an update of a row that changed after the snapshot')
})

const readOnly = onTables('read-only', async (trial) => {
  const table = await draws(trial)
  await trial.one.query('begin read only')
  const state = await stateAfter(trial.one, `delete from ${table}`)
  await trial.one.query('rollback')
  return unlike(state, '25006', 'a change in a transaction that only reads')
})

const failedCommitSaysSo = onTables('failed-commit-says-so', async (trial) => {
  const table = await draws(trial)
  await trial.one.query('begin')
  await trial.one.query(`insert into ${table} values (4, 'open')`)
  const state = await stateAfter(trial.one, `insert into ${table} values (4, 'open')`)
  const { command } = await trial.one.query('commit')
  const left = await only(trial.one, `select count(*)::int as n from ${table}`)
  return unlike([state, command, left], ['23505', 'ROLLBACK', { n: 3 }], 'error, answer to commit, rows')
})

const savepoint = onTables('savepoint', async (trial) => {
  const table = await draws(trial)
  await trial.one.query('begin')
  await trial.one.query(`insert into ${table} values (4, 'open')`)
  await trial.one.query('savepoint member')
  await stateAfter(trial.one, `insert into ${table} values (4, 'twice')`)
  await trial.one.query('rollback to savepoint member')
  await trial.one.query(`insert into ${table} values (5, 'open')`)
  await trial.one.query('commit')
  return unlike(await idsOf(trial.one, `select id from ${table} where id > 3 order by id`), [4, 5], 'was kept')
})

const limitsEnd: Check = {
  id: 'time-limits',
  async run(trial) {
    await trial.one.query('begin; set local statement_timeout = 20')
    const slow = await stateAfter(trial.one, 'select pg_sleep(2)')
    await trial.one.query('rollback')
    const { value } = await only<{ value: string }>(trial.one, `select current_setting('statement_timeout') as value`)
    const third = await trial.connect()
    await third.query(`begin; set local idle_in_transaction_session_timeout = 20`)
    await trial.one.query('select pg_sleep(0.15)')
    const idle = await stateAfter(third, 'select 1').catch(() => 'ended')
    await third.end().catch(() => undefined)
    return firstOf(
      unlike(slow, '57014', 'a statement over its limit'),
      value === '20ms' ? 'a limit outlives its transaction' : null,
      idle === 'none' ? 'a transaction that its program forgot goes on' : null,
    )
  },
}

export const LOCK_CHECKS: readonly Check[] = [
  skipLocked,
  conditionalUpdate,
  uniqueKeyWaits,
  conflictUpdates,
  parentNotLocked,
  keyShareExcludesUpdate,
  lockTimeout,
  deadlock,
  readCommitted,
  repeatableRead,
  lostUpdateRefused,
  readOnly,
  failedCommitSaysSo,
  savepoint,
  limitsEnd,
]
