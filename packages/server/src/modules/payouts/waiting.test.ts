import { describe, expect, it } from 'vitest'
import { FIXTURE_GAME } from '../../../test/money.ts'
import { acceptAll, payoutHouse, type PayoutHouse } from '../../../test/payout-house.ts'
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

async function owePrize(house: PayoutHouse, sats: bigint) {
  const player = await house.money.player()
  await house.money.owe(player.id, sats)
  return { ...player, sats }
}

function linesOf(house: PayoutHouse, message: string) {
  return house.runtime.logged.filter((line) => line['msg'] === message)
}

/** Time goes by, and a block that has not taken what waits. */
function passOver(house: PayoutHouse): void {
  house.chain.mineEmpty()
  house.runtime.clock.set(house.now() + 1300)
}

describe('payouts that cannot leave yet', () => {
  it('leave within a minute of the funds’ arrival, the batches that fit before them', async () => {
    const house = await payoutHouse({ coins: [60_000n], limits: { approvalSats: null, floatSats: 50_000n } })
    const working = house.worker()
    const prizes = [await owePrize(house, 40_000n), await owePrize(house, 70_000n)]
    await house.pass(working, 2)
    expect((await house.states()).toSorted()).toEqual(['CONFIRMED', 'WAITING_FUNDS'])
    expect(linesOf(house, 'payouts wait for funds in the hot wallet')).toHaveLength(1)
    house.chain.receive(HELD_SATS - 60_000n)
    house.runtime.clock.set(house.now() + 60)
    await working.queue.runDue()
    expect((await house.states()).toSorted()).toEqual(['CONFIRMED', 'SENT'])
    await house.pass(working, LOOKS)
    await house.expectPaid(prizes)
  })

  it('wait for the passphrase of a locked wallet, are never halted for it, and say so once', async () => {
    const house = await payoutHouse()
    const working = house.worker()
    house.chain.setLocked(true)
    const prize = await owePrize(house, 40_000n)
    await house.pass(working, 20)
    expect(await house.states()).toEqual(['BATCHED'])
    expect(linesOf(house, 'payouts wait for the node of the hot wallet')).toHaveLength(1)
    expect((await listPayouts(house.desk)).batches[0]?.reason).toBe('the wallet is locked')
    house.chain.setLocked(false)
    await house.pass(working, LOOKS)
    expect((await listPayouts(house.desk)).batches).toEqual([])
    await house.expectPaid([prize])
  })

  it('wait for lower fees, are never halted for them, say so once, and leave within five minutes of them, once', async () => {
    const house = await payoutHouse()
    const working = house.worker()
    house.chain.setDear(true)
    const prizes = [await owePrize(house, 40_000n), await owePrize(house, 50_000n)]
    await house.pass(working, 20)
    expect(await house.states()).toEqual(['BATCHED'])
    const told = linesOf(house, 'payouts wait for lower fees')
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({ level: 'error', batchId: '1', feeSats: String(STAND_IN_FEE_SATS) })
    const reason = 'the fee would be more than half of the 90000 sats paid'
    expect((await listPayouts(house.desk)).batches).toMatchObject([{ id: 1n, state: 'BATCHED', reason }])
    expect(house.chain.lockedCoins()).toEqual([])
    expect(await house.db.run(queries.findVersions, [1n])).toEqual([])
    // Everyone else is served meanwhile, and impatience changes nothing.
    await retryBatch(house.desk, 1n)
    house.chain.setDear(false)
    const later = await owePrize(house, 60_000n)
    house.runtime.clock.set(house.now() + 300)
    await working.queue.runDue()
    expect(await house.states()).toEqual(['SENT', 'SENT'])
    expect((await listPayouts(house.desk)).batches.map((batch) => batch.reason)).toEqual([null, null])
    await house.pass(working, LOOKS)
    await house.expectPaid([...prizes, later])
  })

  it('can be cancelled while they wait for lower fees, and what they hold is owed again, once', async () => {
    const house = await payoutHouse()
    const working = house.worker()
    house.chain.setDear(true)
    const prize = await owePrize(house, 40_000n)
    await house.pass(working, 1)
    await takeBackBatch(house.desk, 1n)
    await house.pass(working, 1)
    expect(await house.states()).toEqual(['CANCELLED', 'BATCHED'])
    house.chain.setDear(false)
    await house.pass(working, LOOKS)
    expect(await house.states()).toEqual(['CANCELLED', 'FINAL'])
    await house.expectPaid([prize])
  })

  it('wait for whatever keeps them now: funds, then lower fees, then funds', async () => {
    const house = await payoutHouse({ coins: [10_000n] })
    const working = house.worker()
    const prize = await owePrize(house, 40_000n)
    const reasons: (string | null | undefined)[] = []
    for (const isDear of [false, true, false]) {
      house.chain.setDear(isDear)
      await house.pass(working, 1)
      reasons.push((await listPayouts(house.desk)).batches[0]?.reason)
    }
    expect(reasons).toEqual([
      expect.stringContaining('10000 sats'),
      'the fee would be more than half of the 40000 sats paid',
      expect.stringContaining('10000 sats'),
    ])
    house.chain.receive(HELD_SATS - 10_000n)
    await house.pass(working, LOOKS)
    await house.expectPaid([prize])
  })

  it('that are out stay as they are where a dearer version would be beyond the caps', async () => {
    const house = await payoutHouse()
    const working = house.worker()
    const prize = await owePrize(house, 40_000n)
    await house.pass(working, 0)
    house.chain.setDear(true)
    await house.pass(working, 4, 'empty')
    expect(await house.states()).toEqual(['SENT'])
    const versions = await house.db.run(queries.findVersions, [1n])
    expect(house.chain.mempool()).toEqual(versions.map(({ txid }) => txid))
    expect(versions).toHaveLength(1)
    expect(linesOf(house, 'a payout transaction cannot be made dearer').length).toBeGreaterThan(0)
    await house.pass(working, LOOKS)
    await house.expectPaid([prize])
  })

  it('are cancelled once the wallet is unlocked, where the operator asked for it while it was locked', async () => {
    const house = await payoutHouse()
    const working = house.worker()
    const prize = await owePrize(house, 40_000n)
    await house.pass(working, 0)
    house.chain.setLocked(true)
    await takeBackBatch(house.desk, 1n)
    await working.queue.runDue()
    expect(await house.states()).toEqual(['SENT'])
    house.chain.setLocked(false)
    house.runtime.clock.set(house.now() + 60)
    await working.queue.runDue()
    expect(await house.states()).toEqual(['CANCELLING'])
    await house.pass(working, LOOKS + LOOKS)
    expect(await house.states()).toEqual(['CANCELLED', 'FINAL'])
    await house.expectPaid([prize])
  })

  it('get back the coin of a preparation whose answer was lost, at the next look', async () => {
    const house = await payoutHouse({ coins: [HELD_SATS] })
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
    const working = house.worker({ wallet: losing })
    await beginReconciling(working.payouts)
    const prize = await owePrize(house, 40_000n)
    await house.pass(working, 0)
    expect(house.chain.lockedCoins()).toHaveLength(1)
    await house.pass(working, 2)
    expect(house.chain.lockedCoins()).toHaveLength(1)
    expect(await house.db.run(queries.findReserved, [0n])).toHaveLength(1)
    await house.pass(working, LOOKS)
    await house.expectPaid([prize])
  })
})

describe('the operator is told', () => {
  it('when more lies in the hot wallet than its float, and not when it is within', async () => {
    for (const [floatSats, lines] of [
      [HELD_SATS - 1n, 1],
      [HELD_SATS, 0],
      [null, 0],
    ] as const) {
      const house = await payoutHouse({ limits: { approvalSats: null, floatSats } })
      await reconcileWallet(house.worker().payouts)
      const told = linesOf(house, 'the hot wallet holds more than its float')
      expect(told).toHaveLength(lines)
      if (lines > 0) expect(told[0]).toMatchObject({ level: 'warn', spendableSats: '5000000000' })
      await house.drop()
    }
  })

  it('once, a day before a draw that may pay more than the hot wallet holds', async () => {
    const house = await payoutHouse({ coins: [100_000n] })
    const { db } = house.money
    const drawAt = house.now() + 2 * 86_400
    await house.money.draw(7, drawAt)
    const fill = async (sats: bigint, subject: string): Promise<void> => {
      const moves = [{ from: bankroll, to: prizePool(FIXTURE_GAME), sats }]
      await db.transaction((tx) => postTransfer(tx, { event: 'fixture.pool', subject, at: house.now(), moves }))
    }
    const told = () => linesOf(house, 'a coming draw may pay more than the hot wallet holds')
    const { payouts } = house.worker()
    await fill(100_000n, 'as much as the wallet')
    house.runtime.clock.set(drawAt - 3600)
    await reconcileWallet(payouts)
    expect(told()).toEqual([])
    await fill(1n, 'and one more')
    house.runtime.clock.set(drawAt - 86_401)
    await reconcileWallet(payouts)
    expect(told()).toEqual([])
    house.runtime.clock.set(drawAt - 86_400)
    await reconcileWallet(payouts)
    await reconcileWallet(payouts)
    expect(told()).toHaveLength(1)
    expect(told()[0]).toMatchObject({ level: 'error', draw: 7, mostSats: '100001', spendableSats: '100000' })
  })
})

describe('of two workers at one batch', () => {
  it('one cancels while the other makes the payment dearer: it is still cancelled', async () => {
    const house = await payoutHouse()
    const other = house.worker()
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
    const working = house.worker({ wallet: interrupting })
    const prize = await owePrize(house, 40_000n)
    await house.pass(other, 0)
    passOver(house)
    await takeBackBatch(house.desk, 1n)
    await cancelBatch(working.payouts, 1n)
    // The dearer version was stored first, and nothing of the self-spend beside it.
    expect((await house.db.run(queries.findVersions, [1n])).map(({ kind }) => kind)).toEqual(['pay', 'pay'])
    expect(await house.states()).toEqual(['SENT'])
    await house.pass(working, 0)
    house.runtime.clock.set(house.now() + 60)
    await house.pass(working, LOOKS + LOOKS)
    expect(await house.states()).toEqual(['CANCELLED', 'FINAL'])
    await house.expectPaid([prize])
  })

  it('one sends a version that the other has just replaced: nobody takes that for a theft', async () => {
    const house = await payoutHouse()
    const other = house.worker()
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
    const working = house.worker({ wallet: interrupting })
    const prize = await owePrize(house, 40_000n)
    await house.pass(other, 0)
    passOver(house)
    await sendBatch(working.payouts, 1n)
    expect(isInterrupted).toBe(true)
    expect(await house.db.run(queries.findVersions, [1n])).toHaveLength(2)
    expect(await house.states()).toEqual(['SENT'])
    await house.pass(working, LOOKS)
    await house.expectPaid([prize])
  })
})

describe('a batch that was signed and never left', () => {
  it('is halted when a reorganisation took its coin away for good, and paid again once it is cancelled', async () => {
    const house = await payoutHouse({ coins: [HELD_SATS] })
    const working = house.worker()
    const first = await owePrize(house, 40_000n)
    await house.pass(working, 3, 'empty')
    const [cheap, dear] = await house.db.run(queries.findVersions, [1n])
    if (cheap === undefined || dear === undefined) throw new Error('no dearer version')
    house.chain.revive(cheap)
    house.chain.mine()
    const second = await owePrize(house, 50_000n)
    await house.db.transaction((tx) => makePayouts(working.payouts, tx))
    await signBatch(working.payouts, 2n)
    const [signed] = await house.db.run(queries.findVersions, [2n])
    expect(signed?.inputs.map((outpoint) => outpoint.split(':')[0])).toEqual([cheap.txid])
    house.chain.reorganise(1)
    house.chain.revive(dear)
    await house.pass(working, LOOKS)
    expect(await house.states()).toEqual(['FINAL', 'HALTED'])
    expect((await listPayouts(house.desk)).batches[0]?.reason).toContain('went with a reorganisation for good')
    await takeBackBatch(house.desk, 2n)
    await house.pass(working, LOOKS + LOOKS)
    expect(await house.states()).toEqual(['FINAL', 'CANCELLED', 'FINAL'])
    await house.expectPaid([first, second])
  })
})

describe('a batch that was confirmed once', () => {
  it('can be cancelled when a reorganisation let somebody else spend its coin', async () => {
    const house = await payoutHouse()
    const working = house.worker()
    const prize = await owePrize(house, 40_000n)
    await house.pass(working, 1)
    expect(await house.states()).toEqual(['CONFIRMED'])
    const [version] = await house.db.run(queries.findVersions, [1n])
    house.chain.reorganise(1)
    house.chain.steal(version?.inputs[0] ?? '')
    await house.pass(working, 1)
    await acceptAll(house.desk) // the operator knows of the theft
    await house.pass(working, 1)
    expect(await house.states()).toEqual(['HALTED'])
    await takeBackBatch(house.desk, 1n)
    await house.pass(working, LOOKS + LOOKS)
    expect(await house.states()).toEqual(['CANCELLED', 'FINAL'])
    expect(house.chain.minedTo(prize.address)).toEqual([40_000n])
    expect(await ledgerViolations(house.db)).toEqual([])
  })
})
