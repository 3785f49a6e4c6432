import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { toHex } from '@fairball/domain/fairness/bytes'
import { ENTRY_RECORD_BYTES, leafHash, readEntryRecord } from '@fairball/domain/fairness/entry'
import { verifyLog } from '@fairball/domain/fairness/log'
import { noteOf, parseNote } from '@fairball/domain/fairness/signed-note'
import { parseStatementOf, type StatementOf } from '@fairball/domain/fairness/statements'
import { MerkleTree, verifyInclusion } from '@fairball/domain/fairness/tree'
import { luckyDip } from '@fairball/domain/lucky-dip'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Answer, testApplication, type TestApplication } from '../../../test/application.ts'
import { testDatabase } from '../../../test/database.ts'
import { closeDraw, openDraw, testLog, testWitness } from '../../../test/fairness-log.ts'
import { testLottery } from '../../../test/lottery.ts'
import { seededRandom } from '../../../test/seeded-random.ts'
import type { Db } from '../../db/pool.ts'
import { createHttpApp } from '../../http/app.ts'
import { RateLimits } from '../../kernel/limits.ts'
import { monotonicTime } from '../../runtime/system-runtime.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { hashEntries } from './entries.ts'
import { readOctets } from './queries.ts'
import { fairnessRoutes } from './routes.ts'

const RECORD = '/fairness/draws/bitcoin-hero/1'
const ENTRIES = `${RECORD}/entries`
const FOR_GOOD = 'public, max-age=31536000, immutable'
const FOR_A_MOMENT = 'public, max-age=1'

it('is a log without gaps, a hundred notes a page, each naming the one before', async () => {
  const { lottery, moveTo, runtime } = await testLottery()
  await moveTo(runtime.clock.now() + 10 * 86_400)
  const first = await lottery.fairness.logFrom(0)
  expect(first.notes).toHaveLength(100)
  expect(first.next).toBe(100)
  const second = await lottery.fairness.logFrom(100)
  expect(second.next).toBeNull()
  expect(verifyLog([...first.notes, ...second.notes])).toMatchObject({ problem: null })
})

/** Buys so many lines of bitcoin-hero's first draw and pays them; gives the play. */
async function play({ call }: Pick<TestApplication, 'call'>, bearer: string, count: number): Promise<string> {
  const random = seededRandom(`lines ${count}`)
  const tickets = Array.from({ length: count }, () => ({
    isLuckyDip: true,
    numbers: luckyDip({ pick: 5, pool: 36 }, (bytes) => random.bytes(bytes)),
  }))
  const body = { type: 'lotto', key: 'bitcoin-hero', days: [3], weeks: 1, tickets }
  const { body: made } = await call('POST', '/payment', { bearer, body })
  const paid = await call('POST', '/dev/pay', { body: { transaction_id: made.transaction_id } })
  expect(paid.body).toEqual({ status: 'PAID' })
  const plays = await call('GET', '/games/bitcoin-hero/plays', { bearer })
  return String(plays.body.data.results[0].id)
}

async function closedDraw(count: number, options: Parameters<typeof testApplication>[0] = {}) {
  const application = await testApplication(options)
  const { call, signUp, moveTo, logIn } = application
  const player = await signUp()
  const playId = count === 0 ? '' : await play(application, player.bearer, count)
  const { body: games } = await call('GET', '/games')
  const { start_at: startAt, end_at: endAt } = games.find(
    (game: { key: string }) => game.key === 'bitcoin-hero',
  ).next_draw
  const before = await call('GET', ENTRIES)
  await moveTo(startAt - 200)
  const bearer = await logIn(player.email)
  return { ...application, playId, bearer, startAt, endAt, before }
}

function closeIn(notes: readonly string[]): StatementOf<'close'> {
  const note = notes.find((one) => one.startsWith('fairball/close')) ?? ''
  return parseStatementOf('close', parseNote(note)?.text ?? '')
}

describe('the entries of a draw', () => {
  it('are public from the close on, in the order of the tree, and are what the receipts prove', async () => {
    const { application, call, before, playId, bearer } = await closedDraw(120)
    expect([before.status, before.body.error.code]).toEqual([404, 'NOT_FOUND'])
    const { rawPayload, headers } = await application.http.inject({ url: `/api/v1${ENTRIES}` })
    const octets = new Uint8Array(rawPayload)
    const { notes } = (await call('GET', RECORD)).body
    const close = closeIn(notes)
    expect(octets).toHaveLength(120 * ENTRY_RECORD_BYTES)
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(octets.length),
      'cache-control': FOR_GOOD,
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      etag: `"${close.root}"`,
    })
    const openHash = new Uint8Array(Buffer.from(close.open, 'hex'))
    const published = Array.from({ length: 120 }, (_, index) => readEntryRecord(octets, index * ENTRY_RECORD_BYTES))
    const leaves = published.map((entry) => leafHash(openHash, entry))
    const root = new MerkleTree(Buffer.concat(leaves)).root()
    expect(toHex(root)).toBe(close.root)

    const receipt = (await call('GET', `/plays/${playId}/receipt`, { bearer })).body
    expect(receipt.close).toBe(notes[1])
    expect(receipt.entries).toHaveLength(120)
    const signed = parseStatementOf('receipt', parseNote(receipt.receipt)?.text ?? '')
    receipt.entries.forEach((proof: { id: string; index: number; size: number; path: string[] }, nth: number) => {
      expect(toHex(published[proof.index]?.id ?? new Uint8Array())).toBe(proof.id)
      expect(signed.entries[nth]?.id).toBe(proof.id)
      const path = proof.path.map((hash) => new Uint8Array(Buffer.from(hash, 'hex')))
      const leaf = leaves[proof.index] ?? new Uint8Array()
      expect(verifyInclusion({ leafHash: leaf, index: proof.index, size: proof.size, path, root })).toBe(true)
    })
  })

  it('are told of without being sent, and not sent again to who has them', async () => {
    const { application, call } = await closedDraw(3)
    const url = `/api/v1${ENTRIES}`
    const head = await application.http.inject({ method: 'HEAD', url })
    const length = String(3 * ENTRY_RECORD_BYTES)
    expect([head.statusCode, head.headers['content-length'], head.rawPayload.length]).toEqual([200, length, 0])
    const etag = String(head.headers.etag)
    const again = await call('GET', ENTRIES, { headers: { 'if-none-match': etag } })
    expect([again.status, again.body, again.headers['cache-control']]).toEqual([304, '', FOR_GOOD])
    expect((await call('GET', ENTRIES, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  it('of an empty draw are no octets at all; of no draw they are not found', async () => {
    const { call } = await closedDraw(0)
    const answer = await call('GET', ENTRIES)
    expect([answer.status, answer.headers['content-length'], answer.body]).toEqual([200, '0', ''])
    for (const path of ['/fairness/draws/bitcoin-hero/2/entries', '/fairness/draws/bitcoin-hero/999/entries'])
      expect((await call('GET', path)).status).toBe(404)
    for (const path of ['/fairness/draws/keno/1/entries', '/fairness/draws/bitcoin-hero/0/entries'])
      expect([400, 404]).toContain((await call('GET', path)).status)
    expect((await call('GET', '/fairness/draws/bitcoin-hero/999/entries')).headers['cache-control']).toBe('no-store')
  })
})

it('keeps the entries of a draw that became void after its close public', async () => {
  const { fairness, client } = await largeDraw(5, 10)
  await client.query(`update draws set status = 'void'`)
  const { octets, bytes } = await fairness.entriesOf('bitcoin-hero', 1)
  const chunks: Uint8Array[] = []
  for await (const chunk of octets()) chunks.push(chunk)
  expect(chunks.map((chunk) => chunk.length)).toEqual([bytes])
  expect((await fairness.openedRecordOf('bitcoin-hero', 1)).isFinal).toBe(true)
})

/** A sealed draw with made-up entries, more than are read at a time. */
async function largeDraw(entries: number, poolSize: number, seenBy: (db: Db) => Db = (db) => db) {
  const runtime = testRuntime()
  const database = await testDatabase({ runtime, poolSize })
  const { db } = database
  const client = await database.connect()
  const fairness = await testLog({ db: seenBy(db), runtime })
  await fairness.begin()
  const openHash = await openDraw(fairness, db, client, 1)
  await closeDraw(fairness, db, client, openHash)
  const { rows } = await client.query<{ id: string }>(`select id from draws`)
  const drawId = BigInt(rows[0]?.id ?? 0)
  await client.query(
    `insert into entries_being_made (draw_id, mask, play_id, line_no, kind, entry_id, owner_tag)
      select $1, case when i % 2 = 0 then i else -i end, gen_random_uuid(), 0, i % 2, decode(md5(i::text), 'hex'),
        sha256(i::text::bytea) from generate_series(1, $2::int) i`,
    [drawId, entries],
  )
  await client.query(`select seal_entries($1)`, [drawId])
  const identity = new Uint8Array(Buffer.from(openHash, 'hex'))
  const hashed = await db.transaction((tx) => hashEntries(tx, drawId, identity))
  await client.query(`update draws set root = $1, entries = $2`, [hashed.root, entries])
  return { fairness, db, client, hashed, identity }
}

describe('the entries of a large draw', () => {
  it('come in chunks that make up the whole list, whose tree has the root of the close', async () => {
    const size = 20_001
    const { fairness, hashed, identity } = await largeDraw(size, 10)
    const { octets, bytes, root } = await fairness.entriesOf('bitcoin-hero', 1)
    const chunks: Uint8Array[] = []
    for await (const chunk of octets()) chunks.push(chunk)
    expect(chunks.map((chunk) => chunk.length / ENTRY_RECORD_BYTES)).toEqual([8192, 8192, 3617])
    const list = new Uint8Array(Buffer.concat(chunks))
    expect(list).toHaveLength(bytes)
    const leaves = Array.from({ length: size }, (_, index) =>
      leafHash(identity, readEntryRecord(list, index * ENTRY_RECORD_BYTES)),
    )
    expect(toHex(new MerkleTree(Buffer.concat(leaves)).root())).toBe(root)
    expect(hashed).toEqual({ root, entries: size, freeEntries: 10_001 })
  })

  it('hold no connection while their reader is slow, and ask for nothing more once it has left', async () => {
    const { fairness, db, client } = await largeDraw(30_000, 1)
    const { octets } = await fairness.entriesOf('bitcoin-hero', 1)
    const stream = Readable.from(octets(), { objectMode: false })
    await once(stream, 'readable')
    expect(stream.read(ENTRY_RECORD_BYTES)).toHaveLength(ENTRY_RECORD_BYTES)
    // The only connection of the pool is free for others meanwhile.
    expect((await fairness.recordOf('bitcoin-hero', 1)).notes).toHaveLength(2)
    stream.destroy()
    await once(stream, 'close')
    await db.transaction((tx) => fairness.lockHead(tx))
    const busy = `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and state <> 'idle'`
    await expect.poll(async () => (await client.query(busy)).rowCount).toBe(0)
  })
})

describe('a visitor who takes the entries slowly, and leaves', () => {
  it('gets only as much read for it as it takes, and nothing more is read once it has left', async () => {
    const runtime = testRuntime()
    let chunksRead = 0
    const { fairness } = await largeDraw(150_000, 10, (db) => ({
      ...db,
      one: (statement, args) => {
        if (statement.name === readOctets.name) chunksRead += 1
        return db.one(statement, args)
      },
    }))
    const http = createHttpApp({ runtime, authenticate: async () => null, isDemo: true, publicUrl: 'http://localhost' })
    onTestFinished(() => http.close())
    const limits = new RateLimits({
      db: (await testDatabase({ runtime })).db,
      clock: runtime.clock,
      callerKey: new Uint8Array(32),
    })
    fairnessRoutes(http, { fairness, limits })
    const address = new URL(await http.listen({ port: 0, host: '127.0.0.1' }))
    const socket = connect({ port: Number(address.port), host: '127.0.0.1' })
    socket.pause()
    socket.write(`GET /api/v1${ENTRIES} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    await expect.poll(() => chunksRead).toBeGreaterThan(0)
    // What the sockets of both sides hold is read ahead, and then no more.
    const settled = async (): Promise<number> => {
      for (let before = -1; before !== chunksRead;) {
        before = chunksRead
        await monotonicTime.sleep(300)
      }
      return chunksRead
    }
    const readAhead = await settled()
    expect(readAhead).toBeLessThan(Math.floor(150_000 / 8192))
    socket.destroy()
    expect(await settled()).toBeLessThanOrEqual(readAhead + 1)
  }, 60_000)
})

describe('the proofs of a play', () => {
  it('read the blocks of its entries alone, and are the same as those over the whole tree', async () => {
    const { lottery, rows, addPlayer, buy, moveTo, runtime } = await testLottery()
    const random = seededRandom('many lines')
    const lines = (count: number) =>
      Array.from({ length: count }, () => luckyDip({ pick: 5, pool: 36 }, (bytes) => random.bytes(bytes)))
    for (const count of [1000, 1000, 700, 3])
      await buy({ playerId: await addPlayer(), gameKey: 'bitcoin-hero', lines: lines(count), days: [3] })
    await moveTo(runtime.clock.now() + 15 * 60 - 200)
    const { root, octets } = await lottery.fairness.entriesOf('bitcoin-hero', 1)
    const chunks: Uint8Array[] = []
    for await (const chunk of octets()) chunks.push(chunk)
    const list = new Uint8Array(Buffer.concat(chunks))
    const close = closeIn((await lottery.fairness.recordOf('bitcoin-hero', 1)).notes)
    const identity = new Uint8Array(Buffer.from(close.open, 'hex'))
    const leaves = Array.from({ length: 2703 }, (_, index) =>
      leafHash(identity, readEntryRecord(list, index * ENTRY_RECORD_BYTES)),
    )
    const tree = new MerkleTree(Buffer.concat(leaves))
    expect(toHex(tree.root())).toBe(root)
    const blocks = await rows(`select block, root from entry_blocks order by block`)
    expect(blocks.map((row) => row['block'])).toEqual(Array.from({ length: 43 }, (_, place) => place))
    // A draw that was sealed before blocks were kept gets them with the first proof that is asked for.
    await rows(`delete from entry_blocks`)
    const plays = await rows<{ id: string; player_id: string }>(`select id, player_id from plays`)
    let proofs = 0
    for (const { id, player_id: playerId } of plays) {
      const receipt = await lottery.fairness.receiptOf(id, BigInt(playerId))
      for (const proof of receipt.entries) {
        proofs += 1
        expect(proof.size).toBe(2703)
        if (proofs % 10 === 0 || receipt.entries.length === 3)
          expect(proof.path).toEqual(tree.path(proof.index).map(toHex))
      }
    }
    expect(proofs).toBe(2703)
    expect(await rows(`select block, root from entry_blocks order by block`)).toEqual(blocks)
  }, 60_000)
})

describe('what may be kept of the records', () => {
  it('is for good what can no longer change, and for a moment what can', async () => {
    const { call, moveTo, endAt, playId, bearer } = await closedDraw(1)
    const kept = async (path: string) => (await call('GET', path)).headers['cache-control']
    const record = await call('GET', RECORD)
    expect(record.headers).toMatchObject({ 'cache-control': FOR_A_MOMENT, 'access-control-allow-origin': '*' })
    expect(record.body.beacon).toBeNull()
    expect(await kept('/fairness/log')).toBe(FOR_A_MOMENT)
    const openHash = closeIn(record.body.notes).open
    expect(await kept(`/fairness/statements/${openHash}`)).toBe(FOR_GOOD)
    const receipt = await call('GET', `/plays/${playId}/receipt`, { bearer })
    expect(receipt.headers['cache-control']).toBe('no-store')
    expect(receipt.headers['access-control-allow-origin']).toBeUndefined()

    await moveTo(endAt + 10 * 86_400)
    expect(await kept(RECORD)).toBe(FOR_GOOD)
    expect((await call('GET', RECORD)).body.beacon).not.toBeNull()
    expect(await kept('/fairness/log')).toBe(FOR_GOOD) // a hundred notes, and more after them
    const { body: page } = await call('GET', '/fairness/log')
    expect([page.notes.length, page.next]).toEqual([100, 100])
    const newest = await call('GET', '/fairness/log?from=100')
    expect([newest.body.next, newest.headers['cache-control']]).toEqual([null, FOR_A_MOMENT])
  }, 60_000)

  it('is not for good of a full page with which the log ends: its next is still to come', async () => {
    const { call, moveTo, endAt } = await closedDraw(0)
    await moveTo(endAt + 10 * 86_400)
    const { body: rest } = await call('GET', '/fairness/log?from=100')
    const last = await call('GET', `/fairness/log?from=${rest.notes.length}`)
    expect([last.body.notes.length, last.body.next]).toEqual([100, null])
    expect(last.headers['cache-control']).toBe(FOR_A_MOMENT)
  })
})

describe('a witness', () => {
  it('lets a draw go on that names it, and stands in its record for good', async () => {
    const alice = testWitness('alice', 1)
    const { name, publicKey } = alice
    const witnesses = { required: 1, list: [{ name, publicKey }] }
    const { call, moveTo, endAt, runtime } = await closedDraw(1, { config: { witnesses } })
    const { notes } = (await call('GET', RECORD)).body
    expect(notes[0]).toContain(`\nwitness 1 alice=${publicKey}\n`)
    const text = parseNote(String(notes[1]))?.text ?? ''
    const line = alice.line(text, runtime.clock.now())
    const headers = { 'content-type': 'text/plain' }
    for (const note of [noteOf(text, [line]), `${String(notes[1])}${line}\n`]) {
      const { status, body } = await call('POST', '/fairness/witness', { body: note, headers })
      expect([status, body]).toEqual([200, { ok: true }])
    }
    expect((await call('GET', RECORD)).body.witnesses).toEqual([line])
    await moveTo(endAt + 60)
    const record = await call('GET', RECORD)
    expect(record.body.witnesses).toEqual([line])
    expect(record.body.notes.map((note: string) => note.split('\n')[0])).toEqual(
      ['open', 'close', 'result'].map((type) => `fairball/${type}/v1`),
    )
    expect(record.headers['cache-control']).toBe(FOR_GOOD)
    expect((await call('GET', '/games/bitcoin-hero/draws/1')).body.fairness).toEqual(record.body)
  })

  it('brings its note as text or as JSON, from anywhere', async () => {
    const { call } = await closedDraw(0)
    const { notes } = (await call('GET', RECORD)).body
    const asText = { body: String(notes[1]), headers: { 'content-type': 'text/plain; charset=utf-8' } }
    const asJson = { body: { note: notes[1] } }
    for (const sent of [asText, asJson]) {
      const answer = await call('POST', '/fairness/witness', sent)
      expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_PAYLOAD'])
      expect(answer.body.error.fields).toEqual({ note: 'Must have a valid signature of a witness of this draw.' })
      expect(answer.headers['access-control-allow-origin']).toBe('*')
    }
    const other = await call('POST', '/fairness/witness', { body: { note: notes[0] } })
    expect([other.status, other.body.error.code]).toEqual([404, 'NOT_FOUND'])
    const long = await call('POST', '/fairness/witness', { body: { note: 'x'.repeat(16_385) } })
    expect(long.body.error.fields).toEqual({ note: 'Must be a signed note.' })
  })

  it('is the only one who may send text: every other call reads JSON alone', async () => {
    const { call } = await testApplication()
    const headers = { 'content-type': 'text/plain' }
    for (const path of ['/auth/login', '/payment', '/contact']) {
      const { status } = await call('POST', path, { body: '{"email":"x"}', headers })
      expect([400, 401]).toContain(status)
    }
    const { body } = await call('POST', '/auth/login', { body: '{}', headers })
    expect(body.error.fields).toEqual({ body: 'The body must be JSON, with the media type application/json.' })
  })

  it('that comes too often is told to wait', async () => {
    const { call } = await testApplication()
    let last: Answer | null = null
    for (let time = 0; time < 601; time += 1) last = await call('POST', '/fairness/witness', { body: { note: '' } })
    expect(last?.status).toBe(429)
  })
})
