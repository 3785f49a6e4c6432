import { gunzipSync } from 'node:zlib'
import { readBundle, writeBundle } from '@fairball/domain/protocol/bundle'
import { readCheckpoint } from '@fairball/domain/protocol/checkpoint'
import { collectBundle } from '@fairball/domain/protocol/collect-bundle'
import { textHash } from '@fairball/domain/protocol/hash'
import { PLAYS_FILE_LEAVES } from '@fairball/domain/protocol/numbers'
import { entriesPath, playsPath, readEntries, tilePath } from '@fairball/domain/protocol/tiles'
import { verifyBundle } from '@fairball/domain/protocol/verify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApplication, type TestApplication } from '../../../test/application.ts'

/** An application with a paid order of one line in the next draw of bitcoin-hero. */
async function served() {
  const test = await testApplication({ games: 'one game' })
  const { bearer } = await test.signUp()
  const hero = (await test.call('GET', '/games')).body.find(({ key }: { key: string }) => key === 'bitcoin-hero')
  const body = {
    type: 'lotto',
    key: 'bitcoin-hero',
    days: [3],
    weeks: 1,
    tickets: [{ isLuckyDip: false, numbers: [3, 8, 21, 30, 36] }],
  }
  const { transaction_id } = (await test.call('POST', '/payment', { bearer, body })).body
  expect((await test.call('POST', '/dev/pay', { body: { transaction_id } })).body.status).toBe('PAID')
  const file = async (path: string) => await test.application.http.inject(`/fairball/${path}`)
  const bytes = async (path: string): Promise<Uint8Array | null> => {
    const { statusCode, rawPayload } = await file(path)
    return statusCode === 200 ? new Uint8Array(rawPayload) : null
  }
  const { rows } = await (
    await test.connect()
  ).query<{ open_hash: string }>(`select d.open_hash from plays p join draws d on d.id = p.draw_id`)
  return { ...test, open: rows[0]?.open_hash ?? '', startAt: Number(hero.next_draw.start_at), file, bytes }
}

describe('the files of the log', () => {
  let shared: TestApplication
  beforeAll(async () => {
    shared = await testApplication({ games: 'one game' })
  })
  afterAll(() => shared.end())

  it('entries are a third as long for a client that takes gzip, and the same bytes; hashes are sent as they are', async () => {
    const { file, application } = await served()
    const zipped = async (path: string) =>
      await application.http.inject({ url: `/fairball/${path}`, headers: { 'accept-encoding': 'br, gzip' } })
    const size = readCheckpoint((await file('checkpoint')).body)?.size ?? 0
    const entries = entriesPath({ index: 0, width: size })
    const [plain, short] = [await file(entries), await zipped(entries)]
    expect(plain.headers).toMatchObject({ vary: 'accept-encoding' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(short.headers).toMatchObject({ vary: 'accept-encoding', 'content-encoding': 'gzip' })
    expect(gunzipSync(short.rawPayload)).toEqual(plain.rawPayload)
    expect(short.rawPayload.length / plain.rawPayload.length).toBeLessThan(0.34)
    const hashes = await zipped(tilePath({ level: 0, index: 0, width: size }))
    expect(hashes.headers['content-encoding']).toBeUndefined()
  })

  it('the log’s files are public to scripts of every site: the head for seconds, the rest for a year', async () => {
    const { file } = await served()
    const head = await file('checkpoint')
    expect(head.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=5',
      'content-type': 'text/plain; charset=utf-8',
    })
    const size = readCheckpoint(head.body)?.size ?? 0
    for (const path of [entriesPath({ index: 0, width: size }), tilePath({ level: 0, index: 0, width: size })]) {
      const { statusCode, headers } = await file(path)
      expect(statusCode).toBe(200)
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': 'application/octet-stream',
      })
    }
    const texts = [...readEntries(new Uint8Array((await file(entriesPath({ index: 0, width: size }))).rawPayload))]
    const rules = /\nrules ([0-9a-f]{64})\n/.exec(texts.map((text) => Buffer.from(text).toString()).join(''))?.[1] ?? ''
    expect(textHash((await file(`text/${rules}`)).body)).toBe(rules)
  })

  it.each([
    '',
    'checkpoints',
    'tile/0/000',
    'tile/0/0.p/1',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/7/000.p/1',
    'tile/entries/x000/000.p/1',
    `text/${'0'.repeat(64)}`,
    `seal/${'0'.repeat(64)}`,
    `draw/${'0'.repeat(64)}/revoked`,
    `draw/${'0'.repeat(64)}/plays/0`,
    `draw/${'0'.repeat(64)}/plays/00`,
    'paid/tile/entries/000.p/1',
    'tile/../checkpoint.txt',
  ])('/fairball/%s is no file of the log: a plain 404, and no page', async (path) => {
    const { statusCode, headers, body } = await shared.application.http.inject(`/fairball/${path}`)
    expect([statusCode, body]).toEqual([404, 'There is no such file.\n'])
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' })
  })

  it('a draw’s files give hashes while it sells, plays after its close, and the beacon with its result', async () => {
    const { file, open, startAt, moveTo } = await served()
    const statusOf = async (path: string) => (await file(`draw/${open}/${path}`)).statusCode
    const [tile, entries] = [{ level: 0, index: 0, width: 1 }, entriesPath({ index: 0, width: 1 })]
    await moveTo(startAt - 400)
    expect([await statusOf(tilePath(tile)), await statusOf(entries), await statusOf('revoked')]).toEqual([
      200, 404, 404,
    ])
    await moveTo(startAt - 200)
    expect([await statusOf(entries), await statusOf('revoked')]).toEqual([200, 200])
    expect([await statusOf('beacon'), await statusOf('sections')]).toEqual([404, 404])
    await moveTo(startAt + 600)
    expect([await statusOf('beacon'), await statusOf('sections')]).toEqual([200, 200])
  })

  it('a file of 4,096 plays is sixteen files of entries, and not there for fewer plays', async () => {
    const { connect, file, open, startAt, moveTo } = await served()
    const client = await connect()
    const addPlays = `insert into play_leaves (draw_id, index, play_id, is_revocation, leaf)
      select draw_id, n, play_id, false, leaf from play_leaves cross join generate_series(1, $1) n where index = 0`
    const plays = async () => await file(`draw/${open}/${playsPath(0)}`)
    await moveTo(startAt - 200)
    expect((await plays()).statusCode).toBe(404)
    await client.query(addPlays, [PLAYS_FILE_LEAVES - 1])
    const { statusCode, headers, rawPayload } = await plays()
    expect([statusCode, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable'])
    const entries = Array.from({ length: 16 }, (_, index) => file(`draw/${open}/${entriesPath({ index, width: 256 })}`))
    const bodies = (await Promise.all(entries)).map((answer) => answer.rawPayload)
    expect(rawPayload.equals(Buffer.concat(bodies))).toBe(true)
    expect((await file(`draw/${open}/${playsPath(1)}`)).statusCode).toBe(404)
  })

  it('a bundle of a settled draw needs only these files, and passes every check', async () => {
    const { bytes, open, startAt, moveTo } = await served()
    await moveTo(startAt + 600)
    const bundle = await collectBundle({ get: bytes, draws: [open], random: () => 0 })
    const report = verifyBundle(readBundle(writeBundle(bundle)))
    expect(report.outcome).toBe('holds')
    expect(report.draws[0]?.checks['result.tiers']?.status).toBe('pass')
  })
})
