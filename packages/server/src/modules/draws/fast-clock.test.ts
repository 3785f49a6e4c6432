import { roundDueAt } from '@fairball/domain/protocol/chain'
import { describe, expect, it } from 'vitest'
import { clockedProcess, wrongRuntime } from '../../../test/clocked-process.ts'
import { testDatabase } from '../../../test/database.ts'
import { testLog } from '../../../test/fairness-log.ts'
import { START_AT, testLottery, type TestLotteryOptions } from '../../../test/lottery.ts'
import { testRelay } from '../../../test/relays.ts'
import { FastClock } from '../../db/database-clock.ts'
import { beginFairness, changeKey, headOfLog, lockHead } from '../fairness/service.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { createOrder } from '../orders/service.ts'
import { moneyOf, openInvoice, refreshPayments } from '../payments/service.ts'
import { closeDraw, runDraw, settleDraw } from './service.ts'

const FIRST_START_AT = START_AT + 15 * 60
const CLOSES_AT = FIRST_START_AT - 5 * 60
const HOUR = 3600
const DAY = 24 * HOUR
const LINES = [[1, 2, 3, 4, 5]]
const FAST =
  "the clock is fast, or the database's is slow: this process sells, closes and draws nothing until they agree"

/** A lottery with a live beacon and the right time, and a second worker whose clock a test can set. */
async function lotteryWithWorker(options: TestLotteryOptions = {}) {
  const relay = testRelay(START_AT - DAY)
  const test = await testLottery({
    fetch: relay.fetch,
    beacon: { current: 'drand', relays: relay.relays, chain: relay.chain },
    ...options,
  })
  const { runtime, rows } = test
  relay.now = () => runtime.clock.now()
  const worker = await clockedProcess(test)
  const order = async (playerId: bigint, { orders } = test.lottery) => {
    const tickets = LINES.map((numbers) => ({ numbers, isLuckyDip: false }))
    const request = { playerId, gameKey: 'bitcoin-hero', days: [3], weeks: 1, tickets, idempotencyKey: null }
    return (await createOrder(orders, request)).orderId
  }
  return {
    ...test,
    relay,
    worker,
    order,
    /** The money of an order is confirmed; no process has checked yet. */
    async pay(orderId: string): Promise<void> {
      await openInvoice(test.lottery.payments, orderId)
      const { address, missingSats } = await moneyOf(test.lottery.payments, orderId)
      await test.lottery.chain.payIn({ address: address ?? '', sats: missingSats, minedConfirmations: 1 })
    },
    async firstDraw() {
      const [row] = await rows<{ id: string; status: string; postponed: number; round: string; closed_at: string }>(
        `select id, status, postponed, round, closed_at from draws where game_key = 'bitcoin-hero' and number = 1`,
      )
      if (row === undefined) throw new Error('there is no first draw')
      const { status, postponed } = row
      return { id: BigInt(row.id), status, postponed, round: Number(row.round), closedAt: Number(row.closed_at) }
    },
    /** Everything that a worker could have changed in draws, log and jobs. */
    everything: async () => [
      await rows(`select * from log_leaves order by index`),
      await rows(`select * from draws order by id`),
      await rows(`select id, kind, key, run_at, attempts from jobs order by id`),
      await rows(`select id, status, expires_at from orders order by id`),
    ],
    said: (message: string) => runtime.logged.filter(({ msg }) => msg === message).length,
    saidSlow: () => runtime.logged.filter(({ msg }) => String(msg).startsWith('the clock is slow')).length,
  }
}

/** A draw that is closed, and one that is drawn, by the right time. */
async function closedDraw(test: Awaited<ReturnType<typeof lotteryWithWorker>>): Promise<bigint> {
  await test.buy({ playerId: await test.addPlayer(), gameKey: 'bitcoin-hero', lines: LINES, days: [3] })
  await test.moveTo(CLOSES_AT)
  const { id, status } = await test.firstDraw()
  expect(status).toBe('closed')
  return id
}

describe('a worker whose clock is fast', () => {
  it.each([
    ['31 seconds', 31],
    ['an hour', HOUR],
    ['thirty days', 30 * DAY],
  ])('a worker %s fast changes nothing, and the others sell and draw as if it did not exist', async (_, seconds) => {
    const test = await lotteryWithWorker()
    const { worker, lottery, moveTo } = test
    const playerId = await test.addPlayer()
    await test.buy({ playerId, gameKey: 'bitcoin-hero', lines: LINES, days: [3] })
    const unpaid = await test.order(playerId)
    worker.set(seconds)
    await worker.lottery.clockRule.isWrong(test.db)
    const before = await test.everything()
    await worker.lottery.clockRule.look()
    await worker.lottery.queue.runDue()
    expect(await test.everything()).toEqual(before)
    await expect(test.order(playerId, worker.lottery)).rejects.toMatchObject({ code: 'GAME_NOT_AVAILABLE' })
    await test.pay(unpaid)
    expect(await refreshPayments(worker.lottery.payments, unpaid)).toBe('PROCESSING')

    expect(await refreshPayments(lottery.payments, unpaid)).toBe('PAID')
    await test.order(playerId)
    for (const at of [CLOSES_AT - 10, CLOSES_AT, FIRST_START_AT + 5, FIRST_START_AT + HOUR]) {
      await moveTo(at)
      await worker.lottery.queue.runDue()
    }
    expect(await test.firstDraw()).toMatchObject({ status: 'settled', postponed: 0, closedAt: CLOSES_AT })
    await test.order(playerId)
    expect([test.said(FAST), test.saidSlow()]).toEqual([1, 0])
    expect(await test.violations()).toEqual([])
  })

  it.each([1, 30])('a worker that is fast by %d seconds works as before', async (seconds) => {
    const test = await lotteryWithWorker()
    const { worker, runtime } = test
    const playerId = await test.addPlayer()
    worker.set(seconds)
    await test.pay(await test.order(playerId, worker.lottery))
    await worker.lottery.queue.runDue()
    runtime.clock.set(CLOSES_AT - seconds)
    await worker.lottery.queue.runDue()
    const { status, round } = await test.firstDraw()
    expect(status).toBe('closed')
    expect(roundDueAt(test.relay.chain, round)).toBeGreaterThan(runtime.clock.now() + 60)
    for (const at of [FIRST_START_AT + 5, FIRST_START_AT + HOUR]) {
      runtime.clock.set(at)
      await worker.lottery.queue.runDue()
    }
    expect((await test.firstDraw()).status).toBe('settled')
    await test.order(playerId)
    expect([test.said(FAST), test.saidSlow()]).toEqual([0, 0])
    expect(await test.violations()).toEqual([])
  })

  it('a fast worker resumes automatically when its clock is right again', async () => {
    const test = await lotteryWithWorker()
    const { worker, runtime } = test
    await test.buy({ playerId: await test.addPlayer(), gameKey: 'bitcoin-hero', lines: LINES, days: [3] })
    worker.set(DAY)
    await worker.lottery.clockRule.isWrong(test.db)
    runtime.clock.set(CLOSES_AT)
    await worker.lottery.queue.runDue()
    expect((await test.firstDraw()).status).toBe('open')
    worker.set(0)
    await worker.lottery.clockRule.isWrong(test.db) // as it does every twelve seconds
    await worker.lottery.queue.runDue()
    expect((await test.firstDraw()).status).toBe('closed')
    expect(test.said("the clock agrees with the database's again")).toBe(1)
  })

  it('a worker compares its clock every twelve seconds from its start on', async () => {
    const test = await lotteryWithWorker()
    const pauses: number[] = []
    let awake = (): void => undefined
    const { runtime, set } = wrongRuntime(test.runtime)
    const sleep = (ms: number) => (pauses.push(ms), new Promise<void>((resolve) => (awake = resolve)))
    const { clockRule } = await test.beside({ runtime: { ...runtime, monotonic: { ...runtime.monotonic, sleep } } })
    clockRule.startComparing()
    await expect.poll(() => pauses).toEqual([12_000])
    for (const [seconds, isFast] of [
      [600, true],
      [0, false],
    ] as const) {
      set(seconds)
      awake()
      await expect.poll(() => [pauses.length, clockRule.isFast()]).toEqual([isFast ? 2 : 3, isFast])
    }
    const stopped = clockRule.stop()
    awake()
    await stopped
  })
})

describe('a clock that is set ahead in the middle of work', () => {
  const AHEAD = 2 * HOUR

  it.each([
    ['before it is due: to when it is', CLOSES_AT - 300, CLOSES_AT],
    ['when it is due: for ten seconds', CLOSES_AT, CLOSES_AT + 10],
  ])(
    'a worker closes nothing if its clock is set ahead; the close is delayed by the right time, %s',
    async (_, at, runAt) => {
      const test = await lotteryWithWorker()
      const { worker, db, runtime, rows } = test
      await test.buy({ playerId: await test.addPlayer(), gameKey: 'bitcoin-hero', lines: LINES, days: [3] })
      const { id } = await test.firstDraw()
      runtime.clock.set(at)
      await rows(`delete from jobs where kind = 'draws.close' and payload->>'drawId' = $1`, [String(id)])
      worker.set(AHEAD) // the job was taken a moment before
      await db.transaction((tx) => closeDraw(worker.lottery.draws, tx, id))
      expect(await test.firstDraw()).toMatchObject({ status: 'open', postponed: 0 })
      expect(
        await rows(`select run_at from jobs where kind = 'draws.close' and payload->>'drawId' = $1`, [String(id)]),
      ).toEqual([{ run_at: String(runAt) }])
    },
  )

  it('a worker closes nothing if its clock is set ahead while the plays are sealed', async () => {
    let isHeadLocked = (): void => undefined
    const test = await lotteryWithWorker({
      wrapDb: (db) => ({
        ...db,
        transaction: (work, settings) =>
          db.transaction((tx) => {
            const one: typeof tx.one = async (statement, args) => {
              if (statement.name === 'fairness.lock-head') isHeadLocked()
              return await tx.one(statement, args)
            }
            return work({ ...tx, one })
          }, settings),
      }),
    })
    const { worker, db, runtime } = test
    await test.buy({ playerId: await test.addPlayer(), gameKey: 'bitcoin-hero', lines: LINES, days: [3] })
    const { id } = await test.firstDraw()
    runtime.clock.set(CLOSES_AT)
    isHeadLocked = () => worker.set(AHEAD)
    const before = await test.everything()
    await expect(db.transaction((tx) => closeDraw(worker.lottery.draws, tx, id))).rejects.toThrow(FastClock)
    expect(await test.everything()).toEqual(before)
    isHeadLocked = () => undefined
    await test.lottery.queue.runDue()
    expect((await test.firstDraw()).status).toBe('closed')
  })

  it('a worker draws nothing if its clock is set ahead while the beacon answers', async () => {
    const test = await lotteryWithWorker()
    const { worker, runtime, rows, relay } = test
    const id = await closedDraw(test)
    runtime.clock.set(FIRST_START_AT + 5)
    relay.withholds = () => (worker.set(AHEAD), false)
    await runDraw(worker.lottery.draws, id)
    expect((await test.firstDraw()).status).toBe('closed')
    expect(
      await rows(`select from jobs where kind = 'draws.draw' and run_at = $1`, [runtime.clock.now() + 10]),
    ).toEqual([{}])
  })

  it('a fast worker settles, voids and signs nothing: the log refuses it', async () => {
    const test = await lotteryWithWorker()
    const { worker, db } = test
    const { fairness, draws } = worker.lottery
    const id = await closedDraw(test)
    await test.moveTo(FIRST_START_AT + 5)
    expect((await test.firstDraw()).status).toBe('drawn')
    worker.set(AHEAD)
    const before = await test.everything()
    await expect(db.transaction((tx) => settleDraw(draws, tx, id))).rejects.toThrow(FastClock)
    await expect(db.transaction((tx) => lockHead(fairness, tx))).rejects.toThrow(FastClock)
    await expect(changeKey(fairness)).rejects.toThrow(FastClock)
    expect(await test.everything()).toEqual(before)
    await test.moveTo(FIRST_START_AT + HOUR)
    expect((await test.firstDraw()).status).toBe('settled')
    expect(await test.violations()).toEqual([])
  })

  it('a worker takes no job from that moment on, even before a comparison', async () => {
    const test = await lotteryWithWorker()
    await test.buy({ playerId: await test.addPlayer(), gameKey: 'bitcoin-hero', lines: LINES, days: [3] })
    // On this computer's clock, unlike the clock of a test, time passes differently from the monotonic one.
    const { runtime, set } = wrongRuntime(test.runtime)
    const worker = await test.beside({ runtime })
    set(30 * DAY)
    const before = await test.everything()
    await worker.queue.runDue()
    expect(await worker.queue.nextAt()).toBeNull()
    expect(await test.everything()).toEqual(before)
  })

  it('a fast worker dates what it adds for others by the right time', async () => {
    const test = await lotteryWithWorker()
    const { worker, db, rows, runtime } = test
    worker.set(30 * DAY)
    await db.transaction((tx) => worker.lottery.queue.add(tx, 'payments.refresh', { orderId: 'x' }, { key: 'a key' }))
    expect(await rows(`select run_at from jobs where key = 'a key'`)).toEqual([{ run_at: String(runtime.clock.now()) }])
  })

  it('a fast worker makes the local beacon sign no round before its time', async () => {
    const test = await testLottery()
    const worker = await clockedProcess(test)
    worker.set(HOUR)
    const { local } = worker.lottery.beacons
    if (local === null) throw new Error('there is a local beacon')
    const { genesis, period } = local.chain
    const roundAt = (at: number) => Math.floor((at - genesis) / period) + 1
    expect(await local.signatureOf(roundAt(test.runtime.clock.now() + 60))).toBeNull()
    expect(await local.signatureOf(roundAt(test.runtime.clock.now()))).not.toBeNull()
  })
})

describe('a database whose clock is slow', () => {
  it('all processes stop, and resume when the database’s clock is right', async () => {
    const test = await lotteryWithWorker()
    const { runtime, lottery, moveTo } = test
    const playerId = await test.addPlayer()
    await test.buy({ playerId, gameKey: 'bitcoin-hero', lines: LINES, days: [3] })
    runtime.computer.aheadSeconds = 600
    await expect(test.order(playerId)).rejects.toMatchObject({ code: 'GAME_NOT_AVAILABLE' })
    await moveTo(CLOSES_AT + 20)
    expect((await test.firstDraw()).status).toBe('open')
    runtime.computer.aheadSeconds = 0
    await lottery.clockRule.isWrong(test.db)
    await lottery.queue.runDue()
    expect((await test.firstDraw()).status).toBe('closed')
    await moveTo(FIRST_START_AT + HOUR)
    expect((await test.firstDraw()).status).toBe('settled')
    expect([test.said(FAST), test.saidSlow()]).toEqual([1, 0])
    expect(await test.violations()).toEqual([])
  })

  it('a fast database clock does no harm: no process counts as fast by it', async () => {
    const test = await lotteryWithWorker()
    test.runtime.computer.aheadSeconds = -30 * DAY
    await closedDraw(test)
    await test.moveTo(FIRST_START_AT + HOUR)
    expect(await test.firstDraw()).toMatchObject({ status: 'settled', postponed: 0 })
  })
})

describe('the demo’s clock', () => {
  it('the demo’s clock jumps over draws, and no process counts as fast', async () => {
    const test = await lotteryWithWorker()
    const playerId = await test.addPlayer()
    await test.buy({ playerId, gameKey: 'bitcoin-hero', lines: LINES, days: [3] })
    await test.moveTo(START_AT + DAY)
    expect((await test.firstDraw()).status).toBe('settled')
    await test.order(playerId, test.worker.lottery)
    expect([test.said(FAST), test.saidSlow()]).toEqual([0, 0])
  })

  it('a process with a fast clock moves the demo’s clock where it is told, and the others do what is due', async () => {
    const test = await lotteryWithWorker()
    test.runtime.computer.aheadSeconds = 600
    await test.lottery.clockRule.isWrong(test.db)
    await test.moveTo(CLOSES_AT)
    expect(test.runtime.clock.now()).toBe(CLOSES_AT)
  })
})

describe('a start with a fast clock', () => {
  it('a start succeeds if the log has begun, and opens no draws of a future time', async () => {
    const test = await lotteryWithWorker()
    const { runtime, set } = wrongRuntime(test.runtime)
    set(30 * DAY)
    const before = await test.rows(`select index from log_leaves`)
    await test.restart({ runtime })
    expect(await test.rows(`select index from log_leaves`)).toEqual(before)
    await expect(test.order(await test.addPlayer())).rejects.toMatchObject({ code: 'GAME_NOT_AVAILABLE' })
  })

  it('a start is refused before the log has begun, with the remedy', async () => {
    const runtime = testRuntime()
    const { db } = await testDatabase({ runtime })
    const fairness = await testLog({ db, runtime })
    runtime.computer.aheadSeconds = 600
    await expect(beginFairness(fairness)).rejects.toThrow(
      "The clock of this computer is 600 seconds ahead of the database's. Correct the one that is wrong.",
    )
    expect(await headOfLog(fairness, db)).toBeNull()
    runtime.computer.aheadSeconds = 0
    await beginFairness(fairness)
    expect(await headOfLog(fairness, db)).toMatchObject({ index: 1 })
  })
})
