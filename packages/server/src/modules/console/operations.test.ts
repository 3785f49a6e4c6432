import { expect, it } from 'vitest'
import { testApplication } from '../../../test/application.ts'

it('anybody sees how many people run the lottery and what they did by hand; heads change once a day', async () => {
  const test = await testApplication({ games: 'one game' })
  const operations = async () => (await test.call('GET', '/api/v1/fairness/operations')).body
  expect(await operations()).toMatchObject({ audit_head: null, at: null, people: 0 })
  const client = await test.connect()
  await client.query(
    `insert into operator_actions (at, actor, action, subject, detail, kind, hash, prev_hash)
      values ($1, 'Olga', 'players-block', '7', '', 'players.block', sha256('a'), sha256('b'))`,
    [test.runtime.clock.now()],
  )
  await test.moveTo(test.runtime.clock.now() + 60)
  const first = await operations()
  expect(first).toMatchObject({ audit_head: expect.stringMatching(/^[0-9a-f]{64}$/), journal_head: null, blocks: 1 })
  await client.query(
    `insert into operator_actions (at, actor, action, subject, detail, kind, hash, prev_hash)
      values ($1, 'Olga', 'sales-pause', 'all', '', 'sales.pause', sha256('c'), sha256('a'))`,
    [test.runtime.clock.now()],
  )
  await test.moveTo(test.runtime.clock.now() + 120)
  expect((await operations()).audit_head).toBe(first.audit_head)
  await test.moveTo(test.runtime.clock.now() + 86_400)
  expect((await operations()).audit_head).not.toBe(first.audit_head)
  await test.moveTo(test.runtime.clock.now() + 31 * 86_400)
  expect(await operations()).toMatchObject({ blocks: 0 })
})
