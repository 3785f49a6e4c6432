import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { logContext, withLogContext } from '../runtime/log-context.ts'
import { DatabaseUnavailable, UnexpectedRowCount } from './database-errors.ts'
import type { Queries } from './pool.ts'
import { withSharedReads } from './shared-reads.ts'
import { array, sql, t } from './sql.ts'

const wordsOf = sql({
  name: 'shared-reads-test.words-of',
  text: `select word from unnest($1::text[]) as w (word) where word <> '' order by word desc`,
  params: [array(t.text)],
  row: { word: t.text },
  serves: 'each',
})
const halfOf = sql({
  name: 'shared-reads-test.half-of',
  text: 'select 100 / $1::int as half',
  params: [t.int],
  row: { half: t.int },
  serves: 'each',
})
const nowOf = sql({
  name: 'shared-reads-test.now-of',
  text: 'select $1::int as id, clock_timestamp()::text as now',
  params: [t.int],
  row: { id: t.int, now: t.text },
  serves: 'same',
})

/** Queries that share their reads, how many callers each run had, and what keeps runs from ending. */
async function shared() {
  const { db } = await testDatabase()
  const runs: { name: string; callers: number }[] = []
  const held: (() => void)[] = []
  let isHeld = false
  const inner: Queries = {
    ...db,
    async run(statement, args) {
      const [first] = args as unknown[]
      runs.push({
        name: statement.name.replace('shared-reads-test.', ''),
        callers: 'place' in statement.row ? (first as unknown[]).length : 1,
      })
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve))
      return await db.run(statement, args)
    },
  }
  return {
    queries: withSharedReads(inner),
    runs,
    hold: () => (isHeld = true),
    release() {
      isHeld = false
      for (const release of held.splice(0)) release()
    },
  }
}

describe('reads outside of a transaction', () => {
  it('of one moment share a run, and each has its own rows in their order', async () => {
    const { queries, runs } = await shared()
    const found = await Promise.all([
      queries.run(wordsOf, [['a', 'c', 'b']]),
      queries.one(wordsOf, [['d']]),
      queries.maybeOne(wordsOf, [['']]),
      queries.run(wordsOf, [[]]),
    ])
    expect(found).toEqual([[{ word: 'c' }, { word: 'b' }, { word: 'a' }], { word: 'd' }, null, []])
    expect(runs).toEqual([{ name: 'words-of', callers: 4 }])
  })

  it('that come while two runs are under way share the next one, which begins after they were asked for', async () => {
    const { queries, runs, hold, release } = await shared()
    hold()
    const first = queries.one(wordsOf, [['1']])
    await new Promise(setImmediate)
    const second = queries.one(wordsOf, [['2']])
    await new Promise(setImmediate)
    const others = ['3', '4', '5'].map((word) => queries.one(wordsOf, [[word]]))
    await new Promise(setImmediate)
    expect(runs).toHaveLength(2)
    // Another statement does not wait for them.
    const other = queries.one(nowOf, [1])
    await new Promise(setImmediate)
    expect(runs).toHaveLength(3)
    release()
    expect(await Promise.all([first, second, ...others])).toEqual(['1', '2', '3', '4', '5'].map((word) => ({ word })))
    await other
    expect(runs.filter(({ name }) => name === 'words-of')).toEqual(
      [1, 1, 3].map((callers) => ({ name: 'words-of', callers })),
    )
  })

  it('with the same arguments are read once, and with others once for those', async () => {
    const { queries, runs } = await shared()
    const found = await Promise.all([1, 2, 1].map((id) => queries.one(nowOf, [id])))
    expect(found.map(({ id }) => id)).toEqual([1, 2, 1])
    expect(found[2]).toEqual(found[0])
    expect(runs).toHaveLength(2)
  })

  it('are each read alone if one of them cannot be: its reader alone hears why', async () => {
    const { queries } = await shared()
    const found = await Promise.allSettled([
      queries.one(halfOf, [2]),
      queries.one(halfOf, [0]),
      queries.one(halfOf, ['two' as unknown as number]),
      queries.one(wordsOf, [[]]),
      queries.maybeOne(wordsOf, [['a', 'b']]),
    ])
    expect(found[0]).toEqual({ status: 'fulfilled', value: { half: 50 } })
    expect(found[1]).toMatchObject({ status: 'rejected', reason: { code: '22012' } })
    expect(found[2]).toMatchObject({ status: 'rejected', reason: expect.any(TypeError) })
    for (const one of found.slice(3)) expect((one as PromiseRejectedResult).reason).toBeInstanceOf(UnexpectedRowCount)
  })

  it('run in the context of none of their readers, and each reader keeps its own', async () => {
    const { db } = await testDatabase()
    const contexts: unknown[] = []
    const run: Queries['run'] = async (statement, args) => {
      contexts.push(logContext())
      return await db.run(statement, args)
    }
    const queries = withSharedReads({ ...db, run })
    const read = (request: string) =>
      withLogContext({ request }, async () => {
        await queries.one(halfOf, [2])
        return logContext()
      })
    expect(await read('first')).toEqual({ request: 'first' })
    expect(await Promise.all([read('second'), read('third')])).toEqual([{ request: 'second' }, { request: 'third' }])
    expect(contexts).toEqual([{}, {}])
  })

  it('all hear that the database is away, and are asked no second time', async () => {
    const { db } = await testDatabase()
    let runs = 0
    const run = async (): Promise<never> => {
      runs += 1
      throw new DatabaseUnavailable('away')
    }
    const queries = withSharedReads({ ...db, run })
    const found = await Promise.allSettled([1, 2, 3].map((half) => queries.one(halfOf, [half])))
    for (const one of found) expect((one as PromiseRejectedResult).reason).toBeInstanceOf(DatabaseUnavailable)
    expect(runs).toBe(1)
  })
})
