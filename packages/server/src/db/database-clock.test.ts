import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { findProvenTime } from '../modules/draws/queries.ts'
import { findHeadTime } from '../modules/fairness/queries.ts'
import { systemRuntime } from '../runtime/system-runtime.ts'
import { testRuntime } from '../runtime/test-runtime.ts'
import { assertNotFast, DatabaseClock, FastClock } from './database-clock.ts'

/** A computer whose clocks a test sets, and a database with the right time. */
function computer() {
  const runtime = testRuntime()
  const startMs = runtime.clock.nowMs()
  let passedMs = 0
  let aheadMs = 0
  let offsetMs = 0
  const databaseClock = new DatabaseClock({
    log: runtime.log,
    clock: {
      ...runtime.clock,
      nowMs: () => startMs + passedMs + aheadMs + offsetMs,
      now: () => Math.floor((startMs + passedMs + aheadMs + offsetMs) / 1000),
      offsetSeconds: () => offsetMs / 1000,
    },
    monotonic: { ...runtime.monotonic, nowMs: () => passedMs },
    readDatabaseClock: (toldMs) => toldMs,
  })
  const pass = (ms: number): void => void (passedMs += ms)
  return {
    databaseClock,
    pass,
    set: (ms: number): void => void (aheadMs = ms),
    jump: (seconds: number): void => void (offsetMs += seconds * 1000),
    rightNow: () => Math.floor((startMs + passedMs + offsetMs) / 1000),
    lines: () => runtime.logged.map(({ level, msg, aheadSeconds }) => [level, aheadSeconds, String(msg).slice(0, 14)]),
    /** Asks; the question and its answer each take this long. */
    ask: (ways: readonly (readonly [number, number])[] = [[0, 0]], meanwhile = () => undefined as void) => {
      let asked = 0
      return databaseClock.ask(async () => {
        const [thereMs = 0, backMs = 0] = ways[Math.min(asked++, ways.length - 1)] ?? []
        pass(thereMs)
        const row = { toldMs: startMs + passedMs, asked }
        meanwhile()
        pass(backMs)
        return row
      })
    },
  }
}

describe("a process's clock", () => {
  it.each([
    [-86_400_000, false],
    [0, false],
    [30_000, false],
    [30_001, true],
    [30 * 86_400_000, true],
  ])('a clock that is %d ms ahead of the database’s is fast: %s', async (ms, isFast) => {
    const { databaseClock, set, ask } = computer()
    set(ms)
    expect(await ask()).toMatchObject({ aheadSeconds: ms / 1000, row: { asked: 1 } })
    expect(databaseClock.isFast()).toBe(isFast)
  })

  it('a clock is compared with the middle of the round trip', async () => {
    const { set, ask } = computer()
    set(30_000)
    expect((await ask([[1000, 3000]])).aheadSeconds).toBe(31)
    expect((await ask([[3000, 1000]])).aheadSeconds).toBe(29)
    expect((await ask([[2000, 2000]])).aheadSeconds).toBe(30)
  })

  it('a clock is compared immediately if it is further ahead than the time that passed, once after each comparison', async () => {
    const { databaseClock, pass, set, ask } = computer()
    let suspicions = 0
    databaseClock.onSuspicion(() => (suspicions += 1))
    await ask()
    pass(3_600_000)
    expect([databaseClock.isFast(), suspicions]).toEqual([false, 0])
    set(30_001)
    expect([databaseClock.isFast(), databaseClock.isFast(), suspicions]).toEqual([true, true, 1])
    await ask() // it is indeed fast
    expect([databaseClock.isFast(), suspicions]).toEqual([true, 1])
    set(0)
    await ask()
    set(60_000)
    expect([databaseClock.isFast(), suspicions]).toEqual([true, 2])
  })

  it('a slow answer decides nothing: the database is asked again, three times in total, and then the clock is unknown', async () => {
    const { databaseClock, ask } = computer()
    const slow = [0, 60_000] as const
    expect(await ask([slow, slow, [1, 1]])).toMatchObject({ aheadSeconds: 0, row: { asked: 3 } })
    const unknown = await ask([slow])
    expect(unknown).toMatchObject({ aheadSeconds: Infinity, row: { asked: 3 } })
    expect(() => assertNotFast(unknown)).toThrow(/too slowly/)
    expect(databaseClock.isFast()).toBe(false) // by what is known
  })

  it('an answer during which the clock was set decides nothing', async () => {
    const { ask, set } = computer()
    let sets = 0
    const found = await ask([[1, 1]], () => {
      sets += 1
      if (sets === 1) set(600_000)
    })
    expect(found).toMatchObject({ aheadSeconds: 600, row: { asked: 2 } })
  })

  it('a clock that is set ahead is fast immediately, and stays so until it is compared again', async () => {
    const { databaseClock, ask, set, pass } = computer()
    await ask()
    pass(10_000)
    expect(databaseClock.isFast()).toBe(false)
    set(31_000)
    expect(databaseClock.isFast()).toBe(true)
    await ask()
    set(0)
    expect(databaseClock.isFast()).toBe(true)
    await ask()
    expect(databaseClock.isFast()).toBe(false)
  })

  it('a jump of the demo’s clock does not make a clock fast', async () => {
    const { databaseClock, ask, jump } = computer()
    await ask()
    jump(30 * 86_400)
    expect(databaseClock.isFast()).toBe(false)
    expect((await ask()).aheadSeconds).toBe(0)
  })

  it('each change is logged once', async () => {
    const { ask, set, lines } = computer()
    for (const ms of [0, 40_000, 90_000, 0, 0, 31_000]) {
      set(ms)
      await ask()
    }
    expect(lines()).toEqual([
      ['error', 40, 'the clock is f'],
      ['info', 0, 'the clock agre'],
      ['error', 31, 'the clock is f'],
    ])
  })

  it('a fast clock gives the right time for later work, and a time at which nothing is due', async () => {
    const { databaseClock, ask, set, jump, rightNow } = computer()
    jump(3600)
    set(20_000)
    await ask()
    expect([databaseClock.right.now(), databaseClock.ofWork.now()]).toEqual([rightNow() + 20, rightNow() + 20])
    set(86_400_000)
    await ask()
    expect([databaseClock.right.now(), databaseClock.ofWork.now()]).toEqual([rightNow(), 0])
  })
})

it('PostgreSQL reports its time in milliseconds: on one computer both are the same clock', async () => {
  const { db } = await testDatabase()
  const clock = new DatabaseClock(systemRuntime({ logLevel: 'silent' }))
  const found = [await clock.ask(() => db.one(findProvenTime, [])), await clock.ask(() => db.one(findHeadTime, []))]
  for (const { aheadSeconds } of found) expect(Math.abs(aheadSeconds)).toBeLessThan(3) // half of the slowest answer that is evidence
})

it('says which two clocks to look at', () => {
  const refusal = (): void => assertNotFast({ row: null, aheadSeconds: 600.2 })
  expect(refusal).toThrow(FastClock)
  expect(refusal).toThrow("The clock of this computer is 601 seconds ahead of the database's.")
})
