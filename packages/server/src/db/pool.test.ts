import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { testRuntime } from '../runtime/test-runtime.ts'
import { Listener } from './listener.ts'
import { createDatabase, DatabaseUnavailable, sqlState, TransactionRolledBack, type Tx } from './pool.ts'
import { array, nullable, sql, t } from './sql.ts'

const everyType = sql({
  name: 'pool-test.every-type',
  text: `select $1::bigint as big, $2::bigint as at, $3::int as num, $4::smallint as small, $5::text as word, $6::bool as flag,
    $7::bytea as bytes, $8::uuid as id, $9::numeric as exact, $10::jsonb as doc, $11::bigint[] as masks, $12::text[] as words,
    $13::bytea[] as hashes, $14::text as nothing, $15::uuid[] as ids, $16::bool[] as flags, $17::numeric[] as numerics, $18::float8 as real`,
  params: [
    t.bigint,
    t.epochSeconds,
    t.int,
    t.smallint,
    t.text,
    t.bool,
    t.bytea,
    t.uuid,
    t.numeric,
    t.json<{ a: number[] }>(),
    array(t.bigint),
    array(t.text),
    array(t.bytea),
    nullable(t.text),
    array(t.uuid),
    array(t.bool),
    array(t.numeric),
    t.float,
  ],
  row: {
    big: t.bigint,
    at: t.epochSeconds,
    num: t.int,
    small: t.smallint,
    word: t.text,
    flag: t.bool,
    bytes: t.bytea,
    id: t.uuid,
    exact: t.numeric,
    doc: t.json<{ a: number[] }>(),
    masks: array(t.bigint),
    words: array(t.text),
    hashes: array(t.bytea),
    nothing: nullable(t.text),
    ids: array(t.uuid),
    flags: array(t.bool),
    numerics: array(t.numeric),
    real: t.float,
  },
})
const makeTable = sql({
  name: 'pool-test.make-table',
  text: 'create table pots (id int primary key, sats bigint not null)',
})
const addPot = sql({ name: 'pool-test.add-pot', text: 'insert into pots values ($1, $2)', params: [t.int, t.bigint] })
const potsOf = sql({
  name: 'pool-test.list-pots',
  text: 'select id, sats from pots order by id',
  row: { id: t.int, sats: t.bigint },
})
const findPot = sql({
  name: 'pool-test.find-pot',
  text: 'select sats from pots where id = $1',
  params: [t.int],
  row: { sats: t.bigint },
})
const addToPot = sql({
  name: 'pool-test.add-to-pot',
  text: 'update pots set sats = sats + $2 where id = $1',
  params: [t.int, t.bigint],
})
const count = sql({
  name: 'pool-test.count',
  text: 'select generate_series(1, $1)::int as number',
  params: [t.int],
  row: { number: t.int },
})
const endSessions = sql({
  name: 'pool-test.end-sessions',
  text: 'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
})

describe('the database', () => {
  it('the database returns every type as it was given', async () => {
    const { db } = await testDatabase()
    const id = '0190a7a0-7d2c-4f7e-8a51-6e0a3d5c2b1f'
    const bytes = new Uint8Array([0, 1, 255])
    const row = await db.one(everyType, [
      -(2n ** 63n),
      1_735_732_800,
      -5,
      7,
      `it's "quoted", {braced} \\`,
      true,
      bytes,
      id,
      '12345678901234567890.000000001',
      { a: [1, 2] },
      [1n, 2n ** 62n],
      ['a,b', '{"x"}', ''],
      [bytes, new Uint8Array(0)],
      null,
      [id],
      [true, false],
      ['0.1', '-3'],
      1.5,
    ])
    expect(row).toEqual({
      big: -(2n ** 63n),
      at: 1_735_732_800,
      num: -5,
      small: 7,
      word: `it's "quoted", {braced} \\`,
      flag: true,
      bytes,
      id,
      exact: '12345678901234567890.000000001',
      doc: { a: [1, 2] },
      masks: [1n, 2n ** 62n],
      words: ['a,b', '{"x"}', ''],
      hashes: [bytes, new Uint8Array(0)],
      nothing: null,
      ids: [id],
      flags: [true, false],
      numerics: ['0.1', '-3'],
      real: 1.5,
    })
  })

  it('a query finds one row, one or none, or says how many it found instead', async () => {
    const { db } = await testDatabase()
    await db.execute(makeTable, [])
    expect(await db.execute(addPot, [1, 5n])).toBe(1)
    expect(await db.one(findPot, [1])).toEqual({ sats: 5n })
    expect(await db.maybeOne(findPot, [2])).toBeNull()
    await expect(db.one(findPot, [2])).rejects.toThrow('pool-test.find-pot was to find one row, and found 0 rows')
    await expect(db.maybeOne(count, [2])).rejects.toThrow('at most one row')
  })
})

describe('a transaction', () => {
  it('a transaction keeps its changes when it ends, and none when it throws', async () => {
    const { db } = await testDatabase()
    await db.execute(makeTable, [])
    await db.transaction((tx) => tx.execute(addPot, [1, 5n]))
    const failing = db.transaction(async (tx) => {
      await tx.execute(addPot, [2, 5n])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await db.run(potsOf, [])).toEqual([{ id: 1, sats: 5n }])
  })

  it('a transaction does not count as committed if a failed statement was swallowed', async () => {
    const { db } = await testDatabase()
    await db.execute(makeTable, [])
    const swallowing = db.transaction(async (tx) => {
      await tx.execute(addPot, [1, 5n])
      await tx.execute(addPot, [1, 5n]).catch((error: unknown) => expect(sqlState(error)).toBe('23505'))
    })
    await expect(swallowing).rejects.toThrow(TransactionRolledBack)
    expect(await db.run(potsOf, [])).toEqual([])
  })

  it('a transaction that cannot begin fails for that reason, and nothing of it remains', async () => {
    const { db } = await testDatabase()
    await db.execute(makeTable, [])
    const impossible = { statementTimeoutMs: -1 }
    const isRefused = /outside the valid range/
    await expect(db.transaction((tx) => tx.execute(addPot, [8, 1n]), impossible)).rejects.toThrow(isRefused)
    await expect(db.transaction(() => Promise.resolve(), impossible)).rejects.toThrow(isRefused)
    // Refused before there is a transaction, as by a standby: what follows would be kept.
    const unknown = { isolation: 'unknown' as 'read committed' }
    const reading = async (tx: Tx): Promise<void> => {
      await tx.run(potsOf, [])
      await tx.execute(addPot, [8, 1n])
    }
    await expect(db.transaction(reading, unknown)).rejects.toThrow(/syntax error/)
    await expect(
      db.transaction(
        (tx) =>
          reading(tx)
            .catch(() => reading(tx))
            .catch(() => undefined),
        unknown,
      ),
    ).rejects.toThrow(/syntax error/)
    expect(await db.maybeOne(findPot, [8])).toBeNull()
  })

  it('a transaction runs concurrent statements one after the other, and none after its end', async () => {
    const { db } = await testDatabase()
    await db.execute(makeTable, [])
    const kept = await db.transaction(async (tx) => {
      await Promise.all([1, 2, 3].map((id) => tx.execute(addPot, [id, 1n])))
      return tx
    })
    expect(await db.run(potsOf, [])).toHaveLength(3)
    await expect(kept.run(potsOf, [])).rejects.toThrow('a transaction was used after its end')
  })

  it('concurrent statements run in order, each on the results of the one before', async () => {
    const { db } = await testDatabase()
    await db.execute(makeTable, [])
    const [added, raised, found] = await db.transaction((tx) =>
      Promise.all([tx.execute(addPot, [1, 5n]), tx.execute(addToPot, [1, 2n]), tx.one(findPot, [1])]),
    )
    expect([added, raised, found]).toEqual([1, 1, { sats: 7n }])
  })

  it('a transaction fails with the first failure of concurrent statements, and is rolled back completely', async () => {
    const { db } = await testDatabase()
    await db.execute(makeTable, [])
    const failed = db.transaction((tx) =>
      Promise.all([tx.execute(addPot, [1, 5n]), tx.execute(addPot, [1, 6n]), tx.execute(addPot, [2, 7n])]),
    )
    await expect(failed).rejects.toMatchObject({ code: '23505' })
    expect(await db.run(potsOf, [])).toEqual([])
    expect(await db.transaction((tx) => tx.execute(addPot, [1, 5n]))).toBe(1) // the connection is usable
  })

  it('a statement after one that failed is refused for the reason of the first', async () => {
    const { db } = await testDatabase()
    await db.execute(makeTable, [])
    const failed = db.transaction(async (tx) => {
      await tx.execute(addPot, [1, 5n])
      const requested = [tx.execute(addPot, [1, 6n]), tx.execute(addToPot, [1, 2n])]
      await Promise.allSettled(requested)
      await requested[1]
    })
    await expect(failed).rejects.toMatchObject({ code: '23505' })
  })

  it('nothing remains of what failed work still requests', async () => {
    const { db } = await testDatabase()
    await db.execute(makeTable, [])
    let late: Promise<unknown> = Promise.resolve()
    const refused = db.transaction(async (tx) => {
      const asked = tx.run(potsOf, []).then(() => tx.execute(addPot, [1, 5n]))
      late = asked.catch((error: unknown) => error)
      await Promise.all([asked, Promise.reject(new Error('refused meanwhile'))])
    })
    await expect(refused).rejects.toThrow('refused meanwhile')
    expect(String(await late)).toContain('a transaction was used after its end')
    expect(await db.run(potsOf, [])).toEqual([])
  })

  it('a transaction is retried at a deadlock if requested', async () => {
    const { db } = await testDatabase()
    await db.execute(makeTable, [])
    for (const id of [1, 2]) await db.execute(addPot, [id, 0n])
    let meetings = 0
    let meet = (): void => undefined
    const met = new Promise<void>((resolve) => (meet = resolve))
    const crossing = (first: number, second: number): Promise<void> =>
      db.transaction(
        async (tx) => {
          await tx.execute(addToPot, [first, 1n])
          if (++meetings === 2) meet()
          await met
          await tx.execute(addToPot, [second, 1n])
        },
        // On a busy computer the retry may take the lock before the other one wakes, and they meet once more.
        { attempts: 10 },
      )
    await Promise.all([crossing(1, 2), crossing(2, 1)])
    expect(await db.run(potsOf, [])).toEqual([
      { id: 1, sats: 2n },
      { id: 2, sats: 2n },
    ])
  })

  it('a transaction streams a large result in steps', async () => {
    const { db } = await testDatabase()
    const sizes: number[] = []
    let sum = 0
    await db.transaction(async (tx) => {
      for await (const rows of tx.stream(count, [1000], 300)) {
        sizes.push(rows.length)
        for (const { number } of rows) sum += number
      }
    })
    expect(sizes).toEqual([300, 300, 300, 100])
    expect(sum).toBe(500_500)
  })
})

/** The part of a driver's connection that the listener uses. */
class FakeConnection extends EventEmitter {
  async query(): Promise<void> {}
  async end(): Promise<void> {
    this.emit('end')
  }
}

describe('notifications', () => {
  it('notifications arrive from other connections, at the commit and never from a rollback', async () => {
    const { db } = await testDatabase()
    const heard: string[] = []
    const unlisten = await db.listen('draws', (payload) => heard.push(payload))
    await db.notify('draws', 'first')
    await db
      .transaction((tx) => tx.notify('draws', 'rolled back').then(() => Promise.reject(new Error('no'))))
      .catch(() => undefined)
    await db.transaction((tx) => tx.notify('draws', 'second'))
    await expect.poll(() => heard).toEqual(['first', 'second'])
    await unlisten()
    await db.notify('draws', 'third')
    await pause(50)
    expect(heard).toEqual(['first', 'second'])
  })

  it('notifications resume after the connection was lost, with a report of the gap', async () => {
    const { db } = await testDatabase()
    const heard: string[] = []
    await db.listen(
      'draws',
      (payload) => heard.push(payload),
      () => heard.push('(gap)'),
    )
    await db.execute(endSessions, [])
    await expect.poll(() => heard, { timeout: 5_000 }).toEqual(['(gap)'])
    await db.notify('draws', 'back')
    await expect.poll(() => heard).toEqual(['(gap)', 'back'])
  })

  it('a listener that comes while the connection is lost does not leave two of them', async () => {
    const opened: FakeConnection[] = []
    const listener = new Listener({
      runtime: testRuntime(),
      connect: async () => {
        opened.push(new FakeConnection())
        return opened.at(-1) as unknown as pg.Client
      },
    })
    const heard: string[] = []
    await listener.listen(
      'draws',
      (payload) => heard.push(payload),
      () => heard.push('(gap)'),
    )
    opened[0]?.emit('end')
    await listener.listen('orders', () => undefined) // opens one before the listener restores its own
    await expect.poll(() => heard).toEqual(['(gap)'])
    for (const connection of opened.slice(1)) connection.emit('notification', { channel: 'draws', payload: 'once' })
    expect(heard).toEqual(['(gap)', 'once'])
    expect(opened).toHaveLength(2)
    await listener.close()
  })

  it('notifications continue if a handler fails', async () => {
    const runtime = testRuntime()
    const { db } = await testDatabase({ runtime })
    const heard: string[] = []
    await db.listen('draws', () => {
      throw new Error('a handler broke')
    })
    await db.listen('draws', (payload) => heard.push(payload))
    await db.notify('draws', 'x')
    await expect.poll(() => heard).toEqual(['x'])
    expect(runtime.logged.map((line) => line['msg'])).toContain('a handler of a notification failed')
  })
})

describe('a lost database', () => {
  it('a lost database is DatabaseUnavailable, whether it does not answer or ends the session under a transaction', async () => {
    const nowhere = createDatabase({
      address: { host: '/nowhere', port: 5432, user: 'fairball', database: 'fairball' },
      runtime: testRuntime(),
    })
    await expect(nowhere.run(count, [1])).rejects.toThrow(DatabaseUnavailable)
    await expect(nowhere.transaction((tx) => tx.run(count, [1]))).rejects.toThrow(DatabaseUnavailable)
    await expect(nowhere.listen('draws', () => undefined)).rejects.toThrow(DatabaseUnavailable)
    await nowhere.close()

    const { db, connect } = await testDatabase()
    const other = await connect()
    const cut = db.transaction(async (tx) => {
      await tx.run(count, [1])
      await other.query(endSessions.text)
      await tx.run(count, [1])
    })
    await expect(cut).rejects.toThrow(DatabaseUnavailable)
    expect(await db.run(count, [1])).toEqual([{ number: 1 }]) // a new session takes over
  })

  it('a database is DatabaseUnavailable as well if every connection is taken for too long', async () => {
    const { url } = await testDatabase()
    const db = createDatabase({ address: url, runtime: testRuntime(), poolSize: 1, connectionTimeoutMs: 500 })
    await db.transaction(async () => {
      await expect(db.run(count, [1])).rejects.toThrow(DatabaseUnavailable)
    })
    await db.close()
    await expect(db.run(count, [1])).rejects.toThrow(DatabaseUnavailable)
  })
})
