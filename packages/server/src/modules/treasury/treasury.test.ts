import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { testLottery } from '../../../test/lottery.ts'
import { OWN } from '../../../test/stand-in-wallet.ts'
import { startTreasuryCluster } from '../../../test/treasury-cluster.ts'
import type { Holding } from '../../ports/payment-provider/payment-provider.ts'
import type { Movements } from '../../ports/wallet/movements.ts'
import { TEST_START_AT, testRuntime } from '../../runtime/test-runtime.ts'
import { bankroll, losses, suspense, wallet, winnings } from '../ledger/accounts.ts'
import { balanceOf, ledgerViolations, postTransfer } from '../ledger/service.ts'
import { depositBankroll } from '../operator/treasury-actions.ts'
import { bookUnknown } from '../payments/service.ts'
import { READ_TIMEOUT_MS } from './reading.ts'
import {
  keepTestWallet,
  lookAtWallets,
  readStatus,
  LOOKS_APART,
  solvency,
  startTreasury,
  stopTreasury,
  treasuryContext,
  treasuryStatus,
} from './service.ts'

const NOTHING_MOVES: Movements = {
  list: async () => ({ cursor: '0', final: [], young: [] }),
  find: async () => null,
  spendsOurs: async () => false,
}

/** A treasury over a wallet that the test controls, with a real time that the test moves. */
async function readingCluster() {
  const base = testRuntime()
  let nowMs = 0
  const sleepers: (() => void)[] = []
  const monotonic = {
    nowMs: () => nowMs,
    sleep: (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        sleepers.push(resolve)
        signal?.addEventListener('abort', () => reject(new Error('aborted')))
      }),
  }
  const runtime = { ...base, monotonic }
  const { db } = await testDatabase()
  const asked: string[] = []
  const answers = new Map<string, () => Promise<readonly Holding[]>>()
  const source = (name: string) => ({
    name,
    read: async () => {
      asked.push(name)
      return (await answers.get(name)?.()) ?? []
    },
  })
  const open = () =>
    treasuryContext({
      db,
      runtime,
      sources: [source('provider'), source('payouts')],
      movements: NOTHING_MOVES,
      bookUnknown: async () => undefined,
    })
  const holds = (name: string, sats: bigint) => answers.set(name, async () => [{ name, sats }])
  const post = (from: typeof wallet, to: typeof wallet, sats: bigint) =>
    db.transaction((tx) =>
      postTransfer(tx, { event: 'test', subject: base.random.uuid(), at: TEST_START_AT, moves: [{ from, to, sats }] }),
    )
  return {
    db,
    open,
    treasury: open(),
    runtime: base,
    asked,
    answers,
    holds,
    post,
    /** Passes the real time in which answers are shared. */
    later(ms: number): void {
      nowMs += ms
    },
    /** Every time limit runs out. */
    timeOut(): void {
      for (const wake of sleepers.splice(0)) wake()
    },
  }
}

describe('what the operator holds and owes', () => {
  it('holdings are read from the wallets, and their difference to the ledger has its sign', async () => {
    const cluster = await readingCluster()
    await cluster.post(wallet, bankroll, 900n)
    await cluster.post(wallet, winnings(1n), 100n)
    cluster.holds('provider', 300n)
    cluster.holds('payouts', 650n)
    expect(await solvency(cluster.treasury)).toEqual({
      assets: { provider: '0.00000300', payouts: '0.00000650' },
      ledger: '0.00001000',
      difference: '-0.00000050',
      read_at: TEST_START_AT,
      liabilities: { bankroll: '0.00000900', winnings: '0.00000100' },
      free_tickets: 0,
      solvent: true,
    })
  })

  it('solvency follows from what was read, not from what the ledger says', async () => {
    const cluster = await readingCluster()
    await cluster.post(wallet, bankroll, 900n)
    await cluster.post(wallet, winnings(1n), 100n)
    cluster.holds('payouts', 100n)
    expect((await solvency(cluster.treasury)).solvent).toBe(true)
    cluster.holds('payouts', 99n)
    cluster.later(5_000)
    expect((await solvency(cluster.treasury)).solvent).toBe(false)
  })

  it('requests within five seconds share one answer', async () => {
    const cluster = await readingCluster()
    cluster.holds('provider', 1n)
    cluster.holds('payouts', 1n)
    await Promise.all(Array.from({ length: 50 }, () => solvency(cluster.treasury)))
    cluster.later(4_999)
    await solvency(cluster.treasury)
    expect(cluster.asked).toHaveLength(2)
    cluster.later(1)
    await solvency(cluster.treasury)
    expect(cluster.asked).toHaveLength(4)
  })

  it('a wallet that does not answer is shown with its last reading and its time', async () => {
    const cluster = await readingCluster()
    cluster.holds('provider', 70n)
    cluster.holds('payouts', 30n)
    await solvency(cluster.treasury)
    cluster.runtime.clock.set(TEST_START_AT + 300)
    cluster.holds('payouts', 20n)
    cluster.answers.set('provider', () => Promise.reject(new Error('down')))
    const another = cluster.open()
    expect(await solvency(another)).toMatchObject({
      assets: { provider: '0.00000070', payouts: '0.00000020' },
      read_at: TEST_START_AT,
    })
    expect((await treasuryStatus(another)).wallets).toEqual(
      new Map([
        ['payouts', 20n],
        ['provider', 70n],
      ]),
    )
  })

  it('a silent wallet is waited for no longer than five seconds', async () => {
    expect(READ_TIMEOUT_MS).toBe(5_000)
    const cluster = await readingCluster()
    cluster.holds('payouts', 20n)
    cluster.answers.set('provider', () => new Promise(() => undefined))
    const answer = solvency(cluster.treasury)
    await new Promise((resolve) => setImmediate(resolve))
    cluster.timeOut()
    expect((await answer).assets).toEqual({ payouts: '0.00000020' })
  })

  it('without any reading of a wallet, holdings are empty and not solvent', async () => {
    const cluster = await readingCluster()
    cluster.answers.set('provider', () => Promise.reject(new Error('down')))
    cluster.answers.set('payouts', () => Promise.reject(new Error('down')))
    expect(await solvency(cluster.treasury)).toMatchObject({ assets: {}, solvent: false, read_at: null })
  })

  it('a wallet that its source no longer names is forgotten', async () => {
    const cluster = await readingCluster()
    cluster.holds('payouts', 1n)
    cluster.answers.set('provider', async () => [
      { name: 'deposits', sats: 1n },
      { name: 'lightning', sats: 2n },
    ])
    await solvency(cluster.treasury)
    cluster.answers.set('provider', async () => [{ name: 'deposits', sats: 3n }])
    cluster.later(5_000)
    await solvency(cluster.treasury)
    expect([...(await treasuryStatus(cluster.treasury)).wallets.keys()]).toEqual(['deposits', 'payouts'])
  })

  it('in the demo the test chain holds what the ledger says, before and after a draw', async () => {
    const test = await testLottery()
    const { chain } = test.lottery
    const treasury = treasuryContext({
      db: test.db,
      runtime: test.runtime,
      sources: [{ name: 'test', read: async () => [{ name: 'wallet', sats: await chain.balanceSats() }] }],
      movements: null,
      bookUnknown: async () => undefined,
    })
    const draw = await test.rows<{ start_at: string; end_at: string }>(
      `select start_at, end_at from draws where game_key = 'bitcoin-hero' order by number limit 1`,
    )
    const agrees = { difference: '0.00000000', solvent: true }
    expect(await solvency(treasury)).toMatchObject({ ...agrees, assets: { wallet: '50.00000000' } })
    const playerId = await test.addPlayer()
    const lines = Array.from({ length: 6 }, (_, line) => [1, 2, 3, 4, 5].map((number) => number + 5 * line))
    await test.buy({ playerId, gameKey: 'bitcoin-hero', lines, days: [3] })
    expect(await solvency(treasury)).toMatchObject(agrees)
    const endAt = Number(draw[0]?.end_at)
    let shown: unknown = null
    for (const at of [Number(draw[0]?.start_at), endAt - 61, endAt - 60, endAt, endAt + 7200]) {
      await test.moveTo(at)
      const { read_at, ...rest } = await solvency(treasury)
      expect(rest).toMatchObject(agrees)
      expect(read_at).toBe(at)
      // Before the last ball is shown, nothing reveals the result.
      if (at < endAt - 60) expect(shown ?? rest).toEqual(rest)
      if (at < endAt - 60) shown = rest
    }
    expect(await treasuryStatus(treasury)).toMatchObject({ differenceSats: 0n, unexplainedSats: 0n, unbooked: 0 })
    startTreasury(treasury)
    await stopTreasury(treasury)
    expect(await test.rows('select * from wallet_readings')).toEqual([])
    await keepTestWallet(treasury)
    const { wallets, differenceSats } = await treasuryStatus(treasury)
    expect(await readStatus(test.db)).toMatchObject({ wallets, differenceSats, unexplainedSats: 0n })
  })
})

describe('what moves coins and is no payment', () => {
  it('coins that are simply missing are reported as unexplained', async () => {
    const cluster = await startTreasuryCluster()
    cluster.arrive({ address: OWN, sats: 70_000n })
    cluster.sim.mine(6)
    await cluster.look()
    await cluster.db.transaction((tx) =>
      postTransfer(tx, {
        event: 'test',
        subject: 'invented',
        at: TEST_START_AT,
        moves: [{ from: wallet, to: suspense, sats: 5n }],
      }),
    )
    const alerts = () =>
      cluster.runtime.logged.filter((line) => String(line['msg']).includes('does not explain it')).length
    for (let look = 1; look < LOOKS_APART; look += 1) await cluster.look()
    expect(await treasuryStatus(cluster.treasury)).toMatchObject({ differenceSats: -5n, unexplainedSats: -5n })
    expect(alerts()).toBe(0)
    await cluster.look()
    expect(alerts()).toBe(1)
  })

  it('movements are not followed while the wallets cannot be read, and none is left out', async () => {
    const cluster = await startTreasuryCluster()
    cluster.arrive({ address: OWN, sats: 70_000n })
    cluster.sim.mine(9)
    cluster.setReachable(false)
    await expect(lookAtWallets(cluster.treasury)).rejects.toThrow('cannot be reached')
    cluster.setReachable(true)
    cluster.sim.mine(30)
    await cluster.look()
    expect(await balanceOf(cluster.db, suspense)).toBe(70_000n)
    expect(await cluster.problems()).toEqual([])
  })

  it('a deposit whose bankroll was reorganised away counts as a loss, whatever else is in suspense', async () => {
    const cluster = await startTreasuryCluster()
    const { payments } = cluster.money
    const output = (outpoint: string, confirmations: number) => {
      return { outpoint, sats: 700n, confirmations, seenAt: TEST_START_AT, network: 'ONCHAIN' } as const
    }
    await cluster.db.transaction(async (tx) => {
      await bookUnknown(payments, tx, output('a:0', 2))
      await bookUnknown(payments, tx, output('b:0', 2))
    })
    await depositBankroll(cluster.desk, 'a:0')
    await cluster.db.transaction((tx) => bookUnknown(payments, tx, output('a:0', -1)))
    expect(await balanceOf(cluster.db, suspense)).toBe(700n)
    expect(await balanceOf(cluster.db, losses)).toBe(700n)
    await cluster.db.transaction((tx) => bookUnknown(payments, tx, output('a:0', 2)))
    await depositBankroll(cluster.desk, 'a:0')
    await depositBankroll(cluster.desk, 'b:0')
    expect(await balanceOf(cluster.db, suspense)).toBe(0n)
    expect(await ledgerViolations(cluster.db)).toEqual([])
  })
})
