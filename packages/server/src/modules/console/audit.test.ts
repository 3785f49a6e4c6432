import { afterAll, beforeAll, expect, it } from 'vitest'
import { testConsole, type TestConsole, type TestStaff } from '../../../test/console.ts'
import { testDatabase, type TestDatabase } from '../../../test/database.ts'
import { wrappedQueries } from '../../../test/wrapped-queries.ts'
import type { Tx } from '../../db/pool.ts'
import { sql, t } from '../../db/sql.ts'
import { testRuntime, type TestRuntime } from '../../runtime/test-runtime.ts'
import { appendAction } from '../operator/service.ts'
import { verifyAudit } from './audit.ts'

let database: TestDatabase
let runtime: TestRuntime
let bench: TestConsole
let owner: TestStaff

beforeAll(async () => {
  runtime = testRuntime()
  database = await testDatabase({ runtime })
  bench = await testConsole({ db: database.db, runtime })
  await bench.begin()
  owner = await bench.person('owner', ['owner', 'treasurer'])
})
afterAll(async () => {
  await bench.end()
  await database.drop()
})

const verify = () => verifyAudit(bench.ctx)
const append = (tx: Tx, subject: string): Promise<void> =>
  appendAction(tx, { at: runtime.clock.now(), actor: 'root', action: 'x', subject, detail: 'x', people: null })

it('without the address of a console the chain is verified until somebody has signed', async () => {
  const withoutConsole = () => verifyAudit({ db: database.db, relying: null })
  await database.db.transaction((tx) => append(tx, 'a command'))
  expect(await withoutConsole()).toEqual(await verify())
  await owner.propose('payouts.hold', { batch: 'all' })
  await expect(withoutConsole()).rejects.toThrow('CONSOLE_URL is not set: the signatures')
})

it('rows that are written at once follow one another, whatever is rolled back between them', async () => {
  const { rows: before } = await verify()
  const tries = Array.from({ length: 40 }, (_, place) =>
    database.db
      .transaction(async (tx) => {
        await append(tx, `try ${place}`)
        if (place % 4 === 0) throw new Error('rolled back')
        await append(tx, `try ${place} again`)
      })
      .catch(() => undefined),
  )
  const signed = owner.propose('payouts.hold', { batch: 'all' })
  await Promise.all([...tries, signed])
  expect(await verify()).toMatchObject({ ok: true, rows: before + 60 + 1 })
})

it('a transaction that cannot see the newest row fails, and the log has one end', async () => {
  const early = database.db.transaction(
    async (tx) => {
      await tx.run(nothing, [])
      await database.db.transaction((other) => append(other, 'between'))
      await append(tx, 'too late')
    },
    { isolation: 'repeatable read' },
  )
  await expect(early).rejects.toThrow('operator_actions_follow')
  expect(await verify()).toMatchObject({ ok: true })
})

it('requests, signatures and passkeys are read together, however many rows there are', async () => {
  const statements = async (): Promise<number> => {
    let count = 0
    const db = wrappedQueries(database.db, (_, act) => {
      count += 1
      return act()
    })
    expect(await verifyAudit({ db, relying: bench.ctx.relying })).toMatchObject({ ok: true })
    return count
  }
  const few = await statements()
  for (let made = 0; made < 20; made += 1) await owner.propose('payouts.hold', { batch: 'all' })
  expect(await statements()).toBe(few)
})

it('a row that says something else than was signed is found, though its chain is made to fit', async () => {
  const { id: request } = await owner.propose('payouts.hold', { batch: 'all' }, 'Somebody asked for it.')
  const made = { staffId: BigInt(owner.id), approverId: null, request: { id: request, kind: 'payouts.hold', args: {} } }
  const rollback = new Error('enough')
  for (const people of [
    { ...made, reason: 'Somebody asked for it.' },
    { ...made, reason: 'Another reason.', request: { ...made.request, args: { batch: 'all' } } },
    { ...made, staffId: null, reason: 'Somebody asked for it.', request: { ...made.request, args: { batch: 'all' } } },
  ])
    await expect(
      database.db.transaction(async (tx) => {
        await appendAction(tx, { at: 0, actor: 'owner', action: 'x', subject: 'x', detail: 'x', people })
        expect(await verifyAudit({ db: tx, relying: bench.ctx.relying })).toMatchObject({ ok: false })
        throw rollback
      }),
    ).rejects.toBe(rollback)
  expect(await verify()).toMatchObject({ ok: true })
})

const nothing = sql({ name: 'audit-test.nothing', text: 'select 1 as one', row: { one: t.int } })
