import { fromHex, toHex } from '@fairball/domain/protocol/bytes'
import { logKey, readCheckpoint } from '@fairball/domain/protocol/checkpoint'
import { nobleHash } from '@fairball/domain/protocol/hash'
import { isSignedBy, readNote } from '@fairball/domain/protocol/note'
import { OLD_KEY_SECONDS } from '@fairball/domain/protocol/numbers'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { checkedLog, openDraw, testLog } from '../../../test/fairness-log.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { keptLog } from './keys.ts'
import {
  appendStatement,
  beginLog,
  changeKey,
  headOfLog,
  lockHead,
  readStatement,
  readStatementOf,
  rootAt,
  paperSigner,
} from './service.ts'
import { LOG_TREE } from './trees.ts'

async function begun() {
  const runtime = testRuntime()
  const database = await testDatabase({ runtime })
  const ctx = await testLog({ db: database.db, runtime })
  await beginLog(ctx)
  const client = await database.connect()
  return { ctx, runtime, database, db: database.db, client, log: () => checkedLog(client, ctx.origin) }
}

describe('the log', () => {
  it('the log begins once, with its key and the hash of the next one', async () => {
    const { ctx, log, db } = await begun()
    await beginLog(ctx)
    const [first, ...others] = await log()
    expect(others).toEqual([])
    const { publicKey } = await ctx.keys.inForce(db)
    const next = await ctx.keys.nextHash(db)
    expect(first?.statement).toMatchObject({
      type: 'log',
      log: 'lottery.example/fairball',
      key: toHex(publicKey),
      next,
      after: null,
    })
  })

  it('a log that follows a lost one names its last head, and only in its first statement', async () => {
    const runtime = testRuntime()
    const { db, connect } = await testDatabase({ runtime })
    const ctx = await testLog({ db, runtime })
    const after = { origin: 'old.example/fairball', size: 812, root: '5e'.repeat(32) }
    await beginLog(ctx, after)
    await beginLog(ctx, { ...after, size: 900 })
    const [first, ...others] = await checkedLog(await connect(), ctx.origin)
    expect([first?.statement, others]).toMatchObject([{ type: 'log', after }, []])
  })

  it('concurrent appends make one chain of heads without gaps', async () => {
    const { ctx, db, log } = await begun()
    const tried = await Promise.allSettled(
      Array.from({ length: 100 }, (_, place) => db.transaction((tx) => openDraw(ctx, tx, place + 1), { attempts: 1 })),
    )
    // On a busy computer some wait too long for a connection; these fail as a whole.
    const appended = tried.filter(({ status }) => status === 'fulfilled').length
    expect(appended).toBeGreaterThan(40)
    expect(await log()).toHaveLength(1 + appended)
  })

  it('a transaction that is rolled back leaves no gap in the indexes', async () => {
    const { ctx, db, log } = await begun()
    const undone = db.transaction(async (tx) => {
      await openDraw(ctx, tx, 1)
      throw new Error('the process thinks better of it')
    })
    await expect(undone).rejects.toThrow('thinks better')
    expect(await log()).toHaveLength(1)
    await db.transaction((tx) => openDraw(ctx, tx, 1))
    expect(await log()).toHaveLength(2)
  })

  it('time never goes back in the log, whatever the clock of the process says', async () => {
    const { ctx, db, runtime, log } = await begun()
    const at = runtime.clock.now()
    runtime.clock.set(at - 3600)
    const { time } = await db.transaction((tx) => openDraw(ctx, tx, 1))
    expect(time).toBe(at)
    const dated = db.transaction((tx) =>
      appendStatement(ctx, tx, { type: 'paid', size: 0, root: toHex(nobleHash()), draw: [] }, at - 1),
    )
    await expect(dated).rejects.toThrow('would be dated before the newest one')
    expect(await log()).toHaveLength(2)
  })

  it('a statement takes the time at which the head was locked, or a later one', async () => {
    const { ctx, db, runtime } = await begun()
    const fields = { type: 'paid', size: 0, root: toHex(nobleHash()), draw: [] } as const
    const { locked, first, second } = await db.transaction(async (tx) => {
      const lockedAt = await lockHead(ctx, tx)
      runtime.clock.set(runtime.clock.now() + 5)
      const one = await appendStatement(ctx, tx, fields, lockedAt)
      return { locked: lockedAt, first: one, second: await appendStatement(ctx, tx, fields, lockedAt + 60) }
    })
    expect(first.time).toBe(locked)
    expect(second).toMatchObject({ time: locked + 60, index: first.index + 1 })
  })

  it('the log refuses a duplicate or malformed statement, and keeps everything it has', async () => {
    const { ctx, db, client, log } = await begun()
    const fields = { type: 'paid', size: 0, root: toHex(nobleHash()), draw: [] } as const
    await db.transaction((tx) => appendStatement(ctx, tx, fields))
    await expect(db.transaction((tx) => appendStatement(ctx, tx, fields))).rejects.toThrow('duplicate key')
    const malformed = db.transaction((tx) => appendStatement(ctx, tx, { ...fields, root: 'none' }))
    await expect(malformed).rejects.toThrow('not 64 hex digits')
    for (const table of ['log_leaves', 'checkpoints']) {
      await expect(client.query(`delete from ${table}`)).rejects.toThrow('append-only')
      await expect(client.query(`update ${table} set at = 0`)).rejects.toThrow('append-only')
    }
    expect(await log()).toHaveLength(2)
  })

  it('the root of the log’s tree is that of its newest checkpoint', async () => {
    const { ctx, db, client } = await begun()
    for (const number of [1, 2, 3]) await db.transaction((tx) => openDraw(ctx, tx, number))
    const { rows } = await client.query<{ note: string }>(`select note from checkpoints order by size desc limit 1`)
    expect(readCheckpoint(rows[0]?.note ?? '')).toMatchObject({ size: 4, root: await rootAt(db, LOG_TREE, 4) })
  })

  it('statements are found by their hashes', async () => {
    const { ctx, db } = await begun()
    const { hash, index } = await db.transaction((tx) => openDraw(ctx, tx, 7))
    expect(await readStatement(db, hash)).toMatchObject({ index, statement: { type: 'open', draw: 7 } })
    expect(await readStatementOf(db, 'open', hash)).toMatchObject({ draw: 7 })
    await expect(readStatementOf(db, 'close', hash)).rejects.toThrow('is a open, not a close')
    await expect(readStatement(db, '00'.repeat(32))).rejects.toThrow('no statement of the log')
  })
})

describe('a change of keys', () => {
  it('a key change puts the announced key in force and commits to another one', async () => {
    const { ctx, db, log } = await begun()
    const promised = await ctx.keys.nextHash(db)
    const { publicKey, hash } = await changeKey(ctx)
    expect(toHex(nobleHash(fromHex(publicKey)))).toBe(promised)
    const next = await ctx.keys.nextHash(db)
    expect(next).not.toBe(promised)
    expect((await log()).at(-1)).toMatchObject({ hash, statement: { type: 'key', key: publicKey, next } })
    expect(await headOfLog(ctx, db)).toMatchObject({ publicKey, index: 1, hash })
  })

  it('the old key still signs checkpoints for 90 days, and only the new one signs papers', async () => {
    const { ctx, db, runtime, client, log } = await begun()
    const old = (await ctx.keys.inForce(db)).publicKey
    await changeKey(ctx)
    const changedAt = runtime.clock.now()
    const isSignedByOld = async (size: number) => {
      const { rows } = await client.query<{ note: string }>(`select note from checkpoints where size = $1`, [size])
      const note = readNote(rows[0]?.note ?? '')
      return note !== null && isSignedBy(note, logKey(ctx.origin, old))
    }
    expect(await isSignedByOld(2)).toBe(true)
    runtime.clock.set(changedAt + OLD_KEY_SECONDS)
    await db.transaction((tx) => openDraw(ctx, tx, 1))
    expect(await isSignedByOld(3)).toBe(true)
    runtime.clock.set(changedAt + OLD_KEY_SECONDS + 1)
    await db.transaction((tx) => openDraw(ctx, tx, 2))
    expect(await isSignedByOld(4)).toBe(false)
    expect(await log()).toHaveLength(4)
  })

  it('every other process sees a key change and signs with the new key from then on', async () => {
    const { ctx, db, runtime, log } = await begun()
    const other = { ...ctx, ...(await keptLog({ db, runtime, seal: ctx.seal }, 'https://other.example')) }
    expect(other.origin).toBe(ctx.origin)
    await db.transaction((tx) => openDraw(other, tx, 1))
    await changeKey(ctx)
    await db.transaction((tx) => openDraw(other, tx, 2))
    expect(await log()).toHaveLength(4)
  })
})

describe('a paper of a player', () => {
  it('a paper is signed by the key in force', async () => {
    const { ctx, db, runtime } = await begun()
    const text = [
      'fairball/receipt/v2',
      `log ${ctx.origin}`,
      `time ${runtime.clock.now()}`,
      'order a',
      `promise ${'00'.repeat(32)}`,
      `open ${'00'.repeat(32)}`,
      `play ${'00'.repeat(16)}`,
      `leaf ${'00'.repeat(32)}`,
      'index 0',
      `statement ${'00'.repeat(32)}`,
      `supersedes ${'00'.repeat(32)}`,
      'reason none',
      '',
    ].join('\n')
    const note = readNote((await paperSigner(ctx, db))(text))
    expect(note?.text).toBe(text)
    const { publicKey } = await ctx.keys.inForce(db)
    expect(note !== null && isSignedBy(note, logKey(ctx.origin, publicKey))).toBe(true)
  })

  it('only a paper is signed that way: no checkpoint and no statement', async () => {
    const { ctx, db, log } = await begun()
    const sign = await paperSigner(ctx, db)
    const statement = (await log())[0]?.text ?? ''
    expect(() => sign(statement)).toThrow('a log is no paper')
    expect(() => sign(`${ctx.origin}\n1\n${'A'.repeat(43)}=\n`)).toThrow('no statement')
  })
})
