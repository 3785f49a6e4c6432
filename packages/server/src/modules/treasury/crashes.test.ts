import { describe, expect, it } from 'vitest'
import { Crasher, onlyDeath } from '../../../test/crasher.ts'
import { OWN } from '../../../test/stand-in-wallet.ts'
import { startTreasuryCluster, type TreasuryCluster } from '../../../test/treasury-cluster.ts'
import { Refused } from '../../kernel/errors.ts'
import type { Movements } from '../../ports/wallet/movements.ts'
import { TEST_START_AT } from '../../runtime/test-runtime.ts'
import { findViolations } from '../invariants/service.ts'
import { bankroll, networkFees, suspense } from '../ledger/accounts.ts'
import { balanceOf, ledgerViolations, postTransfer } from '../ledger/service.ts'
import { bookFee, bookWithdrawal, depositBankroll } from '../operator/treasury-actions.ts'
import { makePayouts, sendBatch, signBatch } from '../payouts/service.ts'
import { lookAtWallets, treasuryStatus } from './service.ts'
import { deathsAmong } from '../../../test/share.ts'

const LATE = 30

/** A cluster in which everything has happened once and is six blocks deep: a deposit, a sweep, a spend. */
async function busyCluster() {
  const cluster = await startTreasuryCluster()
  cluster.arrive({ address: OWN, sats: 2_000_000n })
  cluster.arrive({ address: cluster.freshDeposit(), sats: 5_000_000n })
  cluster.reward(cluster.freshDeposit(), 5_000n) // ripens in the middle
  cluster.sim.mine(7)
  await cluster.look()
  return cluster
}

async function happen(cluster: TreasuryCluster): Promise<void> {
  cluster.arrive({ address: OWN, sats: 11_000n }, { address: OWN, sats: 12_000n })
  expect(cluster.spend('deposits', [OWN], 20_000n)).not.toBeNull()
  expect(cluster.spend('payouts', [cluster.money.addressOf(900_000)], 30_000n)).not.toBeNull()
  cluster.sim.mine(6)
}

async function sums(cluster: TreasuryCluster) {
  const { db } = cluster
  return {
    suspense: await balanceOf(db, suspense),
    fees: await balanceOf(db, networkFees),
    bankroll: await balanceOf(db, bankroll),
  }
}

function dyingMovements(crasher: Crasher, movements: Movements): Movements {
  return {
    list: (cursor) => crasher.call(() => movements.list(cursor)),
    find: (txid) => crasher.call(() => movements.find(txid)),
    spendsOurs: (txid) => crasher.call(() => movements.spendsOurs(txid)),
  }
}

describe('a process that dies', () => {
  it('a process that dies at any call while following the wallets books nothing twice and leaves nothing out', async () => {
    const cluster = await busyCluster()
    const crasher = new Crasher()
    const wrap = {
      db: (db: Parameters<Crasher['wrapDb']>[0]) => crasher.wrapDb(db),
      movements: (movements: Movements) => dyingMovements(crasher, movements),
    }
    const live = async (dieAt: number, when: 'before' | 'after'): Promise<number> => {
      const before = await sums(cluster)
      const ripe = cluster.ripeSats()
      await happen(cluster)
      crasher.arm(dieAt, when)
      await lookAtWallets(cluster.worker(wrap)).catch(onlyDeath)
      const seen = crasher.calls
      await cluster.look()
      const after = await sums(cluster)
      const ripened = cluster.ripeSats() - ripe
      expect(after.suspense - before.suspense - ripened, `died ${when} call ${dieAt}`).toBe(23_000n)
      expect(after.fees - before.fees, `died ${when} call ${dieAt}`).toBe(700n)
      expect((await cluster.unbooked()).length).toBe(1)
      for (const txid of await cluster.unbooked()) await bookWithdrawal(cluster.desk, txid, 'bankroll')
      cluster.runtime.clock.set(cluster.runtime.clock.now() + LATE)
      await cluster.look()
      expect(await cluster.problems()).toEqual([])
      return seen
    }
    const most = await live(0, 'before')
    expect(most).toBeGreaterThan(8)
    for (const death of deathsAmong(most)) {
      await live(death.dieAt, death.when)
      cluster.arrive({ address: OWN, sats: 200_000n })
      cluster.sim.mine(6)
      await cluster.look()
      for (const { outpoint, isTaken } of await cluster.deposits())
        if (!isTaken) await depositBankroll(cluster.desk, outpoint)
    }
  }, 120_000)

  it('a death between sending a payout and booking it leaves no unexplained coins, so payouts continue', async () => {
    const crasher = new Crasher()
    const cluster = await startTreasuryCluster({ wrapDb: (db) => crasher.wrapDb(db) })
    cluster.arrive({ address: OWN, sats: 9_000_000n })
    cluster.sim.mine(6)
    await cluster.look()
    const { money } = cluster
    const send = async (dieAt: number): Promise<number> => {
      crasher.arm(0, 'before')
      await money.owe((await money.player()).id, 30_000n)
      const batchId = await cluster.db.transaction((tx) => makePayouts(money.payouts, tx))
      if (batchId === null) throw new Error('something is owed')
      await signBatch(money.payouts, batchId)
      crasher.arm(dieAt, 'before')
      await sendBatch(money.payouts, batchId).catch(onlyDeath)
      const { calls } = crasher
      crasher.arm(0, 'before')
      // The worker may come back soon, or when the payout is six blocks deep and the wallets no longer list it.
      for (const blocks of [0, 6, 1]) {
        cluster.sim.mine(blocks)
        await lookAtWallets(cluster.treasury)
        const state = `died before call ${dieAt}, ${blocks} blocks later`
        expect((await treasuryStatus(cluster.treasury)).unexplainedSats, state).toBe(0n)
        expect(await findViolations(cluster.db), state).toEqual([])
      }
      cluster.runtime.clock.set(cluster.runtime.clock.now() + LATE)
      await cluster.pass(7)
      expect(await cluster.problems(), `died before call ${dieAt}`).toEqual([])
      return calls
    }
    const calls = await send(0)
    expect(calls).toBeGreaterThan(4)
    for (let dieAt = 1; dieAt <= calls; dieAt += 1) await send(dieAt)
  })

  it('a command that dies at any call has done all of it or nothing, with the line of the audit log', async () => {
    const cluster = await busyCluster()
    const crasher = new Crasher()
    await happen(cluster)
    await cluster.look()
    const desk = cluster.deskOn(crasher.wrapDb(cluster.db))
    const [txid = ''] = await cluster.unbooked()
    const open = (await cluster.deposits()).filter(({ isTaken }) => !isTaken)
    const before = await sums(cluster)
    const actions = [
      () => bookWithdrawal(desk, txid, 'bankroll'),
      () => bookFee(desk, 33n, 'fee-1'),
      ...open.map(
        ({ outpoint }) =>
          () =>
            depositBankroll(desk, outpoint),
      ),
    ]
    for (const action of actions) {
      for (let at = 1; at <= 3; at += 1) {
        for (const when of ['before', 'after'] as const) {
          crasher.arm(at, when)
          await action().catch((error: unknown) => {
            if (!(error instanceof Refused)) onlyDeath(error)
          })
        }
      }
    }
    const after = await sums(cluster)
    expect(after.suspense).toBe(0n)
    expect(after.bankroll).toBe(before.bankroll + before.suspense - 30_000n)
    expect(after.fees).toBe(before.fees + 700n + 33n)
    expect(await ledgerViolations(cluster.db)).toEqual([])
  })
})

describe('several processes at the same time', () => {
  it('several processes follow the wallets as one', async () => {
    const cluster = await busyCluster()
    const before = await sums(cluster)
    await happen(cluster)
    const workers = Array.from({ length: 4 }, () => cluster.worker())
    await Promise.all(workers.map((worker) => lookAtWallets(worker)))
    cluster.sim.mine(1)
    await Promise.all(workers.map((worker) => lookAtWallets(worker)))
    const after = await sums(cluster)
    expect(after.suspense - before.suspense).toBe(23_000n)
    expect(after.fees - before.fees).toBe(700n)
    expect((await cluster.unbooked()).length).toBe(1)
  })

  it('concurrent commands book a spend once, a deposit once, and never take more than an account holds', async () => {
    const cluster = await busyCluster()
    for (const { outpoint } of await cluster.deposits()) await depositBankroll(cluster.desk, outpoint)
    cluster.arrive({ address: OWN, sats: 40_000n }, { address: OWN, sats: 70_000n })
    cluster.sim.mine(1)
    const gone = [60_000n, 60_000n].map((sats) => cluster.spend('payouts', [cluster.money.addressOf(900_000)], sats))
    cluster.sim.mine(6)
    await cluster.look()
    expect(gone).not.toContain(null)
    // Part of the bankroll has meanwhile gone to a draw's reserve; the rest is enough for one of them.
    await cluster.db.transaction(async (tx) => {
      const all = await balanceOf(tx, bankroll)
      const moves = [{ from: bankroll, to: suspense, sats: all - 100_000n }]
      await postTransfer(tx, { event: 'test', subject: 'reserve', at: TEST_START_AT, moves })
    })
    const open = (await cluster.deposits()).find(({ isTaken, outpoint }) => !isTaken && outpoint.endsWith(':0'))
    const attempts = gone.flatMap((txid) =>
      Array.from({ length: 3 }, () => () => bookWithdrawal(cluster.desk, txid ?? '', 'bankroll')),
    )
    const done = await Promise.allSettled(attempts.map((attempt) => attempt()))
    expect(done.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    expect(await balanceOf(cluster.db, bankroll)).toBe(40_000n)
    const taken = await Promise.allSettled(
      Array.from({ length: 5 }, () => depositBankroll(cluster.desk, open?.outpoint ?? '')),
    )
    expect(taken.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    expect(await balanceOf(cluster.db, bankroll)).toBe(80_000n)
    expect(await ledgerViolations(cluster.db)).toEqual([])
  })
})
