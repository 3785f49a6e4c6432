import { TEST_LOG_SEED, TEST_ORIGIN } from '@fairball/domain/protocol/operator-fixture'
import { soldDraw } from '@fairball/domain/protocol/read-log-fixture'
import { describe, expect, it } from 'vitest'
import {
  checkpointOf,
  checkpointWith,
  consistencyProof,
  cosignedTime,
  handKey,
  requestOf,
  treeHash,
} from './c2sp-fixture.ts'
import { alarmKinds, FOLDER, LOG_KEY, ServedLog, startWitness } from './served-log-fixture.ts'

/** `add-checkpoint` to the letter of C2SP tlog-witness, by requests that are made without this repository's code. */

/** A log of some statements, and a witness that has cosigned the first of them. */
async function cosignedOnce() {
  const log = new ServedLog(soldDraw().operator)
  log.publish()
  const witness = await startWitness(log)
  const first = log.request(0)
  const answer = await witness.world.post(first)
  expect(answer).toMatchObject({ status: 200 })
  const size = log.leaves.length
  const grow = () => {
    soldDraw(log.operator)
    witness.world.at = log.operator.now + 5
    log.publish()
  }
  return { log, witness, world: witness.world, size, first, answer, grow }
}

describe('a checkpoint that continues the last', () => {
  it('is cosigned by the key of the witness at its own time, from the first one on', async () => {
    const { log, witness, world, size, answer, grow } = await cosignedOnce()
    expect(answer.type).toBe('text/plain; charset=utf-8')
    expect(answer.body).toMatch(/^— w\.example\/alice [A-Za-z0-9+/]+=*\n$/)
    const line = answer.body.trimEnd()
    expect(cosignedTime(line, witness.verifierKey, checkpointOf(log.leaves, LOG_KEY))).toBe(world.at)
    grow()
    const second = await world.post(log.request(size))
    expect(second.status).toBe(200)
    expect(cosignedTime(second.body.trimEnd(), witness.verifierKey, checkpointOf(log.leaves, LOG_KEY))).toBe(world.at)
    expect(alarmKinds(world)).toEqual([])
  })

  it('is on the disk before the answer', async () => {
    const { log, world, size } = await cosignedOnce()
    const kept = JSON.parse(world.files.text(`${FOLDER}/cosigned.json`)) as object
    expect(kept).toMatchObject({ size, root: treeHash(log.leaves).toString('hex'), at: world.at })
  })

  it('is cosigned again, with a new time, where it is the last one itself', async () => {
    const { log, witness, world, size } = await cosignedOnce()
    world.at += 3600
    const again = await world.post(log.request(size))
    expect(again.status).toBe(200)
    expect(cosignedTime(again.body.trimEnd(), witness.verifierKey, checkpointOf(log.leaves, LOG_KEY))).toBe(world.at)
  })

  it('may carry signatures of others, which are passed over', async () => {
    const { log, world, size } = await cosignedOnce()
    const other = handKey('stranger.example', new Uint8Array(32).fill(77))
    const line =
      checkpointOf(log.leaves, { ...other, name: 'stranger.example' })
        .split('\n')
        .at(-2) ?? ''
    const note = checkpointOf(log.leaves, LOG_KEY, [line])
    expect(await world.post(requestOf(size, [], note))).toMatchObject({ status: 200 })
  })

  it('is taken at whatever prefix the witness is reached by, and nowhere else', async () => {
    const { log, world, size } = await cosignedOnce()
    expect(await world.request('POST', '/some/prefix/add-checkpoint', log.request(size))).toMatchObject({ status: 200 })
    expect(await world.request('POST', '/add-checkpoints', log.request(size))).toMatchObject({ status: 404 })
    expect(await world.request('GET', '/add-checkpoint', '')).toMatchObject({ status: 405 })
  })
})

describe('a request', () => {
  it.each<[string, (body: string) => string]>([
    ['without an old size', (body) => body.slice(body.indexOf('\n') + 1)],
    ['with another word', (body) => body.replace('old ', 'Old ')],
    ['with two spaces', (body) => body.replace('old ', 'old  ')],
    ['with a leading zero', (body) => body.replace('old ', 'old 0')],
    ['with a negative size', (body) => body.replace('old ', 'old -')],
    ['with no size', (body) => body.replace(/old [0-9]+/, 'old ')],
    ['with line ends of Windows', (body) => body.replaceAll('\n', '\r\n')],
    ['without the empty line', (body) => body.replace('\n\n', '\n')],
    ['without the checkpoint', (body) => body.slice(0, body.indexOf('\n\n') + 2)],
    ['with a proof that is no base64', (body) => body.replace('\n\n', '\n!\n\n')],
    ['with a proof of other bytes than 32', (body) => body.replace('\n\n', '\nAAAA\n\n')],
    ['with base64 that is not canonical', (body) => body.replace('\n\n', `\n${'A'.repeat(42)}B=\n\n`)],
    ['with 64 hashes', (body) => body.replace('\n\n', `\n${`${'A'.repeat(43)}=\n`.repeat(64)}\n`)],
    ['without signatures', (body) => body.slice(0, body.indexOf('—'))],
    ['that ends early', (body) => body.slice(0, -1)],
    ['with an extension line', (body) => body.replace('\n\n—', '\nmore\n\n—')],
    ['that is empty', () => ''],
  ])('%s is answered 400', async (_, changed) => {
    const { log, world, size } = await cosignedOnce()
    expect(await world.post(changed(log.request(size)))).toMatchObject({ status: 400 })
  })

  it('that is no UTF-8 is answered 400, and one that is too long 413', async () => {
    const { log, world, size } = await cosignedOnce()
    const bytes = Buffer.concat([Buffer.from(log.request(size)), Buffer.of(0xff, 0x0a)])
    expect(await world.request('POST', '/add-checkpoint', bytes)).toMatchObject({ status: 400 })
    expect(await world.request('POST', '/add-checkpoint', null)).toMatchObject({ status: 413 })
  })

  it('of a log that is not configured is answered 404, whoever signed it', async () => {
    const { log, world } = await cosignedOnce()
    const other = handKey('other.example/fairball', TEST_LOG_SEED)
    expect(await world.post(requestOf(0, [], checkpointOf(log.leaves, other)))).toMatchObject({ status: 404 })
  })

  it.each<[string, (log: ServedLog) => string]>([
    [
      'by another key of that name',
      (log) => checkpointOf(log.leaves, handKey(TEST_ORIGIN, new Uint8Array(32).fill(77))),
    ],
    [
      'over another text',
      (log) => {
        const [, lines = ''] = checkpointOf(log.leaves.slice(1), LOG_KEY).split('\n\n')
        return `${checkpointOf(log.leaves, LOG_KEY).split('\n\n')[0]}\n\n${lines}`
      },
    ],
    [
      'by a key of the name of a cosigner',
      (log) =>
        checkpointOf(log.leaves, handKey('w.example/alice', TEST_LOG_SEED)).replace('w.example/alice', TEST_ORIGIN),
    ],
  ])('signed %s is answered 403, and nothing of it is read', async (_, noteOf) => {
    const { log, world, size } = await cosignedOnce()
    const asked = log.asked.length
    expect(await world.post(requestOf(size, [], noteOf(log)))).toMatchObject({ status: 403 })
    expect(log.asked).toHaveLength(asked)
  })

  it('with an old size above the checkpoint is answered 400', async () => {
    const { log, world, size } = await cosignedOnce()
    expect(await world.post(requestOf(size + 1, [], checkpointOf(log.leaves, LOG_KEY)))).toMatchObject({ status: 400 })
  })

  it.each([0, 1, 3])('with the old size %i, another than the last, is answered 409 with the last size', async (old) => {
    const { log, world, size, grow } = await cosignedOnce()
    expect(old).not.toBe(size)
    grow()
    const answer = await world.post(log.request(old))
    expect(answer).toEqual({ status: 409, type: 'text/x.tlog.size', body: `${size}\n` })
  })

  it('with an old size ahead of a new witness is answered 409 with 0', async () => {
    const log = new ServedLog(soldDraw().operator)
    const { world } = await startWitness(log)
    log.publish()
    expect(await world.post(log.request(2))).toEqual({ status: 409, type: 'text/x.tlog.size', body: '0\n' })
  })

  it.each<[string, (proof: Buffer[]) => Buffer[]]>([
    ['without its proof', () => []],
    ['with half its proof', (proof) => proof.slice(0, -1)],
    ['with a proof in another order', (proof) => proof.toReversed()],
    ['with a hash too many', (proof) => [...proof, Buffer.alloc(32)]],
    ['with another hash', ([first, ...rest]) => [Buffer.alloc(32), ...(first === undefined ? [] : rest)]],
  ])('%s is answered 422, and nothing is cosigned', async (_, changed) => {
    const { log, world, size, grow } = await cosignedOnce()
    for (let times = 0; times < 3; times += 1) grow()
    const proof = consistencyProof(size, log.leaves)
    expect(proof.length).toBeGreaterThan(1)
    const body = requestOf(size, changed(proof), checkpointOf(log.leaves, LOG_KEY))
    expect(await world.post(body)).toMatchObject({ status: 422 })
    expect(await world.post(log.request(0))).toMatchObject({ status: 409, body: `${size}\n` })
    expect(await world.post(log.request(size))).toMatchObject({ status: 200 })
  })

  it('with a proof where none belongs, from nothing or from the same size, is answered 422', async () => {
    const { log, world, size } = await cosignedOnce()
    const note = checkpointOf(log.leaves, LOG_KEY)
    expect(await world.post(requestOf(size, [Buffer.alloc(32)], note))).toMatchObject({ status: 422 })
    const fresh = await startWitness(log)
    expect(await fresh.world.post(requestOf(0, [Buffer.alloc(32)], note))).toMatchObject({ status: 422 })
  })

  it('for a smaller checkpoint is answered 409: nothing is rolled back', async () => {
    const { log, world, size } = await cosignedOnce()
    const rolledBack = requestOf(2, [], checkpointOf(log.leaves.slice(0, 2), LOG_KEY))
    expect(await world.post(rolledBack)).toEqual({ status: 409, type: 'text/x.tlog.size', body: `${size}\n` })
    expect(alarmKinds(world)).toEqual([])
  })

  it('for another tree of the same size is answered 409, and is a fork', async () => {
    const { world, size } = await cosignedOnce()
    const note = checkpointWith({ size, root: treeHash(['another']) }, LOG_KEY)
    expect(await world.post(requestOf(size, [], note))).toMatchObject({ status: 409 })
    expect(alarmKinds(world)).toEqual(['fork'])
  })
})

describe('requests that come together', () => {
  it('are answered one after the other: of two that continue the same checkpoint one is cosigned', async () => {
    const { log, world, size } = await cosignedOnce()
    soldDraw(log.operator)
    const shorter = log.leaves
    log.publish()
    soldDraw(log.operator)
    log.publish()
    world.at = log.operator.now + 5
    const answers = await Promise.all([
      world.post(log.request(size)),
      world.post(log.request(size, shorter)),
      world.post(log.request(size)),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 409, 409])
    expect(answers[1]?.body).toBe(`${log.leaves.length}\n`)
  })

  it('of one log do not wait for another', async () => {
    const log = new ServedLog()
    const other = handKey('other.example/fairball', new Uint8Array(32).fill(5))
    const { world } = await startWitness(log, { logs: `log ${LOG_KEY.verifierKey}\nlog ${other.verifierKey}\n` })
    let serve: () => void = () => undefined
    const served = new Promise<null>((resolve) => (serve = () => resolve(null)))
    log.publish()
    log.instead = () => served.then(() => new Response('', { status: 500 }))
    const slow = world.post(log.request(0))
    const quick = await world.post(requestOf(1, [], checkpointOf(['a', 'b'], other)))
    expect(quick).toMatchObject({ status: 409, body: '0\n' })
    serve()
    expect(await slow).toMatchObject({ status: 503 })
  })

  it('are answered 503 from the seventeenth on, so that nobody can fill the memory', async () => {
    const log = new ServedLog()
    const { world } = await startWitness(log)
    let serve: () => void = () => undefined
    const served = new Promise<void>((resolve) => (serve = resolve))
    log.publish()
    log.instead = () => served.then(() => new Response('', { status: 404 }))
    const all = Array.from({ length: 20 }, () => world.post(log.request(0)))
    expect(await all.at(-1)).toMatchObject({ status: 503 })
    serve()
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.every((status) => status === 503)).toBe(true)
    log.instead = null
    world.at = log.operator.now + 5
    expect(await world.post(log.request(0))).toMatchObject({ status: 200 })
  })
})
