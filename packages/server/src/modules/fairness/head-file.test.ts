import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { checkedLog, openDraw, testLog } from '../../../test/fairness-log.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { headFileIn, readHead } from './head-file.ts'
import { LogHeadError } from './known-head.ts'
import { beginFairness, checkHead, HeadFile } from './service.ts'

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
  await beginFairness(fairness)
  /** The size of the log, and what the file should contain. */
  const newest = async () => {
    const { length: size } = await checkedLog(client, fairness.origin)
    const { rows } = await client.query<{ note: string }>(`select note from checkpoints where size = $1`, [size])
    const root = Buffer.from(rows[0]?.note.split('\n')[2] ?? '', 'base64').toString('hex')
    return { origin: 'lottery.example/fairball', size, root }
  }
  const open = (number: number) => db.transaction((tx) => openDraw(fairness, tx, number))
  return { runtime, db, client, fairness, headFile, newest, open }
}

describe('the file with the head of the log', () => {
  it('the file exists after the first start, and follows every statement after its commit', async () => {
    const { headFile, newest, open } = await begun()
    const first = await newest()
    expect(await readHead(headFile)).toEqual(first)
    for (const number of [1, 2, 3]) await open(number)
    const head = await newest()
    expect(head.size).toBe(first.size + 3)
    await expect.poll(() => readHead(headFile)).toEqual(head)
  })

  it('the file follows the statements of other processes too', async () => {
    const { db, runtime, headFile, newest } = await begun()
    const other = await testLog({ db, runtime })
    await db.transaction((tx) => openDraw(other, tx, 1))
    const head = await newest()
    await expect.poll(() => readHead(headFile)).toEqual(head)
  })

  it('the file never mentions a statement that was not committed', async () => {
    const { db, fairness, headFile, newest, open } = await begun()
    const undone = db.transaction(async (tx) => {
      await openDraw(fairness, tx, 1)
      throw new Error('crash')
    })
    await expect(undone).rejects.toThrow('crash')
    const before = await newest()
    await open(2)
    const after = await newest()
    expect(after.size).toBe(before.size + 1)
    await expect.poll(() => readHead(headFile)).toEqual(after)
  })

  it('a start updates the file after a crash between the commit and the write', async () => {
    const { db, runtime, headFile, newest, open } = await begun()
    const older = await readFile(headFile, 'utf8')
    await open(1)
    const head = await newest()
    await expect.poll(() => readHead(headFile)).toEqual(head)
    await writeFile(headFile, older)
    await beginFairness(await testLog({ db, runtime, headFile }))
    expect(await readHead(headFile)).toEqual(head)
  })

  it('the file stays whole when a writer is killed: a leftover draft is overwritten', async () => {
    const { headFile, newest, open } = await begun()
    await writeFile(`${headFile}.new`, '{"format":"fairball/he')
    await open(1)
    const head = await newest()
    await expect.poll(() => readHead(headFile)).toEqual(head)
    await expect(stat(`${headFile}.new`)).rejects.toThrow('ENOENT')
  })

  it('the file never goes back, however many processes write it at once', async () => {
    const { headFile, fairness, newest, open } = await begun()
    const writers = Array.from({ length: 4 }, () => new HeadFile({ ...fairness, path: headFile }))
    const seen: number[] = []
    let isOver = false
    const watch = (async () => {
      while (!isOver) seen.push((await readHead(headFile))?.size ?? -1)
    })()
    for (let number = 1; number <= 10; number += 1) {
      await Promise.all([open(number), ...writers.map((writer) => writer.update())])
    }
    await Promise.all(writers.map((writer) => writer.update()))
    isOver = true
    await watch
    expect(seen).toEqual(seen.toSorted((one, other) => one - other))
    expect(await readHead(headFile)).toEqual(await newest())
  })
})

describe('starting with a head file', () => {
  it('a start is refused if the database is behind the file, and names the missing statements', async () => {
    const { db, runtime, headFile, newest } = await begun()
    const { size, origin } = await newest()
    const kept = { format: 'fairball/head/v2', origin, size: 57, root: 'a'.repeat(64) }
    await writeFile(headFile, JSON.stringify(kept))
    const restored = await testLog({ db, runtime, headFile })
    for (const begin of [beginFairness, checkHead]) {
      const refusal = begin(restored)
      await expect(refusal).rejects.toBeInstanceOf(LogHeadError)
      await expect(refusal).rejects.toThrow(`Statements ${size} to 56 are missing`)
    }
    expect(JSON.parse(await readFile(headFile, 'utf8'))).toEqual(kept)
  })

  it('a start is refused on an empty database, before anything is signed for it', async () => {
    const { headFile } = await begun()
    const runtime = testRuntime({ seed: 'another' })
    const database = await testDatabase({ runtime })
    const fairness = await testLog({ db: database.db, runtime, headFile })
    await expect(beginFairness(fairness)).rejects.toThrow('the database holds none of them')
    expect(await checkedLog(await database.connect(), fairness.origin)).toEqual([])
  })

  it('a start is refused if the database has another log of that size', async () => {
    const { headFile } = await begun()
    const runtime = testRuntime({ seed: 'another' })
    const database = await testDatabase({ runtime })
    await beginFairness(await testLog({ db: database.db, runtime }))
    const again = await testLog({ db: database.db, runtime, headFile })
    await expect(beginFairness(again)).rejects.toThrow('a log that was published has been replaced')
  })

  it('a start is refused if the file cannot be read or written', async () => {
    const { db, runtime, headFile } = await begun()
    await writeFile(headFile, '{"format":"fairball/head/v2"')
    await expect(beginFairness(await testLog({ db, runtime, headFile }))).rejects.toThrow('cannot be read')
    const nowhere = headFileIn('/proc/self') // where no one can write
    await expect(beginFairness(await testLog({ db, runtime, headFile: nowhere }))).rejects.toThrow('cannot be kept')
  })

  it('a start writes the file if it or its folder is missing', async () => {
    const { db, runtime, headFile, newest } = await begun()
    await rm(headFile)
    for (const path of [headFile, headFileIn(join(await dataFolder(), 'new'))]) {
      await beginFairness(await testLog({ db, runtime, headFile: path }))
      expect(await readHead(path)).toEqual(await newest())
    }
  })
})

describe('a database that takes the place of another while the program runs', () => {
  /** A log of its own that the process is connected to all at once, as after a standby was promoted. */
  async function promoted(statements: number) {
    const { fairness, headFile, newest } = await begun()
    const file = new HeadFile({ ...fairness, path: headFile })
    await fairness.db.transaction((tx) => openDraw(fairness, tx, 1))
    await file.update()
    const { size } = await newest()
    const runtime = testRuntime({ seed: 'another' })
    const { db } = await testDatabase({ runtime })
    const standby = await testLog({ db, runtime })
    await beginFairness(standby)
    await db.transaction(async (tx) => {
      for (let number = 2; number <= statements; number += 1) await openDraw(standby, tx, number)
    })
    const running = { ...standby, known: fairness.known }
    const sign = () => db.transaction((tx) => openDraw(running, tx, 100))
    return { running, size, sign, update: () => new HeadFile({ ...running, path: headFile }).update() }
  }

  it('nothing is signed if it lacks statements that were read', async () => {
    const { size, sign, update } = await promoted(1)
    for (const change of [sign, update]) {
      const refused = change()
      await expect(refused).rejects.toBeInstanceOf(LogHeadError)
      await expect(refused).rejects.toThrow(`Statements ${size - 1} to ${size - 1} are missing`)
    }
  })

  it('nothing is signed if it has others in their places', async () => {
    const { running, sign, update } = await promoted(5)
    running.known.doubt()
    for (const change of [sign, update])
      await expect(change()).rejects.toThrow('statements that were published have been replaced')
  })
})
