import { roundDueAt } from '@fairball/domain/fairness/chain'
import { describe, expect, it } from 'vitest'
import { START_AT, testLottery } from '../../../test/lottery.ts'
import { testRelay } from '../../../test/relays.ts'

const FIRST_START_AT = START_AT + 15 * 60
const HOUR = 3600
const DAY = 24 * HOUR
const LINES = [[1, 2, 3, 4, 5]]

/** A lottery with a live beacon, whose clock a test can set ahead of the time outside. */
async function lotteryWithRelay() {
  const relay = testRelay(START_AT - DAY)
  const test = await testLottery({
    fetch: relay.fetch,
    beacon: { current: 'drand', relays: relay.relays, chain: relay.chain },
  })
  const { runtime, lottery, rows } = test
  let ahead = 0
  relay.now = () => runtime.clock.now() - ahead
  return {
    ...test,
    relay,
    /** A worker whose clock is so far ahead does everything that is due by it; then its clock is right again. */
    async workAhead(seconds: number): Promise<void> {
      ahead = seconds
      runtime.clock.set(runtime.clock.now() + seconds)
      await lottery.clockRule.look()
      await lottery.queue.runDue()
      runtime.clock.set(runtime.clock.now() - seconds)
      ahead = 0
    },
    async order(playerId: bigint) {
      const tickets = LINES.map((numbers) => ({ numbers, isLuckyDip: false }))
      const request = { playerId, gameKey: 'bitcoin-hero', days: [3], weeks: 1, tickets, idempotencyKey: null }
      return (await lottery.orders.create(request)).orderId
    },
    /** The draw that a player's entry is in. */
    async drawOfEntry() {
      const [row] = await rows<{ status: string; postponed: number; round: bigint; start_at: bigint }>(
        `select d.status, d.postponed, d.round, d.start_at from plays p join draws d on d.id = p.draw_id`,
      )
      if (row === undefined) throw new Error('the entry is in no draw')
      return { ...row, round: BigInt(row.round), startAt: Number(row.start_at) }
    },
    newestAt: async () => Number((await rows<{ at: string }>('select max(at) as at from statements'))[0]?.at),
  }
}

describe('A worker whose clock is fast', () => {
  it.each([
    ['a second', 1],
    ['ten minutes', 600],
    ['an hour', HOUR],
    ['a day', DAY],
    ['thirty days', 30 * DAY],
  ])(
    'by %s loses no entry and draws nothing from a round that anybody could know; what it wrote is waited for',
    async (_, seconds) => {
      const test = await lotteryWithRelay()
      const { runtime, rows, relay } = test
      const playerId = await test.addPlayer()
      await test.buy({ playerId, gameKey: 'bitcoin-hero', lines: LINES, days: [3] })
      const now = runtime.clock.now()
      await test.workAhead(seconds)
      expect(await rows(`select from statements where type = 'result'`)).toEqual([])
      const { status, round } = await test.drawOfEntry()
      expect(status).toMatch(/^(?:open|closed)$/)
      expect(roundDueAt(round, relay.chain)).toBeGreaterThan(now + 60)
      expect(await test.violations()).toEqual([])

      // Whoever has the right time is behind the log now: it neither sells nor closes until that time has come.
      const newestAt = await test.newestAt()
      if (newestAt > now + 30) await expect(test.order(playerId)).rejects.toMatchObject({ code: 'GAME_NOT_AVAILABLE' })
      else await test.order(playerId)
      await test.moveTo(Math.max(newestAt, FIRST_START_AT) + DAY)
      expect((await test.drawOfEntry()).status).toBe('settled')
      await test.order(playerId)
      expect(await test.violations()).toEqual([])
    },
    60_000,
  )
})
