import { describe, expect, it } from 'vitest'
import { FIXTURE_GAME } from '../../../test/money.ts'
import { acceptAll, type PayoutCluster, startPayoutCluster } from '../../../test/payout-cluster.ts'
import { STAND_IN_FEE_SATS } from '../../../test/stand-in-wallet.ts'
import type { Wallet } from '../../ports/wallet/wallet.ts'
import { bankroll, prizePool } from '../ledger/accounts.ts'
import { ledgerViolations, postTransfer } from '../ledger/service.ts'
import { listPayouts, retryBatch, takeBackBatch } from '../operator/payout-actions.ts'
import * as queries from './queries.ts'
import {
  beginReconciling,
  cancelBatch,
  confirmBatch,
  makePayouts,
  reconcileWallet,
  sendBatch,
  signBatch,
} from './service.ts'

/** Longer than a payout's six blocks. */
const LOOKS = 9
const HELD_SATS = 5_000_000_000n

async function owePrize(cluster: PayoutCluster, sats: bigint) {
  const player = await cluster.money.player()
  await cluster.money.owe(player.id, sats)
  return { ...player, sats }
}

function linesOf(cluster: PayoutCluster, message: string) {
  return cluster.runtime.logged.filter((line) => line['msg'] === message)
}

/** Time passes, and a block comes that has not taken what waits. */
function passOver(cluster: PayoutCluster): void {
  cluster.chain.mineEmpty()
  cluster.runtime.clock.set(cluster.now() + 1300)
}

describe('payouts that cannot leave yet', () => {
  it('payouts leave within a minute of the funds’ arrival, the batches that fit before them', async () => {
    const cluster = await startPayoutCluster({ coins: [60_000n], limits: { approvalSats: null, floatSats: 50_000n } })
    const working = cluster.worker()
    const prizes = [await owePrize(cluster, 40_000n), await owePrize(cluster, 70_000n)]
    await cluster.pass(working, 2)
    expect((await cluster.states()).toSorted()).toEqual(['CONFIRMED', 'WAITING_FUNDS'])
    expect(linesOf(cluster, 'payouts wait for funds in the hot wallet')).toHaveLength(1)
    cluster.chain.receive(HELD_SATS - 60_000n)
    cluster.runtime.clock.set(cluster.now() + 60)
    await working.queue.runDue()
    expect((await cluster.states()).toSorted()).toEqual(['CONFIRMED', 'SENT'])
    await cluster.pass(working, LOOKS)
    await cluster.expectPaid(prizes)
  })

  it('payouts wait for the passphrase of a locked wallet, are never halted for it, and say so once', async () => {
    const cluster = await startPayoutCluster()
    const working = cluster.worker()
    cluster.chain.setLocked(true)
    const prize = await owePrize(cluster, 40_000n)
    await cluster.pass(working, 20)
    expect(await cluster.states()).toEqual(['BATCHED'])
    expect(linesOf(cluster, 'payouts wait for the node of the hot wallet')).toHaveLength(1)
    expect((await listPayouts(cluster.desk)).batches[0]?.reason).toBe('the wallet is locked')
    cluster.chain.setLocked(false)
    await cluster.pass(working, LOOKS)
    expect((await listPayouts(cluster.desk)).batches).toEqual([])
    await cluster.expectPaid([prize])
  })

  it('payouts wait for lower fees, are never halted for them, say so once, and leave within five minutes of them, once', async () => {
    const cluster = await startPayoutCluster()
    const working = cluster.worker()
    cluster.chain.setDear(true)
    const prizes = [await owePrize(cluster, 40_000n), await owePrize(cluster, 50_000n)]
    await cluster.pass(working, 20)
    expect(await cluster.states()).toEqual(['BATCHED'])
    const told = linesOf(cluster, 'payouts wait for lower fees')
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({ level: 'error', batchId: '1', feeSats: String(STAND_IN_FEE_SATS) })
    const reason = 'the fee would be more than half of the 90000 sats paid'
    expect((await listPayouts(cluster.desk)).batches).toMatchObject([{ id: 1n, state: 'BATCHED', reason }])
    expect(cluster.chain.lockedCoins()).toEqual([])
    expect(await cluster.db.run(queries.findVersions, [1n])).toEqual([])
    // All others are served meanwhile, and impatience changes nothing.
    await retryBatch(cluster.desk, 1n)
    cluster.chain.setDear(false)
    const later = await owePrize(cluster, 60_000n)
    cluster.runtime.clock.set(cluster.now() + 300)
    await working.queue.runDue()
    expect(await cluster.states()).toEqual(['SENT', 'SENT'])
    expect((await listPayouts(cluster.desk)).batches.map((batch) => batch.reason)).toEqual([null, null])
    await cluster.pass(working, LOOKS)
    await cluster.expectPaid([...prizes, later])
  })

  it('payouts can be cancelled while they wait for lower fees, and what they hold is owed again, once', async () => {
    const cluster = await startPayoutCluster()
    const working = cluster.worker()
    cluster.chain.setDear(true)
    const prize = await owePrize(cluster, 40_000n)
    await cluster.pass(working, 1)
    await takeBackBatch(cluster.desk, 1n)
    await cluster.pass(working, 1)
    expect(await cluster.states()).toEqual(['CANCELLED', 'BATCHED'])
    cluster.chain.setDear(false)
    await cluster.pass(working, LOOKS)
    expect(await cluster.states()).toEqual(['CANCELLED', 'FINAL'])
    await cluster.expectPaid([prize])
  })

  it('payouts wait for the present obstacle: funds, then lower fees, then funds', async () => {
    const cluster = await startPayoutCluster({ coins: [10_000n] })
    const working = cluster.worker()
    const prize = await owePrize(cluster, 40_000n)
    const reasons: (string | null | undefined)[] = []
    for (const isDear of [false, true, false]) {
      cluster.chain.setDear(isDear)
      await cluster.pass(working, 1)
      reasons.push((await listPayouts(cluster.desk)).batches[0]?.reason)
    }
    expect(reasons).toEqual([
      expect.stringContaining('10000 sats'),
      'the fee would be more than half of the 40000 sats paid',
      expect.stringContaining('10000 sats'),
    ])
    cluster.chain.receive(HELD_SATS - 10_000n)
    await cluster.pass(working, LOOKS)
    await cluster.expectPaid([prize])
  })

  it('payouts that are out stay as they are if a higher fee would exceed the caps', async () => {
    const cluster = await startPayoutCluster()
    const working = cluster.worker()
    const prize = await owePrize(cluster, 40_000n)
    await cluster.pass(working, 0)
    cluster.chain.setDear(true)
    await cluster.pass(working, 4, 'empty')
    expect(await cluster.states()).toEqual(['SENT'])
    const versions = await cluster.db.run(queries.findVersions, [1n])
    expect(cluster.chain.mempool()).toEqual(versions.map(({ txid }) => txid))
    expect(versions).toHaveLength(1)
    expect(linesOf(cluster, 'a payout transaction cannot be made dearer').length).toBeGreaterThan(0)
    await cluster.pass(working, LOOKS)
    await cluster.expectPaid([prize])
  })

  it('payouts are cancelled once the wallet is unlocked, if the operator asked for it while it was locked', async () => {
    const cluster = await startPayoutCluster()
    const working = cluster.worker()
    const prize = await owePrize(cluster, 40_000n)
    await cluster.pass(working, 0)
    cluster.chain.setLocked(true)
    await takeBackBatch(cluster.desk, 1n)
    await working.queue.runDue()
    expect(await cluster.states()).toEqual(['SENT'])
    cluster.chain.setLocked(false)
    cluster.runtime.clock.set(cluster.now() + 60)
    await working.queue.runDue()
    expect(await cluster.states()).toEqual(['CANCELLING'])
    await cluster.pass(working, LOOKS + LOOKS)
    expect(await cluster.states()).toEqual(['CANCELLED', 'FINAL'])
    await cluster.expectPaid([prize])
  })

  it('payouts get back the coin of a preparation whose answer was lost, at the next check', async () => {
    const cluster = await startPayoutCluster({ coins: [HELD_SATS] })
    let isLost = true
    const losing = (wallet: Wallet): Wallet => ({
      ...wallet,
      async prepare(request) {
        const prepared = await wallet.prepare(request)
        if (!isLost) return prepared
        isLost = false
        throw new Error('no answer')
      },
    })
    const working = cluster.worker({ wallet: losing })
    await beginReconciling(working.payouts)
    const prize = await owePrize(cluster, 40_000n)
    await cluster.pass(working, 0)
    expect(cluster.chain.lockedCoins()).toHaveLength(1)
    await cluster.pass(working, 2)
    expect(cluster.chain.lockedCoins()).toHaveLength(1)
    expect(await cluster.db.run(queries.findReserved, [0n])).toHaveLength(1)
    await cluster.pass(working, LOOKS)
    await cluster.expectPaid([prize])
  })
})

describe('alerts to the operator', () => {
  it('the operator is alerted if the hot wallet holds more than its float, and not if it is within', async () => {
    for (const [floatSats, lines] of [
      [HELD_SATS - 1n, 1],
      [HELD_SATS, 0],
      [null, 0],
    ] as const) {
      const cluster = await startPayoutCluster({ limits: { approvalSats: null, floatSats } })
      await reconcileWallet(cluster.worker().payouts)
      const told = linesOf(cluster, 'the hot wallet holds more than its float')
      expect(told).toHaveLength(lines)
      if (lines > 0) expect(told[0]).toMatchObject({ level: 'warn', spendableSats: '5000000000' })
      await cluster.drop()
    }
  })

  it('the operator is alerted once, a day before a draw that may pay more than the hot wallet holds', async () => {
    const cluster = await startPayoutCluster({ coins: [100_000n] })
    const { db } = cluster.money
    const drawAt = cluster.now() + 2 * 86_400
    await cluster.money.draw(7, drawAt)
    const fill = async (sats: bigint, subject: string): Promise<void> => {
      const moves = [{ from: bankroll, to: prizePool(FIXTURE_GAME), sats }]
      await db.transaction((tx) => postTransfer(tx, { event: 'fixture.pool', subject, at: cluster.now(), moves }))
    }
    const told = () => linesOf(cluster, 'a coming draw may pay more than the hot wallet holds')
    const { payouts } = cluster.worker()
    await fill(100_000n, 'as much as the wallet')
    cluster.runtime.clock.set(drawAt - 3600)
    await reconcileWallet(payouts)
    expect(told()).toEqual([])
    await fill(1n, 'and one more')
    cluster.runtime.clock.set(drawAt - 86_401)
    await reconcileWallet(payouts)
    expect(told()).toEqual([])
    cluster.runtime.clock.set(drawAt - 86_400)
    await reconcileWallet(payouts)
    await reconcileWallet(payouts)
    expect(told()).toHaveLength(1)
    expect(told()[0]).toMatchObject({ level: 'error', draw: 7, mostSats: '100001', spendableSats: '100000' })
  })
})

describe('two workers at one batch', () => {
  it('a batch that one worker cancels while the other bumps its fee is still cancelled', async () => {
    const cluster = await startPayoutCluster()
    const other = cluster.worker()
    let isInterrupted = false
    const interrupting = (wallet: Wallet): Wallet => ({
      ...wallet,
      async cancel(request) {
        const prepared = await wallet.cancel(request)
        if (!isInterrupted) await confirmBatch(other.payouts, 1n)
        isInterrupted = true
        return prepared
      },
    })
    const working = cluster.worker({ wallet: interrupting })
    const prize = await owePrize(cluster, 40_000n)
    await cluster.pass(other, 0)
    passOver(cluster)
    await takeBackBatch(cluster.desk, 1n)
    await cancelBatch(working.payouts, 1n)
    // The bumped version was stored first, and nothing of the self-spend beside it.
    expect((await cluster.db.run(queries.findVersions, [1n])).map(({ kind }) => kind)).toEqual(['pay', 'pay'])
    expect(await cluster.states()).toEqual(['SENT'])
    await cluster.pass(working, 0)
    cluster.runtime.clock.set(cluster.now() + 60)
    await cluster.pass(working, LOOKS + LOOKS)
    expect(await cluster.states()).toEqual(['CANCELLED', 'FINAL'])
    await cluster.expectPaid([prize])
  })

  it('a version that is sent just after the other worker replaced it is not taken for a theft', async () => {
    const cluster = await startPayoutCluster()
    const other = cluster.worker()
    let isInterrupted = false
    const interrupting = (wallet: Wallet): Wallet => ({
      ...wallet,
      async broadcast(version, others) {
        if (!isInterrupted) {
          isInterrupted = true
          await confirmBatch(other.payouts, 1n)
          await sendBatch(other.payouts, 1n)
        }
        return await wallet.broadcast(version, others)
      },
    })
    const working = cluster.worker({ wallet: interrupting })
    const prize = await owePrize(cluster, 40_000n)
    await cluster.pass(other, 0)
    passOver(cluster)
    await sendBatch(working.payouts, 1n)
    expect(isInterrupted).toBe(true)
    expect(await cluster.db.run(queries.findVersions, [1n])).toHaveLength(2)
    expect(await cluster.states()).toEqual(['SENT'])
    await cluster.pass(working, LOOKS)
    await cluster.expectPaid([prize])
  })
})

describe('a batch that was signed and never left', () => {
  it('the batch is halted when a reorganisation took its coin away for good, and paid again once it is cancelled', async () => {
    const cluster = await startPayoutCluster({ coins: [HELD_SATS] })
    const working = cluster.worker()
    const first = await owePrize(cluster, 40_000n)
    await cluster.pass(working, 3, 'empty')
    const [cheap, dear] = await cluster.db.run(queries.findVersions, [1n])
    if (cheap === undefined || dear === undefined) throw new Error('no dearer version')
    cluster.chain.revive(cheap)
    cluster.chain.mine()
    const second = await owePrize(cluster, 50_000n)
    await cluster.db.transaction((tx) => makePayouts(working.payouts, tx))
    await signBatch(working.payouts, 2n)
    const [signed] = await cluster.db.run(queries.findVersions, [2n])
    expect(signed?.inputs.map((outpoint) => outpoint.split(':')[0])).toEqual([cheap.txid])
    cluster.chain.reorganise(1)
    cluster.chain.revive(dear)
    await cluster.pass(working, LOOKS)
    expect(await cluster.states()).toEqual(['FINAL', 'HALTED'])
    expect((await listPayouts(cluster.desk)).batches[0]?.reason).toContain('went with a reorganisation for good')
    await takeBackBatch(cluster.desk, 2n)
    await cluster.pass(working, LOOKS + LOOKS)
    expect(await cluster.states()).toEqual(['FINAL', 'CANCELLED', 'FINAL'])
    await cluster.expectPaid([first, second])
  })
})

describe('a batch that was confirmed once', () => {
  it('the batch can be cancelled when a reorganisation let a stranger spend its coin', async () => {
    const cluster = await startPayoutCluster()
    const working = cluster.worker()
    const prize = await owePrize(cluster, 40_000n)
    await cluster.pass(working, 1)
    expect(await cluster.states()).toEqual(['CONFIRMED'])
    const [version] = await cluster.db.run(queries.findVersions, [1n])
    cluster.chain.reorganise(1)
    cluster.chain.steal(version?.inputs[0] ?? '')
    await cluster.pass(working, 1)
    await acceptAll(cluster.desk) // the operator knows of the theft
    await cluster.pass(working, 1)
    expect(await cluster.states()).toEqual(['HALTED'])
    await takeBackBatch(cluster.desk, 1n)
    await cluster.pass(working, LOOKS + LOOKS)
    expect(await cluster.states()).toEqual(['CANCELLED', 'FINAL'])
    expect(cluster.chain.minedTo(prize.address)).toEqual([40_000n])
    expect(await ledgerViolations(cluster.db)).toEqual([])
  })
})
