import { fixedPlay } from '@fairball/domain/fairness/draw-fixture'
import { OperatorFixture } from '@fairball/domain/fairness/operator-fixture'
import { resigned } from '@fairball/domain/fairness/resigned-fixture'
import type { Step } from '@fairball/domain/fairness/report'
import { readLogged } from '@fairball/domain/fairness/log'
import { toHex } from '@fairball/domain/fairness/bytes'
import { expect, it } from 'vitest'
import { NOTHING_SEEN } from './memory.ts'
import type { Remembered, SeenHead } from './memory.ts'
import { prove } from './prove.ts'
import type { ProofRequest } from './prove.ts'
import { rememberProof, sealResult } from './seal-check.ts'
import { FairnessMemory } from './memory.ts'

const SHAPE = { pick: 6, pool: 49 }
const ME = 'player-abc123'

/** A settled draw of two players, and its operator's secrets. */
function settled() {
  const operator = new OperatorFixture()
  const draw = operator.open(1, [fixedPlay(ME, 3, SHAPE), fixedPlay('player-zz81mm', 2, SHAPE)])
  const closeHash = operator.settle(draw)
  return { operator, draw, closeHash }
}

/** A draw that is sealed and waits for its round. */
function sealed() {
  const operator = new OperatorFixture()
  const draw = operator.open(1, [fixedPlay(ME, 3, SHAPE)])
  const closeHash = operator.close(draw)
  return { operator, draw, closeHash }
}

const headOf = (notes: readonly string[], seq: number): SeenHead => {
  const logged = readLogged(notes[seq] ?? '')
  if (typeof logged === 'string') throw new Error(logged)
  return { seq, hash: logged.hash, note: logged.note }
}

const seenOf = (operator: OperatorFixture, head: SeenHead | null): Remembered => ({
  ...NOTHING_SEEN,
  operator: operator.name,
  key: toHex(operator.publicKey),
  keySeenAt: 1,
  head,
})

const asked = (request: Pick<ProofRequest, 'bundle'> & Partial<ProofRequest>): ProofRequest => ({
  seen: NOTHING_SEEN,
  headNow: null,
  nowAt: 1_900_000_000,
  isSaved: false,
  ...request,
})

const checkOf = (steps: readonly Step[], id: string) =>
  steps.flatMap(({ checks }) => checks).find((one) => one.id === id)
const nothing = () => undefined

it('tells each of the seven steps as soon as it is done, and gives the same in its report', () => {
  const { operator, draw } = settled()
  const told: Step[] = []
  const { report, evidence } = prove(asked({ bundle: operator.bundle(draw) }), (step) => told.push(step))
  expect(told.map(({ name }) => name)).toEqual(['log', 'open', 'close', 'beacon', 'numbers', 'prizes', 'receipts'])
  expect(told).toEqual(report.steps)
  expect(report.outcome).toBe('passed')
  expect(evidence).toBeNull()
})

it('says that the log continues the one this browser has verified', () => {
  const { operator, draw } = settled()
  const head = headOf(operator.notes, 2)
  const { report } = prove(
    asked({ bundle: operator.bundle(draw), seen: seenOf(operator, head), headNow: operator.notes[2] ?? null }),
    nothing,
  )
  expect(checkOf(report.steps, 'log.remembered')?.outcome).toBe('passed')
  expect(checkOf(report.steps, 'log.key')?.outcome).toBe('passed')
  expect(report.outcome).toBe('passed')
})

it('takes another statement in the place of the one it knows for a fork, with both of them as evidence', () => {
  const { operator, draw } = settled()
  const head = headOf(operator.notes, 3)
  const keys = { name: operator.name, keySeed: operator.keySeed }
  const forged = resigned(operator.notes, keys, (statement) =>
    statement.type === 'close' ? { ...statement, stake: 1n } : statement,
  )
  const bundle = { ...operator.bundle(draw), log: forged }
  const told: Step[] = []
  const { report, evidence } = prove(
    asked({ bundle, seen: seenOf(operator, head), headNow: forged[3] ?? null }),
    (step) => told.push(step),
  )
  expect(told[0]?.outcome).toBe('failed')
  expect(checkOf(report.steps, 'log.remembered')).toMatchObject({ outcome: 'failed' })
  expect(report.outcome).toBe('failed')
  const file = JSON.parse(evidence ?? '{}') as { failed: string[]; fork: string[] | null }
  expect(file.failed).toContain('log.remembered')
  expect(new Set(file.fork)).toEqual(new Set([head.note, forged[3]]))
})

it('says so when a statement it has verified is not served any more', () => {
  const { operator, draw } = settled()
  const head = headOf(operator.notes, 3)
  const { report } = prove(asked({ bundle: operator.bundle(draw), seen: seenOf(operator, head) }), nothing)
  expect(checkOf(report.steps, 'log.remembered')).toMatchObject({
    outcome: 'failed',
    detail: 'Statement 3 was published once, and is not served any more.',
  })
})

it('takes another key than the first one it saw for a failure', () => {
  const { operator, draw } = settled()
  const seen = { ...seenOf(operator, null), key: '00'.repeat(32) }
  const { report, evidence } = prove(asked({ bundle: operator.bundle(draw), seen }), nothing)
  expect(checkOf(report.steps, 'log.key')?.outcome).toBe('failed')
  expect(evidence).not.toBeNull()
})

it('holds a saved file against what it knows of its operator, and not against what it knows of another', () => {
  const { operator, draw } = settled()
  const bundle = operator.bundle(draw)
  const known = seenOf(operator, headOf(operator.notes, 3))
  expect(
    checkOf(prove(asked({ bundle, seen: known, isSaved: true }), nothing).report.steps, 'log.remembered'),
  ).toMatchObject({ outcome: 'passed' })
  const other = { ...known, operator: 'other.example', key: '00'.repeat(32) }
  const { report } = prove(asked({ bundle, seen: other, isSaved: true }), nothing)
  expect(checkOf(report.steps, 'log.remembered')).toBeUndefined()
  expect(report.outcome).toBe('passed')
})

it('takes what a saved file says of its owner’s memory for their word: it passes nothing, and fails what it contradicts', () => {
  const { operator, draw, closeHash } = settled()
  const { close } = operator.openOf(draw)
  const own = {
    key: toHex(operator.publicKey),
    username: null,
    sights: [{ hash: closeHash, seenAt: close + 10 }],
    receipts: [],
  }
  const bundle = operator.bundle(draw, { own })
  const { report } = prove(asked({ bundle, isSaved: true }), nothing)
  for (const id of ['log.key', 'log.fork', 'close.seen']) expect(checkOf(report.steps, id)?.outcome).toBe('unchecked')
  expect(report).toMatchObject({ outcome: 'passed', isSeen: false, isPublicBeacon: false })
  const contradicted = operator.bundle(draw, { own: { ...own, key: '00'.repeat(32) } })
  const { report: failed, evidence } = prove(asked({ bundle: contradicted, isSaved: true }), nothing)
  expect(checkOf(failed.steps, 'log.key')?.outcome).toBe('failed')
  expect(evidence).toContain('00'.repeat(32))
})

it('passes of a saved file what this browser remembers itself', () => {
  const { operator, draw, closeHash } = settled()
  const { close, start } = operator.openOf(draw)
  const place = { game: draw.game, draw: draw.number, player: ME, lines: 3 }
  const note = operator.noteOf(closeHash)
  const result = { outcome: 'sealed', problem: null, evidence: null } as const
  const seenClose = {
    ...place,
    ...result,
    hash: closeHash,
    note,
    seenAt: close + 10,
    sealedAt: close + 4,
    startAt: start,
  }
  const seen = { ...seenOf(operator, null), closes: [seenClose] }
  const { report } = prove(asked({ bundle: operator.bundle(draw), seen, isSaved: true }), nothing)
  for (const id of ['log.key', 'log.fork', 'close.seen']) expect(checkOf(report.steps, id)?.outcome).toBe('passed')
  expect(report.isSeen).toBe(true)
  const ofAnother = { ...seen, operator: 'other.example' }
  expect(prove(asked({ bundle: operator.bundle(draw), seen: ofAnother, isSaved: true }), nothing).report.isSeen).toBe(
    false,
  )
})

it('fails where a receipt that was fetched for a play of the draw names another draw, and says nothing of it in a saved file', () => {
  const { operator, draw, closeHash } = sealed()
  const { close } = operator.openOf(draw)
  const next = operator.open(2, [fixedPlay(ME, 1, SHAPE)])
  const receipts = [operator.receipt(draw, 0, closeHash), operator.receipt(next, 0, null)]
  const bundle = operator.bundle(draw, { own: { key: null, username: ME, sights: [], receipts }, entries: null })
  const proof = prove(asked({ bundle, nowAt: close + 10 }), nothing)
  expect(checkOf(proof.report.steps, 'receipts.plays')).toMatchObject({
    outcome: 'failed',
    detail: 'Your results show lines in this draw, and the receipt of their order, order-2-0, names another draw.',
  })
  const result = sealResult(proof, { lines: 4, areLinesInReceipts: true })
  expect(result.outcome).toBe('broken')
  expect((JSON.parse(result.evidence ?? '{}') as { failed: string[] }).failed).toEqual(['receipts.plays'])
  const saved = prove(asked({ bundle, nowAt: close + 10, isSaved: true }), nothing).report
  expect(checkOf(saved.steps, 'receipts.plays')).toBeUndefined()
})

it('says nothing of the head it knows where a saved file ends before it', () => {
  const { operator, draw } = settled()
  const known = seenOf(operator, { seq: 99, hash: 'aa', note: 'later' })
  const { report } = prove(asked({ bundle: operator.bundle(draw), seen: known, isSaved: true }), nothing)
  expect(checkOf(report.steps, 'log.remembered')).toBeUndefined()
})

it('asks the player about a name they have no more, and takes receipts of two others for failed', () => {
  const { operator, draw, closeHash } = settled()
  const own = (username: string, places: readonly number[]) => ({
    key: null,
    username,
    sights: [],
    receipts: places.map((place) => operator.receipt(draw, place, closeHash)),
  })
  const bundle = operator.bundle(draw, { own: own('new-name', [0]) })
  const renamed = prove(asked({ bundle }), nothing).report
  expect(checkOf(renamed.steps, 'receipts.owner')).toMatchObject({
    outcome: 'unchecked',
    detail:
      'They name “player-abc123”, and you are “new-name” now. If you never had that name, they are not yours: do not accept them.',
  })
  const mixed = prove(asked({ bundle: operator.bundle(draw, { own: own('new-name', [0, 1]) }) }), nothing).report
  expect(checkOf(mixed.steps, 'receipts.owner')?.outcome).toBe('failed')
})

it('says before the draw that all lines are sealed, from the receipts and their paths alone', () => {
  const { operator, draw, closeHash } = sealed()
  const { close } = operator.openOf(draw)
  const own = { key: null, username: ME, sights: [], receipts: [operator.receipt(draw, 0, closeHash)] }
  const proof = prove(asked({ bundle: operator.bundle(draw, { own, entries: null }), nowAt: close + 10 }), nothing)
  expect(sealResult(proof, { lines: 3, areLinesInReceipts: true })).toEqual({
    lines: 3,
    outcome: 'sealed',
    problem: null,
    evidence: null,
  })
})

it('says what is wrong where a line was left out of the sealing, and keeps the evidence', () => {
  const { operator, draw, closeHash } = sealed()
  const { close } = operator.openOf(draw)
  const receipt = operator.receipt(draw, 0, closeHash)
  const entries = receipt.entries.map((entry) => ({ ...entry, path: entry.path.map(() => 'ab'.repeat(32)) }))
  const own = { key: null, username: ME, sights: [], receipts: [{ ...receipt, entries }] }
  const proof = prove(asked({ bundle: operator.bundle(draw, { own, entries: null }), nowAt: close + 10 }), nothing)
  const result = sealResult(proof, { lines: 3, areLinesInReceipts: true })
  expect(result.outcome).toBe('broken')
  expect(result.problem).toMatch(/does not lead to the root/u)
  expect(result.evidence).toContain('"receipts.sealed"')
})

it('says why a sealing could not be checked, rather than that it holds', () => {
  const { operator, draw, closeHash } = sealed()
  const { close, start } = operator.openOf(draw)
  const without = prove(asked({ bundle: operator.bundle(draw, { entries: null }), nowAt: close + 10 }), nothing)
  expect(sealResult(without, { lines: 3, areLinesInReceipts: true })).toMatchObject({
    outcome: 'unchecked',
    evidence: null,
  })
  const own = { key: null, username: ME, sights: [], receipts: [operator.receipt(draw, 0, closeHash)] }
  const late = prove(asked({ bundle: operator.bundle(draw, { own, entries: null }), nowAt: start + 60 }), nothing)
  expect(sealResult(late, { lines: 3, areLinesInReceipts: true })).toMatchObject({ outcome: 'unchecked' })
  expect(sealResult(late, { lines: 3, areLinesInReceipts: true }).problem).toMatch(
    /^It was seen before its round was due/u,
  )
})

it('does not say that lines are sealed where the receipts name other lines or another player', () => {
  const { operator, draw, closeHash } = sealed()
  const { close } = operator.openOf(draw)
  const own = { key: null, username: ME, sights: [], receipts: [operator.receipt(draw, 0, closeHash)] }
  const proofOf = (username: string) =>
    prove(
      asked({ bundle: operator.bundle(draw, { own: { ...own, username }, entries: null }), nowAt: close + 10 }),
      nothing,
    )
  expect(sealResult(proofOf(ME), { lines: 4, areLinesInReceipts: false })).toMatchObject({
    outcome: 'unchecked',
    problem: 'The signed receipts do not name the same lines as your results.',
  })
  const ofAnother = sealResult(proofOf('player-zz81mm'), { lines: 3, areLinesInReceipts: true })
  expect(ofAnother.outcome).toBe('unchecked')
  expect(ofAnother.problem).toContain('you are “player-zz81mm” now')
})

it('remembers key and head of a log that holds, and nothing of one that does not', () => {
  const { operator, draw } = settled()
  const values = new Map<string, string>()
  const memory = new FairnessMemory({
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  })
  const bundle = operator.bundle(draw)
  const broken = prove(asked({ bundle: { ...bundle, log: bundle.log.slice(1) } }), nothing)
  expect(rememberProof(memory, broken, 7)).toBe(false)
  expect(memory.read()).toEqual(NOTHING_SEEN)
  expect(rememberProof(memory, prove(asked({ bundle }), nothing), 7)).toBe(true)
  expect(memory.read()).toMatchObject({
    operator: 'lottery.example',
    key: toHex(operator.publicKey),
    keySeenAt: 7,
    head: headOf(operator.notes, operator.notes.length - 1),
  })
})
