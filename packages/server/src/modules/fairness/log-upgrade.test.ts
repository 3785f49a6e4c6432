import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { migrate, MIGRATIONS_FOLDER } from '../../db/migrate.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'

it('finds the draw of every statement that was there before it was kept', async () => {
  const runtime = testRuntime()
  const database = await testDatabase({ runtime, isMigrated: false })
  const older = await mkdtemp(join(tmpdir(), 'fairball-older-'))
  onTestFinished(() => rm(older, { recursive: true, force: true }))
  for (const name of await readdir(MIGRATIONS_FOLDER))
    if (name < '0011') await cp(join(MIGRATIONS_FOLDER, name), join(older, name))
  await migrate({ address: database.url, runtime, folder: older })

  const [draw, other, close] = ['a', 'b', 'c'].map((letter) => letter.repeat(64))
  const client = await database.connect()
  const rows = [
    ['d'.repeat(64), 'log', 'fairball/log/v1\nkey 00\n', null],
    [draw, 'open', 'fairball/open/v1\ngame hero\nclose 17\n', draw],
    [other, 'open', 'fairball/open/v1\ngame hero\nclose 18\n', other],
    [close, 'close', `fairball/close/v1\nopen ${draw}\nround 1\n`, draw],
    ['e'.repeat(64), 'postpone', `fairball/postpone/v1\nopen ${other}\nreason outage\n`, other],
    ['f'.repeat(64), 'result', `fairball/result/v1\nclose ${close}\nsignature 00\n`, draw],
    ['0'.repeat(64), 'void', `fairball/void/v1\nopen ${other}\nreason outage\n`, other],
  ] as const
  for (const [seq, [hash, type, text]] of rows.entries())
    await client.query(`insert into statements (seq, at, hash, type, text, note) values ($1, 0, $2, $3, $4, '')`, [
      seq,
      hash,
      type,
      text,
    ])

  await migrate({ address: database.url, runtime })
  const found = await client.query<{ open_hash: string | null }>(`select open_hash from statements order by seq`)
  expect(found.rows.map((row) => row.open_hash)).toEqual(rows.map(([, , , openHash]) => openHash))
  await expect(client.query(`update statements set open_hash = null`)).rejects.toThrow('append-only')
})
