import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { openDraw, testLog } from '../../../test/fairness-log.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { createHeadFile, headFileIn, LogHeadError, readHead } from './head-file.ts'

async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fairball-head-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function begun() {
  const runtime = testRuntime()
  const database = await testDatabase({ runtime })
  const { db } = database
  const client = await database.connect()
  const headFile = headFileIn(await dataFolder())
  const fairness = await testLog({ db, runtime, headFile })
  await fairness.begin()
  const newest = async () => {
    const { rows } = await client.query<{ seq: string; hash: string }>(
      `select seq, hash from statements order by seq desc limit 1`,
    )
    return { operator: 'lottery.example', seq: Number(rows[0]?.seq), hash: rows[0]?.hash ?? '' }
  }
  return { runtime, db, client, fairness, headFile, newest }
}

describe('the file with the head of the log', () => {
  it('is there after the first start, and follows every statement once it is committed', async () => {
    const { db, client, fairness, headFile, newest } = await begun()
    expect(await readHead(headFile)).toEqual(await newest())
    for (const number of [1, 2, 3]) await openDraw(fairness, db, client, number)
    const head = await newest()
    expect(head.seq).toBe(4)
    await expect.poll(() => readHead(headFile)).toEqual(head)
  })

  it('follows what another process appends as well', async () => {
    const { db, client, runtime, headFile, newest } = await begun()
    const other = await testLog({ db, runtime })
    await openDraw(other, db, client, 1)
    const head = await newest()
    await expect.poll(() => readHead(headFile)).toEqual(head)
  })

  it('says nothing of a statement that was never committed', async () => {
    const { db, client, fairness, headFile, newest } = await begun()
    const openHash = await openDraw(fairness, db, client, 1)
    const head = await newest()
    await expect.poll(() => readHead(headFile)).toEqual(head)
    const undone = db.transaction(async (tx) => {
      await fairness.voidDraw(tx, { openHash, reason: 'outage' })
      throw new Error('crash')
    })
    await expect(undone).rejects.toThrow('crash')
    await openDraw(fairness, db, client, 2)
    const after = await newest()
    await expect.poll(() => readHead(headFile)).toEqual(after)
    expect(after.seq).toBe(head.seq + 1)
  })

  it('is brought up at the start after a crash between the commit and its writing', async () => {
    const { db, client, runtime, headFile, fairness, newest } = await begun()
    const older = await readFile(headFile, 'utf8')
    await openDraw(fairness, db, client, 1)
    const head = await newest()
    await expect.poll(() => readHead(headFile)).toEqual(head)
    await writeFile(headFile, older)
    const restarted = await testLog({ db, runtime, headFile })
    await restarted.begin()
    expect(await readHead(headFile)).toEqual(head)
  })

  it('is whole whenever a writer was killed: a draft that was left behind is written over', async () => {
    const { db, client, headFile, fairness, newest } = await begun()
    await writeFile(`${headFile}.new`, '{"format":"fairball/he')
    await openDraw(fairness, db, client, 1)
    const head = await newest()
    await expect.poll(() => readHead(headFile)).toEqual(head)
    await expect(stat(`${headFile}.new`)).rejects.toThrow('ENOENT')
  })

  it('never goes back, however many processes write it at once', async () => {
    const { db, client, runtime, headFile, fairness, newest } = await begun()
    const openHash = await openDraw(fairness, db, client, 1)
    const writers = Array.from({ length: 4 }, () =>
      createHeadFile({ db, runtime, operatorName: 'lottery.example', path: headFile }),
    )
    const seen: number[] = []
    let isOver = false
    const watch = (async () => {
      while (!isOver) seen.push((await readHead(headFile))?.seq ?? -1)
    })()
    for (let round = 0; round < 10; round += 1) {
      const append = db.transaction((tx) => fairness.voidDraw(tx, { openHash, reason: 'outage' }))
      await Promise.all([append, ...writers.map((writer) => writer.update())])
    }
    await Promise.all(writers.map((writer) => writer.update()))
    isOver = true
    await watch
    expect(seen).toEqual(seen.toSorted((one, other) => one - other))
    expect(await readHead(headFile)).toEqual(await newest())
  })
})

describe('a start', () => {
  it('is refused when the database is behind the file, with what is missing and how to import it', async () => {
    const { db, runtime, headFile } = await begun()
    const kept = { format: 'fairball/head/v1', operator: 'lottery.example', seq: 57, hash: 'a'.repeat(64) }
    await writeFile(headFile, JSON.stringify(kept))
    const restored = await testLog({ db, runtime, headFile })
    const refusal = await restored.begin().then(
      () => null,
      (error: unknown) => error as Error,
    )
    expect(refusal).toBeInstanceOf(LogHeadError)
    expect(refusal?.message).toContain('Statements 2 to 57 are missing.')
    expect(refusal?.message).toContain('npm run operator -- import-log <address or file>')
    expect(JSON.parse(await readFile(headFile, 'utf8'))).toEqual(kept)
  })

  it('is refused on an empty database, before anything is signed for it', async () => {
    const { headFile } = await begun()
    const runtime = testRuntime({ seed: 'another' })
    const database = await testDatabase({ runtime })
    const fairness = await testLog({ db: database.db, runtime, headFile })
    await expect(fairness.begin()).rejects.toThrow('the database holds none of it')
    expect((await fairness.logFrom(0)).notes).toEqual([])
  })

  it('is refused when the database has another statement where the file names one', async () => {
    const { headFile } = await begun()
    const runtime = testRuntime({ seed: 'another' })
    const database = await testDatabase({ runtime })
    const fairness = await testLog({ db: database.db, runtime })
    await fairness.begin()
    const again = await testLog({ db: database.db, runtime, headFile })
    await expect(again.begin()).rejects.toThrow('has another one there')
  })

  it('is refused when the file cannot be read, or not be written', async () => {
    const { db, runtime, headFile } = await begun()
    await writeFile(headFile, '{"format":"fairball/head/v1"')
    await expect((await testLog({ db, runtime, headFile })).begin()).rejects.toThrow('cannot be read')
    const nowhere = headFileIn('/proc/self') // where nobody can write
    await expect((await testLog({ db, runtime, headFile: nowhere })).begin()).rejects.toThrow('cannot be kept')
  })

  it('goes on when the file, or its folder, is not there yet', async () => {
    const { db, runtime, headFile, newest } = await begun()
    await rm(headFile)
    for (const path of [headFile, headFileIn(join(await dataFolder(), 'new'))]) {
      await (await testLog({ db, runtime, headFile: path })).begin()
      expect(await readHead(path)).toEqual(await newest())
    }
  })
})
