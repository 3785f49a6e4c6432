import { expect, it } from 'vitest'
import { chainOfPayments } from '../../../test/chain-of-payments.ts'
import { testLottery } from '../../../test/lottery.ts'
import { sql, t } from '../../db/sql.ts'
import { appendBatch } from '../draws/appending.ts'
import { createOrder } from '../orders/service.ts'
import { openInvoice, refreshPayments } from '../payments/service.ts'
import { sumStakes } from './queries.ts'

const HERO = 'bitcoin-hero'
const LINES = [
  [1, 2, 3, 4, 5],
  [6, 7, 8, 9, 10],
]

const sumPlays = sql({
  name: 'stakes-test.sum-plays',
  text: `select coalesce(sum(stake_sats), 0)::bigint as stake_sats, coalesce(sum(line_count), 0)::bigint as entries from plays where draw_id = $1`,
  params: [t.bigint],
  row: { stakeSats: t.bigint, entries: t.bigint },
})

it('the stakes of an open draw are those of its plays: new ones, those with a leaf, and those whose payment is gone', async () => {
  const test = await testLottery()
  const { db, lottery, rows } = test
  const playerId = await test.addPlayer()
  const [draw] = await rows<{ id: string }>(`select id from draws where game_key = $1 and number = 1`, [HERO])
  const drawId = BigInt(draw?.id ?? 0)
  const chain = chainOfPayments(test)
  const buy = (lines = LINES): Promise<unknown> => test.buy({ playerId, gameKey: HERO, lines, days: [3] })
  const append = (): Promise<void> => db.transaction((tx) => appendBatch(lottery.draws, tx, drawId))
  const assertSummed = async (stakeSats: bigint, entries: bigint): Promise<void> => {
    expect(await db.run(sumStakes, [[drawId]])).toEqual([{ drawId, stakeSats, entries }])
    expect(await db.one(sumPlays, [drawId])).toEqual({ stakeSats, entries })
  }

  await assertSummed(0n, 0n)
  const tickets = LINES.map((numbers) => ({ numbers, isLuckyDip: false }))
  const request = { playerId, gameKey: HERO, days: [3], weeks: 1, tickets, idempotencyKey: null }
  const { orderId } = await createOrder(lottery.orders, request)
  await openInvoice(lottery.payments, orderId)
  const outpoint = await chain.pay(orderId, 2000n, 1)
  await refreshPayments(lottery.payments, orderId)
  await assertSummed(2000n, 2n)
  await append()
  await assertSummed(2000n, 2n)
  await buy(LINES.slice(1))
  await assertSummed(3000n, 3n)

  const lost = await chain.lose(outpoint)
  await refreshPayments(lottery.payments, orderId)
  await test.moveTo(test.runtime.clock.now() + 60)
  await assertSummed(1000n, 1n)
  await append()
  await buy()
  await assertSummed(3000n, 3n)
  await chain.comeBack(lost, 1)
  await refreshPayments(lottery.payments, orderId)
  await assertSummed(5000n, 5n)
  await append()
  await assertSummed(5000n, 5n)
})
