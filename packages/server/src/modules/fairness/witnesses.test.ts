import { readCheckpoint } from '@fairball/domain/protocol/checkpoint'
import { isMet, readPolicy } from '@fairball/domain/protocol/policy'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { closeAtOf, closeDraw, openDraw, testLog } from '../../../test/fairness-log.ts'
import {
  cosignedBy,
  keyOfWitness,
  policyOf,
  testWitness,
  type TestWitness,
  witnessFetch,
} from '../../../test/witness.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import type { FairnessContext } from './context.ts'
import { newestCheckpoint } from './in-force.ts'
import { appendStatement, beginLog, changeKey, isInForce } from './service.ts'
import { witnessJobs } from './witness-jobs.ts'
import { cosign, WitnessAhead } from './witnesses.ts'

const START_AT = 1_735_732_800

/** A log with three witnesses and a quorum of two. */
async function watched(threshold = 2) {
  let ctx: FairnessContext | null = null
  const keys: Uint8Array[] = []
  const witnesses: [TestWitness, TestWitness, TestWitness] = [1, 2, 3].map((place) =>
    testWitness(place, () => runtime.clock.now()),
  ) as never // three, as the list above
  const runtime = testRuntime({
    startAt: START_AT,
    fetch: witnessFetch(witnesses, () => ({ origin: ctx?.origin ?? '', publicKeys: keys })),
  })
  const database = await testDatabase({ runtime })
  const added: { kind: string; key: string }[] = []
  const policy = policyOf(witnesses, threshold)
  const jobs: FairnessContext['jobs'] = {
    add: async (_tx, kind, _payload, { key }) => void added.push({ kind, key }),
    addUnlessWaiting: async () => undefined,
    wake: async () => undefined,
  }
  const log = await testLog({ db: database.db, runtime, policy, jobs })
  ctx = log
  await beginLog(log)
  keys.push((await log.keys.inForce(log.db)).publicKey)
  const client = await database.connect()
  const cosigned = async () =>
    (
      await client.query<{ size: string; witness: string }>(
        `select size::int as size, witness from cosignatures order by size, witness`,
      )
    ).rows.map(({ size, witness }) => `${size} ${witnesses.findIndex((one) => keyOfWitness(one) === witness) + 1}`)
  const job = (kind: string) => witnessJobs(log).find((one) => one.kind === kind)
  const { db } = log
  return { ctx: log, db, runtime, witnesses, policy, added, cosigned, keys, job }
}

describe('the witnesses of a log', () => {
  it('all witnesses are asked for the newest head, and their cosignatures are served with it', async () => {
    const { ctx, db, witnesses, policy, cosigned, runtime } = await watched(3)
    await db.transaction((tx) => openDraw(ctx, tx, 1))
    expect(await cosign(ctx)).toEqual([])
    expect((await cosigned()).toSorted()).toEqual(['2 1', '2 2', '2 3'])
    const checkpoint = readCheckpoint((await newestCheckpoint(db)) ?? '')
    const now = runtime.clock.now()
    expect(checkpoint !== null && isMet(readPolicy(policy), checkpoint.note, now, now)).toBe(true)
    expect(witnesses.map(({ seen }) => seen.map(({ size }) => size))).toEqual([[2], [2], [2]])
  })

  it('a witness is not asked again for what it has cosigned', async () => {
    const { ctx, witnesses } = await watched()
    await cosign(ctx)
    await cosign(ctx)
    expect(witnesses.map(({ asked }) => asked)).toEqual([1, 1, 1])
  })

  it('a witness is asked from the head that it says it knows', async () => {
    const { ctx, db, witnesses, cosigned } = await watched()
    await cosign(ctx)
    await db.transaction(async (tx) => {
      await openDraw(ctx, tx, 1)
      await openDraw(ctx, tx, 2)
    })
    const [first] = witnesses
    await cosign(ctx)
    await db.transaction((tx) => openDraw(ctx, tx, 3))
    const kept = first.seen.length
    first.misbehaves = () => new Response('out of order', { status: 503 })
    expect(await cosign(ctx)).toMatchObject([{ witness: first.name }])
    first.misbehaves = null
    // It cosigned, but the answer was lost on its way.
    const last = readCheckpoint((await newestCheckpoint(db)) ?? '')
    if (last !== null) first.seen.push(last)
    expect(await cosign(ctx)).toEqual([])
    expect((await cosigned()).filter((line) => line.startsWith('4 ')).toSorted()).toEqual(['4 1', '4 2', '4 3'])
    expect(first.seen.length).toBe(kept + 2)
  })

  it('witnesses do not hold each other up: if one is down and one lies, the third counts', async () => {
    const { ctx, witnesses, cosigned, runtime } = await watched()
    const [down, lying] = witnesses
    down.misbehaves = () => {
      throw new TypeError('connection refused')
    }
    lying.misbehaves = (request) => {
      const text = request.slice(request.indexOf('\n\n') + 2).split('\n\n')[0] ?? ''
      return new Response(`${cosignedBy(down, `${text}\n`, runtime.clock.now())}\n`)
    }
    const missing = await cosign(ctx)
    expect(missing.map(({ witness }) => witness)).toEqual([down.name, lying.name])
    expect(String(missing[0]?.error)).toContain('connection refused')
    expect(String(missing[1]?.error)).toContain('no valid cosignature')
    expect(await cosigned()).toEqual(['1 3'])
  })

  it.each([
    ['an answer that is too large', () => new Response('x'.repeat(20_000)), 'too large'],
    ['a conflict without a size', () => new Response('no', { status: 409 }), 'without the size'],
    ['a conflict that does not end', () => new Response('0\n', { status: 409 }), 'knows 0 statements'],
    ['a refusal', () => new Response('does not continue', { status: 422 }), 'it answered 422 does not continue'],
    ['lines that are no note', () => new Response('— w1.example/witness !!!\n'), 'no valid cosignature'],
  ])('a witness adds nothing if it fails with %s', async (_what, misbehave, reason) => {
    const { ctx, witnesses, cosigned } = await watched()
    witnesses[0].misbehaves = misbehave
    const missing = await cosign(ctx)
    expect(missing.map(({ error }) => String(error))).toEqual([expect.stringContaining(reason)])
    expect(await cosigned()).toHaveLength(2)
  })

  it('a witness that has seen more than the database holds is told apart from others', async () => {
    const { ctx, witnesses } = await watched()
    witnesses[1].misbehaves = () => new Response('7\n', { status: 409 })
    const [missing] = await cosign(ctx)
    expect(missing?.error).toBeInstanceOf(WitnessAhead)
    expect(missing?.error).toMatchObject({ size: 7, witness: witnesses[1].name })
  })

  it('witnesses cosign each close and postponement at its own head, before the newest one', async () => {
    const { ctx, db, witnesses } = await watched()
    await cosign(ctx)
    await db.transaction(async (tx) => {
      const { hash: open } = await openDraw(ctx, tx, 1)
      await appendStatement(ctx, tx, { type: 'postpone', open, reason: 'outage', start: 1_735_740_000, round: 9 })
      await openDraw(ctx, tx, 2)
      await closeDraw(ctx, tx, open, 9)
      await openDraw(ctx, tx, 3)
    })
    expect(await cosign(ctx)).toEqual([])
    expect(witnesses.map(({ seen }) => seen.map(({ size }) => size))).toEqual(Array(3).fill([1, 3, 5, 6]))
  })

  it('witnesses of a draw opened under another policy are asked until it has its result', async () => {
    const { ctx, db, witnesses } = await watched()
    await db.transaction((tx) => openDraw(ctx, tx, 1))
    const later = { ...ctx, policy: 'quorum none\n' }
    await cosign(later)
    expect(witnesses.map(({ asked }) => asked)).toEqual([1, 1, 1])
  })

  it('witnesses also accept the log’s old key for a while after a key change', async () => {
    const { ctx, witnesses } = await watched()
    await cosign(ctx)
    await changeKey(ctx)
    expect(await cosign(ctx)).toEqual([])
    expect(witnesses.map(({ seen }) => seen.at(-1)?.size)).toEqual([2, 2, 2])
  })
})

describe('the jobs that ask witnesses', () => {
  it('jobs are added for what needs a cosignature immediately, and for nothing else', async () => {
    const { ctx, db, added } = await watched()
    await db.transaction(async (tx) => {
      const { hash: open } = await openDraw(ctx, tx, 1)
      const rate = { currency: 'GBP', value: 3300 }
      await appendStatement(ctx, tx, { type: 'sold', open, size: 1, root: '0'.repeat(64), stake: 5n, rate })
      await closeDraw(ctx, tx, open, 1)
    })
    expect(added.map(({ key }) => key)).toEqual(['fairness.witness:2', 'fairness.witness:4'])
  })

  it('jobs retry for a quarter of an hour, and leave the rest to the hourly round', async () => {
    const { ctx, db, runtime, witnesses, job } = await watched()
    await db.transaction((tx) => openDraw(ctx, tx, 1))
    witnesses[2].misbehaves = () => new Response('', { status: 503 })
    const run = async () => await job('fairness.witness')?.run({ size: 2 } as never, {} as never, {} as never)
    runtime.clock.set(START_AT + 900)
    await expect(run()).rejects.toThrow('not cosigned yet by w3.example/witness')
    runtime.clock.set(START_AT + 901)
    await run()
    expect(runtime.logged.map(({ msg }) => msg)).toContain('a witness did not cosign the log')
  })
})

describe('a close', () => {
  async function closed(threshold = 2) {
    const world = await watched(threshold)
    const { ctx, db, runtime } = world
    const { hash: openHash } = await db.transaction((tx) => openDraw(ctx, tx, 1))
    runtime.clock.set(closeAtOf(1))
    const { hash: closeHash } = await db.transaction((tx) => closeDraw(ctx, tx, openHash, 1))
    const until = closeAtOf(1) + 240
    const holds = () => isInForce(db, { openHash, closeHash, until })
    return { ...world, until, holds }
  }

  it('a close is in force once its draw’s quorum of witnesses has cosigned it', async () => {
    const { ctx, witnesses, holds } = await closed()
    witnesses[0].misbehaves = () => new Response('', { status: 503 })
    witnesses[1].misbehaves = () => new Response('', { status: 503 })
    await cosign(ctx)
    expect(await holds()).toBe(false)
    witnesses[1].misbehaves = null
    await cosign(ctx)
    expect(await holds()).toBe(true)
  })

  it.each([
    ['61 seconds before it', -61, false],
    ['60 seconds before it', -60, true],
    ['60 seconds before its round is due', 240, true],
    ['59 seconds before its round is due', 241, false],
  ])('a close cosigned %s counts as the protocol says', async (_when, offset, expected) => {
    const { ctx, witnesses, holds } = await closed()
    for (const witness of witnesses) witness.now = () => closeAtOf(1) + offset
    await cosign(ctx)
    expect(await holds()).toBe(expected)
  })

  it('a later head that holds a close puts it in force', async () => {
    const { ctx, db, holds, witnesses, runtime } = await closed()
    for (const witness of witnesses) witness.misbehaves = () => new Response('', { status: 503 })
    await cosign(ctx)
    await db.transaction((tx) => openDraw(ctx, tx, 2))
    for (const witness of witnesses) witness.misbehaves = null
    runtime.clock.set(closeAtOf(1) + 100)
    await cosign(ctx)
    expect(await holds()).toBe(true)
  })

  it('a close is not in force before the end of sales, nor too late for its round', async () => {
    const { ctx, db, runtime } = await watched()
    const { hash: openHash } = await db.transaction((tx) => openDraw(ctx, tx, 1))
    const early = await db.transaction((tx) => closeDraw(ctx, tx, openHash, 1))
    await cosign(ctx)
    expect(await isInForce(db, { openHash, closeHash: early.hash, until: closeAtOf(1) + 240 })).toBe(false)
    runtime.clock.set(closeAtOf(1) + 241)
    const late = await db.transaction((tx) => closeDraw(ctx, tx, openHash, 1))
    await cosign(ctx)
    expect(await isInForce(db, { openHash, closeHash: late.hash, until: closeAtOf(1) + 240 })).toBe(false)
  })

  it('a close needs no witnesses if its draw asks for none', async () => {
    const { ctx, db, runtime } = await watched()
    const alone = { ...ctx, policy: 'quorum none\n' }
    const { hash: openHash } = await db.transaction((tx) => openDraw(alone, tx, 1))
    runtime.clock.set(closeAtOf(1))
    const { hash: closeHash } = await db.transaction((tx) => closeDraw(alone, tx, openHash, 1))
    expect(await isInForce(db, { openHash, closeHash, until: closeAtOf(1) })).toBe(true)
    expect(await isInForce(db, { openHash, closeHash, until: closeAtOf(1) - 1 })).toBe(false)
  })
})
