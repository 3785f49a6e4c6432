import { toHex } from '@fairball/domain/protocol/bytes'
import { nobleHash, textHash } from '@fairball/domain/protocol/hash'
import { TEST_ORIGIN, TestOperator } from '@fairball/domain/protocol/operator-fixture'
import { plays, soldDraw } from '@fairball/domain/protocol/read-log-fixture'
import { describe, expect, it } from 'vitest'
import { checkpointOf, consistencyProof, handKey, requestOf } from './c2sp-fixture.ts'
import {
  alarmKinds,
  alarmTexts,
  FOLDER,
  LOG_KEY,
  missing,
  ServedLog,
  startCosigned,
  startWitness,
} from './served-log-fixture.ts'

/**
 * The witness reads every statement before it cosigns, and does not cosign a log that breaks the protocol (section 16).
 */

describe('a log whose statements break the protocol', () => {
  it('a log with a breach is never cosigned again, and the statement is kept with its proof', async () => {
    const { log, world, size } = await startCosigned()
    log.operator.now -= 3600
    log.operator.openDraw()
    log.publish()
    expect(await world.post(log.request(size))).toMatchObject({ status: 403 })
    expect(alarmKinds(world)).toContain('breach')
    expect(alarmTexts(world)).toContain('dated before the statement ahead of it')
    const file = JSON.parse(world.files.text(`${FOLDER}/evidence-statement-${size}.json`)) as Record<string, unknown>
    expect(file).toMatchObject({ index: size, text: log.leaves.at(-1), head: checkpointOf(log.leaves, LOG_KEY) })
    log.operator.now += 7200
    soldDraw(log.operator)
    log.publish()
    world.at = log.operator.now
    expect(await world.post(log.request(size))).toMatchObject({ status: 403 })
  })

  it('a log with a breach stays refused after a restart of the witness', async () => {
    const { log, witness, size } = await startCosigned()
    log.operator.now -= 3600
    log.operator.openDraw()
    log.publish()
    await witness.world.post(log.request(size))
    await witness.stop()
    const again = await startWitness(log, { files: witness.world.files, at: witness.world.at })
    expect(await again.world.post(log.request(size))).toMatchObject({ status: 403 })
    expect(again.world.errLines.filter((line) => line.includes('ALARM'))).toEqual([])
  })

  it('a log with a leaf that is not a statement is not cosigned', async () => {
    const { log, world, size } = await startCosigned()
    const leaves = [...log.leaves, 'caf\u00e9 \u00ff']
    log.publish(leaves)
    expect(await world.post(log.request(size, leaves))).toMatchObject({ status: 403 })
    expect(alarmTexts(world)).toContain('it is no statement of the protocol')
  })

  it('a log whose tree of a draw changed after it was signed is not cosigned', async () => {
    const { operator, draw } = soldDraw()
    const { log, world, size } = await startCosigned(new ServedLog(operator))
    draw.leaves.splice(0, 1)
    operator.sell(draw, plays(3, 50))
    log.publish()
    world.at = operator.now + 5
    expect(await world.post(log.request(size))).toMatchObject({ status: 403 })
    expect(alarmTexts(world)).toContain('was changed after its operator had signed it')
  })
})

describe('a log that cannot be read', () => {
  it.each<[string, (log: ServedLog) => void]>([
    ['does not answer', (log) => (log.instead = () => Promise.reject(new Error('refused')))],
    ['answers with an error', (log) => (log.instead = () => new Response('', { status: 500 }))],
    ['redirects to another host', (log) => (log.instead = () => redirect('https://elsewhere.example/'))],
    ['redirects without end', (log) => (log.instead = (path) => redirect(`https://${TEST_ORIGIN}/${path}`))],
    ['does not serve its entries', (log) => (log.instead = (path) => (path.includes('entries') ? missing() : null))],
    ['does not serve its rules', (log) => (log.instead = (path) => (path.startsWith('text/') ? missing() : null))],
    [
      'serves wrong texts',
      (log) => (log.instead = (path) => (path.startsWith('text/') ? new Response('other') : null)),
    ],
    ['serves wrong tiles', (log) => (log.instead = (path) => (path.startsWith('tile/0') ? zeros() : null))],
    [
      'does not serve the tiles of a draw',
      (log) => (log.instead = (path) => (path.startsWith('draw/') ? missing() : null)),
    ],
  ])('a log is answered 503 while it %s, and cosigned once it can be read', async (_, spoil) => {
    const log = new ServedLog(soldDraw().operator)
    const { world } = await startWitness(log)
    log.publish()
    spoil(log)
    expect(await world.post(log.request(0))).toMatchObject({ status: 503 })
    log.instead = null
    expect(await world.post(log.request(0))).toMatchObject({ status: 200 })
    expect(alarmKinds(world)).toEqual([])
  })

  it('a log is answered 503 if a file has more than 17 MiB', async () => {
    const log = new ServedLog()
    const { world } = await startWitness(log)
    log.publish()
    log.instead = () => new Response(new Uint8Array(18 * 1024 * 1024))
    const answer = await world.post(log.request(0))
    expect(answer).toMatchObject({ status: 503 })
    expect(answer.body).toContain('more than 17 MiB')
  })

  it('a log is read across several files of 256 entries', async () => {
    const operator = new TestOperator()
    const log = new ServedLog(operator)
    for (let day = 0; day < 700; day += 1) {
      operator.now += 86_400
      operator.append('paid', { size: 0, root: textHash(''), draw: [] })
    }
    const { world } = await startCosigned(log)
    expect(world.files.rows(`${FOLDER}/statements.jsonl`).map(({ leaf }) => leaf)).toEqual(log.leaves)
  })
})

describe('the keys of a log', () => {
  const next = handKey(TEST_ORIGIN, new Uint8Array(32).fill(42))

  /** A log that promises its next key, with a witness that has cosigned the log. */
  async function promising() {
    const log = new ServedLog()
    const [first = '', ...rest] = log.leaves
    const promised = toHex(nobleHash(next.publicKey))
    const leaves = [first.replace(/next [0-9a-f]{64}/, `next ${promised}`), ...rest]
    log.publish(leaves)
    const witness = await startWitness(log)
    expect(await witness.world.post(log.request(0, leaves))).toMatchObject({ status: 200 })
    const { operator } = log
    operator.now += 60
    const changed = operator.append('key', { key: next.publicKey.toString('hex'), next: textHash('further') })
    const grown = [...leaves, changed.text]
    log.publish(grown)
    witness.world.at = operator.now + 1
    return { log, world: witness.world, size: leaves.length, leaves: grown }
  }

  it('the log can change its key, and then the old key alone is not trusted', async () => {
    const { log, world, size, leaves } = await promising()
    const proof = consistencyProof(size, leaves)
    const byNew = checkpointOf(leaves, next).split('\n').at(-2) ?? ''
    const both = checkpointOf(leaves, LOG_KEY, [byNew])
    expect(await world.post(requestOf(size, proof, both))).toMatchObject({ status: 200 })
    expect(await world.post(requestOf(size + 1, [], checkpointOf(leaves, LOG_KEY)))).toMatchObject({ status: 403 })
    const grown = [...leaves, writeLater(log.operator)]
    log.publish(grown)
    const further = requestOf(size + 1, consistencyProof(size + 1, grown), checkpointOf(grown, next))
    world.at = log.operator.now + 1
    expect(await world.post(further)).toMatchObject({ status: 200 })
    expect(alarmKinds(world)).toEqual([])
  })

  it('a head with a change of key that only the old key signed is a breach', async () => {
    const { log, world, size, leaves } = await promising()
    expect(await world.post(log.request(size, leaves))).toMatchObject({ status: 403 })
    expect(alarmTexts(world)).toContain('is not signed with the key that its log has in force')
  })

  it('a head by a new key alone is accepted if that key was configured', async () => {
    const { log, world, size, leaves } = await promising()
    const request = requestOf(size, consistencyProof(size, leaves), checkpointOf(leaves, next))
    expect(await world.post(request)).toMatchObject({ status: 403 })
    expect(alarmKinds(world)).toEqual([])
    const logs = `log ${LOG_KEY.verifierKey}\nlog ${next.verifierKey}\n`
    log.files.set('checkpoint', Buffer.from(checkpointOf(leaves, next)))
    const again = await startWitness(log, { files: world.files, logs, at: world.at })
    expect(await again.world.post(request)).toMatchObject({ status: 200 })
  })

  it('configured keys that do not belong to the log are a breach', async () => {
    const log = new ServedLog()
    log.publish()
    const { world } = await startWitness(log, { logs: `log ${next.verifierKey}\n` })
    expect(await world.post(requestOf(0, [], checkpointOf(log.leaves, next)))).toMatchObject({ status: 403 })
    expect(alarmTexts(world)).toContain('No key that was named')
  })
})

/** Logs a statement that is allowed at any time. */
function writeLater(operator: TestOperator): string {
  operator.now += 60
  return operator.append('paid', { size: 0, root: textHash(''), draw: [] }).text
}

const zeros = (): Response => new Response(new Uint8Array(8192))
const redirect = (to: string): Response => new Response(null, { status: 302, headers: { location: to } })
