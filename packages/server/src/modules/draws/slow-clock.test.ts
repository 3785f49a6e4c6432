import { GAMES } from '@fairball/domain/seeds'
import { describe, expect, it } from 'vitest'
import { START_AT, testLottery } from '../../../test/lottery.ts'
import { testRelay } from '../../../test/relays.ts'
import { createOrder } from '../orders/service.ts'
import { moneyOf, openInvoice, refreshPayments, statusOf } from '../payments/service.ts'
import { closeDraw, takeRound } from './service.ts'

const FIRST_START_AT = START_AT + 15 * 60
const CLOSES_AT = FIRST_START_AT - 5 * 60
const LINES = [[1, 2, 3, 4, 5]]
const SLOW_SECONDS = 15 * 60
const ALARM = 'the clock is slow: nothing is sold, closed or drawn until it is right'

/** A lottery with a live beacon, whose clock a test can leave behind the time outside. */
async function lotteryWithRelay() {
  const relay = testRelay(START_AT - 86_400)
  const test = await testLottery({
    fetch: relay.fetch,
    beacon: { current: 'drand', relays: relay.relays, chain: relay.chain },
  })
  const { runtime, lottery, rows } = test
  let behind = 0
  relay.now = () => runtime.clock.now() + behind
  const order = async (playerId: bigint) => {
    const tickets = LINES.map((numbers) => ({ numbers, isLuckyDip: false }))
    const request = { playerId, gameKey: 'bitcoin-hero', days: [3], weeks: 1, tickets, idempotencyKey: null }
    return (await createOrder(lottery.orders, request)).orderId
  }
  return {
    ...test,
    order,
    /** Pays an order; the money is confirmed immediately. */
    async pay(orderId: string) {
      await openInvoice(lottery.payments, orderId)
      const { address, missingSats } = await moneyOf(lottery.payments, orderId)
      await lottery.chain.payIn({ address: address ?? '', sats: missingSats, minedConfirmations: 1 })
      return await refreshPayments(lottery.payments, orderId)
    },
    /** The clock stays behind, and the beacon shows it. */
    async fallBehind(seconds: number) {
      behind = seconds
      await lottery.clockRule.look()
    },
    /** The clock is set right. */
    async setRight() {
      runtime.clock.set(runtime.clock.now() + behind)
      behind = 0
      await lottery.queue.runDue()
    },
    async drawStatus() {
      const [row] = await rows<{ status: string; postponed: number }>(
        `select status, postponed from draws where game_key = 'bitcoin-hero' and number = 1`,
      )
      return row
    },
    alarms: () => runtime.logged.filter((line) => line['msg'] === ALARM).length,
  }
}

describe('a clock that a verified round shows to be slow', () => {
  it('sales, payments, close and draw stop, and all resume when the clock is right', async () => {
    const { order, pay, fallBehind, setRight, drawStatus, addPlayer, runtime, lottery, moveTo, rows, ...test } =
      await lotteryWithRelay()
    const playerId = await addPlayer()
    expect(await pay(await order(playerId))).toBe('PAID')
    const unpaid = await order(playerId)

    await fallBehind(SLOW_SECONDS)
    expect(await lottery.clockRule.behindSeconds(test.db)).toBeGreaterThan(SLOW_SECONDS - 4)
    await expect(order(playerId)).rejects.toMatchObject({ code: 'GAME_NOT_AVAILABLE' })
    expect(await pay(unpaid)).toBe('PROCESSING')
    runtime.clock.set(runtime.clock.now() + 60)
    await lottery.queue.runDue()
    expect(await statusOf(lottery.payments, unpaid, playerId)).toBe('PROCESSING')
    expect(await rows(`select from plays`)).toHaveLength(1)

    // By the slow clock it is time to close; in the world outside the round was out long ago.
    await moveTo(CLOSES_AT + 20)
    expect(await drawStatus()).toEqual({ status: 'open', postponed: 0 })
    expect(await rows(`select from log_leaves where type in ('close', 'postpone')`)).toEqual([])
    expect(test.alarms()).toBe(1) // once a minute at most

    await setRight()
    runtime.clock.set(runtime.clock.now() + 10)
    await lottery.queue.runDue()
    expect(await drawStatus()).toEqual({ status: 'open', postponed: 1 })
    expect(await statusOf(lottery.payments, unpaid, playerId)).toBe('PAID')
    expect(await pay(await order(playerId))).toBe('PAID')
    await moveTo(runtime.clock.now() + 86_400)
    expect(await drawStatus()).toEqual({ status: 'settled', postponed: 1 })
    expect(await test.violations()).toEqual([])
  })

  it('a sealed draw waits, also with the signature that shows the clock is slow, and is drawn once it is right', async () => {
    const { fallBehind, setRight, drawStatus, addPlayer, lottery, moveTo, rows, runtime, ...test } =
      await lotteryWithRelay()
    const playerId = await addPlayer()
    await test.buy({ playerId, gameKey: 'bitcoin-hero', lines: LINES, days: [3] })
    await moveTo(CLOSES_AT)
    await fallBehind(SLOW_SECONDS)
    await moveTo(FIRST_START_AT + 30)
    expect(await drawStatus()).toEqual({ status: 'closed', postponed: 0 })
    await setRight()
    runtime.clock.set(runtime.clock.now() + 10)
    await lottery.queue.runDue()
    expect((await drawStatus())?.status).toMatch(/drawn|settled/)
    await moveTo(runtime.clock.now() + 200)
    expect(await rows(`select from log_leaves where type = 'result'`)).toHaveLength(1)
    expect(await test.violations()).toEqual([])
  })

  it('a clock less than half a minute slow stops nothing, and no draw is postponed before it was too late for its close', async () => {
    const { fallBehind, drawStatus, addPlayer, moveTo, rows, ...test } = await lotteryWithRelay()
    await test.buy({ playerId: await addPlayer(), gameKey: 'bitcoin-hero', lines: LINES, days: [3] })
    await rows(`delete from jobs where kind = 'draws.close'`)
    await moveTo(FIRST_START_AT - 60 - 10)
    await fallBehind(25)
    const [draw] = await rows<{ id: string }>(`select id from draws where game_key = 'bitcoin-hero' and number = 1`)
    await test.db.transaction((tx) => closeDraw(test.lottery.draws, tx, BigInt(draw?.id ?? 0)))
    expect(await drawStatus()).toEqual({ status: 'open', postponed: 1 })
    const [postponed] = await rows<{ at: string }>(`select at from log_leaves where type = 'postpone'`)
    expect(Number(postponed?.at)).toBeGreaterThan(FIRST_START_AT - 60)
    expect(await test.violations()).toEqual([])
  })

  it('a slow clock is found by anyone who brings a round, and by every process', async () => {
    const { order, addPlayer, lottery, runtime, relay, ...test } = await (async () => {
      const relay = testRelay(START_AT - 86_400)
      const test = await testLottery({
        fetch: relay.fetch,
        beacon: { current: 'drand', relays: [], chain: relay.chain },
      })
      const order = async (playerId: bigint) => {
        const tickets = [{ numbers: [1, 2, 3, 4, 5], isLuckyDip: false }]
        const request = { playerId, gameKey: 'bitcoin-hero', days: [3], weeks: 1, tickets, idempotencyKey: null }
        return await createOrder(test.lottery.orders, request)
      }
      return { ...test, relay, order }
    })()
    const playerId = await addPlayer()
    const roundIn = (seconds: number): number =>
      Math.floor((runtime.clock.now() + seconds - (START_AT - 86_400)) / 3) + 1
    const bring = (round: number) => takeRound(lottery.draws, { round, signature: relay.signatureOf(round) })
    await bring(roundIn(30))
    await order(playerId)
    // A round that is neither due nor valid changes nothing.
    const round = roundIn(600)
    await expect(takeRound(lottery.draws, { round, signature: relay.signatureOf(round + 1) })).rejects.toThrow()
    await order(playerId)
    await bring(round)
    await expect(order(playerId)).rejects.toMatchObject({ code: 'GAME_NOT_AVAILABLE' })
    await test.restart()
    await expect(order(playerId)).rejects.toMatchObject({ code: 'GAME_NOT_AVAILABLE' })
    runtime.clock.set(runtime.clock.now() + 600)
    await order(playerId)
  })
})

describe('a clock that is before the newest statement of the log', () => {
  it('such a clock counts as slow from half a minute on, also with the local beacon', async () => {
    const { lottery, moveTo, runtime, addPlayer, rows } = await testLottery({ games: GAMES })
    const playerId = await addPlayer()
    await moveTo(CLOSES_AT)
    const [newest] = await rows<{ at: string }>(`select max(at) as at from log_leaves`)
    const at = Number(newest?.at)
    expect(at).toBe(CLOSES_AT)
    const order = async () => {
      const tickets = [{ numbers: [1, 2, 3, 4, 5, 6], isLuckyDip: false }]
      const request = { playerId, gameKey: 'bitcoin-lotto', days: [6], weeks: 1, tickets, idempotencyKey: null }
      await createOrder(lottery.orders, request)
    }
    await order()
    runtime.clock.set(at - 30)
    await order()
    runtime.clock.set(at - 31)
    await expect(order()).rejects.toMatchObject({ code: 'GAME_NOT_AVAILABLE' })
    expect(runtime.logged.filter((line) => line['msg'] === ALARM)).toMatchObject([{ behindSeconds: 31 }])
    runtime.clock.set(at)
    await order()
  })
})
