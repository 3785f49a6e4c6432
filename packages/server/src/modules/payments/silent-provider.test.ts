import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { FIXTURE_GAME, moneyFixture } from '../../../test/money.ts'
import { sql, t } from '../../db/sql.ts'
import type { Checkout, CheckoutRequest } from '../../ports/payment-provider/payment-provider.ts'
import { TEST_START_AT, testRuntime } from '../../runtime/test-runtime.ts'
import { openInvoice } from './service.ts'

const DAY = 86_400

const holdTickets = sql({
  name: 'test.hold-tickets',
  text: `with tickets as (insert into free_tickets (player_id, game_key, won, used, held) values ($1, $2, 3, 0, 1))
    update orders set free_count = 1, idempotency_key = 'one' where id = $3`,
  params: [t.bigint, t.text, t.uuid],
})
const readOrder = sql({
  name: 'test.read-order',
  text: `select o.status, o.idempotency_key is null as is_forgotten, f.held, (select count(*)::int from invoices) as invoices
    from orders o join free_tickets f on f.player_id = o.player_id where o.id = $1`,
  params: [t.uuid],
  row: { status: t.text, isForgotten: t.bool, held: t.int, invoices: t.int },
})

/** An order that holds a free ticket, and a provider whose answer to each call the test chooses. */
async function silentProvider() {
  const { db } = await testDatabase()
  const calls: ((make: () => Promise<Checkout>) => Promise<Checkout>)[] = []
  const money = await moneyFixture({
    db,
    runtime: testRuntime(),
    wrapProvider: (provider) => ({
      ...provider,
      createCheckout(request: CheckoutRequest) {
        const make = () => provider.createCheckout(request)
        return (calls.shift() ?? ((made) => made()))(make)
      },
    }),
  })
  const player = await money.player()
  const drawId = await money.draw(1, TEST_START_AT + 100 * DAY)
  const orderId = await money.order(player.id, [drawId], { withInvoice: false })
  await db.execute(holdTickets, [player.id, FIXTURE_GAME, orderId])
  return { ...money, calls, orderId, order: () => db.one(readOrder, [orderId]) }
}

const down = () => Promise.reject(new Error('no answer'))

describe('an order whose payment provider does not answer', () => {
  it('the order ends immediately: its free tickets are free, and its idempotency key no longer names it', async () => {
    const test = await silentProvider()
    test.calls.push(down)
    await expect(openInvoice(test.payments, test.orderId)).rejects.toMatchObject({ name: 'Unreachable' })
    expect(await test.order()).toEqual({ status: 'EXPIRED', isForgotten: true, held: 0, invoices: 0 })
    expect(test.orderNews).toEqual([])
    await test.moveTo(TEST_START_AT + DAY)
    expect(await test.order()).toMatchObject({ status: 'EXPIRED', held: 0 })
    expect(await test.problems()).toEqual([])
  })

  it('the order continues if another call got its invoice meanwhile', async () => {
    const test = await silentProvider()
    test.calls.push(async () => {
      await openInvoice(test.payments, test.orderId)
      return await down()
    })
    await expect(openInvoice(test.payments, test.orderId)).rejects.toMatchObject({ name: 'Unreachable' })
    expect(await test.order()).toEqual({ status: 'PENDING', isForgotten: false, held: 1, invoices: 1 })
    expect(await test.pay(test.orderId, 1000n)).toBe('PAID')
    expect(await test.problems()).toEqual([])
  })

  it('an ended order is not sent to its player, even by a call that got an invoice for it', async () => {
    const test = await silentProvider()
    test.calls.push(async (make) => {
      const checkout = await make()
      test.calls.push(down)
      await openInvoice(test.payments, test.orderId).catch(() => undefined)
      return checkout
    })
    await expect(openInvoice(test.payments, test.orderId)).rejects.toMatchObject({ name: 'Unreachable' })
    expect(await test.order()).toEqual({ status: 'EXPIRED', isForgotten: true, held: 0, invoices: 0 })
    expect(await test.problems()).toEqual([])
  })
})
