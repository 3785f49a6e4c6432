import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { differencesOf } from '../src/db/describe-statement.ts'
import { isWriting, registeredStatements, sql, t, type Statement } from '../src/db/sql.ts'
import { testDatabase } from './database.ts'

const SOURCES = join(import.meta.dirname, '../src')

it('every statement declares the types that PostgreSQL gives it on the migrated schema', async () => {
  await importStatements()
  const client = await (await testDatabase()).connect()
  const differences: string[] = []
  for (const statement of registeredStatements()) differences.push(...(await differencesOf(client, statement)))
  expect(differences).toEqual([])
})

it('a statement counts as writing if PostgreSQL’s plan for it changes a table', async () => {
  await importStatements()
  const client = await (await testDatabase()).connect()
  const wrong: string[] = []
  for (const statement of registeredStatements()) {
    if (!/^\s*(?:select|with|insert|update|delete)\b/i.test(statement.text)) continue
    const { rows } = await client.query(`explain (generic_plan, format json) ${statement.text}`)
    if (JSON.stringify(rows).includes('"ModifyTable"') !== isWriting(statement)) wrong.push(statement.name)
  }
  expect(wrong).toEqual([])
})

it('the check notices a wrong type, a missing column, one too many and a wrong table', async () => {
  const client = await (await testDatabase()).connect()
  const row = { now: t.bigint, gone: t.text }
  const statement = sql({
    name: 'statements-test.wrong',
    text: 'select $1::int as now, 1 as more',
    params: [t.text],
    row,
  })
  const untyped = statement as unknown as Statement // of any types
  expect(await differencesOf(client, untyped)).toEqual([
    'statements-test.wrong: $1 is declared text and is of type 23',
    'statements-test.wrong: column now is declared bigint and is of type 23',
    'statements-test.wrong declares a column gone that it does not return',
    'statements-test.wrong returns a column more that it does not declare',
  ])
  const nowhere = { ...untyped, text: 'select 1 from nowhere' }
  expect(await differencesOf(client, nowhere)).toEqual([
    'statements-test.wrong cannot be prepared: error: relation "nowhere" does not exist',
  ])
})

/** Enters every statement of the program in the registry. */
async function importStatements(): Promise<void> {
  const files = await readdir(SOURCES, { recursive: true })
  const withStatements = files.filter((file) => /(^|\/)[a-z-]*queries\.ts$/.test(file))
  for (const file of [...withStatements, 'db/pool.ts']) await import(join(SOURCES, file))
}
