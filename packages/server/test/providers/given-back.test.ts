import { expect, it } from 'vitest'
import { FIXTURE_DUE_SATS as DUE } from '../money.ts'
import { opennodeSide, shop } from './shop.ts'

const MINUTE = 60
const DAY = 86_400

/** A partly paid order at OpenNode, and its expiry. */
async function underpaid() {
  const one = await shop(opennodeSide)
  const startAt = one.now()
  const order = await one.order()
  one.side.pay(order.ref, DUE - 1n, true)
  const takeBack = (): void => {
    if (one.side.takeBack === null) throw new Error('OpenNode gives money back')
    one.side.takeBack(order.ref)
  }
  return { ...one, ...order, takeBack, startAt, expiresAt: startAt + 15 * MINUTE }
}

it.each([
  ['before', 5],
  ['after', 40],
])(
  'an underpaid order whose payer takes the money back at OpenNode %s its expiry ends EXPIRED',
  async (_when, minute) => {
    const one = await underpaid()
    await one.moveTo(one.startAt + 2 * MINUTE)
    expect(await one.statusOf(one.orderId)).toBe('UNDERPAID')
    await one.moveTo(one.startAt + minute * MINUTE)
    one.takeBack()
    await one.moveTo(one.startAt + 60 * MINUTE)
    expect(await one.statusOf(one.orderId)).toBe('EXPIRED')
    expect(one.news.map(({ kind }) => kind).at(-1)).toBe('expired')
    expect(await one.owedTo(one.playerId)).toBe(0n)
    expect(await one.booked()).toEqual({ came: 0n, undecided: 0n })
    expect(await one.problems()).toEqual([])
  },
)

it('an underpaid order ends at its expiry, and is requested every ten minutes for fourteen days after it', async () => {
  const one = await underpaid()
  await one.moveTo(one.expiresAt)
  const before = one.side.asked(one.ref)
  await one.moveTo(one.expiresAt + 120 * MINUTE)
  expect(one.side.asked(one.ref) - before).toBe(12)
  await one.jumpTo(one.expiresAt + 14 * DAY - 11 * MINUTE)
  expect(await one.statusOf(one.orderId)).toBe('EXPIRED')
  await one.moveTo(one.expiresAt + 14 * DAY)
  expect(await one.statusOf(one.orderId)).toBe('EXPIRED')
  const last = one.side.asked(one.ref)
  await one.moveTo(one.expiresAt + 30 * DAY)
  expect(one.side.asked(one.ref)).toBe(last)

  // What is paid after all is refunded: a message reports it.
  one.side.pay(one.ref, 1n, true)
  for (const delivery of one.side.deliveries) expect(await one.deliver(delivery)).toBe(200)
  await one.moveTo(one.now())
  expect(await one.statusOf(one.orderId)).toBe('REFUNDED')
  expect(await one.owedTo(one.playerId)).toBe(DUE)
  expect(await one.problems()).toEqual([])
})

it('the provider’s last answer about an invoice is stored for the operator', async () => {
  const one = await underpaid()
  const words = async () => {
    const [row] = await one.rows('select words, words_at from invoices where order_id = $1', [one.orderId])
    return { ...(JSON.parse(String(row?.['words'])) as object), at: Number(row?.['words_at']) }
  }
  await one.moveTo(one.startAt + 2 * MINUTE)
  const first = await words()
  expect(first).toMatchObject({ id: one.ref, status: 'underpaid', missing_amt: 1 })
  await one.moveTo(one.startAt + 4 * MINUTE)
  expect(await words()).toEqual(first) // the same answer keeps its old time
  one.takeBack()
  await one.moveTo(one.startAt + 10 * MINUTE)
  expect(await words()).toMatchObject({ status: 'refunded' })
})
