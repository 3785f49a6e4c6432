import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../../../test/database.ts'
import { FIXTURE_DUE_SATS, FIXTURE_GAME, moneyFixture, type MoneyFixture } from '../../../test/money.ts'
import { TEST_START_AT, testRuntime } from '../../runtime/test-runtime.ts'
import { received, stakesHeld, winnings } from '../ledger/accounts.ts'
import { balanceOf } from '../ledger/service.ts'
import { checkoutOf, historyOf, moneyOf, openInvoice, refreshPayments, statusOf } from './service.ts'

const DUE = FIXTURE_DUE_SATS
const DAY = 86_400

let database: TestDatabase
let money: MoneyFixture
let draws: bigint[]

beforeAll(async () => {
  database = await testDatabase()
  money = await moneyFixture({ db: database.db, runtime: testRuntime() })
  draws = []
  // Far enough ahead for every test of this file to move the clock.
  for (let number = 1; number <= 12; number += 1)
    draws.push(await money.draw(number, TEST_START_AT + (100 + number) * DAY))
})
afterAll(async () => {
  expect(await money.problems()).toEqual([])
  await database.drop()
})

const draw = (place: number): bigint => {
  const id = draws[place]
  if (id === undefined) throw new Error(`no draw ${place}`)
  return id
}
/** An order of a new player. */
async function newOrder() {
  const player = await money.player()
  const orderId = await money.order(player.id, [draw(0)])
  return { player, orderId, status: async () => (await moneyOf(money.payments, orderId)).status }
}
const now = (): number => money.runtime.clock.now()
const owedTo = (playerId: bigint): Promise<bigint> => balanceOf(money.db, winnings(playerId))

describe('an invoice', () => {
  it('an invoice is made once, however many calls ask for it at the same time or later', async () => {
    const player = await money.player()
    const orderId = await money.order(player.id, [draw(0)])
    const first = await moneyOf(money.payments, orderId)
    const again = await Promise.all([1, 2, 3].map(() => openInvoice(money.payments, orderId)))
    expect(new Set(again.map(({ checkoutUrl }) => checkoutUrl))).toEqual(
      new Set([`http://fairball.test/checkout/${orderId}`]),
    )
    expect(new Set(again.map(({ promise }) => promise)).size).toBe(1)
    expect((await moneyOf(money.payments, orderId)).address).toBe(first.address)
    expect(first.address).toMatch(/^bcrt1q/)
  })

  it('an invoice has an address that no other invoice has', async () => {
    const [one, two] = [await newOrder(), await newOrder()]
    const addresses = await Promise.all(
      [one, two].map(async (order) => (await moneyOf(money.payments, order.orderId)).address),
    )
    expect(new Set(addresses).size).toBe(2)
  })
})

describe('an order', () => {
  it('an order is PAID when its money is confirmed, and its money becomes stake', async () => {
    const { orderId } = await newOrder()
    const before = await balanceOf(money.db, stakesHeld(FIXTURE_GAME))
    expect(await money.pay(orderId, DUE)).toBe('PAID')
    expect(await balanceOf(money.db, stakesHeld(FIXTURE_GAME))).toBe(before + DUE)
    expect(await money.problems()).toEqual([])
  })

  it('an order is PROCESSING until the next block, without any check', async () => {
    const { orderId, status } = await newOrder()
    expect(await money.pay(orderId, DUE, 0)).toBe('PROCESSING')
    await money.moveTo(now() + 600)
    expect(await status()).toBe('PAID')
  })

  it('an order counts each outpoint once, however often it is checked', async () => {
    const { player, orderId } = await newOrder()
    await money.pay(orderId, DUE)
    await Promise.all(Array.from({ length: 8 }, () => refreshPayments(money.payments, orderId)))
    expect(await owedTo(player.id)).toBe(0n)
    expect(await balanceOf(money.db, received)).toBe(0n)
    expect(await money.problems()).toEqual([])
  })

  it('two checks at the same time make an order PAID once', async () => {
    const { player, orderId, status } = await newOrder()
    const { address } = await moneyOf(money.payments, orderId)
    await money.chain.payIn({ address: address ?? '', sats: DUE + 300n, minedConfirmations: 1 })
    await Promise.all(Array.from({ length: 6 }, () => refreshPayments(money.payments, orderId)))
    expect(await status()).toBe('PAID')
    expect(await owedTo(player.id)).toBe(300n)
  })

  it('an order is UNDERPAID until the missing part comes', async () => {
    const { orderId } = await newOrder()
    expect(await money.pay(orderId, DUE - 400n)).toBe('UNDERPAID')
    expect(await moneyOf(money.payments, orderId)).toMatchObject({ missingSats: 400n })
    expect(await money.pay(orderId, 400n)).toBe('PAID')
  })

  it('an order is REFUNDED if the missing part has not come by its expiry', async () => {
    const { player, orderId, status } = await newOrder()
    await money.pay(orderId, DUE - 1n)
    await money.moveTo(now() + 900)
    expect(await status()).toBe('REFUNDED')
    expect(await owedTo(player.id)).toBe(0n)
    // 31 + 78 virtual bytes at 2 sats are the player's, by decisions section 5
    expect(await money.paidTo(player.address)).toEqual([DUE - 1n - 218n])
  })

  it('an order adds its excess to the winnings', async () => {
    const { player, orderId } = await newOrder()
    expect(await money.pay(orderId, DUE + 200n)).toBe('PAID')
    expect(await owedTo(player.id)).toBe(200n)
  })

  it('an order that is paid once more after it is PAID returns all of that', async () => {
    const { player, orderId } = await newOrder()
    await money.pay(orderId, DUE)
    expect(await money.pay(orderId, 250n)).toBe('PAID')
    expect(await owedTo(player.id)).toBe(250n)
  })

  it('an unpaid order EXPIREs after 15 minutes, and leaves no work behind after a week', async () => {
    const { orderId, status } = await newOrder()
    await money.moveTo(now() + 899)
    expect(await status()).toBe('PENDING')
    await money.moveTo(now() + 1)
    expect(await status()).toBe('EXPIRED')
    await money.moveTo(now() + 8 * DAY)
    expect(await money.queue.nextAt()).toBe(null)
    expect(await refreshPayments(money.payments, orderId)).toBe('EXPIRED')
  })

  it('an order paid late is PAID within 24 hours of its expiry', async () => {
    const { orderId } = await newOrder()
    await money.moveTo(now() + 900 + DAY - 600)
    expect(await money.pay(orderId, DUE)).toBe('PAID')
  })

  it('an order paid later than that is REFUNDED, and so is what comes after it', async () => {
    const { player, orderId } = await newOrder()
    await money.moveTo(now() + 900 + DAY + 600)
    expect(await money.pay(orderId, DUE)).toBe('REFUNDED')
    expect(await owedTo(player.id)).toBe(DUE)
    expect(await money.pay(orderId, 600n)).toBe('REFUNDED')
    expect(await owedTo(player.id)).toBe(DUE + 600n)
    await money.moveTo(now())
    expect(await money.paidTo(player.address)).toEqual([DUE + 600n - 218n])
    expect(await money.problems()).toEqual([])
  })

  it('an order paid late in the mempool waits for its block', async () => {
    const { orderId, status } = await newOrder()
    await money.moveTo(now() + 1000)
    expect(await money.pay(orderId, DUE, 0)).toBe('EXPIRED')
    await money.moveTo(now() + 600)
    expect(await status()).toBe('PAID')
  })

  it('an order covered in time is PAID even if its block comes after the expiry', async () => {
    const { orderId, status } = await newOrder()
    await money.moveTo(now() + 899)
    expect(await money.pay(orderId, DUE, 0)).toBe('PROCESSING')
    await money.moveTo(now() + 1)
    await money.moveTo(now() + 600)
    expect(await status()).toBe('PAID')
  })

  it('an order is PENDING again when its payment is replaced before it is confirmed', async () => {
    const { orderId } = await newOrder()
    const { address } = await moneyOf(money.payments, orderId)
    expect(await money.pay(orderId, DUE, 0)).toBe('PROCESSING')
    const client = await database.connect()
    await client.query('delete from test_wallet_txs where address = $1', [address])
    expect(await refreshPayments(money.payments, orderId)).toBe('PENDING')
    expect(await money.pay(orderId, DUE)).toBe('PAID')
  })

  it('an order whose invoice was never made still EXPIREs', async () => {
    const player = await money.player()
    const orderId = await money.order(player.id, [draw(0)], { withInvoice: false })
    await money.moveTo(now() + 900)
    expect((await moneyOf(money.payments, orderId)).status).toBe('EXPIRED')
  })
})

describe('what a player is shown', () => {
  it('a player sees the status of an own order, and nothing of another’s or an unknown one', async () => {
    const { player, orderId } = await newOrder()
    const other = await money.player()
    expect(await statusOf(money.payments, orderId, player.id)).toBe('PENDING')
    for (const [id, playerId] of [
      [orderId, other.id],
      ['00000000-0000-4000-8000-000000000000', player.id],
      ['12', player.id],
      ['', player.id],
    ] as const) {
      await expect(statusOf(money.payments, id, playerId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
  })

  it('a player sees a checkout that follows the payments', async () => {
    const { orderId } = await newOrder()
    const open = await checkoutOf(money.payments, orderId)
    expect(open).toMatchObject({
      transaction_id: orderId,
      status: 'PENDING',
      amount: { crypto: { value: '0.00001000', code: 'BTC' }, fiat: { GBP: { value: 1, symbol: '£' } } },
      missing: { value: '0.00001000' },
      uri: `bitcoin:${open.address}?amount=0.00001000`,
      confirmations: 0,
      confirmations_needed: 1,
      expires_at: now() + 900,
      return_url: `http://fairball.test/game/${FIXTURE_GAME}?transaction_id=${orderId}`,
    })
    await money.pay(orderId, 600n, 0)
    expect(await checkoutOf(money.payments, orderId)).toMatchObject({
      status: 'UNDERPAID',
      received: { value: '0.00000600' },
      missing: { value: '0.00000400' },
      confirmations: 0,
    })
    await money.pay(orderId, 400n)
    await money.moveTo(now() + 600)
    const paid = await checkoutOf(money.payments, orderId)
    expect(paid).toMatchObject({ status: 'PAID', uri: `bitcoin:${paid.address}`, confirmations: 1 })
  })

  it('a player sees a history of payments, refunds and prizes, newest first, ten per page', async () => {
    const player = await money.player()
    const first = await money.order(player.id, [draw(0)])
    expect(await historyOf(money.payments, player.id, 1)).toMatchObject({
      results: [{ id: first, type: 'PAYMENT', status: 'PROCESSING', network: 'BITCOIN', transactions: [] }],
      total_pages: 1,
    })

    await money.pay(first, DUE)
    await money.owe(player.id, 50_000n)
    await money.moveTo(now() + 1)
    const second = await money.order(player.id, [draw(1)])
    await money.pay(second, DUE - 1n)
    await money.moveTo(now() + 900)
    const { results } = await historyOf(money.payments, player.id, 1)
    expect(results.map(({ type, status, network }) => [type, status, network])).toEqual([
      ['REFUND', 'REFUNDED', 'ONCHAIN'],
      ['PAYMENT', 'REFUNDED', 'ONCHAIN'],
      ['PRIZE', 'PAID', 'ONCHAIN'],
      ['PAYMENT', 'PAID', 'ONCHAIN'],
    ])
    const about = results.map((row) => [row.game_key, row.draws, row.transaction_id])
    expect(about).toEqual([
      ['bitcoin-hero', [2], second],
      ['bitcoin-hero', [2], second],
      [null, [], null],
      ['bitcoin-hero', [1], first],
    ])
    expect(results.map((row) => row.play_id !== null)).toEqual([false, false, false, true])
    expect(results[2]?.amount).toMatchObject({ crypto: { value: '0.00050000' }, fiat: { GBP: { value: 50 } } })
    for (const row of results) expect(row.transactions[0]?.tnx_label).toMatch(/^[0-9a-f]{64}$/)

    for (let count = 0; count < 9; count += 1) await money.order(player.id, [draw(2)])
    const pages = await Promise.all([1, 2, 3].map((page) => historyOf(money.payments, player.id, page)))
    expect(pages.map((page) => [page.results.length, page.total_pages])).toEqual([
      [10, 2],
      [3, 2],
      [0, 2],
    ])
    const other = await money.player()
    expect(await historyOf(money.payments, other.id, 1)).toEqual({ results: [], total_pages: 0 })
  })
})
