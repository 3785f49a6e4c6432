import { beforeEach, describe, expect, it } from 'vitest'
import { Crasher, onlyDeath } from '../../../test/crasher.ts'
import { START_AT, testLottery, type TestLottery } from '../../../test/lottery.ts'
import { winningLines } from '../../../test/winning-lines.ts'
import type { Db } from '../../db/pool.ts'
import { stopAll } from '../payouts/service.ts'
import { lotteryInvariants } from './invariants.ts'
import { checkInvariants, continuePass, invariantStatus, type WatchContext } from './watch.ts'

const DAY = 86_400
/** 03:00 UTC: an hour after the pass of a night is due. */
const NIGHT = START_AT - (START_AT % DAY) + DAY + 3 * 3600

let test: TestLottery
let now = NIGHT

beforeEach(async () => {
  test = await testLottery()
  now = NIGHT
})

/** The watch of a process at the present time of the test. */
function watch(db: Db = test.db): WatchContext {
  test.runtime.clock.set(now)
  return {
    db,
    runtime: test.runtime,
    stopPayouts: stopAll,
    tellOfAlarm: async () => undefined,
    invariants: lotteryInvariants,
  }
}

async function buy(): Promise<void> {
  const playerId = await test.addPlayer()
  await test.buy({ playerId, gameKey: 'bitcoin-hero', lines: winningLines().slice(0, 1), days: [3] })
}

/** Changes the price of an order that nothing touches again, and what that breaks. */
const breakOrder = (): Promise<void> => tamper(`update orders set due_sats = due_sats * 3 / 2`)
const BROKEN = ['I13', 'I3', 'I4']

/** Does what the program never does, without the database's own checks. */
async function tamper(sql: string): Promise<void> {
  for (const one of ['set session_replication_role = replica', sql, 'set session_replication_role = origin'])
    await test.rows(one)
}

async function wholePass(): Promise<void> {
  while (await continuePass(watch()));
}

async function standing(): Promise<{ ids: string[]; isStopped: boolean }> {
  const rows = await test.rows<{ ids: string[]; is_stopped: boolean }>(
    `select array(select distinct invariant from invariant_violations where gone_at is null order by 1) as ids,
      exists (select from system_state where key = 'payouts.stopped') as is_stopped`,
  )
  return { ids: rows[0]?.ids ?? [], isStopped: rows[0]?.is_stopped ?? false }
}

async function pass(): Promise<{ began: number; checked: number | null; step: string | null }> {
  const rows = await test.rows<{ began: string; checked: string | null; step: string | null }>(
    'select began_at as began, checked_at as checked, step from invariant_passes',
  )
  const [row] = rows
  if (row === undefined) throw new Error('there was no pass')
  return { began: Number(row.began), checked: row.checked === null ? null : Number(row.checked), step: row.step }
}

describe('the pass over everything', () => {
  it('a pass runs once a night from 02:00 UTC, and at once if it was missed', async () => {
    await wholePass()
    expect(await pass()).toEqual({ began: NIGHT, checked: NIGHT, step: null })
    for (const later of [3600, 22 * 3600]) {
      now = NIGHT + later
      await wholePass()
      expect((await pass()).began).toBe(NIGHT)
    }
    now = NIGHT + 23 * 3600
    await wholePass()
    expect(await pass()).toEqual({ began: now, checked: now, step: null })
    now += 5 * DAY + 7 * 3600
    await wholePass()
    expect((await pass()).checked).toBe(now)
    expect((await invariantStatus(watch())).passedAt).toBe(now)
  })

  it('what was changed in old rows stops payouts with the pass of the night, and the minute before does not see it', async () => {
    await buy()
    await wholePass()
    for (let minute = 0; minute < 15; minute += 1) {
      now += 60
      await checkInvariants(watch())
    }
    await breakOrder()
    now += 60
    await checkInvariants(watch())
    expect(await standing()).toEqual({ ids: [], isStopped: false })
    now = NIGHT + DAY
    await wholePass()
    expect(await standing()).toEqual({ ids: BROKEN, isStopped: true })
  })

  it('a pass ends what it no longer finds, and nothing that was seen since it began', async () => {
    await buy()
    await breakOrder()
    await wholePass()
    expect((await standing()).ids).toEqual(BROKEN)
    await tamper(`update orders set due_sats = due_sats * 2 / 3`)
    now = NIGHT + DAY
    await continuePass(watch(), () => true)
    await test.rows(
      `insert into invariant_violations (invariant, problem, found_at, seen_at) values ('I2', 'seen meanwhile', ${now}, ${now})`,
    )
    await wholePass()
    expect(await standing()).toEqual({ ids: ['I2'], isStopped: true })
    now = NIGHT + 2 * DAY
    await wholePass()
    expect((await standing()).ids).toEqual([])
  })

  it('wherever the process dies, the pass continues with its next piece, and each finding is kept with its stop', async () => {
    await buy()
    await breakOrder()
    const crasher = new Crasher()
    crasher.arm(0, 'before')
    while (await continuePass(watch(crasher.wrapDb(test.db))));
    const { calls } = crasher
    expect(calls).toBeGreaterThan(50)
    for (let dieAt = 1, night = 1; dieAt <= calls; dieAt += 7, night += 1) {
      await test.rows(`delete from invariant_violations`)
      await test.rows(`delete from system_state where key = 'payouts.stopped'`)
      now = NIGHT + night * DAY
      crasher.arm(dieAt, night % 2 === 0 ? 'before' : 'after')
      await continuePass(watch(crasher.wrapDb(test.db))).catch(onlyDeath)
      const { ids, isStopped } = await standing()
      expect(isStopped, `died at call ${dieAt}`).toBe(ids.length > 0)
      now += 60
      const { began, step } = await pass()
      await wholePass()
      expect(await standing(), `died at call ${dieAt}`).toEqual({ ids: BROKEN, isStopped: true })
      if (step !== null) expect((await pass()).began).toBe(began)
    }
  })
})
