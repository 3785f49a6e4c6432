import { Transaction } from '@scure/btc-signer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Crasher, onlyDeath } from '../../../test/crasher.ts'
import { testDatabase, type TestDatabase } from '../../../test/database.ts'
import { moneyFixture, type MoneyFixture } from '../../../test/money.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { inFlight, winnings } from '../ledger/accounts.ts'
import { balanceOf } from '../ledger/service.ts'
import { makePayouts, openMoney, sendBatch, signBatch } from './service.ts'
import { deathsAmong } from '../../../test/share.ts'

let database: TestDatabase
let money: MoneyFixture
const crasher = new Crasher()

beforeAll(async () => {
  database = await testDatabase()
  money = await moneyFixture({
    db: database.db,
    runtime: testRuntime(),
    wrapDb: (db) => crasher.wrapDb(db),
    wrapWallet: (wallet) => crasher.wrapWallet(wallet),
  })
})
afterAll(async () => {
  expect(await money.problems()).toEqual([])
  await database.drop()
})

const now = (): number => money.runtime.clock.now()
const runDue = (): Promise<void> => money.queue.runDue()

describe('a payout', () => {
  it('a payout brings a prize in full to the saved address, and is final after six blocks', async () => {
    const { id, address } = await money.player()
    await money.owe(id, 12_345n)
    await money.owe(id, 55n)
    expect(await openMoney(money.payouts, money.db, id)).toMatchObject({ waits: true, leaves: false })
    await runDue()
    expect(await money.paidTo(address)).toEqual([12_400n])
    expect(await balanceOf(money.db, winnings(id))).toBe(0n)
    expect(await balanceOf(money.db, inFlight)).toBe(0n)
    expect(await openMoney(money.payouts, money.db, id)).toEqual({
      waits: false,
      leaves: false,
      comes: false,
      late: false,
    })
    expect(money.payoutNews.filter((news) => news.playerId === id).map((news) => news.sats)).toEqual([12_400n])

    await money.moveTo(now() + 2 * 3600)
    expect(await money.queue.nextAt()).toBe(null)
    expect(await money.paidTo(address)).toEqual([12_400n])
    expect(await money.problems()).toEqual([])
  })

  it.each([
    ['without a bitcoin address', { hasAddress: false }],
    ['whose email address is not verified', { isVerified: false }],
  ])('a payout waits for a player %s', async (_title, player) => {
    const { id, address } = await money.player(player)
    await money.owe(id, 10_000n)
    await runDue()
    expect(await money.paidTo(address)).toEqual([])
    expect(await balanceOf(money.db, winnings(id))).toBe(10_000n)
    expect(await openMoney(money.payouts, money.db, id)).toMatchObject({ waits: true })
  })

  it('a payout goes to a changed address only once that may be used', async () => {
    const { id, address } = await money.player()
    const changed = money.addressOf(1_000_000 + Number(id))
    await money.saveAddress(id, changed, now() + 86_400)
    await money.owe(id, 10_000n)
    await runDue()
    await money.moveTo(now() + 86_400)
    await money.owe(id, 20_000n)
    await runDue()
    expect([await money.paidTo(address), await money.paidTo(changed)]).toEqual([[10_000n], [20_000n]])
  })

  it('a payout below the dust limit waits and adds up', async () => {
    const { id, address } = await money.player()
    await money.owe(id, 200n)
    await runDue()
    expect(await money.paidTo(address)).toEqual([])
    await money.owe(id, 94n)
    await runDue()
    expect(await money.paidTo(address)).toEqual([294n])
  })

  it('a payout brings a refund less its share of the fee, and a prize beside it in full', async () => {
    const one = await money.player()
    const two = await money.player()
    await money.owe(one.id, 10_000n, 'prize')
    await money.owe(two.id, 10_000n, 'refund')
    await runDue()
    expect(await money.paidTo(one.address)).toEqual([10_000n])
    // 78 virtual bytes around its own 31, at 2 sats each
    expect(await money.paidTo(two.address)).toEqual([10_000n - 218n])
    expect(await money.problems()).toEqual([])
  })

  it('a payout shares one output with another player of the same address', async () => {
    const one = await money.player()
    const two = await money.player({ hasAddress: false })
    await money.saveAddress(two.id, one.address)
    await money.owe(one.id, 1_000n)
    await money.owe(two.id, 2_000n)
    await runDue()
    expect(await money.paidTo(one.address)).toEqual([3_000n])
    expect(await balanceOf(money.db, winnings(two.id))).toBe(0n)
  })
})

describe('the transaction of a batch', () => {
  it('the transaction is genuine: signed, with the requested outputs and a fee of 2 sats per virtual byte', async () => {
    const outputs = [1, 2, 3].map((index) => ({ address: money.addressOf(index), sats: BigInt(1_000 * index) }))
    const prepared = await money.wallet.prepare({ label: 'genuine', outputs, reserved: [] })
    const tx = Transaction.fromRaw(Buffer.from(prepared.raw, 'hex'), {
      allowUnknownInputs: true,
      disableScriptCheck: true,
    })
    expect(tx.id).toBe(prepared.txid)
    expect(prepared.feeSats).toBe(BigInt(tx.vsize) * 2n)
    expect([0, 1, 2].map((index) => tx.getOutput(index).amount)).toEqual([1_000n, 2_000n, 3_000n])
    expect(tx.getInput(0).finalScriptWitness).toHaveLength(2)
    expect(await money.wallet.prepare({ label: 'genuine', outputs, reserved: [] })).toEqual(prepared)
    expect((await money.wallet.prepare({ label: 'another', outputs, reserved: [] })).txid).not.toBe(prepared.txid)
  })

  it('the transaction pays exactly by its size, however long its signature is', async () => {
    for (let label = 0; label < 100; label += 1) {
      const outputs = [{ address: money.addressOf(1), sats: 1_000n }]
      const { raw, feeSats } = await money.wallet.prepare({ label: `signature ${label}`, outputs, reserved: [] })
      expect(feeSats).toBe(
        BigInt(Transaction.fromRaw(Buffer.from(raw, 'hex'), { allowUnknownInputs: true }).vsize) * 2n,
      )
    }
  })

  it('the transaction is not signed if the wallet does not hold the money', async () => {
    const outputs = [{ address: money.addressOf(1), sats: 6_000_000_000n }]
    await expect(money.wallet.prepare({ label: 'too much', outputs, reserved: [] })).rejects.toThrow('holds')
  })
})

describe('money leaves once', () => {
  it('money leaves once, whichever of two workers makes, signs or sends', async () => {
    const players: { address: string }[] = []
    for (let index = 0; index < 5; index += 1) {
      const player = await money.player()
      await money.owe(player.id, 5_000n)
      players.push(player)
    }
    const { db, payouts } = money
    const made = await Promise.all([1, 2, 3, 4].map(() => db.transaction((tx) => makePayouts(payouts, tx))))
    const [batchId, ...others] = made.filter((id) => id !== null)
    expect(others).toEqual([])
    if (batchId === undefined) throw new Error('nothing was made')
    await Promise.all([1, 2, 3].map(() => signBatch(payouts, batchId)))
    await Promise.all([1, 2, 3].map(() => sendBatch(payouts, batchId)))
    await runDue()
    for (const { address } of players) expect(await money.paidTo(address)).toEqual([5_000n])
    expect(await money.problems()).toEqual([])
  })

  it('money leaves once, wherever the process dies', async () => {
    const run = async (dieAt: number, when: 'before' | 'after'): Promise<number> => {
      const prize = await money.player()
      const refund = await money.player()
      await money.owe(prize.id, 7_000n, 'prize')
      await money.owe(refund.id, 7_000n, 'refund')
      crasher.arm(dieAt, when)
      // Each pass is a process that starts again; a job whose worker died is free again within a minute.
      await runDue().catch(onlyDeath)
      const callsUntilSent = crasher.calls
      const endAt = now() + 3 * 3600
      for (let isDone = false; !isDone;) {
        if (crasher.isDead()) crasher.arm(0, when)
        isDone = await money.moveTo(endAt).then(() => true, onlyDeath)
        if (!isDone) money.runtime.clock.set(now() + 61)
      }
      expect(await money.paidTo(prize.address), `died ${when} call ${dieAt}`).toEqual([7_000n])
      expect(await money.paidTo(refund.address), `died ${when} call ${dieAt}`).toEqual([6_782n])
      expect(await balanceOf(money.db, inFlight)).toBe(0n)
      expect(await money.problems(), `died ${when} call ${dieAt}`).toEqual([])
      return callsUntilSent
    }
    const calls = await run(0, 'before')
    expect(calls).toBeGreaterThan(20)
    // The last ones are the first check of confirmations; later checks are like it.
    for (const death of deathsAmong(calls + 12)) await run(death.dieAt, death.when)
  }, 120_000)
})
