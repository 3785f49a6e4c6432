import { afterAll, beforeAll, expect, it } from 'vitest'
import { registeredStatements } from '@fairball/server/testing/database'
import { invariantsOf, writtenTables } from './checks.ts'
import { type SeedDatabase, seedDatabase, type SimulationServer } from './database.ts'
import { openTestServer } from './test-server.ts'

const LIMIT_MS = 120_000

let server: SimulationServer
let database: SeedDatabase
beforeAll(async () => {
  server = await openTestServer()
  database = await seedDatabase(server)
}, LIMIT_MS)
afterAll(async () => {
  await database.drop()
  await server.close()
})

/** The tables that a statement writes according to PostgreSQL. */
async function tablesInPlan(text: string): Promise<string[]> {
  const { rows } = await database.observer.query<{ 'QUERY PLAN': unknown }>(
    `explain (generic_plan, format json) ${text}`,
  )
  const tables: string[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { 'Node Type': type, 'Relation Name': table } = node as Record<string, unknown>
    if (type === 'ModifyTable' && typeof table === 'string') tables.push(table)
    for (const child of Object.values(node)) visit(child)
  }
  visit(rows)
  return tables
}

it(
  'finds every table that a statement of the program writes',
  async () => {
    let writing = 0
    for (const { name, text } of registeredStatements()) {
      const written = await tablesInPlan(text)
      writing += written.length
      expect(writtenTables(text), name).toEqual(expect.arrayContaining(written))
    }
    expect(writing).toBeGreaterThan(100)
  },
  LIMIT_MS,
)

it('knows all functions that write, and checks whatever a cascade writes', async () => {
  expect(writtenTables('select forget_addresses($1, 0)')).toContain('player_addresses')
  expect(writtenTables('select forget_destinations($1, 0)')).toContain('player_destinations')
  const { rows } = await database.observer.query<{ name: string }>(
    `select p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname = 'public' and p.prosrc ~* '\\m(insert into|update [a-z_]+ set|delete from)\\M' order by p.proname desc`,
  )
  expect(rows).toEqual([
    { name: 'remember_forgotten_address' },
    // These four only write sums of payables, by triggers: whatever writes payables is checked with I5.
    { name: 'note_payee' },
    { name: 'note_owed' },
    { name: 'note_end_of_owed' },
    { name: 'keep_pound_quote' }, // only for a release that still writes rate_quotes
    { name: 'keep_owed_sums' },
    { name: 'forget_destinations' },
    { name: 'forget_addresses' },
  ])
  const cascades = await database.observer.query<{ child: string; parent: string }>(
    `select conrelid::regclass::text as child, confrelid::regclass::text as parent
     from pg_constraint where contype = 'f' and confdeltype in ('c', 'n', 'd')`,
  )
  // A row that a cascade changes is checked together with its parent row.
  for (const { child, parent } of cascades.rows)
    expect(invariantsOf([parent]), `${child} goes with ${parent}`).toEqual(
      expect.arrayContaining(invariantsOf([child])),
    )
})

it.each([
  ['postings', ['I1', 'I2', 'I4', 'I5', 'I6']],
  ['plays', ['I3', 'I6', 'I8', 'I9', 'I13']],
  ['play_leaves', ['I8']],
  ['log_leaves', ['I8', 'I10', 'I15']],
  ['payments', ['I4', 'I7']],
  ['draws', ['I3', 'I6', 'I8', 'I9', 'I10', 'I13', 'I15']],
  ['refresh_tokens', ['I11']],
  ['mail_outbox', []],
])('checks at least the invariants that read %s after a commit to it: %s', (table, ids) => {
  expect(invariantsOf([table])).toEqual(expect.arrayContaining(ids))
})
