import { weekdayOf } from '@fairball/domain/weekday'
import { describe, expect, it } from 'vitest'
import { type ClockedProcess, clockedProcess } from '../../../test/clocked-process.ts'
import { START_AT, testLottery } from '../../../test/lottery.ts'
import { testRelay } from '../../../test/relays.ts'
import { seededRandom } from '../../../test/seeded-random.ts'
import { createOrder } from '../orders/service.ts'
import { moneyOf, openInvoice, refreshPayments } from '../payments/service.ts'
import { closeDraw } from './service.ts'
import { casesOf } from '../../../test/share.ts'

/** Clock schedules, the same ones each time; together they are those of goal F7. Each takes about half a second. */
const SCHEDULES = casesOf({ all: 500, share: 6 })
/** Schedules that follow each other in one lottery. */
const IN_A_ROW = 10
const ROW_LIMIT_MS = 300_000

const HOUR = 3600
const DAY = 24 * HOUR
const MONTH = 30 * DAY
/** The limit of a clock's error (fairness section 9, decision 37). */
const NEARLY_RIGHT_SECONDS = 30

type Chances = ReturnType<typeof chancesOf>

function chancesOf(seed: string) {
  const random = seededRandom(seed)
  /** from 0 to less than 1 */
  const share = (): number => new DataView(random.bytes(4).buffer).getUint32(0) / 2 ** 32
  const between = (least: number, most: number): number => least + Math.floor(share() * (most - least + 1))
  const pick = <T>(list: readonly [T, ...T[]]): T => list[between(0, list.length - 1)] ?? list[0]
  return { share, between, pick }
}

/** How far a worker's clock is set ahead, in seconds; negative is behind. */
function offsetOf({ share, between, pick }: Chances): number {
  return pick<() => number>([
    () => between(1, NEARLY_RIGHT_SECONDS),
    // As many of up to an hour as of an hour to a month.
    () => Math.floor(31 * (MONTH / 31) ** share()),
    () => Math.floor(31 * (MONTH / 31) ** share()),
    () => pick([31, HOUR, DAY, MONTH]),
    () => -15 * 60,
    () => -HOUR,
    () => 0,
  ])()
}

/** A lottery with a live beacon: a process with the right time, and a worker whose clock follows the schedule. */
async function lotteryWithClocks(chances: Chances) {
  const relay = testRelay(START_AT - DAY)
  const test = await testLottery({
    fetch: relay.fetch,
    beacon: { current: 'drand', relays: relay.relays, chain: relay.chain },
  })
  const { runtime, rows, lottery } = test
  relay.now = () => runtime.clock.now()
  const worker = await clockedProcess(test)
  const now = (): number => runtime.clock.now()

  async function order({ orders }: ClockedProcess['lottery']): Promise<string> {
    const numbers = Array.from({ length: 5 }, (_, index) => 7 * index + chances.between(1, 7))
    const request = {
      playerId: await test.addPlayer(),
      gameKey: 'bitcoin-hero',
      days: [weekdayOf(now() + chances.pick([0, 1, 2]) * DAY)],
      weeks: 1,
      tickets: [{ numbers, isLuckyDip: false }],
      idempotencyKey: null,
    }
    return (await createOrder(orders, request)).orderId
  }

  return {
    worker,
    lottery,
    now,
    order,
    db: test.db,
    violations: test.violations,
    /** The money for an order is confirmed; no process has checked yet. */
    async pay(orderId: string): Promise<void> {
      await openInvoice(lottery.payments, orderId)
      const { address, missingSats } = await moneyOf(lottery.payments, orderId)
      await lottery.chain.payIn({ address: address ?? '', sats: missingSats, minedConfirmations: 1 })
    },
    /**
     * Time passes in jumps, like the demo's clock. Both work at every moment when something is due, in alternating
     * order.
     */
    async passTo(at: number): Promise<void> {
      for (;;) {
        const queues = chances.pick([
          [lottery.queue, worker.lottery.queue],
          [worker.lottery.queue, lottery.queue],
        ] as const)
        for (const queue of queues) await queue.runDue()
        const next = await lottery.queue.nextAt()
        if (next === null || next > at) break
        runtime.clock.set(Math.max(next, now()))
      }
      runtime.clock.set(at)
    },
    async nextDraw() {
      const [draw] = await rows<{ id: string; closes_at: string; start_at: string; end_at: string }>(
        `select id, closes_at, start_at, end_at from draws where game_key = 'bitcoin-hero' and status = 'open' order by start_at limit 1`,
      )
      if (draw === undefined) throw new Error('no draw is open')
      const { id, closes_at: closesAt, start_at: startAt, end_at: endAt } = draw
      return { id: BigInt(id), closesAt: Number(closesAt), startAt: Number(startAt), endAt: Number(endAt) }
    },
    /** What happened before its time or was postponed. */
    early: () =>
      rows(
        `select type as what, at - $1 as seconds from log_leaves where at > $1 + ${NEARLY_RIGHT_SECONDS}
        union all select 'draw ' || status, closes_at - $1 from draws where status <> 'open' and closes_at > $1 + ${NEARLY_RIGHT_SECONDS}
        union all select 'postponed or void', id from draws where postponed > 0 or status = 'void'
        union all select 'closed ' || closed_at - closes_at || ' s late', id from draws where closed_at > closes_at + ${NEARLY_RIGHT_SECONDS}
        union all select 'drawn early', id from draws where reveal_from_at < start_at - ${NEARLY_RIGHT_SECONDS}`,
        [now()],
      ),
    left: () =>
      rows(
        `select 'draw ' || status as what, id::text from draws where start_at < $1 - 1800 and status <> 'settled'
        union all select kind, key from jobs where run_at < $1 - 60 or attempts > 0
        union all select status, id::text from orders where status not in ('PAID', 'PENDING', 'EXPIRED')`,
        [now()],
      ),
  }
}

/**
 * One schedule. The worker's clock is set wrong before, during or after a draw, events happen, and it is set right
 * again.
 */
async function play(test: Awaited<ReturnType<typeof lotteryWithClocks>>, chances: Chances): Promise<void> {
  const { worker, lottery, db, now } = test
  const { between, pick } = chances
  const hold = async (what: string): Promise<void> => expect(await test.early(), what).toEqual([])
  const buy = async (): Promise<void> => {
    const orderId = await test.order(lottery)
    await test.pay(orderId)
    expect(await refreshPayments(lottery.payments, orderId)).toBe('PAID')
  }

  await buy()
  const { id, closesAt, startAt } = await test.nextDraw()
  const moment = pick([now(), closesAt - between(0, 90), closesAt + between(1, 200), startAt + between(0, 30)])
  await test.passTo(Math.max(now(), moment))
  const offset = offsetOf(chances)
  const what = `the clock ${offset} s off at ${moment - closesAt} s from the close`
  worker.set(offset)
  /** A slow clock is found by the beacon, which a worker asks every half a minute. */
  const look = async (): Promise<void> => {
    if (offset < 0) await worker.lottery.clockRule.look()
  }
  const isWrong = Math.abs(offset) > NEARLY_RIGHT_SECONDS

  await look()
  // A clock that is slow from the lottery's first minutes is also before its first rate.
  const refused = expect.stringMatching(offset < 0 ? /^(GAME_NOT_|RATE_UN)AVAILABLE$/ : /^GAME_NOT_AVAILABLE$/)
  // It may have taken up the close a moment before its clock was set.
  if (offset > NEARLY_RIGHT_SECONDS) await db.transaction((tx) => closeDraw(worker.lottery.draws, tx, id))
  await hold(what)
  for (let times = between(2, 4); times > 0; times -= 1) {
    await pick([
      () => worker.lottery.queue.runDue(),
      buy,
      async () => {
        const ordered = test.order(worker.lottery)
        if (isWrong) await expect(ordered, what).rejects.toMatchObject({ code: refused })
        else await ordered
      },
      async () => {
        const orderId = await test.order(lottery)
        await test.pay(orderId)
        expect(await refreshPayments(worker.lottery.payments, orderId), what).toBe(isWrong ? 'PROCESSING' : 'PAID')
        expect(await refreshPayments(lottery.payments, orderId), what).toBe('PAID')
      },
      () => test.passTo(now() + between(10, 900)),
      async () => await test.passTo((await test.nextDraw()).endAt + between(0, HOUR)),
      () => test.passTo(now() + pick([0, 1, 1, 2, 3]) * DAY + between(0, HOUR)),
    ])()
    await look()
    await hold(what)
  }
  worker.set(0)
  await worker.lottery.clockRule.isWrong(db) // as it does every twelve seconds
  await test.passTo((await test.nextDraw()).closesAt + between(0, 1800))
  await hold(what)
  await buy()
  expect(await test.violations(), what).toEqual([])
}

describe('any worker clock', () => {
  for (let first = 1; first <= SCHEDULES; first += IN_A_ROW) {
    const last = Math.min(first + IN_A_ROW - 1, SCHEDULES)
    it(
      `nothing is early, postponed or held up, in the schedules ${first} to ${last}`,
      async () => {
        const chances = chancesOf(`clocks ${first}`)
        const test = await lotteryWithClocks(chances)
        for (let number = first; number <= last; number += 1) await play(test, chances)
        await test.passTo(test.now() + HOUR)
        expect(await test.left()).toEqual([])
      },
      ROW_LIMIT_MS,
    )
  }
})
