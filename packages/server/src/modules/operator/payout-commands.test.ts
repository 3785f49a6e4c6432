import { describe, expect, it } from 'vitest'
import { startPayoutCluster } from '../../../test/payout-cluster.ts'
import { readConfig } from '../../config/config.ts'
import { nullable, sql, t } from '../../db/sql.ts'
import { Refused } from '../../kernel/errors.ts'
import { createSeal } from '../../runtime/seal.ts'
import { reconcileWallet } from '../payouts/service.ts'
import type { OperatorCommand } from './command.ts'
import { payoutCommands } from './payout-commands.ts'

const readActions = sql({
  name: 'payout-commands-test.read-actions',
  text: `select actor, action, subject, detail from operator_actions order by id`,
  row: { actor: t.text, action: t.text, subject: t.text, detail: t.text },
})
const changeActions = sql({
  name: 'payout-commands-test.change-actions',
  text: `update operator_actions set actor = ''`,
})
const readReason = sql({
  name: 'payout-commands-test.read-reason',
  text: `select state, reason from payout_batches order by id limit 1`,
  row: { state: t.text, reason: nullable(t.text) },
})

async function operatorsCluster() {
  const cluster = await startPayoutCluster({ limits: { approvalSats: 50_000n, floatSats: null } })
  const seal = createSeal(new Uint8Array(32), cluster.runtime.random)
  const config = readConfig({})
  const commands: Record<string, OperatorCommand> = payoutCommands
  const run = async (name: string, ...args: string[]): Promise<string> => {
    const command = commands[name]
    if (command === undefined) throw new Error(`no command ${name}`)
    return await command.run({ db: cluster.db, runtime: cluster.runtime, seal, config }, args, {})
  }
  const owe = async (sats: bigint) => {
    const player = await cluster.money.player()
    await cluster.money.owe(player.id, sats)
    return player
  }
  return { cluster, run, owe, working: cluster.worker() }
}

describe('an operator', () => {
  it('an operator lists and approves a large payout, and every action is in the audit log', async () => {
    const { cluster, run, owe, working } = await operatorsCluster()
    const { address } = await owe(60_000n)
    await cluster.pass(working, 0)
    expect(await run('payouts-list')).toContain(
      'batch 1  WAITING_APPROVAL  prizes  1 payouts  0.00060000 BTC  more than the approval limit to one address',
    )
    expect(await run('payouts-approve', '1')).toBe('Batch 1 is approved.')
    await cluster.pass(working, 9)
    expect(cluster.chain.minedTo(address)).toEqual([60_000n])
    expect(await run('payouts-list')).toBe('Payouts are working.')
    const csv = (await run('payouts-export')).split('\n')
    expect(csv[0]).toMatch(/^payout,batch,state,/)
    expect(csv[1]).toMatch(/^1,1,FINAL,player \d+,bcrt1\w+,60000,60000,\d+,\d+,,[0-9a-f]{64}$/)
    const actions = await cluster.db.run(readActions, [])
    expect(actions.map(({ action, subject }) => [action, subject])).toEqual([
      ['payouts-approve', '1'],
      ['payouts-export', 'all'],
    ])
    expect(actions.every(({ actor }) => actor !== '')).toBe(true)
    await expect(cluster.db.execute(changeActions, [])).rejects.toThrow('append-only')
  })

  it('an operator holds a batch and lets it continue', async () => {
    const { cluster, run, owe, working } = await operatorsCluster()
    const { address } = await owe(40_000n)
    cluster.chain.setReachable(false)
    await cluster.pass(working, 0)
    expect(await run('payouts-hold', '1')).toContain('is held')
    cluster.chain.setReachable(true)
    await cluster.pass(working, 3)
    expect(await cluster.db.one(readReason, [])).toEqual({ state: 'HALTED', reason: 'held by the operator' })
    await run('payouts-retry', '1')
    await cluster.pass(working, 9)
    await cluster.expectPaid([{ address, sats: 40_000n }])
    await expect(run('payouts-hold', '1')).rejects.toThrow(Refused)
    await expect(run('payouts-retry', '1')).rejects.toThrow('Batch 1 is FINAL')
  })

  it('an operator holds everything and lets it continue', async () => {
    const { cluster, run, owe, working } = await operatorsCluster()
    await run('payouts-hold', 'all')
    const { address } = await owe(40_000n)
    await cluster.pass(working, 3)
    expect(await cluster.states()).toEqual([])
    expect(await run('payouts-list')).toBe('PAYOUTS ARE STOPPED: held by the operator')
    expect(await run('payouts-retry', 'all')).toBe('Payouts have resumed.')
    await cluster.pass(working, 9)
    await cluster.expectPaid([{ address, sats: 40_000n }])
  })

  it('an operator accepts the spends that were found by name, and only then lets payouts continue', async () => {
    const { cluster, run, working } = await operatorsCluster()
    const thefts = (cluster.chain.chain.blocks[0] ?? []).slice(0, 3).map((coin) => cluster.chain.steal(`${coin}:0`))
    const [one = '', two = '', three = ''] = thefts
    await reconcileWallet(working.payouts)
    const list = (await run('payouts-list')).split('\n')
    expect(list[0]).toContain('PAYOUTS ARE STOPPED: the wallet spent coins in transactions that are not ours')
    expect(list.slice(1).toSorted()).toEqual(thefts.map((txid) => `spend that nobody has accepted  ${txid}`).toSorted())
    await expect(run('payouts-retry', 'all')).rejects.toThrow(Refused)
    await expect(run('payouts-accept', 'x')).rejects.toThrow(
      "'x' is no id of a transaction, and no ln: with a payment hash.",
    )
    await expect(run('payouts-accept', `${one},${'0'.repeat(64)}`)).rejects.toThrow('is not one of the spends found')
    await run('payouts-accept', `${one},${two}`)
    await expect(run('payouts-retry', 'all')).rejects.toThrow(three)
    expect(await run('payouts-not-a-payout', three)).toContain('no payout of ours')
    expect(await run('payouts-retry', 'all')).toBe('Payouts have resumed.')
    expect(await run('payouts-list')).toBe('Payouts are working.')
    await reconcileWallet(working.payouts)
    expect(await run('payouts-list')).toBe('Payouts are working.')
    const actions = await cluster.db.run(readActions, [])
    expect(actions.map(({ action, subject }) => [action, subject])).toEqual([
      ['payouts-accept', `${one} ${two}`],
      ['payouts-not-a-payout', three],
      ['payouts-retry', 'all'],
    ])
  })

  it('an operator takes back a batch that was never signed, and it is owed again immediately', async () => {
    const { cluster, run, owe, working } = await operatorsCluster()
    await owe(60_000n)
    await cluster.pass(working, 0)
    expect(await run('payouts-cancel', '1')).toContain('never signed')
    await cluster.pass(working, 0)
    expect(await cluster.states()).toEqual(['CANCELLED', 'WAITING_APPROVAL'])
  })

  it.each([
    ['payouts-approve', 'x', "'x' is no number"],
    ['payouts-approve', '0', "'0' is no number"],
    ['payouts-approve', '7', 'There is no payout batch 7.'],
    ['payouts-hold', '7', 'There is no payout batch 7.'],
    ['payouts-retry', '7', 'There is no payout batch 7.'],
    ['payouts-cancel', '7', 'There is no payout batch 7.'],
    ['payouts-retry', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', 'is not set aside'],
    ['payouts-not-a-payout', 'ab', "'ab' is no id of a transaction, and no ln: with a payment hash."],
  ])('the command %s %s is refused: %s', async (name, batch, message) => {
    const { cluster, run } = await operatorsCluster()
    await expect(run(name, batch)).rejects.toThrow(message)
    expect(await cluster.db.run(readActions, [])).toEqual([])
  })
})
