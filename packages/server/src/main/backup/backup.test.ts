import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { testLottery, type TestLottery } from '../../../test/lottery.ts'
import { startTestServer } from '../../../test/test-server.ts'
import { migrate } from '../../db/migrate.ts'
import { createDatabase } from '../../db/pool.ts'
import { monotonicTime } from '../../runtime/system-runtime.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { backUp, newestBackup } from './backup.ts'
import { tryRestore } from './restore.ts'

/** A lottery on a server of its own: a backup has all databases of a server, and of this one only its own. */
async function lotteryOnServer(): Promise<TestLottery & { address: string }> {
  const { url: address, stop } = await startTestServer()
  onTestFinished(stop)
  const runtime = testRuntime()
  await migrate({ address, runtime })
  const db = createDatabase({ address, runtime })
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  onTestFinished(async () => void (await Promise.all([client.end(), db.close()])))
  return { ...(await testLottery({ database: { db, connect: async () => client } })), address }
}

/** A folder that the server's user can reach. */
function backupFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairball-backups-'))
  chmodSync(folder, 0o755)
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Archives the write-ahead log, as archive_command does. */
async function archive({ rows }: TestLottery, folder: string): Promise<void> {
  const [{ data, newest }] = (await rows(
    `select current_setting('data_directory') as data, pg_walfile_name(pg_switch_wal()) as newest`,
  )) as [{ data: string; newest: string }]
  mkdirSync(join(folder, 'wal'))
  for (const name of readdirSync(join(data, 'pg_wal')))
    if (/^[0-9A-F]{24}$/.test(name) && name <= newest) {
      copyFileSync(join(data, 'pg_wal', name), join(folder, 'wal', name))
      chmodSync(join(folder, 'wal', name), 0o644)
    }
}

async function statementsOf({ rows }: TestLottery): Promise<number> {
  const [row] = (await rows(`select count(*)::int as statements from log_leaves`)) as [{ statements: number }]
  return row.statements
}

it(
  'a restore reaches what was archived after the backup, and finds every invariant to hold',
  { timeout: 60_000 },
  async () => {
    const world = await lotteryOnServer()
    const folder = backupFolder()
    const { folder: place, note } = await backUp(world, folder)
    const before = await statementsOf(world)
    expect([note.log.size, newestBackup(folder).note]).toEqual([before, note])

    const playerId = await world.addPlayer()
    await world.buy({ playerId, gameKey: 'bitcoin-hero', lines: [[1, 2, 3, 4, 5]], days: [3] })
    await world.moveTo(world.runtime.clock.now() + 3600)
    const after = await statementsOf(world)
    expect(after).toBeGreaterThan(before)
    await archive(world, folder)
    const runtime = { ...world.runtime, monotonic: monotonicTime }
    expect((await tryRestore(runtime, folder)).statements).toBe(after)

    // One that was told to reach further, or to have another root, does not pass.
    const file = join(place, 'backup.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace(note.log.root, '5e'.repeat(32)))
    await expect(tryRestore(runtime, folder)).rejects.toThrow('Its log is another one than when the backup began')
  },
)

it(
  'a backup is whole although the database has left the write-ahead log behind that it began with',
  { timeout: 60_000 },
  async () => {
    const world = await lotteryOnServer()
    const folder = backupFolder()
    let isOver = false
    const taken = backUp(world, folder).finally(() => (isOver = true))
    while (!isOver) {
      await world.rows(`select pg_switch_wal() from pg_logical_emit_message(false, 'fairball', 'more')`)
      await world.rows('checkpoint')
    }
    expect((await taken).note.log.size).toBe(newestBackup(folder).note.log.size)
  },
)
