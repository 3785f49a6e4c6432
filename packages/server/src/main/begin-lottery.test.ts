import { expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { testLottery } from '../../test/lottery.ts'
import { beginLottery } from './begin-lottery.ts'

it('a first start that dies at any moment leaves sales paused once, before there is a log', async () => {
  const { lottery } = await testLottery()
  const { db, connect } = await testDatabase()
  const dying = {
    ...lottery,
    db,
    isDemo: false,
    draws: { ...lottery.draws, db },
    rates: { start: () => Promise.reject(new Error('died')) },
  } as unknown as typeof lottery
  for (const _ of [1, 2]) await expect(beginLottery(dying)).rejects.toThrow('died')
  const client = await connect()
  const { rows } = await client.query(`select public_note, reason from sales_pauses where until_at is null`)
  expect(rows).toEqual([{ public_note: 'Sales open soon', reason: 'first run' }])
  expect((await client.query('select from log_leaves')).rowCount).toBe(0)
})
