import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OWN } from '../../../test/stand-in-wallet.ts'
import { startTreasuryCluster } from '../../../test/treasury-cluster.ts'
import { readConfig } from '../../config/config.ts'
import { sql, t } from '../../db/sql.ts'
import { Refused } from '../../kernel/errors.ts'
import { createSeal } from '../../runtime/seal.ts'
import { TEST_START_AT } from '../../runtime/test-runtime.ts'
import { bankroll, losses, lightning, networkFees, operatorFee, suspense, wallet } from '../ledger/accounts.ts'
import { balanceOf, ledgerViolations, postTransfer } from '../ledger/service.ts'
import { treasuryStatus } from '../treasury/service.ts'
import type { OperatorCommand } from './command.ts'
import { treasuryCommands } from './treasury-commands.ts'

const readActions = sql({
  name: 'treasury-commands-test.read-actions',
  text: `select actor, action, subject, detail from operator_actions order by id`,
  row: { actor: t.text, action: t.text, subject: t.text, detail: t.text },
})

const NO_TXID = 'ab'.repeat(32)

async function operatorsCluster() {
  const cluster = await startTreasuryCluster()
  const seal = createSeal(new Uint8Array(32), cluster.runtime.random)
  const commands: Record<string, OperatorCommand> = treasuryCommands
  const run = async (name: string, ...args: string[]): Promise<string> => {
    const command = commands[name]
    if (command === undefined) throw new Error(`no command ${name}`)
    return await command.run({ db: cluster.db, runtime: cluster.runtime, seal, config: readConfig({}) }, args, {})
  }
  const balance = (account: typeof wallet) => balanceOf(cluster.db, account)
  /** Coins that came to the payout wallet and are in suspense. @returns their outpoint */
  const arrived = async (sats: bigint): Promise<string> => {
    const txid = cluster.arrive({ address: OWN, sats })
    cluster.sim.mine(6)
    await cluster.look()
    return `${txid}:0`
  }
  /** Coins that left that wallet, six deep. @returns the transaction's id */
  const left = async (sats: bigint): Promise<string> => {
    const txid = cluster.spend('payouts', [cluster.money.addressOf(900_000)], sats)
    cluster.sim.mine(6)
    await cluster.look()
    return txid ?? ''
  }
  return { cluster, run, balance, arrived, left }
}

describe('an operator', () => {
  it('an operator puts bankroll in and takes it out, and each action is in the audit log', async () => {
    const { cluster, run, balance, arrived, left } = await operatorsCluster()
    const before = await balance(bankroll)
    const outpoint = await arrived(300_000n)
    expect(await run('bankroll-deposit', outpoint)).toBe(`0.00300000 BTC of ${outpoint} are bankroll.`)
    const txid = await left(100_000n)
    expect(await run('withdraw', txid, 'bankroll')).toContain('0.00100000 BTC')
    expect(await balance(bankroll)).toBe(before + 200_000n)
    expect(await balance(networkFees)).toBe(700n)
    expect(await run('book-fee', '250', 'opennode/2025-01')).toContain('0.00000250 BTC')
    await run('treasury')
    const actions = await cluster.db.run(readActions, [])
    expect(actions.map(({ action, subject }) => [action, subject])).toEqual([
      ['bankroll-deposit', outpoint],
      ['withdraw', txid],
      ['book-fee', 'opennode/2025-01'],
      ['treasury', 'all'],
    ])
    expect(actions.every(({ actor, detail }) => actor !== '' && detail !== '')).toBe(true)
    expect(await ledgerViolations(cluster.db)).toEqual([])
  })

  it('an operator puts several coins in together, all of them or none', async () => {
    const { cluster, run, balance, arrived } = await operatorsCluster()
    const before = await balance(bankroll)
    const coins = [await arrived(100_000n), await arrived(200_000n), await arrived(300_000n)]
    await expect(run('bankroll-deposit', [...coins, `${NO_TXID}:0`].join(','))).rejects.toThrow(
      `There is no unknown deposit ${NO_TXID}:0.`,
    )
    expect(await balance(bankroll)).toBe(before)
    expect(await run('bankroll-deposit', [...coins, coins[0]].join(','))).toBe(
      `0.00600000 BTC of ${coins.length} deposits are bankroll.`,
    )
    expect(await balance(bankroll)).toBe(before + 600_000n)
    const actions = await cluster.db.run(readActions, [])
    expect(actions.map(({ subject }) => subject).toSorted()).toEqual(coins.toSorted())
  })

  it('coins that came to the payout wallet are in the log as information, and not as an error', async () => {
    const { cluster, arrived } = await operatorsCluster()
    await arrived(100_000n)
    const told = cluster.runtime.logged.filter(({ msg }) => String(msg).includes('arrived'))
    expect(told).toMatchObject([{ level: 'info', msg: 'money arrived at an address of ours' }])
  })

  it('an operator sees what the wallets hold, the difference, and what waits', async () => {
    const { run, arrived, left } = await operatorsCluster()
    const outpoint = await arrived(300_000n)
    const txid = await left(100_000n)
    const lines = (await run('treasury')).split('\n')
    expect(lines).toEqual([
      'Wallets',
      expect.stringMatching(/^ {2}deposits {6}0\.00000000 BTC {2}read 2025-01-01T12:/),
      expect.stringMatching(/^ {2}payouts {7}0\.00199300 BTC {2}read /),
      expect.stringMatching(/^ {2}vault {9}50\.00000000 BTC {2}read /),
      '  ledger        50.00300000 BTC',
      '  difference    -0.00100700 BTC  0.00000000 BTC of it unexplained',
      'The operator’s',
      '  bankroll      50.00000000 BTC  not reserved',
      '  operator fee  0.00000000 BTC',
      'Left for somebody else, to be booked with withdraw: 1',
      expect.stringContaining(`  ${txid}  0.00100000 BTC, fee 0.00000700 BTC, found 2025-01-01T12:`),
      'Unknown deposits: 1; in suspense 0.00300000 BTC',
      expect.stringContaining(`  ${outpoint}  0.00300000 BTC at payouts, seen 2025-01-01T12:`),
    ])
  })

  it('an operator says that money came from our own account at the provider: then nothing new has arrived', async () => {
    const { run, balance, arrived } = await operatorsCluster()
    const before = await balance(wallet)
    const outpoint = await arrived(50_000n)
    await run('own-transfer', outpoint)
    expect(await balance(wallet)).toBe(before)
    expect(await balance(suspense)).toBe(0n)
    await expect(run('own-transfer', outpoint)).rejects.toThrow('taken out of suspense before: own transfer')
    await expect(run('bankroll-deposit', outpoint)).rejects.toThrow('taken out of suspense before: own transfer')
  })

  it('an operator returns unknown money, and bears what a thief took', async () => {
    const { cluster, run, balance, arrived, left } = await operatorsCluster()
    await arrived(80_000n)
    await arrived(90_000n)
    await run('withdraw', await left(30_000n), 'suspense')
    expect(await balance(suspense)).toBe(140_000n)
    await run('withdraw', await left(40_000n), 'losses')
    expect(await balance(losses)).toBe(40_000n)
    expect(await cluster.problems()).toEqual([])
  })

  it('an operator never takes out more than an account holds, least of all the reserves of draws', async () => {
    const { cluster, run, balance, arrived, left } = await operatorsCluster()
    await arrived(500_000n)
    const txid = await left(200_000n)
    await cluster.db.transaction(async (tx) => {
      const moves = [{ from: bankroll, to: operatorFee, sats: (await balance(bankroll)) - 150_000n }]
      await postTransfer(tx, { event: 'test', subject: 'taken', at: TEST_START_AT, moves })
    })
    await expect(run('withdraw', txid, 'bankroll')).rejects.toThrow(
      'The ledger account bankroll holds 0.00150000 BTC, and this takes 0.00200000 BTC.',
    )
    expect((await treasuryStatus(cluster.treasury)).unbooked).toBe(1)
    await run('withdraw', txid, 'operator-fee')
    await expect(run('withdraw', txid, 'operator-fee')).rejects.toThrow('is booked already')
  })

  it('an operator books a fee once for each reference, and no more than the wallets hold', async () => {
    const { run, balance } = await operatorsCluster()
    await run('book-fee', '700', 'a')
    await expect(run('book-fee', '700', 'a')).rejects.toThrow('A fee with the reference a is booked already.')
    await expect(run('book-fee', '5000000001', 'b')).rejects.toThrow('account wallet holds 49.99999300 BTC')
    expect(await balance(networkFees)).toBe(700n)
  })

  it('an operator books what a close by force cost the Lightning node, once, and no more than it holds', async () => {
    const { cluster, run, balance } = await operatorsCluster()
    await expect(run('lightning-fee', '1', 'closed')).rejects.toThrow('account lightning holds 0.00000000 BTC')
    await cluster.db.transaction(async (tx) => {
      const moves = [{ from: lightning, to: suspense, sats: 9_000n }]
      await postTransfer(tx, { event: 'test', subject: 'node', at: TEST_START_AT, moves })
    })
    expect(await run('lightning-fee', '3200', 'closed')).toBe('A fee of 0.00003200 BTC is booked: closed.')
    await expect(run('lightning-fee', '3200', 'closed')).rejects.toThrow('with the reference closed is booked already')
    expect([await balance(lightning), await balance(networkFees)]).toEqual([5_800n, 3_200n])
    // A provider's fee with the same reference is another one.
    await run('book-fee', '1', 'closed')
  })
})

describe('refused commands', () => {
  /** One cluster for all of them: they change nothing. */
  let quiet: Awaited<ReturnType<typeof operatorsCluster>>
  beforeAll(async () => {
    quiet = await operatorsCluster()
  })
  afterAll(() => quiet.cluster.drop())

  it.each([
    ['bankroll-deposit', ['x'], "'x' is not an output"],
    ['bankroll-deposit', [`${NO_TXID}:0`], 'There is no unknown deposit'],
    ['own-transfer', [NO_TXID], 'is not an output'],
    ['withdraw', ['x', 'bankroll'], 'is not the id of a transaction'],
    ['withdraw', [NO_TXID, 'bankroll'], 'No wallet of ours has sent'],
    ['withdraw', [NO_TXID, 'toString'], "'toString' is none of operator-fee, bankroll, suspense, losses."],
    ['book-fee', ['0', 'a'], "'0' is no whole number of satoshis"],
    ['lightning-fee', ['5', 'two words'], 'is not a reference'],
    ['book-fee', ['1.5', 'a'], "'1.5' is no whole number of satoshis"],
    ['book-fee', ['5', 'two words'], 'is not a reference'],
    ['sweep-plan', ['x'], "'x' is no fee rate in sats a virtual byte, 1 or more."],
    ['sweep-plan', ['0.9'], "'0.9' is no fee rate"],
    ['sweep-plan', ['2.0001'], "'2.0001' is no fee rate"],
    ['sweep-plan', ['2.5'], 'With PAYMENTS=test deposits have no account here: join their coins there.'],
  ])('the command %s %j is refused, and nothing changes', async (name, args, message) => {
    const { cluster, run, balance } = quiet
    const before = await balance(wallet)
    await expect(run(name, ...args)).rejects.toThrow(Refused)
    await expect(run(name, ...args)).rejects.toThrow(message)
    expect(await balance(wallet)).toBe(before)
    expect(await cluster.db.run(readActions, [])).toEqual([])
  })
})
