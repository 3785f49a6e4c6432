import type { GameWithRules } from '@fairball/domain/games'
import { GAMES } from '@fairball/domain/seeds'
import { roundDueAt } from '@fairball/domain/protocol/chain'
import { describe, expect, it } from 'vitest'
import { START_AT, testLottery } from '../../../test/lottery.ts'
import { testWitness } from '../../../test/witness.ts'
import { cosign } from '../fairness/witnesses.ts'

const FIRST_START_AT = START_AT + 15 * 60
const CLOSES_AT = FIRST_START_AT - 5 * 60
const LINES = [
  [1, 2, 3, 4, 5],
  [6, 7, 8, 9, 10],
]

/** A lottery with plays in the first draw of bitcoin-hero. Its draws need a witness, which does not answer yet. */
async function witnessedLottery(games?: readonly GameWithRules[]) {
  const witness = testWitness(1, () => START_AT)
  witness.misbehaves = absent
  const test = await testLottery({ witnesses: [witness], ...(games === undefined ? {} : { games }) })
  const playerId = await test.addPlayer()
  await test.buy({ playerId, gameKey: 'bitcoin-hero', lines: LINES, days: [3] })
  const statements = () => test.statementsOf('bitcoin-hero', 1)
  const draw = async () => {
    const [row] = await test.rows<{ status: string; postponed: number; start_at: string; round: string }>(
      `select status, postponed, start_at, round from draws where game_key = 'bitcoin-hero' and number = 1`,
    )
    if (row === undefined) throw new Error('there is a first draw')
    return row
  }
  return {
    ...test,
    statements,
    draw,
    types: async () => (await statements()).map((statement) => statement.type),
    /** The draw's present round is now due. */
    dueAt: async () => roundDueAt(test.lottery.beacons.current.chain, Number((await draw()).round)),
    /** The witness cosigns the newest head with its own time. */
    async sign(at: number) {
      witness.now = () => at
      witness.misbehaves = null
      await cosign(test.lottery.fairness)
      witness.misbehaves = absent
    },
  }
}

function absent(): Response {
  return new Response('not now', { status: 503 })
}

describe('a draw that needs a witness', () => {
  it('a draw is drawn if the witness has signed in time', async () => {
    const { moveTo, sign, draw, types, runtime, violations } = await witnessedLottery()
    await moveTo(CLOSES_AT + 10)
    await sign(runtime.clock.now())
    await moveTo(FIRST_START_AT + 200)
    expect(await draw()).toMatchObject({ status: 'settled', postponed: 0 })
    expect(await types()).toEqual(['open', 'close', 'result'])
    expect(await violations()).toEqual([])
  })

  it('a draw without its witness gets a later round and a second close with the same seal, and is drawn by that', async () => {
    const { moveTo, sign, draw, types, statements, dueAt, runtime, rows, violations } = await witnessedLottery()
    const firstDueAt = await dueAt()
    await moveTo(firstDueAt - 46)
    expect(await draw()).toMatchObject({ status: 'closed', postponed: 0 })
    await moveTo(firstDueAt - 45)
    expect(await draw()).toMatchObject({ status: 'closed', postponed: 1 })
    expect(await types()).toEqual(['open', 'close', 'postpone', 'close'])
    const [, close, postpone, second] = await statements()
    if (close?.type !== 'close' || postpone?.type !== 'postpone' || second?.type !== 'close') throw new Error('types')
    expect(postpone).toMatchObject({ reason: 'witness', start: Math.ceil((postpone.time + 900) / 60) * 60 })
    const { time: _time, round: firstRound, quotes: _quotes, ...seal } = close
    expect(second).toMatchObject({ ...seal, round: postpone.round })
    expect(postpone.round).toBeGreaterThan(firstRound)
    expect(await dueAt()).toBeGreaterThanOrEqual(Number((await draw()).start_at))

    // The round it was first sealed for comes and draws nothing.
    await moveTo(firstDueAt + 10)
    expect(await draw()).toMatchObject({ status: 'closed' })
    await sign(runtime.clock.now())
    await moveTo((await dueAt()) + 200)
    expect(await draw()).toMatchObject({ status: 'settled', postponed: 1 })
    const all = await statements()
    const result = all.at(-1)
    const [inForce] = await rows<{ close_hash: string }>(
      `select close_hash from draws where number = 1 and game_key = 'bitcoin-hero'`,
    )
    expect(result).toMatchObject({ type: 'result', close: inForce?.close_hash })
    expect(await violations()).toEqual([])
  })

  it('a signature dated less than a minute before the round does not save a draw', async () => {
    const { moveTo, sign, draw, dueAt, violations } = await witnessedLottery()
    const at = await dueAt()
    await moveTo(at - 50)
    await sign(at - 59)
    await moveTo(at - 45)
    expect(await draw()).toMatchObject({ status: 'closed', postponed: 1 })
    expect(await violations()).toEqual([])
  })

  it('a draw is also postponed if the server was down until its round was out', async () => {
    const { moveTo, draw, types, dueAt, runtime, lottery, violations } = await witnessedLottery()
    await moveTo(CLOSES_AT + 10)
    runtime.clock.set((await dueAt()) + 500)
    await lottery.queue.runDue()
    expect(await draw()).toMatchObject({ status: 'closed', postponed: 1 })
    expect(await types()).toEqual(['open', 'close', 'postpone', 'close'])
    expect(await violations()).toEqual([])
  })

  it('a draw is void the third time, and its entries move on without a stake', async () => {
    const { moveTo, draw, types, statements, dueAt, rows, violations, runtime } = await witnessedLottery()
    for (let time = 1; time <= 3; time += 1) await moveTo((await dueAt()) - 45)
    expect(await draw()).toMatchObject({ status: 'void', postponed: 2 })
    expect(await types()).toEqual(['open', 'close', 'postpone', 'close', 'postpone', 'close', 'void'])
    expect((await statements()).at(-1)).toMatchObject({ reason: 'outage' })
    const plays = await rows(`select p.stake_sats, d.status from plays p join draws d on d.id = p.draw_id`)
    expect(plays).toEqual([{ stake_sats: '0', status: 'open' }])
    await moveTo(runtime.clock.now() + 3600)
    expect(await draw()).toMatchObject({ status: 'void' })
    expect(await violations()).toEqual([])
  })

  it('a draw without plays is void immediately', async () => {
    const { moveTo, rows, violations } = await witnessedLottery(
      GAMES.filter(({ key }) => ['bitcoin-hero', 'bitcoin-lotto'].includes(key)),
    )
    await moveTo(FIRST_START_AT + 10 * 3600)
    const [lotto] = await rows(
      `select status, postponed, entries from draws where game_key = 'bitcoin-lotto' order by number limit 1`,
    )
    expect(lotto).toEqual({ status: 'void', postponed: 0, entries: 0 })
    expect(await violations()).toEqual([])
  })
})
