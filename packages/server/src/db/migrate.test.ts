import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { testRuntime } from '../runtime/test-runtime.ts'
import { migrate } from './migrate.ts'

/** An empty database and a folder with these files. */
async function prepare(files: Record<string, string>) {
  const database = await testDatabase({ isMigrated: false })
  const folder = await mkdtemp(join(tmpdir(), 'fairball-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text)
  for (const [name, text] of Object.entries(files)) await write(name, text)
  const run = (longestLockMs?: number): Promise<string[]> =>
    migrate({
      address: database.url,
      runtime: testRuntime(),
      folder,
      ...(longestLockMs === undefined ? {} : { longestLockMs }),
    })
  return { ...database, folder, write, run }
}

const GAMES = { '0001_games.sql': 'create table games (id int);\ninsert into games values (1);' }

describe('migrations', () => {
  it('a migration gives up on a table that is in use, so that nothing queues behind it, and continues the next time', async () => {
    const { run, write, connect } = await prepare(GAMES)
    await run()
    await write('0002_names.sql', 'alter table games add column name text')
    const player = await connect()
    await player.query('begin')
    await player.query('select id from games')
    await expect(run(1)).rejects.toThrow(/0002_names\.sql needs a table that is in use, and gave up/)
    await player.query('commit')
    expect(await run(1)).toEqual(['0002_names.sql'])
  })

  it('migrations are applied in order, once', async () => {
    const { run, write, connect } = await prepare(GAMES)
    expect(await run()).toEqual(['0001_games.sql'])
    await write('0002_more-games.sql', 'insert into games values (2)')
    expect(await run()).toEqual(['0002_more-games.sql'])
    expect(await run()).toEqual([])
    const client = await connect()
    expect((await client.query('select id from games order by id')).rows).toEqual([{ id: 1 }, { id: 2 }])
  })

  it('migrations are refused on a database with statements of version 1 of the draw protocol, before anything is changed', async () => {
    const { run, write, connect } = await prepare({ '0001_log.sql': 'create table statements (hash text)' })
    await run()
    const client = await connect()
    await client.query(`insert into statements values ('ab')`)
    await write('0002_log-of-version-2.sql', 'drop table statements')
    await expect(run()).rejects.toThrow(
      /^This database was made by version 1 of the draw protocol, .* Start with an empty database; /,
    )
    expect((await client.query('select hash from statements')).rows).toEqual([{ hash: 'ab' }])
  })

  it('migrations are applied to a database that version 1 never wrote a statement to', async () => {
    const { run, write } = await prepare({ '0001_log.sql': 'create table statements (hash text)' })
    await run()
    await write('0002_log-of-version-2.sql', 'drop table statements')
    expect(await run()).toEqual(['0002_log-of-version-2.sql'])
  })

  it('migrations are applied by one of several processes that start together', async () => {
    const { run } = await prepare(GAMES)
    const applied = await Promise.all([run(), run(), run()])
    expect(applied.flat()).toEqual(['0001_games.sql'])
  })

  it('migrations are refused if an applied one was changed; line ends do not count', async () => {
    const { run, write } = await prepare(GAMES)
    await run()
    await write('0001_games.sql', GAMES['0001_games.sql'].replaceAll('\n', '\r\n'))
    expect(await run()).toEqual([])
    await write('0001_games.sql', 'create table games (id bigint)')
    await expect(run()).rejects.toThrow('Migration 0001_games.sql was changed after it had been applied')
  })

  it('migrations are refused if the database has one that the program does not know', async () => {
    const { run, folder } = await prepare({ ...GAMES, '0002_more.sql': 'select 1' })
    await run()
    await unlink(join(folder, '0002_more.sql'))
    await expect(run()).rejects.toThrow('The database has migration 0002_more.sql, which this version')
  })

  it('a failed migration is rolled back, and the message says where it failed', async () => {
    const { run, write, connect } = await prepare({
      ...GAMES,
      '0002_bad.sql': 'create table more (id int);\nselect nothing;',
    })
    await expect(run()).rejects.toThrow('Migration 0002_bad.sql, line 2, failed: column "nothing" does not exist')
    const client = await connect()
    expect(
      (await client.query(`select to_regclass('more') as more, to_regclass('games')::text as games`)).rows,
    ).toEqual([{ more: null, games: 'games' }])
    await write('0002_bad.sql', 'create table more (id int)')
    expect(await run()).toEqual(['0002_bad.sql'])
  })

  it('migrations may leave out numbers, and are applied by number', async () => {
    const { run } = await prepare({ '0020_more.sql': 'insert into games values (2)', ...GAMES })
    expect(await run()).toEqual(['0001_games.sql', '0020_more.sql'])
    expect(await run()).toEqual([])
  })

  it('migrations are refused if one comes before those of the database', async () => {
    const { run, write } = await prepare({ ...GAMES, '0020_more.sql': 'insert into games values (2)' })
    await run()
    await write('0013_late.sql', 'select 1')
    await expect(run()).rejects.toThrow('Migration 0013_late.sql comes before 0020_more.sql, which this database')
  })

  it.each([
    ['a number used twice', '0001_more.sql', '0001_more.sql has the number of another migration'],
    ['a name without number', 'games.sql', 'games.sql is no name of a migration'],
    ['the number zero', '0000_games.sql', '0000_games.sql is no name of a migration'],
  ])('migrations are refused for %s', async (_why, name, message) => {
    const { run } = await prepare({ ...GAMES, [name]: 'select 1' })
    await expect(run()).rejects.toThrow(message)
  })

  it('migrations are refused if they end their transaction', async () => {
    const { run } = await prepare({ '0001_ends.sql': 'create table games (id int); commit; select 1' })
    await expect(run()).rejects.toThrow('take begin, commit and rollback out')
  })
})
