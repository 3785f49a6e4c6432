import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../../../test/database.ts'
import { moneyFixture, type MoneyFixture } from '../../../test/money.ts'
import { TEST_START_AT, testRuntime } from '../../runtime/test-runtime.ts'
import { winnings } from '../ledger/accounts.ts'
import { balanceOf, balancesByKind } from '../ledger/service.ts'
import { moneyOf } from '../payments/service.ts'
import { fundDemoBankroll } from './bankroll.ts'
import { type DemoContext, moveClock, payFromTestWallet, readClock, readTestWallet } from './service.ts'

const DAY = 86_400

let database: TestDatabase
let money: MoneyFixture
let demo: DemoContext
let drawId: bigint

beforeAll(async () => {
  database = await testDatabase()
  money = await moneyFixture({ db: database.db, runtime: testRuntime() })
  drawId = await money.draw(1, TEST_START_AT + 1000 * DAY)
  demo = {
    messages: money,
    payments: money.payments,
    chain: money.chain,
    lightning: null,
    clock: { now: () => money.runtime.clock.now(), moveTo: (at) => money.moveTo(at) },
    settleDueWork: () => money.queue.runDue(),
  }
})
afterAll(async () => {
  expect(await money.problems()).toEqual([])
  await database.drop()
})

const now = (): number => money.runtime.clock.now()
async function newOrder(): Promise<{ orderId: string; player: { id: bigint; address: string } }> {
  const player = await money.player()
  return { player, orderId: await money.order(player.id, [drawId]) }
}

describe('the clock', () => {
  it('the clock goes forward, by seconds or to a moment', async () => {
    const before = now()
    expect(await moveClock(demo, { advance: 90 })).toEqual({ now: before + 90 })
    expect(await moveClock(demo, { to: before + 100 })).toEqual({ now: before + 100 })
    expect(await moveClock(demo, { advance: 0 })).toEqual({ now: before + 100 })
    expect(await readClock(demo)).toEqual({ now: before + 100 })
  })

  it.each([
    ['back', () => ({ to: now() - 1 }), 'to'],
    ['more than 400 days ahead', () => ({ to: now() + 400 * DAY + 1 }), 'to'],
    ['more than 400 days further', () => ({ advance: 400 * DAY + 1 }), 'advance'],
  ])('the clock does not go %s', async (_title, body, field) => {
    const before = now()
    await expect(moveClock(demo, body())).rejects.toMatchObject({
      code: 'INVALID_PAYLOAD',
      fields: { [field]: expect.any(String) },
    })
    expect(now()).toBe(before)
  })

  it('the clock passes through the work on its way: an unpaid order expires at its own time', async () => {
    const { orderId } = await newOrder()
    await moveClock(demo, { advance: 400 * DAY })
    expect((await moneyOf(money.payments, orderId)).status).toBe('EXPIRED')
  })
})

describe('the button that pays', () => {
  it('the button pays what is missing, with enough confirmations', async () => {
    const { orderId } = await newOrder()
    expect(await payFromTestWallet(demo, { transaction_id: orderId, amount: '0.000004' })).toEqual({
      status: 'UNDERPAID',
    })
    expect(await payFromTestWallet(demo, { transaction_id: orderId })).toEqual({ status: 'PAID' })
  })

  it('the button pays nothing if nothing is missing, and more than that when told to', async () => {
    const { orderId, player } = await newOrder()
    await payFromTestWallet(demo, { transaction_id: orderId })
    const { received } = await readTestWallet(demo)
    expect(await payFromTestWallet(demo, { transaction_id: orderId })).toEqual({ status: 'PAID' })
    expect((await readTestWallet(demo)).received).toBe(received)
    expect(await payFromTestWallet(demo, { transaction_id: orderId, amount: '0.00000200' })).toEqual({ status: 'PAID' })
    expect(await balanceOf(money.db, winnings(player.id))).toBe(200n)
  })

  it('an order paid without a confirmation stays PROCESSING until the next block', async () => {
    const { orderId } = await newOrder()
    expect(await payFromTestWallet(demo, { transaction_id: orderId, confirmations: 0 })).toEqual({
      status: 'PROCESSING',
    })
    await moveClock(demo, { advance: 600 })
    expect(await payFromTestWallet(demo, { transaction_id: orderId })).toEqual({ status: 'PAID' })
  })

  it('the button also pays late', async () => {
    const { orderId } = await newOrder()
    await moveClock(demo, { advance: 1000 })
    expect(await payFromTestWallet(demo, { transaction_id: orderId })).toEqual({ status: 'PAID' })
  })

  it('the button refuses impossible amounts and unknown orders', async () => {
    const { orderId } = await newOrder()
    for (const amount of ['0', '0.00000000', '-1', '21000001', '0.000000001', 'ten'])
      await expect(payFromTestWallet(demo, { transaction_id: orderId, amount })).rejects.toMatchObject({
        code: 'INVALID_PAYLOAD',
        fields: { amount: expect.any(String) },
      })
    for (const transaction_id of ['', 'x', '00000000-0000-4000-8000-000000000000'])
      await expect(payFromTestWallet(demo, { transaction_id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await moneyOf(money.payments, orderId)).seenSats).toBe(0n)
  })
})

describe('the test wallet', () => {
  it('the wallet shows what came in and what went out', async () => {
    const { orderId, player } = await newOrder()
    await payFromTestWallet(demo, { transaction_id: orderId })
    const before = await readTestWallet(demo)
    await money.owe(player.id, 123_456n)
    const { received, sent } = await readTestWallet(demo)
    expect(received).toBe(before.received)
    expect(received).toMatch(/^\d+\.\d{8}$/)
    expect(sent[0]).toEqual({
      txid: expect.stringMatching(/^[0-9a-f]{64}$/),
      address: player.address,
      amount: '0.00123456',
      at: now(),
    })
  })

  it('the wallet opens with a bankroll that is booked once', async () => {
    const balances = await balancesByKind(money.db)
    await money.db.transaction((tx) => fundDemoBankroll(tx, now()))
    expect(await balancesByKind(money.db)).toEqual(balances)
  })
})
