import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { seededRandom } from '../../test/seeded-random.ts'
import { wrappedQueries } from '../../test/wrapped-queries.ts'
import { testRuntime } from '../runtime/test-runtime.ts'
import { DatabaseUnavailable, type Db, sqlState, type Tx } from './pool.ts'
import { assertAlone } from './shared-statements.ts'
import { SharedTransactions } from './shared-transactions.ts'
import { array, nullable, sql, t } from './sql.ts'

const makePots = sql({
  name: 'shared-test.make-pots',
  text: 'create table pots (id int primary key, sats bigint not null check (sats < 100))',
})
const addPot = sql({
  name: 'shared-test.add-pot',
  text: 'insert into pots select id, sats from $each m returning id as place',
  params: { id: t.int, sats: t.bigint },
  serves: 'each',
})
const findPots = sql({
  name: 'shared-test.find-pots',
  text: 'select id, sats from pots where id = any($1) order by id desc',
  params: [array(t.int)],
  row: { id: t.int, sats: t.bigint },
  serves: 'each',
})
const lockPot = sql({
  name: 'shared-test.lock-pot',
  text: 'select sats from pots where id = $1 for update',
  params: [t.int],
  row: { sats: t.bigint },
  serves: 'each',
})
const addSats = sql({
  name: 'shared-test.add-sats',
  text: 'update pots set sats = pots.sats + m.more from $each m where pots.id = m.id returning m.place, pots.sats',
  params: { id: t.int, more: t.bigint },
  row: { sats: t.bigint },
  serves: 'each',
})
const everyType = sql({
  name: 'shared-test.every-type',
  text: `select $words::text[] as words, $hashes::bytea[] as hashes, $ids::uuid[] as ids, $nothing::text as nothing,
    $doc::jsonb as doc, $bytes::bytea as bytes`,
  params: {
    words: array(t.text),
    hashes: array(t.bytea),
    ids: array(t.uuid),
    nothing: nullable(t.text),
    doc: t.json<{ a: string[] }>(),
    bytes: t.bytea,
  },
  row: {
    words: array(t.text),
    hashes: array(t.bytea),
    ids: array(t.uuid),
    nothing: nullable(t.text),
    doc: t.json<{ a: string[] }>(),
    bytes: t.bytea,
  },
  serves: 'each',
})
const countPots = sql({
  name: 'shared-test.count-pots',
  text: 'select count(*)::int as pots from pots',
  row: { pots: t.int },
  serves: 'same',
})
const potsFrom = sql({
  name: 'shared-test.pots-from',
  text: 'select count(*)::int as pots from pots where id >= $1',
  params: [t.int],
  row: { pots: t.int },
  serves: 'same',
})
const allPots = sql({
  name: 'shared-test.all-pots',
  text: 'select id, sats from pots order by id',
  row: { id: t.int, sats: t.bigint },
})
const endOwnSession = sql({
  name: 'shared-test.end-own-session',
  text: 'select pg_terminate_backend(pg_backend_pid())',
})

/** Pots 1 to `pots`, empty, and what is sent to the database of them. */
async function somePots(pots: number) {
  const { db, connect } = await testDatabase()
  await db.execute(makePots, [])
  for (let id = 1; id <= pots; id += 1) await db.execute(addPot, { id, sats: 0n })
  const sent: string[] = []
  const noting: Pick<Db, 'transaction' | 'one'> = {
    async one(statement, args) {
      sent.push(`${statement.name.replace('shared-test.', '')} alone`)
      return await db.one(statement, args)
    },
    async transaction(work, options) {
      sent.push('begin')
      const noted = (tx: Tx): Tx =>
        wrappedQueries(tx, (statement, act) => {
          sent.push(statement.name.replace('shared-test.', ''))
          return act()
        })
      const result = await db.transaction((tx) => work(noted(tx)), options)
      sent.push('commit')
      return result
    },
  }
  const { log, logged } = testRuntime()
  const portions = new SharedTransactions(noting, log)
  return { db, connect, portions, sent, logged, pots: () => db.run(allPots, []) }
}

describe('steps that wait at the same moment', () => {
  it('share a transaction, and the runs of their statements; each gets its own rows', async () => {
    const { portions, sent } = await somePots(4)
    const found = await Promise.all(
      [1, 2, 3].map((id) =>
        portions.run(String(id), async (tx) => {
          const [{ sats: before }, all, { pots }] = await Promise.all([
            tx.one(lockPot, [id]),
            tx.run(findPots, [[id, id + 1].slice(0, id)]),
            tx.one(countPots, []),
          ])
          const { sats } = await tx.one(addSats, { id, more: BigInt(id) })
          return { before, all: all.map((pot) => pot.id), pots, sats, missing: await tx.maybeOne(lockPot, [id + 7]) }
        }),
      ),
    )
    expect(found).toEqual([
      { before: 0n, all: [1], pots: 4, sats: 1n, missing: null },
      { before: 0n, all: [3, 2], pots: 4, sats: 2n, missing: null },
      { before: 0n, all: [4, 3], pots: 4, sats: 3n, missing: null },
    ])
    expect(sent).toEqual(['begin', 'lock-pot', 'find-pots', 'count-pots', 'add-sats', 'lock-pot', 'commit'])
  })

  it('give every type and get it back', async () => {
    const { portions } = await somePots(0)
    const id = '0190a7a0-7d2c-4f7e-8a51-6e0a3d5c2b1f'
    const given = [
      {
        words: [`it's`, '{a,"b"}', '\\', '', 'NULL'],
        hashes: [new Uint8Array([0, 92, 255])],
        ids: [id, id],
        nothing: null,
      },
      { words: [], hashes: [new Uint8Array(0), new Uint8Array([1])], ids: [], nothing: '"{}\\' },
    ].map((one) => ({ ...one, doc: { a: one.words }, bytes: new Uint8Array([34, 92, 0]) }))
    const found = await Promise.all(
      given.map((one, place) => portions.run(String(place), (tx) => tx.one(everyType, one))),
    )
    expect(found).toEqual(given)
  })

  it('take nobody along when one of them fails, and hear nothing before they are committed', async () => {
    const { portions, sent, logged, pots, db } = await somePots(3)
    const told: string[] = []
    const results = await Promise.allSettled(
      [1, 2, 3].map(async (id) => {
        const seen = await portions.run(String(id), async (tx) => {
          await tx.one(addSats, { id, more: 10n })
          if (id === 2) await tx.one(addSats, { id, more: 100n })
          return id
        })
        const [pot] = await db.run(findPots, [[seen]])
        told.push(`${seen}: ${pot?.sats}`)
      }),
    )
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(sqlState((results[1] as PromiseRejectedResult).reason)).toBe('23514')
    expect(told.toSorted()).toEqual(['1: 10', '3: 10'])
    expect(await pots()).toEqual([
      { id: 1, sats: 10n },
      { id: 2, sats: 0n },
      { id: 3, sats: 10n },
    ])
    expect(sent.filter((name) => name === 'begin')).toHaveLength(4)
    expect(logged).toMatchObject([{ members: 3 }])
  })

  it('take nobody along when one is refused before it has written anything, and it is asked no second time', async () => {
    const { portions, sent, logged, pots } = await somePots(3)
    const results = await Promise.allSettled(
      [1, 2, 3].map((id) =>
        portions.run(String(id), async (tx) => {
          const { sats } = await tx.one(lockPot, [id])
          if (id === 2) throw new RangeError(`${sats} is refused`)
          await tx.one(addSats, { id, more: 10n })
        }),
      ),
    )
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(results[1]).toMatchObject({ reason: new RangeError('0 is refused') })
    expect((await pots()).map(({ sats }) => sats)).toEqual([10n, 0n, 10n])
    expect(sent).toEqual(['begin', 'lock-pot', 'add-sats', 'commit'])
    expect(logged).toEqual([])
  })

  it('leave one alone that has to exclude the others; it runs after them, in a transaction of its own', async () => {
    const { portions, sent, logged } = await somePots(3)
    const seen = await Promise.all(
      [1, 2, 3].map((id) =>
        portions.run(String(id), async (tx) => {
          const { pots } = await tx.one(countPots, [])
          if (id === 2) assertAlone(tx)
          await tx.one(addSats, { id, more: 10n })
          return pots
        }),
      ),
    )
    expect(seen).toEqual([3, 3, 3])
    const own = ['begin', 'count-pots', 'add-sats', 'commit']
    expect(sent).toEqual([...own, ...own])
    expect(logged).toEqual([])
  })

  it('that were refused can write no more: the others do not commit it', async () => {
    const { portions, pots } = await somePots(3)
    let late: Promise<PromiseSettledResult<unknown>[]> | undefined
    const results = await Promise.allSettled(
      [1, 2, 3].map((id) =>
        portions.run(String(id), async (tx) => {
          const { sats } = await tx.one(lockPot, [id])
          const read = tx.one(countPots, [])
          if (id === 2) {
            const writes = [() => tx.execute(addSats, { id, more: 5n }), () => tx.notify('shared_test')]
            late = Promise.allSettled(writes.map((write) => read.then<unknown>(write)))
            throw new RangeError(`${sats} is refused`)
          }
          await read
          await tx.one(addSats, { id, more: 10n })
        }),
      ),
    )
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((await late)?.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect((await pots()).map(({ sats }) => sats)).toEqual([10n, 0n, 10n])
  })

  it('hear it alone if they ask with an argument of another type', async () => {
    const { portions } = await somePots(3)
    const results = await Promise.allSettled(
      [1, 2, 3].map((id) =>
        portions.run(String(id), async (tx) => (await tx.one(potsFrom, [id === 2 ? ('two' as never) : 1])).pots),
      ),
    )
    expect(results).toMatchObject([{ value: 3 }, { reason: expect.any(TypeError) }, { value: 3 }])
  })

  it('of which one is a single statement share its run too; alone it needs no transaction', async () => {
    const { portions, sent, pots } = await somePots(3)
    const add = (id: number) => portions.one(String(id), addSats, { id, more: BigInt(id) })
    expect(await Promise.all([1, 2, 3].map(add))).toEqual([{ sats: 1n }, { sats: 2n }, { sats: 3n }])
    expect(await add(1)).toEqual({ sats: 2n })
    expect((await pots()).map(({ sats }) => sats)).toEqual([2n, 2n, 3n])
    expect(sent).toEqual(['begin', 'add-sats', 'commit', 'add-sats alone'])
  })

  it('run in different portions if they have the same key', async () => {
    const { portions, pots } = await somePots(2)
    const add = (id: number) => portions.run(String(id), (tx) => tx.one(addSats, { id, more: 1n }))
    const sums = await Promise.all([add(1), add(1), add(2), add(1)])
    expect(sums.map(({ sats }) => Number(sats)).toSorted((one, other) => one - other)).toEqual([1, 1, 2, 3])
    expect((await pots()).map(({ sats }) => sats)).toEqual([3n, 1n])
  })

  it('run in different portions if they share another key', async () => {
    const { portions, sent, pots } = await somePots(3)
    const add = (id: number) => portions.run([String(id), 'the same'], (tx) => tx.one(addSats, { id, more: 1n }))
    await Promise.all([add(1), add(2), add(3)])
    expect((await pots()).map(({ sats }) => sats)).toEqual([1n, 1n, 1n])
    expect(sent.filter((name) => name === 'begin')).toHaveLength(3)
  })

  it('all hear that the database was lost, and run no second time', async () => {
    const { portions, sent, pots } = await somePots(3)
    const results = await Promise.allSettled(
      [1, 2, 3].map((id) =>
        portions.run(String(id), async (tx) => {
          await tx.one(addSats, { id, more: 1n })
          if (id === 2) await tx.execute(endOwnSession, [])
        }),
      ),
    )
    for (const result of results) expect((result as PromiseRejectedResult).reason).toBeInstanceOf(DatabaseUnavailable)
    expect(sent.filter((name) => name === 'begin')).toHaveLength(1)
    expect((await pots()).map(({ sats }) => sats)).toEqual([0n, 0n, 0n])
  })
})

it('whatever fails, waits for a lock or loses its connection, each step is done once or not at all', async () => {
  for (let seed = 1; seed <= 3; seed += 1) {
    const random = seededRandom(`portions ${seed}`)
    const upTo = (most: number): number => ((random.bytes(1)[0] ?? 0) % most) + 1
    const { portions, connect, pots } = await somePots(8)
    const other = await connect()
    const done = new Map<number, bigint>()
    const locked = upTo(8)
    await other.query('begin')
    await other.query('select from pots where id = $1 for update', [locked])
    const steps = Array.from({ length: 24 }, async () => {
      const id = upTo(8)
      const fate = (['throws', 'breaks', 'loses', 'refuses'] as const)[upTo(12) - 1] ?? 'works'
      const isSlow = upTo(2) === 2
      try {
        await portions.run(String(id), async (tx) => {
          if (isSlow) await tx.one(countPots, [])
          const { sats } = await tx.one(lockPot, [id])
          if (fate === 'refuses') throw new RangeError('refused')
          await tx.one(addSats, { id, more: 1n })
          if (fate === 'throws') throw new RangeError('refused')
          if (fate === 'breaks') await tx.one(addSats, { id, more: 100n })
          if (fate === 'loses') await tx.execute(endOwnSession, [])
          expect(sats).toBeGreaterThanOrEqual(done.get(id) ?? 0n)
        })
        done.set(id, (done.get(id) ?? 0n) + 1n)
      } catch (error) {
        const isOwn =
          fate === 'throws' || fate === 'refuses' ? error instanceof RangeError : sqlState(error) === '23514'
        expect(isOwn || error instanceof DatabaseUnavailable, `${seed}: ${String(error)}`).toBe(true)
      }
    })
    await other.query('select pg_sleep(0.02)')
    await other.query('commit')
    await Promise.all(steps)
    for (const { id, sats } of await pots()) expect(sats, `seed ${seed}, pot ${id}`).toBe(done.get(id) ?? 0n)
  }
})
