import { expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { moneyFixture } from '../../../test/money.ts'
import { sql, t } from '../../db/sql.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { findViolations } from './service.ts'

const insertPaid = sql({
  name: 'lightning-books-test.insert-paid',
  text: `insert into ln_invoices (payment_hash, order_id, node_id, created_at, expires_at, paid_at, amount_sats, received_msat)
    values (repeat('ab', 32), $1, '', $2, $2, $2, 1000, 1000000)`,
  params: [t.uuid, t.epochSeconds],
})
const insertCheck = sql({
  name: 'lightning-books-test.insert-check',
  text: `insert into treasury_checks (checked_at, ledger_sats, held_sats, pending_sats, lightning_ledger_sats, lightning_held_sats)
    values ($1, 0, 0, 0, 6000, $2) on conflict (id) do update set checked_at = excluded.checked_at, lightning_held_sats = excluded.lightning_held_sats`,
  params: [t.epochSeconds, t.bigint],
})

it('what the node received a moment before the comparison may be missing from its books, and nothing else', async () => {
  const { db } = await testDatabase()
  const money = await moneyFixture({ db, runtime: testRuntime() })
  const now = money.runtime.clock.now()
  const { id } = await money.player()
  await db.execute(insertPaid, [await money.order(id, [await money.draw(1, now + 86_400)]), now])
  const compared = async (at: number, heldSats: bigint): Promise<boolean> => {
    await db.execute(insertCheck, [at, heldSats])
    const found = await findViolations(db)
    return !found.some(({ what }) => what.startsWith('the Lightning node holds'))
  }
  expect([await compared(now, 5_000n), await compared(now, 4_999n), await compared(now + 3600, 5_000n)]).toEqual([
    true,
    false,
    false,
  ])
})
