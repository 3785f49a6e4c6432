import { readEvidence } from '@fairball/domain/protocol/bundle'
import { textHash } from '@fairball/domain/protocol/hash'
import { TEST_LOG_SEED, TEST_ORIGIN, TEST_ROUNDS } from '@fairball/domain/protocol/operator-fixture'
import { settledDraw, soldDraw } from '@fairball/domain/protocol/read-log-fixture'
import { isProven } from '@fairball/domain/protocol/verify'
import { describe, expect, it } from 'vitest'
import { checkpointOf, handKey } from './c2sp-fixture.ts'
import {
  alarmKinds,
  evidenceFiles,
  FOLDER,
  LOG_KEY,
  ServedLog,
  startCosigned,
  startWitness,
} from './served-log-fixture.ts'

/** A witness polls the files of a log and compares clocks with its times. */

describe('looks at a served log', () => {
  it('a look reads an honest log ahead of requests without alarms, and verifies draws that are over', async () => {
    const { operator, draw } = soldDraw()
    const log = new ServedLog(operator)
    const { world } = await startCosigned(log)
    operator.closeDraw(draw)
    await operator.seal(draw)
    operator.settle(draw)
    await log.publishDraws()
    world.at = operator.now + 5
    await world.look()
    expect(world.files.rows(`${FOLDER}/draws.jsonl`)).toMatchObject([{ open: draw.open.hash, outcome: 'holds' }])
    expect(world.files.rows(`${FOLDER}/statements.jsonl`)).toHaveLength(log.leaves.length)
    expect(alarmKinds(world)).toEqual([])
    const asked = log.asked.length
    await world.look()
    expect(log.asked.slice(asked)).toEqual(['checkpoint'])
  })

  it('a draw that fails raises an alarm with evidence, and its log is no longer cosigned', async () => {
    const { operator, draw } = soldDraw()
    const log = new ServedLog(operator)
    const { world, size } = await startCosigned(log)
    operator.closeDraw(draw)
    await operator.seal(draw)
    operator.settle(draw, { sections: textHash('other sections') })
    await log.publishDraws()
    world.at = operator.now + 5
    await world.look()
    expect(alarmKinds(world)).toEqual(['draw'])
    const evidence = readEvidence(world.files.text(`${FOLDER}/${evidenceFiles(world)[0]}`))
    expect(evidence.failed).toContain('result.sections')
    expect(isProven(evidence, TEST_ROUNDS)).toBe(true)
    expect(await world.post(log.request(size))).toMatchObject({ status: 403 })
  })

  it('a draw that cannot be verified an hour after its end raises an alarm until it can', async () => {
    const { operator, draw } = soldDraw()
    const log = new ServedLog(operator)
    const { world } = await startCosigned(log)
    operator.closeDraw(draw)
    await operator.seal(draw)
    operator.settle(draw)
    log.publish()
    world.at = operator.now + 600
    await world.look()
    expect(alarmKinds(world)).toEqual([])
    world.at = operator.now + 3700
    await world.look()
    expect(alarmKinds(world)).toEqual(['draw'])
    await log.publishDraws()
    await world.look()
    expect(world.outLines.filter((line) => line.includes('Over: '))).toHaveLength(1)
    expect(world.files.rows(`${FOLDER}/draws.jsonl`)).toHaveLength(1)
  })

  it('draws are not verified with --no-verify', async () => {
    const log = new ServedLog(settledDraw().operator)
    const { world } = await startCosigned(log, ['--no-verify'])
    world.at = log.operator.now + 7200
    await world.look()
    expect(world.files.names(FOLDER)).not.toContain('draws.jsonl')
    expect(alarmKinds(world)).toEqual([])
  })

  it('lasting silence raises an alarm, whose end is reported', async () => {
    const { log, world } = await startCosigned()
    log.instead = () => new Response('', { status: 502 })
    await world.look()
    world.at += 599
    await world.look()
    expect(alarmKinds(world)).toEqual([])
    world.at += 1
    await world.look()
    expect(alarmKinds(world)).toEqual(['silence'])
    log.instead = null
    await world.look()
    expect(world.outLines.filter((line) => line.includes('Over: '))).toHaveLength(1)
  })

  it.each<[string, (log: ServedLog) => string]>([
    ['a head older than the cosigned one', (log) => checkpointOf(log.leaves.slice(0, 2), LOG_KEY)],
    ['a head that the log did not sign', (log) => checkpointOf(log.leaves, handKey(TEST_ORIGIN, new Uint8Array(32)))],
    ['the head of another log', (log) => checkpointOf(log.leaves, handKey('other.example/fairball', TEST_LOG_SEED))],
    ['a text that is not a head', () => 'Not found\n'],
  ])('an alarm is raised if the log serves %s for ten minutes', async (_, noteOf) => {
    const { log, world } = await startCosigned()
    log.files.set('checkpoint', Buffer.from(noteOf(log)))
    await world.look()
    world.at += 600
    await world.look()
    expect(alarmKinds(world)).toEqual(['unreadable'])
  })

  it('an overdue statement raises an alarm until the log has it', async () => {
    const { operator, draw } = soldDraw()
    const { log, world } = await startCosigned(new ServedLog(operator))
    world.at = draw.start + 1200
    await world.look()
    expect(alarmKinds(world)).toEqual(['late'])
    await operator.postpone(draw)
    log.publish()
    await world.look()
    expect(world.outLines.filter((line) => line.includes('Over: '))).toHaveLength(1)
  })

  it('a statement dated before a look that did not find it raises an alarm', async () => {
    const { log, world } = await startCosigned()
    world.at += 3600
    await world.look()
    log.operator.openDraw()
    log.publish()
    await world.look()
    expect(alarmKinds(world)).toEqual(['back-dated'])
  })
})

describe('clocks', () => {
  it('clocks that disagree raise an alarm, and nothing is cosigned until they agree', async () => {
    const { log, world, size } = await startCosigned()
    soldDraw(log.operator)
    log.publish()
    world.at = log.operator.now - 31
    expect(await world.post(log.request(size))).toMatchObject({ status: 503 })
    expect(alarmKinds(world)).toEqual(['clock'])
    world.at = log.operator.now - 30
    expect(await world.post(log.request(size))).toMatchObject({ status: 200 })
  })

  it('a witness whose clock went back cosigns nothing, and a small step dates no cosignature earlier', async () => {
    const { log, world, size } = await startCosigned()
    world.at += 1000
    const before = await world.post(log.request(size))
    world.at -= 20
    expect(await world.post(log.request(size))).toEqual(before)
    world.at -= 11
    expect(await world.post(log.request(size))).toMatchObject({ status: 503 })
  })

  it('with --clock log the log’s times date the cosignatures, and the witness warns about it', async () => {
    const log = new ServedLog(soldDraw().operator)
    log.publish()
    const { world } = await startWitness(log, { args: ['--clock', 'log'], at: 1000 })
    expect(await world.post(log.request(0))).toMatchObject({ status: 200 })
    expect(JSON.parse(world.files.text(`${FOLDER}/cosigned.json`))).toMatchObject({ at: log.operator.now })
    expect(world.errLines.join('\n')).toContain('COSIGNATURES ARE DATED BY THE LOGS')
    expect(alarmKinds(world)).toEqual([])
  })
})
