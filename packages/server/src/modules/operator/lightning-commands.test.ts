import { expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { readConfig } from '../../config/config.ts'
import { nullable, sql, t } from '../../db/sql.ts'
import { createSeal } from '../../runtime/seal.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import type { OperatorCommand } from './command.ts'
import { lightningCommands } from './lightning-commands.ts'

const readActions = sql({
  name: 'lightning-commands-test.read-actions',
  text: `select action, subject from operator_actions order by id`,
  row: { action: t.text, subject: t.text },
})
const readNode = sql({
  name: 'lightning-commands-test.read-node',
  text: `select node_id, routed_msat from lightning_node`,
  row: { nodeId: t.text, routedMsat: nullable(t.bigint) },
})
const setBooked = sql({
  name: 'lightning-commands-test.set-booked',
  text: `update lightning_node set routed_msat = 5, chain_fee_msat = 5`,
})

/** A payout over Lightning that was sent, and of which nobody knows what became. */
const insertUndecided = sql({
  name: 'lightning-commands-test.insert-undecided',
  text: `with player as (
      insert into players (created_at, username, email) values (1, 'player', 'player@fairball.test') returning id
    ), made as (
      insert into payouts (kind, player_id, sats, fee_share_sats, created_at, address)
      select 'lightning', id, 1, 0, 1, 'player@wallet.example' from player returning id
    ), sent as (
      insert into ln_payouts (payout_id, destination_id, first_at, next_at, state) select id, 1, 1, 1, 'SENDING' from made returning payout_id
    )
    insert into ln_attempts (payout_id, attempt, payment_hash, invoice, amount_msat, max_fee_msat, resolved_at, expires_at)
    select payout_id, 1, repeat('ab', 32), '', 1000, 0, 1, 1 from sent returning payout_id as id`,
  row: { id: t.bigint },
})

const [ONE, OTHER] = [`02${'ab'.repeat(32)}`, `03${'cd'.repeat(32)}`]

async function operatorsNode(env: Record<string, string> = {}) {
  const { db } = await testDatabase()
  const runtime = testRuntime()
  const seal = createSeal(new Uint8Array(32), runtime.random)
  const commands: Record<string, OperatorCommand> = lightningCommands
  const run = async (name: string, ...args: string[]): Promise<string> => {
    const command = commands[name]
    if (command === undefined) throw new Error(`no command ${name}`)
    return await command.run({ db, runtime, seal, config: readConfig(env) }, args, {})
  }
  return { db, run }
}

it('the command shows the channels of the node, and whether there is room for an order', async () => {
  const { run } = await operatorsNode()
  const [node, channel, all, received, advice] = (await run('lightning')).split('\n')
  expect(node).toMatch(/^node 0[23][0-9a-f]{64}, .*, block \d+$/)
  expect(channel).toContain('can send 0.50000000 BTC, can receive 0.50000000 BTC')
  expect(all).toBe('all of it: 0.50000000 BTC, on its way 0.00000000 BTC')
  expect(received).toBe('received in the last day: 0.00000000 BTC')
  expect(advice).toBe('nothing was sold over Lightning in a week: nothing to do')
})

it('the command says how much room is missing for the largest order, and that there is no node', async () => {
  const tight = await operatorsNode({ LIGHTNING_IN_MAX_SATS: '60000000' })
  expect(await tight.run('lightning')).toContain(': make room for 0.10000000 BTC more')
  const none = await operatorsNode({ LIGHTNING: 'none' })
  await expect(none.run('lightning')).rejects.toThrow('LIGHTNING=none: there is no Lightning node here.')
})

it('the operator accepts another node by its id, whose fees are counted from its first reading on', async () => {
  const { db, run } = await operatorsNode()
  expect(await run('lightning-accept-node', ONE)).toBe(`${ONE} is the Lightning node now. Restart every process.`)
  await db.execute(setBooked, [])
  expect(await run('lightning-accept-node', OTHER)).toBe(
    `${OTHER} is the Lightning node now, ${ONE} was before. Restart every process.`,
  )
  expect(await db.run(readNode, [])).toEqual([{ nodeId: OTHER, routedMsat: null }])
  await expect(run('lightning-accept-node', OTHER)).rejects.toThrow('This is the node already.')
  await expect(run('lightning-accept-node', `04${'ab'.repeat(32)}`)).rejects.toThrow('is no id of a Lightning node')
  expect(await db.run(readActions, [])).toEqual(
    [ONE, OTHER].map((subject) => ({ action: 'lightning-accept-node', subject })),
  )
})

it('no other node is accepted while the one before may still pay something', async () => {
  const { db, run } = await operatorsNode()
  await run('lightning-accept-node', ONE)
  const { id } = await db.one(insertUndecided, [])
  await expect(run('lightning-accept-node', OTHER)).rejects.toThrow(`The node before may still pay ln:${id}.`)
  expect((await db.one(readNode, [])).nodeId).toBe(ONE)
})
