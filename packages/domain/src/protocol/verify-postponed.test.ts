import { describe, expect, it } from 'vitest'
import { assert } from '../assert.ts'
import { QUICKNET, roundDueAt, roundOf } from './chain.ts'
import { TEST_ORIGIN } from './operator-fixture.ts'
import { type CheckId, Checks, type Status } from './report.ts'
import type { StatementOf } from './statements.ts'
import { NO_TRUST } from './trust.ts'
import { type Changes, closedDraw, type DrawOfLog, notPassed } from './verify-fixture.ts'
import { continued, dueTime, judgeSeal } from './verify-seal-fixture.ts'
import { verifyNewStart } from './verify-seal.ts'

type Expected = Partial<Record<CheckId, Status>>

/** A draw that was put off once or more after its close, and sealed again. */
async function putOff(times = 1, seen: number | null = 1): Promise<DrawOfLog> {
  const closed = closedDraw()
  for (let time = 0; time < times; time += 1) {
    closed.operator.now += 120
    await closed.operator.postpone(closed.draw, seen)
    closed.operator.closeDraw(closed.draw)
  }
  closed.operator.settle(closed.draw)
  return continued(closed)
}

describe('a postponement', () => {
  const postponed = (status: Status): Expected => ({ 'open.postponed': status })

  it('a draw is put off twice at most', async () => {
    expect(judgeSeal(await putOff(2)).found).toEqual({})
    expect(judgeSeal(await putOff(3)).found).toEqual(postponed('fail'))
  })

  it('a draw that was put off to another start than the rule says fails', async () => {
    const start = 1_800_000_000
    expect(judgeSeal(await putOff(), { changes: { postpone: { start } } }).found).toEqual(postponed('fail'))
  })

  it('the seal of a postponement is of a postponement of the draw', async () => {
    const one = await putOff()
    const [seal] = one.draw.postpones
    const other = await putOff()
    await other.operator.postpone(other.draw)
    assert(seal !== undefined, 'no seal')
    expect(judgeSeal(await continued(one), { postpones: [seal, { ...seal, left: [] }] }).found).toEqual(
      postponed('broken'),
    )
    const sealOfClose = await sealed()
    expect(judgeSeal(sealOfClose, { postpones: [sealOfClose.draw.seal].filter((it) => it !== null) }).found).toEqual(
      postponed('broken'),
    )
  })

  it('a postponement without a seal, or one that nobody saw whom the verifier trusts, holds', async () => {
    const one = await putOff()
    expect(judgeSeal(one, { postpones: [] }).found).toEqual(postponed('unknown'))
    expect(judgeSeal(one, { trust: NO_TRUST }).found).toEqual({
      ...postponed('unknown'),
      'seal.seen': 'unknown',
    })
    expect(judgeSeal(await putOff(1, null)).found).toEqual(postponed('unknown'))
  })

  it('each postponement needs its own seal', async () => {
    const one = await putOff(2)
    for (const seal of one.draw.postpones)
      expect(judgeSeal(one, { postpones: [seal] }).found).toEqual(postponed('unknown'))
  })

  it.each<[string, number, Expected]>([
    ['a minute before it, as its clock may be late, passes', -60, {}],
    ['more than a minute before it holds', -61, postponed('unknown')],
  ])('a postponement that its witness saw %s', async (_, seen, expected) => {
    const one = closedDraw()
    await one.operator.postpone(one.draw, seen)
    one.operator.closeDraw(one.draw)
    one.operator.settle(one.draw)
    expect(judgeSeal(await continued(one)).found).toEqual(expected)
  })

  it.each<[number, Expected]>([
    [0, {}],
    [1, postponed('unknown')],
  ])(
    'a postponement is to be seen until the round that it puts off is due: %i seconds later',
    async (late, expected) => {
      const one = closedDraw()
      const until = dueTime(one.draw)
      await one.operator.postpone(one.draw, until - one.draw.open.statement.close - 10 + late)
      one.operator.closeDraw(one.draw)
      one.operator.settle(one.draw)
      expect(judgeSeal(await continued(one)).found).toEqual(expected)
    },
  )

  it('a postponement is to be seen until the new round is due, if that is earlier', async () => {
    for (const late of [0, 1]) {
      const one = closedDraw()
      const now = one.draw.open.statement.close + 10
      const { start, round } = startAt(Math.ceil((now + 900) / 60) * 60)
      await one.operator.postpone(one.draw, roundDueAt(QUICKNET, round) - now + late)
      expect([one.draw.start, one.operator.now]).toEqual([start, now])
      const changes: Changes = { open: { round: round + 1000 } }
      const { checks } = judgeSeal(await continued(one), { changes })
      expect(checks.status('open.postponed')).toBe(late === 0 ? 'pass' : 'unknown')
    }
  })

  it('a postponement says whether it came after its round was known', async () => {
    const one = closedDraw()
    const { close } = one.draw.open.statement
    one.operator.now = close + 11 + ((QUICKNET.genesis - close) % 3) + 3
    await one.operator.postpone(one.draw)
    const round = 1 + (one.operator.now - QUICKNET.genesis) / QUICKNET.period
    const why = (before: number) => {
      const given = { changes: { open: { round: round - before } }, postpones: [] }
      return judgeSeal(one, given).checks.findings()['open.postponed']?.why
    }
    expect(why(0)).toBe('put off, by the word of the operator')
    expect(why(1)).toBe("put off after its round was known, by the operator's word")
  })

  it.each<[string, Partial<StatementOf<'postpone'>>, Expected]>([
    ['a quarter of an hour later, at a whole minute, passes', {}, {}],
    ['a minute later than that holds, since an earlier draw may be unfinished', at(60), postponed('unknown')],
    ['a minute earlier fails', at(-60), postponed('fail')],
    ['at no whole minute fails', at(30), postponed('fail')],
    ['in another round than that of its start fails', { round: 1 }, postponed('fail')],
  ])('a new start %s', (_, values, expected) => {
    const checks = new Checks()
    verifyNewStart(QUICKNET, { ...POSTPONE, ...values }, checks)
    expect(notPassed(checks)).toEqual(expected)
  })

  it('a new start is counted from the time of the postponement, rounded up to a minute', () => {
    const found = (time: number) => {
      const checks = new Checks()
      verifyNewStart(QUICKNET, { ...POSTPONE, time }, checks)
      return notPassed(checks)
    }
    expect([found(POSTPONE.time - 59), found(POSTPONE.time - 60), found(POSTPONE.time + 1)]).toEqual([
      {},
      postponed('unknown'),
      postponed('fail'),
    ])
  })

  it('a new start is not before its chain', () => {
    const checks = new Checks()
    verifyNewStart({ ...QUICKNET, genesis: POSTPONE.start + 1 }, { ...POSTPONE, round: 1 }, checks)
    expect(notPassed(checks)).toEqual(postponed('fail'))
  })
})

/** A postponement at a whole minute. */
const POSTPONE: StatementOf<'postpone'> = {
  type: 'postpone',
  log: TEST_ORIGIN,
  time: 1_700_000_040,
  open: '',
  reason: 'outage',
  ...startAt(1_700_000_940),
}

function at(seconds: number) {
  return startAt(1_700_000_940 + seconds)
}

function startAt(start: number) {
  return { start, round: roundOf(QUICKNET, start) }
}

async function sealed(): Promise<DrawOfLog> {
  const one = closedDraw()
  await one.operator.seal(one.draw)
  one.operator.settle(one.draw)
  return one
}
