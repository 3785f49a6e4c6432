import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyLog } from '@fairball/domain/fairness/log'
import { noteOf, parseNote } from '@fairball/domain/fairness/signed-note'
import { describe, expect, it, onTestFinished } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { closeDraw, openDraw, SECRET_KEY, testLog } from '../../../test/fairness-log.ts'
import { DatabaseClock } from '../../db/database-clock.ts'
import { createDatabase } from '../../db/pool.ts'
import { createSeal } from '../../runtime/seal.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { headFileIn, readHead } from './head-file.ts'
import { knownOperator } from './keys.ts'
import { createLog } from './log.ts'
import { importLog } from './log-import.ts'
import { logSource, type LogSource } from './log-source.ts'
import type { Fairness } from './service.ts'

/** A database on which one seed makes the same log as on another: what a backup and its original have in common. */
async function lotteryOn(draws: number) {
  const runtime = testRuntime()
  const database = await testDatabase({ runtime })
  const db = createDatabase({ address: database.url, runtime, applicationName: 'fairball operator' })
  onTestFinished(() => db.close())
  const client = await database.connect()
  const fairness = await testLog({ db, runtime })
  await fairness.begin()
  const opens: string[] = []
  for (let number = 1; number <= draws; number += 1) opens.push(await openDraw(fairness, db, client, number))
  const folder = await mkdtemp(join(tmpdir(), 'fairball-import-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const operator = await knownOperator({ db, seal: createSeal(SECRET_KEY, runtime.random) })
  if (operator === null) throw new Error('the log has begun')
  const log = createLog({ db, runtime, databaseClock: new DatabaseClock(runtime), operator })
  const headFile = headFileIn(folder)
  const bring = (source: LogSource) => importLog({ db, log, operator, headFile }, source)
  return { runtime, database, db, client, fairness, opens, folder, headFile, bring }
}

async function notesOf(fairness: Fairness): Promise<string[]> {
  return (await fairness.logFrom(0)).notes
}

function sourceOf(notes: readonly string[]): LogSource {
  return { notesFrom: async (seq) => notes.slice(seq), rulesOf: async () => null }
}

const YEAR_SECONDS = 365 * 86_400

describe('an import of the log into a database that was restored from an older backup', () => {
  it('stores the missing statements; draws whose seeds are lost keep their numbers and are void', async () => {
    const original = await lotteryOn(5)
    const restored = await lotteryOn(2)
    const notes = await notesOf(original.fairness)
    expect(await notesOf(restored.fairness)).toEqual(notes.slice(0, 4))

    expect(await restored.bring(sourceOf(notes))).toEqual({ imported: 3, voided: 3 })
    const after = await notesOf(restored.fairness)
    expect(after.slice(0, 7)).toEqual(notes)
    expect(verifyLog(after)).toMatchObject({ problem: null, head: { seq: 9 } })
    const { rows } = await restored.client.query(`select number, status, open_hash from draws order by number`)
    expect(rows.map(({ number, status }) => [number, status])).toEqual([
      [1, 'open'],
      [2, 'open'],
      [3, 'void'],
      [4, 'void'],
      [5, 'void'],
    ])
    expect(rows.map((row) => row.open_hash)).toEqual(original.opens)
    const record = await restored.fairness.recordOf('bitcoin-hero', 3)
    expect(record.notes.map((note) => note.split('\n')[0])).toEqual(['fairball/open/v1', 'fairball/void/v1'])
    expect(parseNote(record.notes[1] ?? '')?.text).toContain('\nreason outage\n')
    // The next draw has the next number.
    await openDraw(restored.fairness, restored.db, restored.client, 6)
    expect(await restored.bring(sourceOf(await notesOf(restored.fairness)))).toEqual({ imported: 0, voided: 0 })
  })

  it('can be done again from the mirror after another loss: what was declared void is taken over', async () => {
    const original = await lotteryOn(4)
    const restored = await lotteryOn(2)
    await restored.bring(sourceOf(await notesOf(original.fairness)))
    const mirrored = await notesOf(restored.fairness)
    const again = await lotteryOn(2)
    expect(await again.bring(sourceOf(mirrored))).toEqual({ imported: 4, voided: 2 })
    expect(await notesOf(again.fairness)).toEqual(mirrored)
  })

  it('is refused for what the database cannot keep, and says why', async () => {
    const original = await lotteryOn(3)
    await closeDraw(original.fairness, original.db, original.client, original.opens[0] ?? '')
    const restored = await lotteryOn(2)
    const before = await notesOf(restored.fairness)
    await expect(restored.bring(sourceOf(await notesOf(original.fairness)))).rejects.toThrow(
      /^Statement 5 is a close, which cannot be taken over: what was sold, drawn or paid by then is not in this database/,
    )
    await original.fairness.changeKey()
    const withKey = (await notesOf(original.fairness)).filter((note) => !note.startsWith('fairball/close'))
    await expect(restored.bring(sourceOf(withKey))).rejects.toThrow('has the number 6, but 5 follows 4')
    expect(await notesOf(restored.fairness)).toEqual(before)
  })

  it('is refused over a change of the key: the new one went with the lost database', async () => {
    const original = await lotteryOn(2)
    await original.fairness.changeKey()
    const restored = await lotteryOn(2)
    await expect(restored.bring(sourceOf(await notesOf(original.fairness)))).rejects.toThrow('it changed the key')
  })

  it('is refused when a signature, the order or the beginning is not right', async () => {
    const original = await lotteryOn(4)
    const restored = await lotteryOn(2)
    const notes = await notesOf(original.fairness)
    const [text, line] = [parseNote(notes[4] ?? '')?.text ?? '', notes[5]?.trimEnd().split('\n').at(-1) ?? '']
    const forged = notes.with(4, noteOf(text, [line]))
    await expect(restored.bring(sourceOf(forged))).rejects.toThrow('is not signed with the key in force')
    await expect(restored.bring(sourceOf(notes.toSpliced(4, 1)))).rejects.toThrow('has the number 5, but 4 follows 3')
    await expect(restored.bring(sourceOf([]))).rejects.toThrow('does not have statement 3')
    const stranger = await lotteryOn(1)
    await openDraw(stranger.fairness, stranger.db, stranger.client, 7)
    await openDraw(stranger.fairness, stranger.db, stranger.client, 8)
    await expect(restored.bring(sourceOf(await notesOf(stranger.fairness)))).rejects.toThrow(
      'two different statements 3',
    )
    expect(await notesOf(restored.fairness)).toHaveLength(4)
  })

  it('is refused from a mirror that is behind the file with the head: numbers would be used twice', async () => {
    const original = await lotteryOn(5)
    const restored = await lotteryOn(2)
    const notes = await notesOf(original.fairness)
    const kept = { format: 'fairball/head/v1', operator: 'lottery.example', seq: 6, hash: 'b'.repeat(64) }
    await writeFile(restored.headFile, JSON.stringify(kept))
    await expect(restored.bring(sourceOf(notes.slice(0, 6)))).rejects.toThrow('says that the log has reached 6')
    await expect(restored.bring(sourceOf(notes))).rejects.toThrow(`says that it is ${kept.hash}`)
    expect(await notesOf(restored.fairness)).toHaveLength(4)
  })

  it('is refused while the program runs on the database', async () => {
    const restored = await lotteryOn(1)
    await restored.database.db.transaction(async () => {
      await expect(restored.bring(sourceOf([]))).rejects.toThrow('Fairball is running on this database')
    })
  })
})

describe('a mirror', () => {
  it('is read page by page from its address', async () => {
    const { fairness } = await lotteryOn(3)
    const notes = await notesOf(fairness)
    const asked: string[] = []
    const source = logSource('https://mirror.example/', {
      fetch: async (input) => {
        const address = input instanceof Request ? input.url : input.toString()
        asked.push(address)
        if (address.includes('/rules/')) return new Response('gone', { status: 404 })
        const from = Number(/from=(\d+)/.exec(address)?.[1])
        const next = from + 2 < notes.length ? from + 2 : null
        return Response.json({ notes: notes.slice(from, from + 2), next })
      },
    })
    expect(await source.notesFrom(1)).toEqual(notes.slice(1))
    expect(asked).toEqual([1, 3].map((from) => `https://mirror.example/api/v1/fairness/log?from=${from}`))
    expect(await source.rulesOf('0'.repeat(64))).toBeNull()
  })

  it('that does not answer with a log is refused, and one that never ends is given up', async () => {
    const answering = (answer: () => Response) => logSource('https://mirror.example', { fetch: async () => answer() })
    await expect(answering(() => new Response('<html>')).notesFrom(0)).rejects.toThrow('does not answer with a log')
    await expect(answering(() => new Response('', { status: 500 })).notesFrom(0)).rejects.toThrow('status 500')
    const endless = answering(() => Response.json({ notes: ['x'], next: 0 }))
    await expect(endless.notesFrom(0)).rejects.toThrow('goes on after 1000 statements')
  })

  it('can be a file: a saved bundle, or a list of notes', async () => {
    const { fairness, folder } = await lotteryOn(2)
    const notes = await notesOf(fairness)
    const runtime = testRuntime()
    for (const content of [{ notes }, { format: 'fairball/bundle/v1', log: notes, rules: 'rules' }]) {
      const path = join(folder, 'log.json')
      await writeFile(path, JSON.stringify(content))
      expect(await logSource(path, runtime).notesFrom(2)).toEqual(notes.slice(2))
    }
    await writeFile(join(folder, 'log.json'), '{"notes":["nonsense"]}')
    await expect(logSource(join(folder, 'log.json'), runtime).notesFrom(0)).rejects.toThrow('is not a signed note')
    await expect(logSource(join(folder, 'missing.json'), runtime).notesFrom(0)).rejects.toThrow('cannot be read')
    await writeFile(join(folder, 'log.json'), '[]')
    await expect(logSource(join(folder, 'log.json'), runtime).notesFrom(0)).rejects.toThrow('holds no log')
  })
})

describe("the operator's commands", () => {
  const PROGRAM = join(import.meta.dirname, '../../main/operator.ts')

  /** Runs the program as an operator does. */
  function run(args: string[], env: Record<string, string> = {}) {
    return new Promise<{ status: number; out: string; err: string }>((resolve) => {
      execFile(process.execPath, [PROGRAM, ...args], { env: { PATH: '/usr/bin:/bin', ...env } }, (error, out, err) => {
        resolve({ status: error === null ? 0 : Number(error.code), out, err })
      })
    })
  }

  it('show the head, change the key and import a log', async () => {
    const original = await lotteryOn(4)
    const { database, folder, fairness, headFile } = await lotteryOn(2)
    const env = {
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      SECRET_KEY: Buffer.from(SECRET_KEY).toString('hex'),
    }
    const file = join(folder, 'mirror.json')
    await writeFile(file, JSON.stringify({ notes: await notesOf(original.fairness) }))
    expect(await run(['import-log', file], env)).toEqual({
      status: 0,
      out:
        '2 statements were imported. 2 draws are void, because their seeds are lost.\n' +
        'Orders that were paid since the backup are not in this database: their players hold signed receipts for them.\n',
      err: '',
    })
    // The demo's clock may be years ahead of the computer's.
    const client = await database.connect()
    const setAhead = (seconds: number) =>
      client.query(
        `insert into system_state (key, value) values ('demo.clock-offset', $1) on conflict (key) do update set value = excluded.value`,
        [String(seconds)],
      )
    await setAhead(20 * YEAR_SECONDS)
    const changed = await run(['change-key'], env)
    await setAhead(10 * YEAR_SECONDS)
    const late = await run(['change-key'], env)
    expect([late.status, late.err]).toEqual([
      1,
      expect.stringMatching(/ is 3153\d{5} seconds behind the newest statement/),
    ])
    const [, key] = /^The key is ([0-9a-f]{64}) from now on/.exec(changed.out) ?? []
    const head = await run(['log-head'], env)
    expect(head.out).toMatch(
      new RegExp(`^operator lottery.example\nkey ${key}\nseq 8\nhash [0-9a-f]{64}\ntime \\d+\n$`),
    )
    expect((await readHead(headFile))?.seq).toBe(8)
    expect(verifyLog(await notesOf(fairness)).problem).toBeNull()
  }, 60_000)

  it('say what they are, and fail with a sentence', async () => {
    expect((await run([])).err).toContain('import-log <address or file>')
    expect((await run(['steal'])).status).toBe(2)
    expect((await run(['import-log'])).status).toBe(2)
    const runtime = testRuntime()
    const database = await testDatabase({ runtime })
    const env = { DATABASE_URL: database.url, DATA_DIR: tmpdir(), SECRET_KEY: '00'.repeat(32) }
    const { status, err } = await run(['log-head'], env)
    expect([status, err]).toEqual([1, 'This database has no log yet. It begins with the first start of Fairball.\n'])
  }, 60_000)
})
