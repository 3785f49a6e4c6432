import { describe, expect, it } from 'vitest'
import { fatesOf } from '../../../test/fates.ts'
import { testLottery } from '../../../test/lottery.ts'
import { DatabaseUnavailable, sqlState } from '../../db/pool.ts'
import { lockOrder } from '../orders/queries.ts'
import { createOrder } from '../orders/service.ts'
import type { PaymentsContext } from './context.ts'
import { addLook } from './looks.ts'
import { findPayments } from './queries.ts'
import { moneyOf, openInvoice, refreshPayments } from './service.ts'

const TICKETS = [{ numbers: [1, 2, 3, 4, 5], isLuckyDip: false }]
const DRAWS = 2
/** As many as are asked of a provider at the same time. */
const QUESTIONS_AT_ONCE = 12

/** Orders whose payments are confirmed and not looked at yet, each of another player. */
async function paidOrders(orders: number) {
  const test = await testLottery()
  const { lottery, addPlayer, rows } = test
  await rows(fatesOf('insert on plays', 'order_id'))
  const ids: string[] = []
  for (let made = 0; made < orders; made += 1) {
    const order = { gameKey: 'bitcoin-hero', days: [4, 5], weeks: 1, tickets: TICKETS, idempotencyKey: null }
    const { orderId } = await createOrder(lottery.orders, { ...order, playerId: await addPlayer() })
    await openInvoice(lottery.payments, orderId)
    const { address, dueSats } = await moneyOf(lottery.payments, orderId)
    await lottery.chain.payIn({ address: address ?? '', sats: dueSats, minedConfirmations: 1 })
    ids.push(orderId)
  }
  return {
    ...test,
    ids,
    meets: (orderId: string | undefined, fate: string) => rows(`insert into fates values ($1, $2)`, [orderId, fate]),
    refresh: () => Promise.allSettled(ids.map((id) => refreshPayments(lottery.payments, id))),
    /** What there is of each order that is PAID, and of any other; 1, 2 or 0 of everything if all is whole. */
    async standing() {
      return await rows<{ id: string; status: string; plays: number }>(
        `select o.id, o.status, (select count(*)::int from plays where order_id = o.id) as plays,
           (select count(*)::int from transfers where key = 'order.paid:' || o.id) as paid,
           (select count(*)::int from payments where order_id = o.id and confirmed_at is not null) as payments,
           (select count(*)::int from messages where key like '%' || o.id || '%') as messages,
           (select count(*)::int from mail_outbox where key like '%' || o.id || '%') as mails
         from orders o order by o.id`,
      )
    },
    transactions: async () =>
      (await rows<{ made: number }>('select count(distinct xmin::text)::int as made from plays'))[0]?.made,
  }
}

/**
 * Answers none of the provider's next `orders` questions before all of them are asked, so that what they find waits for
 * its transaction at the same moment.
 */
function answerTogether({ provider }: Pick<PaymentsContext, 'provider'>, orders: number): void {
  const get = provider.get.bind(provider)
  const all = Promise.withResolvers<void>()
  let asked = 0
  Object.assign(provider, {
    async get(ref: string) {
      const shown = await get(ref)
      asked += 1
      if (asked === orders) all.resolve()
      await all.promise
      return shown
    },
  })
}

const whole = { status: 'PAID', plays: DRAWS, paid: 1, payments: 1, messages: 1, mails: 1 }
const untouched = { status: 'PENDING', plays: 0, paid: 0, payments: 0, messages: 0, mails: 0 }

describe('payments that are confirmed at the same moment', () => {
  it('become PAID in one transaction, also when jobs find them', async () => {
    const { lottery, ids, db, runtime, standing, transactions, violations } = await paidOrders(5)
    answerTogether(lottery.payments, ids.length)
    await db.transaction(async (tx) => {
      for (const id of ids) await addLook(tx, lottery.queue, id, runtime.clock.now())
    })
    lottery.queue.start()
    await expect.poll(standing, { timeout: 10_000 }).toMatchObject(ids.map(() => whole))
    await lottery.queue.stop()
    expect(await transactions()).toBe(1)
    expect(await violations()).toEqual([])
  })

  it('are whole beside one that the database refuses, which stays as it was until it is looked at again', async () => {
    const { lottery, ids, meets, refresh, rows, standing, violations } = await paidOrders(4)
    await meets(ids[1], 'refused')
    answerTogether(lottery.payments, ids.length)
    const results = await refresh()
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect(sqlState((results[1] as PromiseRejectedResult).reason)).toBe('FBTST')
    expect(await standing()).toMatchObject(ids.toSorted().map((id) => ({ id, ...(id === ids[1] ? untouched : whole) })))
    await rows('delete from fates')
    await refresh()
    expect(await standing()).toMatchObject(ids.map(() => whole))
    expect(await violations()).toEqual([])
  })

  it('are all as they were if the process dies between two of them', async () => {
    const { lottery, ids, meets, refresh, standing, violations } = await paidOrders(4)
    await meets(ids[2], 'dies')
    answerTogether(lottery.payments, ids.length)
    for (const result of await refresh())
      expect((result as PromiseRejectedResult).reason).toBeInstanceOf(DatabaseUnavailable)
    expect(await standing()).toMatchObject(ids.map(() => untouched))
    await refresh()
    expect(await standing()).toMatchObject(ids.map(() => whole))
    expect(await violations()).toEqual([])
  })

  it('count once where two processes find them, one is refused, one dies and one is locked by somebody else', async () => {
    const { ids, lottery, beside, db, meets, refresh, rows, standing, violations } = await paidOrders(8)
    const other = await beside({})
    await meets(ids[1], 'refused')
    await meets(ids[6], 'dies')
    const locked = Promise.withResolvers<void>()
    const holding = db.transaction(async (tx) => {
      await tx.run(lockOrder, [ids[4] ?? ''])
      await locked.promise
    })
    const looks = [lottery.payments, other.payments].map((payments) =>
      Promise.allSettled(ids.map((id) => refreshPayments(payments, id))),
    )
    await rows('select pg_sleep(0.1)')
    locked.resolve()
    await Promise.all([holding, ...looks])
    expect((await standing()).every(({ status, plays }) => status === (plays === 0 ? 'PENDING' : 'PAID'))).toBe(true)
    await rows('delete from fates')
    await refresh()
    expect(await standing()).toMatchObject(ids.map(() => whole))
    expect(await violations()).toEqual([])
  })
})

it('a look counts from when its question was asked, however long it waited for the others', async () => {
  const { lottery, ids, runtime, standing } = await paidOrders(QUESTIONS_AT_ONCE + 1)
  const [last] = ids.slice(-1)
  const answered = Promise.withResolvers<void>()
  const get = lottery.payments.provider.get.bind(lottery.payments.provider)
  let asked = 0
  Object.assign(lottery.payments.provider, {
    async get(ref: string) {
      if (++asked <= QUESTIONS_AT_ONCE) await answered.promise
      const shown = await get(ref)
      // As a provider answers that says nothing about blocks.
      return { ...shown, outputs: shown.outputs.map((output) => ({ ...output, minedAt: undefined })) }
    },
  })
  const looks = ids.map((id) => refreshPayments(lottery.payments, id))
  await expect.poll(() => asked).toBe(QUESTIONS_AT_ONCE)
  const laterAt = runtime.clock.now() + 50
  runtime.clock.set(laterAt)
  answered.resolve()
  await Promise.all(looks)
  expect(await lottery.payments.db.run(findPayments, [last ?? ''])).toMatchObject([{ minedAt: laterAt }])
  expect((await standing()).map(({ status }) => status)).toEqual(ids.map(() => 'PAID'))
})
