import { expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { insertPrizePostings } from './queries.ts'

it('each win’s account is looked up by index, though the database has no statistics yet about the winners', async () => {
  const { connect } = await testDatabase()
  const client = await connect()
  await client.query('begin; set local enable_seqscan = off') // tables this small would be read whole
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `explain (generic_plan) ${insertPrizePostings.text.replace('$1', '$1::bigint')}`,
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain(`Index Cond: ((kind = 'winnings'::text) AND (subject = (w.player_id)::text))`)
  expect(plan).not.toContain('Nested Loop')
})
