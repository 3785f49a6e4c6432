import { describe, expect, it } from 'vitest'
import { payoutHouse, type PayoutHouse } from '../../../test/payout-house.ts'
import { seededRandom } from '../../../test/seeded-random.ts'
import { readConfig } from '../../config/config.ts'
import type { Db, Tx } from '../../db/pool.ts'
import { nullable, sql, t } from '../../db/sql.ts'
import { createSeal } from '../../runtime/seal.ts'
import { networkFees } from '../ledger/accounts.ts'
import { balanceOf, ledgerViolations } from '../ledger/service.ts'
import { approveBatch, listPayouts } from '../operator/payout-actions.ts'
import { payoutCommands } from '../operator/payout-commands.ts'
import { BEYOND_ADDRESS, BEYOND_ORDER, BEYOND_TOTAL } from './returns-plan.ts'
import { beginReconciling, payoutsStatus } from './service.ts'
import { canBePaid } from './status.ts'

/** What the wallet of each house is filled up to: the ledger of the fixture opens with 50 BTC. */
const HELD_SATS = 5_000_000_000n
/** Looks in an hour, one every ten minutes. */
const HOUR = 6
const LOOKS = 9

const readBatches = sql({
  name: 'returns-test.read-batches',
  text: `select b.state, b.class, b.reason, count(p.id)::int as payouts from payout_batches b
    left join payouts p on p.batch_id = b.id and p.cancelled_at is null group by b.id order by b.id`,
  row: { state: t.text, class: nullable(t.text), reason: nullable(t.text), payouts: t.int },
})
const readWaits = sql({
  name: 'returns-test.read-waits',
  text: `select (p.sent_at - b.created_at)::int as seconds from payables b left join payouts p on p.id = b.payout_id
    where b.kind = 'prize' order by b.id`,
  row: { seconds: nullable(t.int) },
})

type Kind = 'prize' | 'refund' | 'excess'

async function owed(house: PayoutHouse, sats: bigint, kind: Kind, orderId: string | null = null) {
  const player = await house.money.player()
  await house.money.owe(player.id, sats, kind, orderId)
  return { ...player, sats }
}

/** A wallet of so much, with the network at so many sats a virtual byte; its clock stands on a full hour. */
async function houseAt(options: { coins?: bigint[]; floatSats?: bigint | null; rate?: bigint } = {}) {
  const { coins = [HELD_SATS], floatSats = null, rate = 50n } = options
  const house = await payoutHouse({ coins, limits: { approvalSats: null, floatSats } })
  house.chain.setRate(rate * 1000n)
  house.runtime.clock.set(Math.ceil(house.now() / 3600) * 3600)
  const working = house.worker()
  await beginReconciling(working.payouts)
  return { house, working }
}

/** Why returns waited, each reason as the log has it. */
const reasonsOf = (house: PayoutHouse): unknown[] =>
  house.runtime.logged
    .filter(({ msg }) => msg === 'returns wait' || msg === 'payouts wait for funds in the hot wallet')
    .map(({ reason }) => reason)

/** A second passes after returns were listed. */
function withSlowListing(house: PayoutHouse, db: Db): Db {
  const slow = (tx: Tx): Tx => ({
    ...tx,
    run: async (statement, params) => {
      const rows = await tx.run(statement, params)
      if (statement.name === 'payouts.list-returns') house.runtime.clock.set(house.now() + 1)
      return rows
    },
  })
  return { ...db, transaction: (work, options) => db.transaction((tx) => work(slow(tx)), options) }
}

/** Refunds of a player, too many to be looked at together. */
const insertMany = sql({
  name: 'returns-test.insert-many',
  text: `insert into payables (created_at, sats, player_id, kind, source)
    select 0, 1000, $1, 'refund', 'many ' || n from generate_series(1, 20001) n`,
  params: [t.bigint],
})

const batchesOf = (house: PayoutHouse) => house.db.run(readBatches, [])

describe('prizes come before returns', () => {
  it.each([
    ['of 0.19 BTC beside a float of 0.2 BTC', 19_000_000n, 20_000_000n],
    ['of 10 BTC, without limits', 1_000_000_000n, null],
  ])('a younger prize is sent within the hour, and an older excess %s waits', async (_title, excess, floatSats) => {
    const { house, working } = await houseAt({ coins: [20_000_000n], floatSats })
    const older = await owed(house, excess, 'excess')
    const prize = await owed(house, 5_000_000n, 'prize')
    await house.pass(working, HOUR)
    expect(house.chain.minedTo(prize.address)).toEqual([prize.sats])
    await house.pass(working, HOUR)
    expect(house.chain.minedTo(older.address)).toEqual([])
  })

  it('a return that was approved waits for a prize that came since, and leaves once there is enough for both', async () => {
    const { house, working } = await houseAt({ coins: [20_000_000n] })
    const refund = await owed(house, 15_000_000n, 'refund')
    await house.pass(working, HOUR)
    expect(await batchesOf(house)).toMatchObject([
      { state: 'WAITING_APPROVAL', class: 'returns', reason: BEYOND_ADDRESS },
    ])
    house.chain.setLocked(true)
    const prize = await owed(house, 10_000_000n, 'prize')
    await approveBatch(house.desk, 1n)
    house.chain.setLocked(false)
    await house.pass(working, HOUR)
    expect(reasonsOf(house)).toEqual(['prizes come first', 'the hot wallet holds less than 15000000 sats'])
    expect((await batchesOf(house))[0]).toMatchObject({ state: 'WAITING_FUNDS' })
    expect(house.chain.minedTo(prize.address)).toEqual([prize.sats])
    house.chain.receive(HELD_SATS - 20_000_000n)
    await house.pass(working, LOOKS)
    expect(house.chain.minedTo(refund.address)).toEqual([15_000_000n - 140n * 50n])
    expect(await house.problems()).toEqual([])
  })

  it('a return that the wallet cannot pay waits for funds, which an error says once, and keeps no other return', async () => {
    const { house, working } = await houseAt({ coins: [20_000_000n], rate: 2n })
    const whale = await owed(house, 100_000_000n, 'refund')
    await house.pass(working, HOUR)
    await approveBatch(house.desk, 1n)
    const small = await owed(house, 20_000n, 'refund')
    await house.pass(working, 2 * HOUR)
    expect(house.chain.minedTo(small.address)).toHaveLength(1)
    expect(reasonsOf(house)).toEqual(['the hot wallet holds less than 100000000 sats'])
    const errors = house.runtime.logged.filter(({ msg }) => String(msg) === 'payouts wait for funds in the hot wallet')
    expect(errors).toMatchObject([{ level: 'error', batchId: '1' }])
    house.chain.receive(HELD_SATS - 20_000_000n)
    await house.pass(working, LOOKS)
    expect(house.chain.minedTo(whale.address)).toHaveLength(1)
  })

  it('of returns that were approved and that the wallet cannot pay together the older leaves', async () => {
    const { house, working } = await houseAt({ coins: [20_000_000n], rate: 2n })
    const older = await owed(house, 15_000_000n, 'refund')
    const younger = await owed(house, 16_000_000n, 'refund')
    await house.pass(working, HOUR)
    await approveBatch(house.desk, 2n)
    await approveBatch(house.desk, 1n)
    await house.pass(working, HOUR)
    expect(house.chain.minedTo(older.address)).toHaveLength(1)
    expect(house.chain.minedTo(younger.address)).toEqual([])
    expect(reasonsOf(house)[0]).toBe('earlier returns come first')
  })

  it('a return that was planned is planned again where a prize came before it was signed', async () => {
    const { house, working } = await houseAt({ coins: [20_000_000n], floatSats: 20_000_000n })
    house.chain.setLocked(true)
    const refund = await owed(house, 900_000n, 'refund')
    await house.pass(working, HOUR)
    expect(await batchesOf(house)).toMatchObject([{ state: 'BATCHED', class: 'returns' }])
    const prize = await owed(house, 19_500_000n, 'prize')
    house.chain.setLocked(false)
    await house.pass(working, LOOKS)
    expect(house.chain.minedTo(prize.address)).toEqual([prize.sats])
    expect(house.chain.minedTo(refund.address)).toEqual([])
    expect((await batchesOf(house))[0]).toMatchObject({ state: 'CANCELLED' })
    house.chain.receive(HELD_SATS - 20_000_000n)
    await house.pass(working, 2 * LOOKS)
    expect(house.chain.minedTo(refund.address)).toEqual([900_000n - 7_000n])
    expect(await house.problems()).toEqual([])
  })

  it('a day of overpaying delays no prize', async () => {
    const { house, working } = await houseAt({ coins: [20_000_000n], floatSats: 20_000_000n, rate: 10n })
    const random = seededRandom('a day of overpaying')
    const below = (most: number): number => random.bytes(4).reduce((sum, byte) => sum * 256 + byte, 0) % most
    for (let look = 0; look < 24 * HOUR; look += 1) {
      for (let times = below(3); times > 0; times -= 1)
        await owed(house, BigInt(1 + below(3_000_000)), below(2) === 0 ? 'excess' : 'refund')
      if (below(5) === 0) await owed(house, BigInt(1_000 + below(500_000)), 'prize')
      await house.pass(working, 1)
    }
    await house.pass(working, HOUR)
    const waits = (await house.db.run(readWaits, [])).map(({ seconds }) => seconds)
    expect(waits.length).toBeGreaterThan(15)
    expect(waits.filter((seconds) => seconds === null || seconds > 3600)).toEqual([])
    const { returned } = await payoutsStatus(working.payouts)
    expect(returned.returnedSats).toBeGreaterThan(1_000_000n)
    expect(returned.returnedSats).toBeLessThanOrEqual(returned.limitSats ?? 0n)
    house.chain.receive(HELD_SATS - 20_000_000n)
    await house.pass(working, LOOKS)
    expect(await ledgerViolations(house.db)).toEqual([])
  }, 60_000)
})

describe('returns leave', () => {
  it('at the full hour, prizes at once', async () => {
    const { house, working } = await houseAt()
    const prize = await owed(house, 50_000n, 'prize')
    const refund = await owed(house, 50_000n, 'refund')
    await house.pass(working, HOUR - 1)
    expect(await batchesOf(house)).toMatchObject([{ class: 'prizes', payouts: 1 }])
    await house.pass(working, LOOKS)
    expect(await batchesOf(house)).toMatchObject([{ class: 'prizes' }, { class: 'returns', payouts: 1 }])
    await house.expectPaid([prize, { ...refund, sats: 50_000n - 7_000n }])
  })

  it('200 of an hour in one transaction, at 50 sats a virtual byte: the house bears the rounding alone', async () => {
    const { house, working } = await houseAt()
    const refunds = []
    for (let number = 0; number < 200; number += 1) refunds.push(await owed(house, 4_000n, 'refund'))
    await house.pass(working, HOUR + LOOKS)
    expect(await batchesOf(house)).toMatchObject([{ state: 'FINAL', class: 'returns', payouts: 200 }])
    // 31 virtual bytes of its own, and the 200th part of the 109 around them.
    const shareSats = (50n * (31n * 200n + 109n)) / 200n
    await house.expectPaid(refunds.map((one) => ({ ...one, sats: 4_000n - shareSats })))
    // What is above the shares: less than a sat each, and the last virtual byte.
    expect(await balanceOf(house.db, networkFees)).toBe(50n * 6_310n - 200n * shareSats)
    expect(50n * 6_310n - 200n * shareSats).toBeLessThan(200n + 50n)
  })

  it('once their share of the fee arrives, with what has come since; until then they add up', async () => {
    const { house, working } = await houseAt()
    const { id, address } = await owed(house, 8_000n, 'refund')
    await house.pass(working, 2 * HOUR)
    expect(await batchesOf(house)).toEqual([])
    await house.money.owe(id, 6_200n, 'refund')
    await house.pass(working, HOUR + LOOKS)
    await house.expectPaid([{ address, sats: 14_200n - 7_000n }])
  })

  it('when fees have come down, where they rose between planning and signing', async () => {
    const { house, working } = await houseAt({ rate: 5n })
    house.chain.setLocked(true)
    const one = await owed(house, 2_000n, 'refund')
    await house.pass(working, HOUR + 1)
    house.chain.setRate(60_000n)
    house.chain.setLocked(false)
    await house.pass(working, HOUR)
    expect((await batchesOf(house)).map(({ state }) => state)).toEqual(['CANCELLED'])
    const other = await owed(house, 2_000n, 'refund')
    house.chain.setRate(5_000n)
    await house.pass(working, HOUR + LOOKS)
    const shareSats = (5n * (109n + 62n)) / 2n
    await house.expectPaid([one, other].map((refund) => ({ ...refund, sats: 2_000n - shareSats })))
  })

  it('at the rate their shares were made for, or a higher one: nobody bears more than the fee', async () => {
    const { house, working } = await houseAt({ rate: 60n })
    const { address } = await owed(house, 300_000_000n, 'refund')
    await house.pass(working, HOUR)
    house.chain.setRate(2_000n)
    await approveBatch(house.desk, 1n)
    await house.pass(working, LOOKS)
    await house.expectPaid([{ address, sats: 300_000_000n - 60n * 140n }])
    expect(await balanceOf(house.db, networkFees)).toBe(60n)
  })

  it('at once and without limits in the demo', async () => {
    const house = await payoutHouse({ returnSeconds: 0 })
    const working = house.worker()
    const order = await house.money.order((await house.money.player()).id, [], { withInvoice: false })
    const excess = await owed(house, 2_000_000_000n, 'excess', order)
    await house.pass(working, 0)
    expect(await house.states()).toEqual(['SENT'])
    await house.pass(working, LOOKS)
    expect(house.chain.minedTo(excess.address)).toHaveLength(1)
  })
})

describe('returns are planned', () => {
  it('and made at one moment: an address that comes into use in the next second changes nothing', async () => {
    const { house } = await houseAt()
    const player = await house.money.player()
    const newer = house.money.addressOf(888_888)
    await house.money.saveAddress(player.id, newer, house.now() + 3601)
    const working = house.worker({ db: (db) => withSlowListing(house, db) })
    await house.money.owe(player.id, 50_000n, 'refund')
    await house.pass(working, HOUR + LOOKS)
    expect((await listPayouts(house.desk)).setAside).toEqual([])
    await house.expectPaid([{ address: player.address, sats: 50_000n - 7_000n }])
  })
})

describe('what is beyond a limit of returns', () => {
  it('waits for approval with its reason, and what comes a day later leaves again', async () => {
    const { house, working } = await houseAt({ floatSats: 10_000_000n, rate: 2n })
    const player = await house.money.player()
    const order = await house.money.order(player.id, [], { withInvoice: false })
    await owed(house, 50_001n, 'excess', order)
    await owed(house, 500_001n, 'refund')
    for (let number = 0; number < 6; number += 1) await owed(house, 450_000n, 'refund')
    await house.pass(working, HOUR)
    expect((await batchesOf(house)).map(({ state, reason, payouts }) => [state, reason, payouts])).toEqual([
      ['WAITING_APPROVAL', BEYOND_ORDER, 1],
      ['WAITING_APPROVAL', BEYOND_ADDRESS, 1],
      ['SENT', null, 5],
      ['WAITING_APPROVAL', BEYOND_TOTAL, 1],
    ])
    const config = readConfig({})
    const seal = createSeal(new Uint8Array(32), house.runtime.random)
    const list = await payoutCommands['payouts-list'].run({ db: house.db, runtime: house.runtime, seal, config })
    expect(list).toContain(`batch 2  WAITING_APPROVAL  returns  1 payouts  0.00499721 BTC  ${BEYOND_ADDRESS}`)
    expect((await payoutsStatus(working.payouts)).returned).toEqual({ returnedSats: 2_250_000n, limitSats: 2_500_000n })
    await approveBatch(house.desk, 4n)
    await owed(house, 300_000n, 'refund')
    await house.pass(working, HOUR)
    expect((await batchesOf(house)).at(-1)).toMatchObject({ state: 'WAITING_APPROVAL', reason: BEYOND_TOTAL })
    await house.pass(working, 24 * HOUR)
    const later = await owed(house, 300_000n, 'refund')
    await house.pass(working, HOUR + LOOKS)
    expect(house.chain.minedTo(later.address)).toHaveLength(1)
    expect(await ledgerViolations(house.db)).toEqual([])
  })
})

describe('what waits for a player', () => {
  it('can be paid behind more returns than are looked at together', async () => {
    const { house, working } = await houseAt()
    const [many, small] = [await house.money.player(), await house.money.player()]
    await house.db.execute(insertMany, [many.id])
    const patient = await owed(house, 450_000n, 'refund')
    await house.money.owe(small.id, 100n, 'refund')
    const isPayable = (id: bigint) => house.db.transaction((tx) => canBePaid(working.payouts, tx, id))
    expect(await isPayable(patient.id)).toBe(true)
    expect(await isPayable(small.id)).toBe(false)
  })
})
