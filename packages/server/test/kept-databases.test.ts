import pg from 'pg'
import { expect, it } from 'vitest'
import { sql, t } from '../src/db/sql.ts'
import { testDatabase } from './database.ts'

const countPlayers = sql({
  name: 'test.count-players',
  text: 'select count(*) as all from players',
  params: [],
  row: { all: t.bigint },
})
const ADD_PLAYER = `insert into players (username, email, created_at) values ('ann', 'ann@example.org', 1) returning id`

it('the next test is given the database with the rows and numbers of its template', async () => {
  const first = await testDatabase()
  const { rows } = await (await first.connect()).query(ADD_PLAYER)
  await first.drop()
  const second = await testDatabase()
  expect(second.url).toBe(first.url)
  expect(await second.db.one(countPlayers, [])).toEqual({ all: 0n })
  expect((await (await second.connect()).query(ADD_PLAYER)).rows).toEqual(rows)
})

it('a database whose tables a test has changed is not given on', async () => {
  const first = await testDatabase()
  await (await first.connect()).query('alter table players add column shoe_size int')
  await first.drop()
  expect((await testDatabase()).url).not.toBe(first.url)
})

it('a database in which somebody still works is not given on', async () => {
  const first = await testDatabase()
  const forgotten = new pg.Client({ connectionString: first.url })
  forgotten.on('error', () => undefined) // the database is removed under it
  await forgotten.connect()
  await first.drop()
  expect((await testDatabase()).url).not.toBe(first.url)
})

it('what a test still asks for after its end is refused, and never reaches the next test', async () => {
  const { db, drop } = await testDatabase()
  await drop()
  await expect(db.one(countPlayers, [])).rejects.toThrow('the database is closed')
})
