import { describe, expect, it } from 'vitest'
import { type PayoutCluster, startPayoutCluster } from '../../../test/payout-cluster.ts'
import { OWN } from '../../../test/stand-in-wallet.ts'
import { readConfig } from '../../config/config.ts'
import { Refused } from '../../kernel/errors.ts'
import { type Wallet, WalletRefused } from '../../ports/wallet/wallet.ts'
import { createSeal } from '../../runtime/seal.ts'
import { inFlight } from '../ledger/accounts.ts'
import { balanceOf, ledgerViolations } from '../ledger/service.ts'
import {
  acceptSpends,
  exportPayouts,
  holdAllPayouts,
  holdBatch,
  listPayouts,
  retryAddress,
  retryAllPayouts,
  retryBatch,
  takeBackBatch,
} from '../operator/payout-actions.ts'
import { payoutCommands } from '../operator/payout-commands.ts'
import * as queries from './queries.ts'
import { beginReconciling, canBePaid, cancelBatch, payoutsStatus, reconcileWallet } from './service.ts'

/** Longer than a payout's six blocks. */
const LOOKS = 9

async function owePrize(cluster: PayoutCluster, sats: bigint) {
  const player = await cluster.money.player()
  await cluster.money.owe(player.id, sats)
  return { ...player, sats }
}

const reasonOf = async (cluster: PayoutCluster): Promise<string | null | undefined> =>
  (await listPayouts(cluster.desk)).batches[0]?.reason

/** A wallet whose first self-spends are refused: the coin is in no block for the moment. */
function refusingCancels(wallet: Wallet, cancels: { left: number }): Wallet {
  return {
    ...wallet,
    cancel: async (request) => {
      cancels.left -= 1
      if (cancels.left >= 0) throw new WalletRefused('the coin is in no block now')
      return await wallet.cancel(request)
    },
  }
}

/** A coin that a stranger sends to the wallet, from one of their own. */
function comesIn(cluster: PayoutCluster, sats: bigint): { txid: string; theirs: string } {
  const theirs = `${cluster.chain.put({ inputs: [], outputs: [{ address: 'stranger', sats }], feeSats: 0n })}:0`
  return { theirs, txid: cluster.chain.put({ inputs: [theirs], outputs: [{ address: OWN, sats }], feeSats: 0n }) }
}

describe('a batch that is taken back', () => {
  it('the batch is never sent again while no self-spend can be made, and says so; then it is spent back', async () => {
    const cluster = await startPayoutCluster()
    const prize = await owePrize(cluster, 40_000n)
    const silent = cluster.worker({ wallet: (wallet) => ({ ...wallet, broadcast: async () => 'unreachable' }) })
    await silent.queue.runDue()
    await holdBatch(cluster.desk, 1n)
    await takeBackBatch(cluster.desk, 1n)
    const cancels = { left: 3 }
    const working = cluster.worker({ wallet: (wallet) => refusingCancels(wallet, cancels) })
    await cluster.pass(working, 2)
    expect(await cluster.states()).toEqual(['HALTED'])
    expect(await reasonOf(cluster)).toBe('it cannot be taken back yet: the coin is in no block now')
    expect(cluster.chain.minedTo(prize.address)).toEqual([])
    await cluster.pass(working, 2)
    expect(await cluster.states()).toEqual(['CANCELLING'])
    await cluster.pass(working, LOOKS + LOOKS)
    expect(await cluster.states()).toEqual(['CANCELLED', 'FINAL'])
    await cluster.expectPaid([prize])
  })

  it('the batch keeps its reason while it is out, and is paid if a block takes it first', async () => {
    const cluster = await startPayoutCluster()
    const prize = await owePrize(cluster, 40_000n)
    const working = cluster.worker({ wallet: (wallet) => refusingCancels(wallet, { left: 100 }) })
    await cluster.pass(working, 0)
    await takeBackBatch(cluster.desk, 1n)
    await cluster.pass(working, 3, 'empty')
    expect(await cluster.states()).toEqual(['SENT'])
    expect(await reasonOf(cluster)).toContain('cannot be taken back yet')
    await cluster.pass(working, LOOKS)
    expect(await cluster.states()).toEqual(['FINAL'])
    await cluster.expectPaid([prize])
  })

  it('the batch is spent back after all if the block that held it is gone, and we do not send it then', async () => {
    const cluster = await startPayoutCluster()
    const prize = await owePrize(cluster, 40_000n)
    const working = cluster.worker()
    await cluster.pass(working, 0)
    const [version] = await cluster.db.run(queries.findVersions, [1n])
    cluster.chain.mine()
    await cancelBatch(working.payouts, 1n)
    expect(await cluster.states()).toEqual(['CANCELLING'])
    cluster.chain.reorganise(1)
    cluster.chain.forget(version?.txid ?? '')
    await cluster.pass(working, LOOKS + LOOKS + 2)
    expect(await cluster.states()).toEqual(['CANCELLED', 'FINAL'])
    await cluster.expectPaid([prize])
  })
})

describe('coins from strangers', () => {
  it('coins from strangers are spent from six confirmations on, and our own change from one', async () => {
    const cluster = await startPayoutCluster({ coins: [100_000n] })
    const working = cluster.worker()
    const first = await owePrize(cluster, 40_000n)
    await cluster.pass(working, 1)
    const second = await owePrize(cluster, 30_000n)
    await cluster.pass(working, 0)
    expect(await cluster.states()).toEqual(['CONFIRMED', 'SENT'])
    comesIn(cluster, 500_000n)
    await cluster.pass(working, 1)
    const third = await owePrize(cluster, 300_000n)
    await cluster.pass(working, 4)
    expect((await cluster.states())[2]).toBe('WAITING_FUNDS')
    await cluster.pass(working, LOOKS)
    expect(await cluster.states()).toEqual(['FINAL', 'FINAL', 'FINAL'])
    for (const { address, sats } of [first, second, third]) expect(cluster.chain.minedTo(address)).toEqual([sats])
  })

  it.each(['SIGNED', 'SENT', 'CANCELLING'] as const)(
    'a batch ends if it spent a coin that a deep reorganisation gave to a stranger: %s',
    async (state) => {
      const cluster = await startPayoutCluster({ coins: [10_000n] })
      const { txid, theirs } = comesIn(cluster, 500_000n)
      const silent = cluster.worker({ wallet: (wallet) => ({ ...wallet, broadcast: async () => 'unreachable' }) })
      const working = cluster.worker()
      cluster.chain.mine(6)
      const prize = await owePrize(cluster, 400_000n)
      await cluster.pass(state === 'SIGNED' ? silent : working, 0)
      if (state === 'CANCELLING') {
        await takeBackBatch(cluster.desk, 1n)
        await cluster.pass(working, 0)
      }
      expect(await cluster.states()).toEqual([state])
      cluster.chain.reorganise(6)
      cluster.chain.forget(txid)
      cluster.chain.put({ inputs: [theirs], outputs: [{ address: 'stranger', sats: 500_000n }], feeSats: 0n })
      await cluster.pass(working, 5)
      expect(await cluster.states()).toEqual([state])
      await cluster.pass(working, 4)
      if (state !== 'CANCELLING') {
        expect(await cluster.states()).toEqual(['HALTED'])
        expect(await reasonOf(cluster)).toContain('went with a reorganisation for good')
        await takeBackBatch(cluster.desk, 1n)
        await cluster.pass(working, 2)
      }
      expect((await cluster.states())[0]).toBe('CANCELLED')
      cluster.chain.receive(5_000_000n)
      await cluster.pass(working, LOOKS)
      expect(await cluster.states()).toEqual(['CANCELLED', 'FINAL'])
      expect(cluster.chain.minedTo(prize.address)).toEqual([400_000n])
      expect(await balanceOf(cluster.db, inFlight)).toBe(0n)
    },
  )

  it('a batch that waits long for such coins raises an alarm, whether signed, sent or taken back', async () => {
    const cluster = await startPayoutCluster()
    await owePrize(cluster, 40_000n)
    const silent = cluster.worker({ wallet: (wallet) => ({ ...wallet, broadcast: async () => 'not-final' }) })
    await cluster.pass(silent, 0)
    cluster.runtime.clock.set(cluster.now() + 3_000)
    expect((await payoutsStatus(silent.payouts)).unconfirmedSeconds).toBe(3_000)
    await silent.queue.runDue()
    expect(cluster.runtime.logged.map((line) => line['msg'])).toContain('a payout transaction still cannot leave')
    await takeBackBatch(cluster.desk, 1n)
    await silent.queue.runDue()
    expect(await cluster.states()).toEqual(['CANCELLING'])
    expect((await payoutsStatus(silent.payouts)).unconfirmedSeconds).toBe(0)
    cluster.runtime.clock.set(cluster.now() + 4_000)
    expect((await payoutsStatus(silent.payouts)).unconfirmedSeconds).toBe(400)
  })
})

describe('an address of the hot wallet itself', () => {
  it('an address of the hot wallet is not paid, and holds up no others', async () => {
    const cluster = await startPayoutCluster()
    const working = cluster.worker()
    const strange = await owePrize(cluster, 40_000n)
    const other = await owePrize(cluster, 41_000n)
    cluster.chain.adopt(strange.address)
    await cluster.pass(working, LOOKS)
    expect(await cluster.states()).toEqual(['FINAL'])
    await cluster.expectPaid([other])
    expect(cluster.chain.minedTo(strange.address)).toEqual([])
    const { setAside } = await listPayouts(cluster.desk)
    expect(setAside).toMatchObject([{ address: strange.address, sats: 40_000n }])
    expect(setAside[0]?.reason).toContain('hot wallet itself')
    const { db, runtime } = cluster
    const seal = createSeal(new Uint8Array(32), runtime.random)
    const list = await payoutCommands['payouts-list'].run({ db, runtime, seal, config: readConfig({}) })
    expect(list).toContain(`set aside  ${strange.address}  0.00040000 BTC`)
    const states = (await exportPayouts(cluster.desk)).map(({ address, state }) => [address === strange.address, state])
    expect(states).toEqual([
      [true, 'CANCELLED'],
      [false, 'FINAL'],
    ])

    // The account is not closed because of it.
    expect(await cluster.db.transaction((tx) => canBePaid(working.payouts, tx, strange.id))).toBe(true)

    // Alone it makes one batch, which ends immediately, and no more of them.
    await retryAddress(cluster.desk, strange.address)
    await cluster.pass(working, 3)
    expect(await cluster.states()).toEqual(['FINAL', 'CANCELLED'])
    await expect(retryAddress(cluster.desk, other.address)).rejects.toThrow(Refused)
  })
})

describe('a spend that is not accepted', () => {
  it('the spend is shown beside a hold of the operator, and continuing does not accept it', async () => {
    const cluster = await startPayoutCluster()
    const working = cluster.worker()
    await beginReconciling(working.payouts)
    await holdAllPayouts(cluster.desk)
    const [coin] = cluster.chain.chain.blocks[0] ?? []
    const theft = cluster.chain.steal(`${coin}:0`)
    await reconcileWallet(working.payouts)
    const listed = await listPayouts(cluster.desk)
    expect(listed.unaccepted).toEqual([theft])
    expect(listed.stopReason).toBe(
      `held by the operator; the wallet spent coins in transactions that are not ours: ${theft}`,
    )
    await expect(retryAllPayouts(cluster.desk)).rejects.toThrow(theft)
    expect((await payoutsStatus(working.payouts)).stopReason).toContain(theft)
    await expect(acceptSpends(cluster.desk, ['00'.repeat(32)])).rejects.toThrow(Refused)
    await acceptSpends(cluster.desk, [theft])
    await retryAllPayouts(cluster.desk)
    expect(await listPayouts(cluster.desk)).toMatchObject({ unaccepted: [], stopReason: null })
  })

  it('a spend to a player’s address makes only that address wait, until it is said to be no payout', async () => {
    const cluster = await startPayoutCluster()
    const working = cluster.worker()
    const known = await owePrize(cluster, 40_000n)
    await cluster.pass(working, LOOKS)
    const coin = (await cluster.chain.wallet.prepare({ label: 'x', outputs: [], reserved: [] })).inputs[0] ?? ''
    const gift = cluster.chain.put({
      inputs: [coin],
      outputs: [{ address: known.address, sats: 7_000n }],
      feeSats: (cluster.chain.chain.coinOf(coin)?.sats ?? 0n) - 7_000n,
    })
    cluster.chain.mine()
    await reconcileWallet(working.payouts)
    await acceptSpends(cluster.desk, [gift])
    await retryAllPayouts(cluster.desk)
    await cluster.money.owe(known.id, 50_000n)
    const other = await owePrize(cluster, 41_000n)
    await cluster.pass(working, LOOKS)
    expect(await cluster.states()).toEqual(['FINAL', 'FINAL'])
    expect(cluster.chain.minedTo(other.address)).toEqual([41_000n])
    expect(cluster.chain.minedTo(known.address)).toEqual([40_000n, 7_000n])
    expect((await listPayouts(cluster.desk)).setAside).toMatchObject([{ address: known.address, sats: 50_000n }])
    expect((await listPayouts(cluster.desk)).setAside[0]?.reason).toContain(gift)

    await acceptSpends(cluster.desk, [gift], false)
    expect((await listPayouts(cluster.desk)).setAside).toEqual([])
    await cluster.pass(working, LOOKS)
    expect(cluster.chain.minedTo(known.address)).toEqual([40_000n, 7_000n, 50_000n])
    expect(await ledgerViolations(cluster.db)).toEqual([])
  })
})

describe('debts that cannot be paid', () => {
  it('unpayable debts never keep others from being paid, however many wait longer', async () => {
    const cluster = await startPayoutCluster({ mostPlayers: 20 })
    const working = cluster.worker()
    for (let count = 0; count < 200; count += 1) {
      const { id } = await cluster.money.player({ hasAddress: false })
      // Of another network: it cannot be paid.
      await cluster.money.saveAddress(id, `1BvBMSEYstWetqTFn5Au4m4GFg7xJaNV${count % 10}2`)
      await cluster.money.owe(id, 400n)
    }
    const prizes = []
    for (let count = 0; count < 45; count += 1) prizes.push(await owePrize(cluster, 40_000n))
    await cluster.pass(working, LOOKS)
    await cluster.expectPaid(prizes)
    expect((await cluster.states()).every((state) => state === 'FINAL')).toBe(true)
  })
})

describe('a batch that is held while it is being sent', () => {
  it('a batch that was already sent is noticed, and booked when it continues', async () => {
    const cluster = await startPayoutCluster()
    const prize = await owePrize(cluster, 40_000n)
    const holding = cluster.worker({
      wallet: (wallet) => ({
        ...wallet,
        broadcast: async (version, others) => {
          const outcome = await wallet.broadcast(version, others)
          await holdBatch(cluster.desk, 1n)
          return outcome
        },
      }),
    })
    await holding.queue.runDue()
    expect(await cluster.states()).toEqual(['HALTED'])
    const working = cluster.worker()
    await reconcileWallet(working.payouts)
    expect(await reasonOf(cluster)).toMatch(/^held by the operator; it was already sent: [\da-f]{64}$/)
    await reconcileWallet(working.payouts)
    expect(await reasonOf(cluster)).toMatch(/^held by the operator; it was already sent: [\da-f]{64}$/)
    await retryBatch(cluster.desk, 1n)
    await cluster.pass(working, LOOKS)
    await cluster.expectPaid([prize])
  })
})

describe('a spend without a payout', () => {
  it('the spend stops a batch that is signed, or sent for the first time, 31 s after the wallet was compared', async () => {
    for (const isSigned of [false, true]) {
      const cluster = await startPayoutCluster()
      const broadcast: Wallet['broadcast'] = async () => 'unreachable'
      const silent = cluster.worker({ wallet: (wallet) => ({ ...wallet, ...(isSigned ? { broadcast } : {}) }) })
      await beginReconciling(silent.payouts)
      if (isSigned) await owePrize(cluster, 40_000n)
      await silent.queue.runDue()
      const stolen = cluster.chain.chain.blocks[0]?.at(-1) ?? ''
      const theft = cluster.chain.steal(`${stolen}:0`)
      cluster.runtime.clock.set(cluster.now() + 31)
      if (!isSigned) await owePrize(cluster, 40_000n)
      await silent.queue.runDue()
      expect(await cluster.states()).toEqual([isSigned ? 'SIGNED' : 'BATCHED'])
      expect((await payoutsStatus(silent.payouts)).stopReason).toContain(theft)
    }
  })

  it('the spend stops payouts within a minute if nothing is to be signed', async () => {
    const cluster = await startPayoutCluster()
    const working = cluster.worker()
    await beginReconciling(working.payouts)
    const theft = cluster.chain.steal(`${cluster.chain.chain.blocks[0]?.at(-1) ?? ''}:0`)
    cluster.runtime.clock.set(cluster.now() + 60)
    await working.queue.runDue()
    expect((await payoutsStatus(working.payouts)).stopReason).toContain(theft)
  })

  it('the wallet is not searched again within 30 s of the last time', async () => {
    const cluster = await startPayoutCluster()
    let looks = 0
    const outgoing: Wallet['outgoing'] = async (since) => {
      looks += 1
      return await cluster.chain.wallet.outgoing(since)
    }
    const working = cluster.worker({ wallet: (wallet) => ({ ...wallet, outgoing }) })
    await beginReconciling(working.payouts)
    await owePrize(cluster, 40_000n)
    await working.queue.runDue()
    expect(await cluster.states()).toEqual(['SENT'])
    expect(looks).toBe(1)
    cluster.runtime.clock.set(cluster.now() + 30)
    await owePrize(cluster, 40_000n)
    await working.queue.runDue()
    expect(looks).toBe(2)
  })
})
