import { readEvidence } from '@fairball/domain/protocol/bundle'
import { TEST_ORIGIN } from '@fairball/domain/protocol/operator-fixture'
import { soldDraw } from '@fairball/domain/protocol/read-log-fixture'
import { isProven } from '@fairball/domain/protocol/verify'
import { describe, expect, it } from 'vitest'
import { checkpointOf, checkpointWith, consistencyProof, handKey, requestOf, treeHash } from './c2sp-fixture.ts'
import {
  alarmKinds,
  askAgain,
  evidenceFiles,
  FOLDER,
  LOG_KEY,
  missing,
  startCosigned,
  startWitness,
  STATE,
} from './served-log-fixture.ts'

/** Two contradicting heads from any source are kept as evidence and reported. */

describe('a fork', () => {
  it('a fork at one size gives evidence that any verifier confirms', async () => {
    const { log, world, size } = await startCosigned()
    const fork = checkpointWith({ size, root: treeHash(['another']) }, LOG_KEY)
    expect(await world.post(requestOf(size, [], fork))).toMatchObject({ status: 409 })
    expect(alarmKinds(world)).toEqual(['fork'])
    const evidence = readEvidence(world.files.text(`${FOLDER}/${evidenceFiles(world)[0]}`))
    expect(evidence).toMatchObject({ kind: 'fork', notes: [checkpointOf(log.leaves, LOG_KEY), fork] })
    expect(isProven(evidence)).toBe(true)
    expect(await world.post(log.request(size))).toMatchObject({ status: 403 })
  })

  it('a fork is found in any older head that is posted, and raised once', async () => {
    const { log, world } = await startCosigned()
    const fork = checkpointWith({ size: 3, root: treeHash(['a', 'b', 'c']) }, LOG_KEY)
    const last = `${log.leaves.length}\n`
    expect(await world.post(requestOf(0, [], fork))).toMatchObject({ status: 409, body: last })
    expect(alarmKinds(world)).toEqual(['fork'])
    await world.post(requestOf(0, [], fork))
    expect(alarmKinds(world)).toEqual(['fork'])
    const file = JSON.parse(world.files.text(`${FOLDER}/${evidenceFiles(world)[0]}`)) as Record<string, unknown>
    expect(file).toMatchObject({
      format: 'fairball/witness-fork/v2',
      notes: [fork, checkpointOf(log.leaves, LOG_KEY)],
      continued: {
        size: 3,
        root: treeHash(log.leaves.slice(0, 3)).toString('hex'),
        consistency: consistencyProof(3, log.leaves).map((hash) => hash.toString('hex')),
      },
    })
  })

  it('a fork that is also served is found if the proof does not lead to it', async () => {
    const { log, world, size } = await startCosigned()
    const leaves = ['another beginning', ...log.leaves.slice(1), 'and more']
    log.publish(leaves)
    const body = requestOf(size, consistencyProof(size, leaves), checkpointOf(leaves, LOG_KEY))
    expect(await world.post(body)).toMatchObject({ status: 422 })
    expect(alarmKinds(world)).toEqual(['fork'])
    expect(await world.post(log.request(size))).toMatchObject({ status: 403 })
  })

  it('a fork between served and posted heads is found by a look', async () => {
    const { log, world, size } = await startCosigned()
    const leaves = [...log.leaves.slice(0, -1), 'another end']
    log.publish(leaves)
    await world.look()
    expect(alarmKinds(world)).toEqual(['fork'])
    expect(await world.post(log.request(size))).toMatchObject({ status: 403 })
  })

  it('a fork of a head whose statements were not readable yet is found', async () => {
    const { log, world } = await startCosigned()
    soldDraw(log.operator)
    const unread = log.publish()
    log.instead = (path) => (path.includes('entries') ? missing() : null)
    await world.look()
    log.instead = null
    const leaves = [...log.leaves.slice(0, -1), 'another end', 'and more']
    world.at = log.operator.now + 5
    log.publish(leaves)
    await world.look()
    expect(alarmKinds(world)).toEqual(['fork'])
    expect(world.files.text(`${FOLDER}/${evidenceFiles(world)[0]}`)).toContain(JSON.stringify(unread))
  })

  it('a contradicting head with a stranger’s signature is no fork', async () => {
    const { log, world, size } = await startCosigned()
    const stranger = handKey(TEST_ORIGIN, new Uint8Array(32).fill(66))
    const fork = checkpointWith({ size, root: treeHash(['another']) }, stranger)
    expect(await world.post(requestOf(size, [], fork))).toMatchObject({ status: 403 })
    expect(alarmKinds(world)).toEqual([])
    expect(await world.post(log.request(size))).toMatchObject({ status: 200 })
  })
})

describe('alarms', () => {
  it('alarms go to a command and a webhook, and a restart keeps them', async () => {
    const { log, witness, world, size } = await startCosigned(undefined, [
      '--alarm-command',
      'tell-me',
      '--alarm-webhook',
      'https://hook.example/x',
    ])
    world.commandProblem = 'ended with status 1'
    const fork = checkpointWith({ size, root: treeHash(['another']) }, LOG_KEY)
    await world.post(requestOf(size, [], fork))
    expect(world.commands).toHaveLength(1)
    expect(world.commands[0]).toContain('tell-me: fairball-witness alarm (fork): Fraud')
    expect(JSON.parse(world.posted[0] ?? '')).toMatchObject({ kind: 'fork' })
    expect(world.errLines.join('\n')).toContain('could not be passed on: ended with status 1')
    expect(await witness.stop()).toBe(0)
    expect(world.files.names(STATE)).not.toContain('lock')
    expect(await askAgain(log, await startWitness(log, { files: world.files }))).toMatchObject({ status: 403 })
  })
})
