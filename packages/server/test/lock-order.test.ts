import { expect, it } from 'vitest'
import { LOCK_ORDER } from '../src/db/lock-order.ts'
import { lockOrder } from '../src/modules/orders/queries.ts'
import { lockGame } from '../src/modules/draws/queries.ts'
import { testDatabase } from './database.ts'
import { withLockOrder } from './lock-order.ts'
import { registeredStatements } from '../src/db/sql.ts'
import '../src/main/app.ts'
import '../src/modules/console/jobs.ts'

const ORDER_ID = '00000000-0000-0000-0000-000000000001'

it('a transaction that locks a game before an order fails in every test of the lottery', async () => {
  const { db } = await testDatabase()
  const ordered = withLockOrder(db)
  await ordered.transaction(async (tx) => {
    await tx.maybeOne(lockOrder, [ORDER_ID])
    await tx.maybeOne(lockGame, ['bitcoin-hero'])
    await tx.maybeOne(lockOrder, [ORDER_ID]) // what is locked may be read again
  })
  const wrong = ordered.transaction(async (tx) => {
    await tx.maybeOne(lockGame, ['bitcoin-hero'])
    await tx.maybeOne(lockOrder, [ORDER_ID])
  })
  await expect(wrong).rejects.toThrow('orders.lock locks an order after a game')
})

it('the lock order names only statements that exist', () => {
  const names = new Set(registeredStatements().map(({ name }) => name))
  expect(LOCK_ORDER.flatMap(({ statements }) => statements).filter((name) => !names.has(name))).toEqual([])
})
