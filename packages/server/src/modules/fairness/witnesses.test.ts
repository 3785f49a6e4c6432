import { LotteryError } from '@fairball/domain/errors'
import { noteOf, witnessedAt } from '@fairball/domain/fairness/signed-note'
import { parseStatementOf } from '@fairball/domain/fairness/statements'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { closeDraw, openDraw, testLog, testWitness } from '../../../test/fairness-log.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'

const alice = testWitness('alice', 1)
const bob = testWitness('bob', 2)
const mallory = testWitness('mallory', 3)
const namedOnly = ({ name, publicKey }: ReturnType<typeof testWitness>) => ({ name, publicKey })

async function closedDraw(required = 1) {
  const runtime = testRuntime()
  const database = await testDatabase({ runtime })
  const { db } = database
  const client = await database.connect()
  const witnesses = required === 0 ? { required, list: [] } : { required, list: [alice, bob].map(namedOnly) }
  const fairness = await testLog({ db, runtime, witnesses })
  await fairness.begin()
  const openHash = await openDraw(fairness, db, client, 1)
  const closeHash = await closeDraw(fairness, db, client, openHash)
  const text = await fairness.statementOf(closeHash)
  const now = runtime.clock.now()
  const accept = (...lines: string[]) => fairness.acceptWitness(noteOf(text, lines))
  const record = async () => (await fairness.recordOf('bitcoin-hero', 1)).witnesses
  const hasEnough = (before: number) =>
    db.transaction((tx) => fairness.hasEnoughWitnesses(tx, { openHash, closeHash, before }))
  return { fairness, client, db, openHash, closeHash, text, now, accept, record, hasEnough, runtime }
}

async function refusalOf(work: Promise<unknown>): Promise<{ code: string; note: string | undefined }> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof LotteryError)) throw new Error(`not refused: ${String(error)}`)
  return { code: error.code, note: error.fields?.['note'] }
}

describe('the witnesses of a close', () => {
  it('are named in the open statement of draws opened from then on', async () => {
    const { fairness, openHash } = await closedDraw()
    const line = `witness 1 alice=${alice.publicKey},bob=${bob.publicKey}`
    expect((await fairness.statementOf(openHash)).split('\n')).toContain(line)
  })

  it('are kept and served in its record, of each the line with the earliest date', async () => {
    const { accept, record, now, text } = await closedDraw()
    await accept(bob.line(text, now - 5))
    await accept(alice.line(text, now - 10), bob.line(text, now - 7))
    await accept(bob.line(text, now - 6)) // later than what is known: changes nothing
    await accept(bob.line(text, now - 7)) // again
    expect(await record()).toEqual([alice.line(text, now - 10), bob.line(text, now - 7)])
    const dates = (await record()).map((line, nth) => witnessedAt(noteOf(text, [line]), signer([alice, bob][nth])))
    expect(dates).toEqual([now - 10, now - 7])
  })

  it('count when they are dated before the moment that is asked for, and each once', async () => {
    const { accept, hasEnough, now, text } = await closedDraw(2)
    expect(await hasEnough(now)).toBe(false)
    await accept(alice.line(text, now - 10))
    await accept(alice.line(text, now - 20))
    expect(await hasEnough(now)).toBe(false)
    await accept(bob.line(text, now - 10))
    expect(await hasEnough(now - 10)).toBe(false)
    expect(await hasEnough(now - 9)).toBe(true)
  })

  it('are not needed where the open statement asks for none', async () => {
    const { hasEnough, accept, text, now } = await closedDraw(0)
    expect(await hasEnough(0)).toBe(true)
    expect(await refusalOf(accept(alice.line(text, now)))).toMatchObject({ code: 'INVALID_PAYLOAD' })
  })

  it('of one close do not count for another close of the same draw', async () => {
    const { fairness, db, client, openHash, accept, text, now, record } = await closedDraw()
    await accept(alice.line(text, now))
    const second = await closeDraw(fairness, db, client, openHash, 9n)
    expect(await record()).toEqual([])
    const before = now + 100
    const has = (closeHash: string) =>
      db.transaction((tx) => fairness.hasEnoughWitnesses(tx, { openHash, closeHash, before }))
    expect(await has(second)).toBe(false)
    const note = noteOf(await fairness.statementOf(second), [alice.line(await fairness.statementOf(second), now)])
    await fairness.acceptWitness(note)
    expect(await has(second)).toBe(true)
    expect(await record()).toHaveLength(1)
  })

  it('are refused when no line is a valid one of a witness of the draw', async () => {
    const { accept, now, text, record, fairness } = await closedDraw()
    const spoiled = alice.line(`${text.slice(0, -2)}1\n`, now)
    const underFalseName = testWitness('alice', 3).line(text, now)
    for (const line of [mallory.line(text, now), spoiled, underFalseName]) {
      expect(await refusalOf(accept(line))).toEqual({
        code: 'INVALID_PAYLOAD',
        note: 'Must have a valid signature of a witness of this draw.',
      })
    }
    for (const note of ['', 'nothing', text, `${text}\n`, `${text}\n— alice !!\n`, '— a b\n\n— a b\n'])
      expect((await refusalOf(fairness.acceptWitness(note))).code).toBe('INVALID_PAYLOAD')
    expect(await record()).toEqual([])
  })

  it('are taken one by one: a line that somebody spoiled does not spoil the others', async () => {
    const { accept, now, text, record } = await closedDraw()
    await accept(mallory.line(text, now), testWitness('bob', 3).line(text, now), alice.line(text, now))
    expect(await record()).toEqual([alice.line(text, now)])
  })

  it('are refused when dated in the future', async () => {
    const { accept, now, text, record, runtime } = await closedDraw()
    expect(await refusalOf(accept(alice.line(text, now + 1)))).toEqual({
      code: 'INVALID_PAYLOAD',
      note: 'Must not be dated in the future.',
    })
    runtime.clock.set(now + 1)
    await accept(alice.line(text, now + 1))
    expect(await record()).toHaveLength(1)
  })

  it('are refused when dated before the statement, a minute of a slow clock aside', async () => {
    const { accept, text, record } = await closedDraw()
    const { time } = parseStatementOf('close', text)
    expect(await refusalOf(accept(alice.line(text, time - 61)))).toEqual({
      code: 'INVALID_PAYLOAD',
      note: 'Must not be dated before the statement.',
    })
    await accept(alice.line(text, time - 60))
    expect(await record()).toHaveLength(1)
  })

  it('are not found for a text that is no close statement of this log', async () => {
    const { fairness, now, text, openHash } = await closedDraw()
    const other = text.replace('entries 0', 'entries 1')
    for (const foreign of [other, await fairness.statementOf(openHash), 'é\n', 'text\n'])
      expect((await refusalOf(fairness.acceptWitness(`${foreign}\n${alice.line(text, now)}\n`))).code).toBe('NOT_FOUND')
  })

  it('change nothing any more once the draw is over; what is there already is no refusal', async () => {
    const { accept, now, text, record, client } = await closedDraw()
    await accept(alice.line(text, now))
    await client.query(`update draws set status = 'settled'`)
    await accept(alice.line(text, now))
    expect((await refusalOf(accept(bob.line(text, now)))).note).toContain('after the end of the draw')
    expect((await refusalOf(accept(alice.line(text, now - 1)))).note).toContain('after the end of the draw')
    expect(await record()).toEqual([alice.line(text, now)])
  })
})

function signer(witness: ReturnType<typeof testWitness> | undefined) {
  return { name: witness?.name ?? '', publicKey: new Uint8Array(Buffer.from(witness?.publicKey ?? '', 'hex')) }
}
