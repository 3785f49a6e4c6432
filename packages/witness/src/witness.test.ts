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

/** `add-checkpoint` exactly as in C2SP tlog-witness, with requests made without this repository's code. */

/** A log of some statements, and a witness that has cosigned it. */
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

describe('a checkpoint that continues the last one', () => {
  it('a checkpoint is cosigned by the witness’s key at its own time, from the first one on', async () => {
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

  it('a cosigned checkpoint is on the disk', async () => {
    const { log, world, size } = await cosignedOnce()
    const kept = JSON.parse(world.files.text(`${FOLDER}/cosigned.json`)) as object
    expect(kept).toMatchObject({ size, root: treeHash(log.leaves).toString('hex'), at: world.at })
  })

  it('the last checkpoint is cosigned again with a new time', async () => {
    const { log, witness, world, size } = await cosignedOnce()
    world.at += 3600
    const again = await world.post(log.request(size))
    expect(again.status).toBe(200)
    expect(cosignedTime(again.body.trimEnd(), witness.verifierKey, checkpointOf(log.leaves, LOG_KEY))).toBe(world.at)
  })

  it('signatures of others on a checkpoint are ignored', async () => {
    const { log, world, size } = await cosignedOnce()
    const other = handKey('stranger.example', new Uint8Array(32).fill(77))
    const line =
      checkpointOf(log.leaves, { ...other, name: 'stranger.example' })
        .split('\n')
        .at(-2) ?? ''
    const note = checkpointOf(log.leaves, LOG_KEY, [line])
    expect(await world.post(requestOf(size, [], note))).toMatchObject({ status: 200 })
  })

  it('the witness takes checkpoints under any path prefix, but under no other name', async () => {
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
    ['with Windows line ends', (body) => body.replaceAll('\n', '\r\n')],
    ['without the empty line', (body) => body.replace('\n\n', '\n')],
    ['without the checkpoint', (body) => body.slice(0, body.indexOf('\n\n') + 2)],
    ['with a proof that is not base64', (body) => body.replace('\n\n', '\n!\n\n')],
    ['with a hash that does not have 32 bytes', (body) => body.replace('\n\n', '\nAAAA\n\n')],
    ['with base64 that is not canonical', (body) => body.replace('\n\n', `\n${'A'.repeat(42)}B=\n\n`)],
    ['with 64 hashes', (body) => body.replace('\n\n', `\n${`${'A'.repeat(43)}=\n`.repeat(64)}\n`)],
    ['without signatures', (body) => body.slice(0, body.indexOf('—'))],
    ['that ends early', (body) => body.slice(0, -1)],
    ['with an extension line', (body) => body.replace('\n\n—', '\nmore\n\n—')],
    ['without content', () => ''],
  ])('a request %s is answered 400', async (_, changed) => {
    const { log, world, size } = await cosignedOnce()
    expect(await world.post(changed(log.request(size)))).toMatchObject({ status: 400 })
  })

  it('a request that is not UTF-8 is answered 400, and one that is too long 413', async () => {
    const { log, world, size } = await cosignedOnce()
    const bytes = Buffer.concat([Buffer.from(log.request(size)), Buffer.of(0xff, 0x0a)])
    expect(await world.request('POST', '/add-checkpoint', bytes)).toMatchObject({ status: 400 })
    expect(await world.request('POST', '/add-checkpoint', null)).toMatchObject({ status: 413 })
  })

  it('a request of an unknown log is answered 404, even with a known key', async () => {
    const { log, world } = await cosignedOnce()
    const other = handKey('other.example/fairball', TEST_LOG_SEED)
    expect(await world.post(requestOf(0, [], checkpointOf(log.leaves, other)))).toMatchObject({ status: 404 })
  })

  it.each<[string, (log: ServedLog) => string]>([
    [
      'by another key of the same name',
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
      'by a key with the name of a cosigner',
      (log) =>
        checkpointOf(log.leaves, handKey('w.example/alice', TEST_LOG_SEED)).replace('w.example/alice', TEST_ORIGIN),
    ],
  ])('a checkpoint signed %s is answered 403, and its log is not read', async (_, noteOf) => {
    const { log, world, size } = await cosignedOnce()
    const asked = log.asked.length
    expect(await world.post(requestOf(size, [], noteOf(log)))).toMatchObject({ status: 403 })
    expect(log.asked).toHaveLength(asked)
  })

  it('a request with an old size above the checkpoint is answered 400', async () => {
    const { log, world, size } = await cosignedOnce()
    expect(await world.post(requestOf(size + 1, [], checkpointOf(log.leaves, LOG_KEY)))).toMatchObject({ status: 400 })
  })

  it.each([0, 1, 3])(
    'a request with the old size %i instead of the last is answered 409 with the last size',
    async (old) => {
      const { log, world, size, grow } = await cosignedOnce()
      expect(old).not.toBe(size)
      grow()
      const answer = await world.post(log.request(old))
      expect(answer).toEqual({ status: 409, type: 'text/x.tlog.size', body: `${size}\n` })
    },
  )

  it('a request with an old size to a new witness is answered 409 with 0', async () => {
    const log = new ServedLog(soldDraw().operator)
    const { world } = await startWitness(log)
    log.publish()
    expect(await world.post(log.request(2))).toEqual({ status: 409, type: 'text/x.tlog.size', body: '0\n' })
  })

  it.each<[string, (proof: Buffer[]) => Buffer[]]>([
    ['without its proof', () => []],
    ['with half its proof', (proof) => proof.slice(0, -1)],
    ['with a proof in another order', (proof) => proof.toReversed()],
    ['with an extra hash', (proof) => [...proof, Buffer.alloc(32)]],
    ['with a wrong hash', ([first, ...rest]) => [Buffer.alloc(32), ...(first === undefined ? [] : rest)]],
  ])('a request %s is answered 422, and nothing is cosigned', async (_, changed) => {
    const { log, world, size, grow } = await cosignedOnce()
    for (let times = 0; times < 3; times += 1) grow()
    const proof = consistencyProof(size, log.leaves)
    expect(proof.length).toBeGreaterThan(1)
    const body = requestOf(size, changed(proof), checkpointOf(log.leaves, LOG_KEY))
    expect(await world.post(body)).toMatchObject({ status: 422 })
    expect(await world.post(log.request(0))).toMatchObject({ status: 409, body: `${size}\n` })
    expect(await world.post(log.request(size))).toMatchObject({ status: 200 })
  })

  it('a request with a proof from size 0 or from the same size is answered 422', async () => {
    const { log, world, size } = await cosignedOnce()
    const note = checkpointOf(log.leaves, LOG_KEY)
    expect(await world.post(requestOf(size, [Buffer.alloc(32)], note))).toMatchObject({ status: 422 })
    const fresh = await startWitness(log)
    expect(await fresh.world.post(requestOf(0, [Buffer.alloc(32)], note))).toMatchObject({ status: 422 })
  })

  it('a request for a smaller checkpoint is answered 409, and nothing is rolled back', async () => {
    const { log, world, size } = await cosignedOnce()
    const rolledBack = requestOf(2, [], checkpointOf(log.leaves.slice(0, 2), LOG_KEY))
    expect(await world.post(rolledBack)).toEqual({ status: 409, type: 'text/x.tlog.size', body: `${size}\n` })
    expect(alarmKinds(world)).toEqual([])
  })

  it('a request for another tree of the same size is answered 409 and raises an alarm of a fork', async () => {
    const { world, size } = await cosignedOnce()
    const note = checkpointWith({ size, root: treeHash(['another']) }, LOG_KEY)
    expect(await world.post(requestOf(size, [], note))).toMatchObject({ status: 409 })
    expect(alarmKinds(world)).toEqual(['fork'])
  })
})

describe('concurrent requests', () => {
  it('of concurrent requests that continue the same checkpoint, one is cosigned', async () => {
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

  it('a request of one log does not wait for another log', async () => {
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

  it('from the seventeenth concurrent request on the answer is 503, so that the memory cannot be filled', async () => {
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
