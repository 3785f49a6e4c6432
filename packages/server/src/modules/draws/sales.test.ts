import { expect, it } from 'vitest'
import { testLottery } from '../../../test/lottery.ts'
import { createOrder } from '../orders/service.ts'

const TXID = 'ab'.repeat(32)

it('coins that left the wallets unbooked secure no prizes', async () => {
  const { lottery, addPlayer, rows } = await testLottery()
  const playerId = await addPlayer()
  const order = () =>
    createOrder(lottery.orders, {
      playerId,
      gameKey: 'bitcoin-hero',
      days: [3],
      weeks: 1,
      tickets: [{ numbers: [1, 2, 3, 4, 5], isLuckyDip: false }],
      idempotencyKey: null,
    })
  await order()
  await rows(
    `insert into treasury_movements (txid, found_at, paid_sats, kind, state) values ($1, 0, 4000000000, 'spend', 'UNBOOKED')`,
    [TXID],
  )
  await expect(order()).rejects.toMatchObject({ code: 'GAME_NOT_AVAILABLE' })
  await rows(`update treasury_movements set state = 'BOOKED', booked_at = 1 where txid = $1`, [TXID])
  await order()
})
