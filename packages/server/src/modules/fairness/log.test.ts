import { fromHex } from '@fairball/domain/fairness/bytes'
import { verifyLog } from '@fairball/domain/fairness/log'
import { parseNote, verifyNote } from '@fairball/domain/fairness/signed-note'
import { parseStatementOf } from '@fairball/domain/fairness/statements'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { closeDraw, openDraw, testLog } from '../../../test/fairness-log.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import type { Fairness } from './service.ts'

async function begun() {
  const runtime = testRuntime()
  const database = await testDatabase({ runtime })
  const fairness = await testLog({ db: database.db, runtime })
  await fairness.begin()
  return { fairness, runtime, database, db: database.db, client: await database.connect() }
}

async function notesOf(fairness: Fairness): Promise<string[]> {
  const notes: string[] = []
  for (let from: number | null = 0; from !== null;) {
    const page = await fairness.logFrom(from)
    notes.push(...page.notes)
    from = page.next
  }
  return notes
}

describe('the log', () => {
  it('is one chain without gaps, however many append at once', async () => {
    const { fairness, db, client } = await begun()
    const openHash = await openDraw(fairness, db, client, 1)
    const tried = await Promise.allSettled(
      Array.from({ length: 150 }, () =>
        db.transaction((tx) => fairness.voidDraw(tx, { openHash, reason: 'outage' }), { attempts: 1 }),
      ),
    )
    // On a busy computer some wait too long for a connection; they are turned away whole.
    const appended = tried.filter(({ status }) => status === 'fulfilled').length
    const notes = await notesOf(fairness)
    expect(notes).toHaveLength(3 + appended)
    expect(appended).toBeGreaterThan(50)
    const { problem, head } = verifyLog(notes)
    expect(problem).toBeNull()
    expect(head?.seq).toBe(notes.length - 1)
  })

  it('leaves no number out for a transaction that was undone', async () => {
    const { fairness, db, client } = await begun()
    const openHash = await openDraw(fairness, db, client, 1)
    const before = await notesOf(fairness)
    const undone = db.transaction(async (tx) => {
      await fairness.voidDraw(tx, { openHash, reason: 'outage' })
      throw new Error('the process thinks better of it')
    })
    await expect(undone).rejects.toThrow('thinks better')
    expect(await notesOf(fairness)).toEqual(before)
    await db.transaction((tx) => fairness.voidDraw(tx, { openHash, reason: 'outage' }))
    expect(verifyLog(await notesOf(fairness))).toMatchObject({ problem: null, head: { seq: before.length } })
  })

  it('serves a statement only after its commit', async () => {
    const { fairness, db, client } = await begun()
    const openHash = await openDraw(fairness, db, client, 1)
    const before = await notesOf(fairness)
    await db.transaction(async (tx) => {
      const hash = await fairness.voidDraw(tx, { openHash, reason: 'outage' })
      expect(await notesOf(fairness)).toEqual(before)
      await expect(fairness.statementOf(hash)).rejects.toThrow('No such text')
      expect((await fairness.recordOf('bitcoin-hero', 1)).notes).toHaveLength(1)
    })
    expect(await notesOf(fairness)).toHaveLength(before.length + 1)
    expect((await fairness.recordOf('bitcoin-hero', 1)).notes).toHaveLength(2)
  })

  it('never lets time go back, wherever the clock of the process stands', async () => {
    const { fairness, db, client, runtime } = await begun()
    await openDraw(fairness, db, client, 1)
    runtime.clock.set(runtime.clock.now() - 3600)
    await openDraw(fairness, db, client, 2)
    expect(verifyLog(await notesOf(fairness)).problem).toBeNull()
  })

  it('refuses a statement that was changed or removed in the database', async () => {
    const { client } = await begun()
    await expect(client.query(`update statements set text = '' where seq = 0`)).rejects.toThrow('append-only')
    await expect(client.query(`delete from statements where seq = 1`)).rejects.toThrow('append-only')
  })
})

describe('a change of the key', () => {
  it('is signed by the old and the new key, and the log can be followed over it', async () => {
    const { fairness, db, client } = await begun()
    await openDraw(fairness, db, client, 1)
    const { publicKey, hash } = await fairness.changeKey()
    await openDraw(fairness, db, client, 2)
    const notes = await notesOf(fairness)
    const { problem, head } = verifyLog(notes)
    expect(problem).toBeNull()
    expect(head?.keys.map((key) => key.publicKey)).toEqual([firstKey(notes), publicKey])
    const text = await fairness.statementOf(hash)
    expect(parseStatementOf('key', text).key).toBe(publicKey)
    const note = notes.find((one) => one.startsWith(text)) ?? ''
    expect(parseNote(note)?.signatures).toHaveLength(2)
  })

  it('holds for every process at once, without a restart', async () => {
    const { fairness, db, client, runtime } = await begun()
    const other = await testLog({ db, runtime })
    await openDraw(other, db, client, 1) // it has signed with the old key before
    const { publicKey } = await fairness.changeKey()
    await openDraw(other, db, client, 2)
    const last = (await notesOf(other)).at(-1) ?? ''
    expect(verifyNote(last, { name: 'lottery.example', publicKey: fromHex(publicKey) })).not.toBeNull()
  })

  it('comes before or after each statement that is appended at the same time, never between', async () => {
    const { fairness, db, client, runtime } = await begun()
    const openHash = await openDraw(fairness, db, client, 1)
    const other = await testLog({ db, runtime })
    const voids = Array.from({ length: 8 }, (_, index) =>
      db.transaction((tx) => (index % 2 === 0 ? fairness : other).voidDraw(tx, { openHash, reason: 'outage' })),
    )
    await Promise.all([...voids, fairness.changeKey(), other.changeKey()])
    expect(verifyLog(await notesOf(fairness))).toMatchObject({ problem: null, head: { seq: 2 + 8 + 2 } })
  })

  it('keeps the new secret sealed', async () => {
    const { fairness, client } = await begun()
    const before = await client.query(`select value from system_state where key = 'fairness.operator-key'`)
    await fairness.changeKey()
    const after = await client.query<{ value: string }>(
      `select value from system_state where key = 'fairness.operator-key'`,
    )
    expect(after.rows).not.toEqual(before.rows)
    // 12 bytes of nonce, 32 of the secret, 16 of the tag.
    expect(Buffer.from(after.rows[0]?.value ?? '', 'base64')).toHaveLength(60)
  })
})

describe('the record of a draw', () => {
  it('has every note of it, a second close too, in the order of the log', async () => {
    const { fairness, db, client } = await begun()
    const openHash = await openDraw(fairness, db, client, 1)
    await openDraw(fairness, db, client, 2)
    await closeDraw(fairness, db, client, openHash, 7n)
    const time = await db.transaction((tx) => fairness.lockHead(tx))
    await db.transaction((tx) =>
      fairness.postpone(tx, { openHash, reason: 'witness', startAt: time + 900, round: 9n, time }),
    )
    const close = await closeDraw(fairness, db, client, openHash, 9n)
    await db.transaction((tx) =>
      fairness.result(tx, { close, signature: '00'.repeat(48), numbers: [1, 2, 3, 4, 5], tiers: [] }),
    )
    await db.transaction((tx) => fairness.voidDraw(tx, { openHash, reason: 'beacon' }))
    const { notes } = await fairness.recordOf('bitcoin-hero', 1)
    expect(notes.map((note) => note.slice('fairball/'.length, note.indexOf('/v1\n')))).toEqual([
      'open',
      'close',
      'postpone',
      'close',
      'result',
      'void',
    ])
    expect((await fairness.recordOf('bitcoin-hero', 2)).notes).toHaveLength(1)
    expect((await fairness.recordOf('bitcoin-hero', 3)).notes).toEqual([])
  })
})

function firstKey(notes: readonly string[]): string {
  return parseStatementOf('log', parseNote(notes[0] ?? '')?.text ?? '').key
}
