import { describe, expect, it } from 'vitest'
import { payoutHouse, type PayoutHouse } from '../../../test/payout-house.ts'
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

async function owePrize(house: PayoutHouse, sats: bigint) {
  const player = await house.money.player()
  await house.money.owe(player.id, sats)
  return { ...player, sats }
}

const reasonOf = async (house: PayoutHouse): Promise<string | null | undefined> =>
  (await listPayouts(house.desk)).batches[0]?.reason

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

/** A coin that somebody sends the wallet, from one of their own. */
function comesIn(house: PayoutHouse, sats: bigint): { txid: string; theirs: string } {
  const theirs = `${house.chain.put({ inputs: [], outputs: [{ address: 'stranger', sats }], feeSats: 0n })}:0`
  return { theirs, txid: house.chain.put({ inputs: [theirs], outputs: [{ address: OWN, sats }], feeSats: 0n }) }
}

describe('a batch that is taken back', () => {
  it('is never sent again where no self-spend can be made for a while, and says so; then it is spent back', async () => {
    const house = await payoutHouse()
    const prize = await owePrize(house, 40_000n)
    const silent = house.worker({ wallet: (wallet) => ({ ...wallet, broadcast: async () => 'unreachable' }) })
    await silent.queue.runDue()
    await holdBatch(house.desk, 1n)
    await takeBackBatch(house.desk, 1n)
    const cancels = { left: 3 }
    const working = house.worker({ wallet: (wallet) => refusingCancels(wallet, cancels) })
    await house.pass(working, 2)
    expect(await house.states()).toEqual(['HALTED'])
    expect(await reasonOf(house)).toBe('it cannot be taken back yet: the coin is in no block now')
    expect(house.chain.minedTo(prize.address)).toEqual([])
    await house.pass(working, 2)
    expect(await house.states()).toEqual(['CANCELLING'])
    await house.pass(working, LOOKS + LOOKS)
    expect(await house.states()).toEqual(['CANCELLED', 'FINAL'])
    await house.expectPaid([prize])
  })

  it('keeps its reason while it is out, and is paid where a block takes it first', async () => {
    const house = await payoutHouse()
    const prize = await owePrize(house, 40_000n)
    const working = house.worker({ wallet: (wallet) => refusingCancels(wallet, { left: 100 }) })
    await house.pass(working, 0)
    await takeBackBatch(house.desk, 1n)
    await house.pass(working, 3, 'empty')
    expect(await house.states()).toEqual(['SENT'])
    expect(await reasonOf(house)).toContain('cannot be taken back yet')
    await house.pass(working, LOOKS)
    expect(await house.states()).toEqual(['FINAL'])
    await house.expectPaid([prize])
  })

  it('is spent back after all where the block that held it is gone, and is not sent by us then', async () => {
    const house = await payoutHouse()
    const prize = await owePrize(house, 40_000n)
    const working = house.worker()
    await house.pass(working, 0)
    const [version] = await house.db.run(queries.findVersions, [1n])
    house.chain.mine()
    await cancelBatch(working.payouts, 1n)
    expect(await house.states()).toEqual(['CANCELLING'])
    house.chain.reorganise(1)
    house.chain.forget(version?.txid ?? '')
    await house.pass(working, LOOKS + LOOKS + 2)
    expect(await house.states()).toEqual(['CANCELLED', 'FINAL'])
    await house.expectPaid([prize])
  })
})

describe('coins that others sent', () => {
  it('are spent from six confirmations on, and change of our own from one', async () => {
    const house = await payoutHouse({ coins: [100_000n] })
    const working = house.worker()
    const first = await owePrize(house, 40_000n)
    await house.pass(working, 1)
    const second = await owePrize(house, 30_000n)
    await house.pass(working, 0)
    expect(await house.states()).toEqual(['CONFIRMED', 'SENT'])
    comesIn(house, 500_000n)
    await house.pass(working, 1)
    const third = await owePrize(house, 300_000n)
    await house.pass(working, 4)
    expect((await house.states())[2]).toBe('WAITING_FUNDS')
    await house.pass(working, LOOKS)
    expect(await house.states()).toEqual(['FINAL', 'FINAL', 'FINAL'])
    for (const { address, sats } of [first, second, third]) expect(house.chain.minedTo(address)).toEqual([sats])
  })

  it.each(['SIGNED', 'SENT', 'CANCELLING'] as const)(
    'end a batch that spent one which a deep reorganisation gave to somebody else: %s',
    async (state) => {
      const house = await payoutHouse({ coins: [10_000n] })
      const { txid, theirs } = comesIn(house, 500_000n)
      const silent = house.worker({ wallet: (wallet) => ({ ...wallet, broadcast: async () => 'unreachable' }) })
      const working = house.worker()
      house.chain.mine(6)
      const prize = await owePrize(house, 400_000n)
      await house.pass(state === 'SIGNED' ? silent : working, 0)
      if (state === 'CANCELLING') {
        await takeBackBatch(house.desk, 1n)
        await house.pass(working, 0)
      }
      expect(await house.states()).toEqual([state])
      house.chain.reorganise(6)
      house.chain.forget(txid)
      house.chain.put({ inputs: [theirs], outputs: [{ address: 'stranger', sats: 500_000n }], feeSats: 0n })
      await house.pass(working, 5)
      expect(await house.states()).toEqual([state])
      await house.pass(working, 4)
      if (state !== 'CANCELLING') {
        expect(await house.states()).toEqual(['HALTED'])
        expect(await reasonOf(house)).toContain('went with a reorganisation for good')
        await takeBackBatch(house.desk, 1n)
        await house.pass(working, 2)
      }
      expect((await house.states())[0]).toBe('CANCELLED')
      house.chain.receive(5_000_000n)
      await house.pass(working, LOOKS)
      expect(await house.states()).toEqual(['CANCELLED', 'FINAL'])
      expect(house.chain.minedTo(prize.address)).toEqual([400_000n])
      expect(await balanceOf(house.db, inFlight)).toBe(0n)
    },
  )

  it('are waited for with an alarm: signed, sent or taken back for long', async () => {
    const house = await payoutHouse()
    await owePrize(house, 40_000n)
    const silent = house.worker({ wallet: (wallet) => ({ ...wallet, broadcast: async () => 'not-final' }) })
    await house.pass(silent, 0)
    house.runtime.clock.set(house.now() + 3_000)
    expect((await payoutsStatus(silent.payouts)).unconfirmedSeconds).toBe(3_000)
    await silent.queue.runDue()
    expect(house.runtime.logged.map((line) => line['msg'])).toContain('a payout transaction still cannot leave')
    await takeBackBatch(house.desk, 1n)
    await silent.queue.runDue()
    expect(await house.states()).toEqual(['CANCELLING'])
    expect((await payoutsStatus(silent.payouts)).unconfirmedSeconds).toBe(0)
    house.runtime.clock.set(house.now() + 4_000)
    expect((await payoutsStatus(silent.payouts)).unconfirmedSeconds).toBe(400)
  })
})

describe('an address of the hot wallet itself', () => {
  it('is paid nothing, and holds up nobody else', async () => {
    const house = await payoutHouse()
    const working = house.worker()
    const strange = await owePrize(house, 40_000n)
    const other = await owePrize(house, 41_000n)
    house.chain.adopt(strange.address)
    await house.pass(working, LOOKS)
    expect(await house.states()).toEqual(['FINAL'])
    await house.expectPaid([other])
    expect(house.chain.minedTo(strange.address)).toEqual([])
    const { setAside } = await listPayouts(house.desk)
    expect(setAside).toMatchObject([{ address: strange.address, sats: 40_000n }])
    expect(setAside[0]?.reason).toContain('hot wallet itself')
    const { db, runtime } = house
    const seal = createSeal(new Uint8Array(32), runtime.random)
    const list = await payoutCommands['payouts-list'].run({ db, runtime, seal, config: readConfig({}) })
    expect(list).toContain(`set aside  ${strange.address}  0.00040000 BTC`)
    const states = (await exportPayouts(house.desk)).map(({ address, state }) => [address === strange.address, state])
    expect(states).toEqual([
      [true, 'CANCELLED'],
      [false, 'FINAL'],
    ])

    // The account is not closed over it.
    expect(await house.db.transaction((tx) => canBePaid(working.payouts, tx, strange.id))).toBe(true)

    // Alone it makes one batch, which ends at once, and no more of them.
    await retryAddress(house.desk, strange.address)
    await house.pass(working, 3)
    expect(await house.states()).toEqual(['FINAL', 'CANCELLED'])
    await expect(retryAddress(house.desk, other.address)).rejects.toThrow(Refused)
  })
})

describe('a spend that nobody has accepted', () => {
  it('is shown beside a hold of the operator, and is not accepted by going on', async () => {
    const house = await payoutHouse()
    const working = house.worker()
    await beginReconciling(working.payouts)
    await holdAllPayouts(house.desk)
    const [coin] = house.chain.chain.blocks[0] ?? []
    const theft = house.chain.steal(`${coin}:0`)
    await reconcileWallet(working.payouts)
    const listed = await listPayouts(house.desk)
    expect(listed.unaccepted).toEqual([theft])
    expect(listed.stopReason).toBe(
      `held by the operator; the wallet spent coins in transactions that are not ours: ${theft}`,
    )
    await expect(retryAllPayouts(house.desk)).rejects.toThrow(theft)
    expect((await payoutsStatus(working.payouts)).stopReason).toContain(theft)
    await expect(acceptSpends(house.desk, ['00'.repeat(32)])).rejects.toThrow(Refused)
    await acceptSpends(house.desk, [theft])
    await retryAllPayouts(house.desk)
    expect(await listPayouts(house.desk)).toMatchObject({ unaccepted: [], stopReason: null })
  })

  it('to a player’s address makes only that address wait, until it is said to be no payout', async () => {
    const house = await payoutHouse()
    const working = house.worker()
    const known = await owePrize(house, 40_000n)
    await house.pass(working, LOOKS)
    const coin = (await house.chain.wallet.prepare({ label: 'x', outputs: [], reserved: [] })).inputs[0] ?? ''
    const gift = house.chain.put({
      inputs: [coin],
      outputs: [{ address: known.address, sats: 7_000n }],
      feeSats: (house.chain.chain.coinOf(coin)?.sats ?? 0n) - 7_000n,
    })
    house.chain.mine()
    await reconcileWallet(working.payouts)
    await acceptSpends(house.desk, [gift])
    await retryAllPayouts(house.desk)
    await house.money.owe(known.id, 50_000n)
    const other = await owePrize(house, 41_000n)
    await house.pass(working, LOOKS)
    expect(await house.states()).toEqual(['FINAL', 'FINAL'])
    expect(house.chain.minedTo(other.address)).toEqual([41_000n])
    expect(house.chain.minedTo(known.address)).toEqual([40_000n, 7_000n])
    expect((await listPayouts(house.desk)).setAside).toMatchObject([{ address: known.address, sats: 50_000n }])
    expect((await listPayouts(house.desk)).setAside[0]?.reason).toContain(gift)

    await acceptSpends(house.desk, [gift], false)
    expect((await listPayouts(house.desk)).setAside).toEqual([])
    await house.pass(working, LOOKS)
    expect(house.chain.minedTo(known.address)).toEqual([40_000n, 7_000n, 50_000n])
    expect(await ledgerViolations(house.db)).toEqual([])
  })
})

describe('debts that cannot be paid', () => {
  it('never keep others from being paid, however many wait longer', async () => {
    const house = await payoutHouse({ mostPlayers: 20 })
    const working = house.worker()
    for (let count = 0; count < 200; count += 1) {
      const { id } = await house.money.player({ hasAddress: false })
      // Of another network: to be paid nowhere.
      await house.money.saveAddress(id, `1BvBMSEYstWetqTFn5Au4m4GFg7xJaNV${count % 10}2`)
      await house.money.owe(id, 400n)
    }
    const prizes = []
    for (let count = 0; count < 45; count += 1) prizes.push(await owePrize(house, 40_000n))
    await house.pass(working, LOOKS)
    await house.expectPaid(prizes)
    expect((await house.states()).every((state) => state === 'FINAL')).toBe(true)
  })
})

describe('a batch that is held while it is being sent', () => {
  it('that was already sent is noticed, and booked when it continues', async () => {
    const house = await payoutHouse()
    const prize = await owePrize(house, 40_000n)
    const holding = house.worker({
      wallet: (wallet) => ({
        ...wallet,
        broadcast: async (version, others) => {
          const outcome = await wallet.broadcast(version, others)
          await holdBatch(house.desk, 1n)
          return outcome
        },
      }),
    })
    await holding.queue.runDue()
    expect(await house.states()).toEqual(['HALTED'])
    const working = house.worker()
    await reconcileWallet(working.payouts)
    expect(await reasonOf(house)).toMatch(/^held by the operator; it was already sent: [\da-f]{64}$/)
    await reconcileWallet(working.payouts)
    expect(await reasonOf(house)).toMatch(/^held by the operator; it was already sent: [\da-f]{64}$/)
    await retryBatch(house.desk, 1n)
    await house.pass(working, LOOKS)
    await house.expectPaid([prize])
  })
})

describe('a spend that no payout asked for', () => {
  it('stops a batch that is signed, or sent for the first time, 31 s after the wallet was compared', async () => {
    for (const isSigned of [false, true]) {
      const house = await payoutHouse()
      const broadcast: Wallet['broadcast'] = async () => 'unreachable'
      const silent = house.worker({ wallet: (wallet) => ({ ...wallet, ...(isSigned ? { broadcast } : {}) }) })
      await beginReconciling(silent.payouts)
      if (isSigned) await owePrize(house, 40_000n)
      await silent.queue.runDue()
      const stolen = house.chain.chain.blocks[0]?.at(-1) ?? ''
      const theft = house.chain.steal(`${stolen}:0`)
      house.runtime.clock.set(house.now() + 31)
      if (!isSigned) await owePrize(house, 40_000n)
      await silent.queue.runDue()
      expect(await house.states()).toEqual([isSigned ? 'SIGNED' : 'BATCHED'])
      expect((await payoutsStatus(silent.payouts)).stopReason).toContain(theft)
    }
  })

  it('stops payouts within a minute where nothing is to be signed', async () => {
    const house = await payoutHouse()
    const working = house.worker()
    await beginReconciling(working.payouts)
    const theft = house.chain.steal(`${house.chain.chain.blocks[0]?.at(-1) ?? ''}:0`)
    house.runtime.clock.set(house.now() + 60)
    await working.queue.runDue()
    expect((await payoutsStatus(working.payouts)).stopReason).toContain(theft)
  })

  it('is not looked for again within 30 s of the last time', async () => {
    const house = await payoutHouse()
    let looks = 0
    const outgoing: Wallet['outgoing'] = async (since) => {
      looks += 1
      return await house.chain.wallet.outgoing(since)
    }
    const working = house.worker({ wallet: (wallet) => ({ ...wallet, outgoing }) })
    await beginReconciling(working.payouts)
    await owePrize(house, 40_000n)
    await working.queue.runDue()
    expect(await house.states()).toEqual(['SENT'])
    expect(looks).toBe(1)
    house.runtime.clock.set(house.now() + 30)
    await owePrize(house, 40_000n)
    await working.queue.runDue()
    expect(looks).toBe(2)
  })
})
