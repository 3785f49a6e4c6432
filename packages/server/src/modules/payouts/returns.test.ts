import { describe, expect, it } from 'vitest'
import { type PayoutCluster, startPayoutCluster } from '../../../test/payout-cluster.ts'
import { seededRandom } from '../../../test/seeded-random.ts'
import { casesOf } from '../../../test/share.ts'
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

/** What each cluster's wallet is filled up to: the fixture's ledger opens with 50 BTC. */
const HELD_SATS = 5_000_000_000n
/** Checks per hour, one every ten minutes. */
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

async function owed(cluster: PayoutCluster, sats: bigint, kind: Kind, orderId: string | null = null) {
  const player = await cluster.money.player()
  await cluster.money.owe(player.id, sats, kind, orderId)
  return { ...player, sats }
}

/** A wallet with this balance, and a network at this rate in sats per virtual byte; its clock shows a full hour. */
async function clusterAt(options: { coins?: bigint[]; floatSats?: bigint | null; rate?: bigint } = {}) {
  const { coins = [HELD_SATS], floatSats = null, rate = 50n } = options
  const cluster = await startPayoutCluster({ coins, limits: { approvalSats: null, floatSats } })
  cluster.chain.setRate(rate * 1000n)
  cluster.runtime.clock.set(Math.ceil(cluster.now() / 3600) * 3600)
  const working = cluster.worker()
  await beginReconciling(working.payouts)
  return { cluster, working }
}

/** Why returns waited, each reason as logged. */
const reasonsOf = (cluster: PayoutCluster): unknown[] =>
  cluster.runtime.logged
    .filter(({ msg }) => msg === 'returns wait' || msg === 'payouts wait for funds in the hot wallet')
    .map(({ reason }) => reason)

/** A second passes after returns were listed. */
function withSlowListing(cluster: PayoutCluster, db: Db): Db {
  const slow = (tx: Tx): Tx => ({
    ...tx,
    run: async (statement, params) => {
      const rows = await tx.run(statement, params)
      if (statement.name === 'payouts.list-returns') cluster.runtime.clock.set(cluster.now() + 1)
      return rows
    },
  })
  return { ...db, transaction: (work, options) => db.transaction((tx) => work(slow(tx)), options) }
}

/** Refunds of a player, too many to be checked together. */
const insertMany = sql({
  name: 'returns-test.insert-many',
  text: `insert into payables (created_at, sats, player_id, kind, source)
    select 0, 1000, $1, 'refund', 'many ' || n from generate_series(1, 20001) n`,
  params: [t.bigint],
})

const batchesOf = (cluster: PayoutCluster) => cluster.db.run(readBatches, [])

describe('prizes take precedence over returns', () => {
  it.each([
    ['of 0.19 BTC beside a float of 0.2 BTC', 19_000_000n, 20_000_000n],
    ['of 10 BTC, without limits', 1_000_000_000n, null],
  ])('a younger prize is sent within the hour, and an older excess %s waits', async (_title, excess, floatSats) => {
    const { cluster, working } = await clusterAt({ coins: [20_000_000n], floatSats })
    const older = await owed(cluster, excess, 'excess')
    const prize = await owed(cluster, 5_000_000n, 'prize')
    await cluster.pass(working, HOUR)
    expect(cluster.chain.minedTo(prize.address)).toEqual([prize.sats])
    await cluster.pass(working, HOUR)
    expect(cluster.chain.minedTo(older.address)).toEqual([])
  })

  it('a return that was approved waits for a prize that came since, and leaves once there is enough for both', async () => {
    const { cluster, working } = await clusterAt({ coins: [20_000_000n] })
    const refund = await owed(cluster, 15_000_000n, 'refund')
    await cluster.pass(working, HOUR)
    expect(await batchesOf(cluster)).toMatchObject([
      { state: 'WAITING_APPROVAL', class: 'returns', reason: BEYOND_ADDRESS },
    ])
    cluster.chain.setLocked(true)
    const prize = await owed(cluster, 10_000_000n, 'prize')
    await approveBatch(cluster.desk, 1n)
    cluster.chain.setLocked(false)
    await cluster.pass(working, HOUR)
    expect(reasonsOf(cluster)).toEqual(['prizes come first', 'the hot wallet holds less than 15000000 sats'])
    expect((await batchesOf(cluster))[0]).toMatchObject({ state: 'WAITING_FUNDS' })
    expect(cluster.chain.minedTo(prize.address)).toEqual([prize.sats])
    cluster.chain.receive(HELD_SATS - 20_000_000n)
    await cluster.pass(working, LOOKS)
    expect(cluster.chain.minedTo(refund.address)).toEqual([15_000_000n - 140n * 50n])
    expect(await cluster.problems()).toEqual([])
  })

  it('a return that the wallet cannot pay waits for funds, is reported once as an error, and holds up no other return', async () => {
    const { cluster, working } = await clusterAt({ coins: [20_000_000n], rate: 2n })
    const whale = await owed(cluster, 100_000_000n, 'refund')
    await cluster.pass(working, HOUR)
    await approveBatch(cluster.desk, 1n)
    const small = await owed(cluster, 20_000n, 'refund')
    await cluster.pass(working, 2 * HOUR)
    expect(cluster.chain.minedTo(small.address)).toHaveLength(1)
    expect(reasonsOf(cluster)).toEqual(['the hot wallet holds less than 100000000 sats'])
    const errors = cluster.runtime.logged.filter(
      ({ msg }) => String(msg) === 'payouts wait for funds in the hot wallet',
    )
    expect(errors).toMatchObject([{ level: 'error', batchId: '1' }])
    cluster.chain.receive(HELD_SATS - 20_000_000n)
    await cluster.pass(working, LOOKS)
    expect(cluster.chain.minedTo(whale.address)).toHaveLength(1)
  })

  it('if approved returns together exceed the wallet, the older one leaves', async () => {
    const { cluster, working } = await clusterAt({ coins: [20_000_000n], rate: 2n })
    const older = await owed(cluster, 15_000_000n, 'refund')
    const younger = await owed(cluster, 16_000_000n, 'refund')
    await cluster.pass(working, HOUR)
    await approveBatch(cluster.desk, 2n)
    await approveBatch(cluster.desk, 1n)
    await cluster.pass(working, HOUR)
    expect(cluster.chain.minedTo(older.address)).toHaveLength(1)
    expect(cluster.chain.minedTo(younger.address)).toEqual([])
    expect(reasonsOf(cluster)[0]).toBe('earlier returns come first')
  })

  it('a planned return is planned again if a prize came before it was signed', async () => {
    const { cluster, working } = await clusterAt({ coins: [20_000_000n], floatSats: 20_000_000n })
    cluster.chain.setLocked(true)
    const refund = await owed(cluster, 900_000n, 'refund')
    await cluster.pass(working, HOUR)
    expect(await batchesOf(cluster)).toMatchObject([{ state: 'BATCHED', class: 'returns' }])
    const prize = await owed(cluster, 19_500_000n, 'prize')
    cluster.chain.setLocked(false)
    await cluster.pass(working, LOOKS)
    expect(cluster.chain.minedTo(prize.address)).toEqual([prize.sats])
    expect(cluster.chain.minedTo(refund.address)).toEqual([])
    expect((await batchesOf(cluster))[0]).toMatchObject({ state: 'CANCELLED' })
    cluster.chain.receive(HELD_SATS - 20_000_000n)
    await cluster.pass(working, 2 * LOOKS)
    expect(cluster.chain.minedTo(refund.address)).toEqual([900_000n - 7_000n])
    expect(await cluster.problems()).toEqual([])
  })

  it('a day of overpaying delays no prize', async () => {
    const { cluster, working } = await clusterAt({ coins: [20_000_000n], floatSats: 20_000_000n, rate: 10n })
    const random = seededRandom('a day of overpaying')
    const below = (most: number): number => random.bytes(4).reduce((sum, byte) => sum * 256 + byte, 0) % most
    for (let look = 0; look < casesOf({ all: 24, share: 8 }) * HOUR; look += 1) {
      for (let times = below(3); times > 0; times -= 1)
        await owed(cluster, BigInt(1 + below(3_000_000)), below(2) === 0 ? 'excess' : 'refund')
      if (below(5) === 0) await owed(cluster, BigInt(1_000 + below(500_000)), 'prize')
      await cluster.pass(working, 1)
    }
    await cluster.pass(working, HOUR)
    const waits = (await cluster.db.run(readWaits, [])).map(({ seconds }) => seconds)
    expect(waits.length).toBeGreaterThan(casesOf({ all: 15, share: 5 }))
    expect(waits.filter((seconds) => seconds === null || seconds > 3600)).toEqual([])
    const { returned } = await payoutsStatus(working.payouts)
    expect(returned.returnedSats).toBeGreaterThan(BigInt(casesOf({ all: 1_000_000, share: 300_000 })))
    expect(returned.returnedSats).toBeLessThanOrEqual(returned.limitSats ?? 0n)
    cluster.chain.receive(HELD_SATS - 20_000_000n)
    await cluster.pass(working, LOOKS)
    expect(await ledgerViolations(cluster.db)).toEqual([])
  }, 60_000)
})

describe('when returns leave', () => {
  it('returns leave at the full hour, prizes immediately', async () => {
    const { cluster, working } = await clusterAt()
    const prize = await owed(cluster, 50_000n, 'prize')
    const refund = await owed(cluster, 50_000n, 'refund')
    await cluster.pass(working, HOUR - 1)
    expect(await batchesOf(cluster)).toMatchObject([{ class: 'prizes', payouts: 1 }])
    await cluster.pass(working, LOOKS)
    expect(await batchesOf(cluster)).toMatchObject([{ class: 'prizes' }, { class: 'returns', payouts: 1 }])
    await cluster.expectPaid([prize, { ...refund, sats: 50_000n - 7_000n }])
  })

  it('an hour’s 200 returns share one transaction at 50 sats per virtual byte, and the operator bears only the rounding', async () => {
    const { cluster, working } = await clusterAt()
    const refunds = []
    for (let number = 0; number < 200; number += 1) refunds.push(await owed(cluster, 4_000n, 'refund'))
    await cluster.pass(working, HOUR + LOOKS)
    expect(await batchesOf(cluster)).toMatchObject([{ state: 'FINAL', class: 'returns', payouts: 200 }])
    // 31 virtual bytes of its own, and one 200th of the 109 around them.
    const shareSats = (50n * (31n * 200n + 109n)) / 200n
    await cluster.expectPaid(refunds.map((one) => ({ ...one, sats: 4_000n - shareSats })))
    // What exceeds the shares: less than a sat each, and the last virtual byte.
    expect(await balanceOf(cluster.db, networkFees)).toBe(50n * 6_310n - 200n * shareSats)
    expect(50n * 6_310n - 200n * shareSats).toBeLessThan(200n + 50n)
  })

  it('returns leave once their share of the fee arrives, with what has come since; until then they add up', async () => {
    const { cluster, working } = await clusterAt()
    const { id, address } = await owed(cluster, 8_000n, 'refund')
    await cluster.pass(working, 2 * HOUR)
    expect(await batchesOf(cluster)).toEqual([])
    await cluster.money.owe(id, 6_200n, 'refund')
    await cluster.pass(working, HOUR + LOOKS)
    await cluster.expectPaid([{ address, sats: 14_200n - 7_000n }])
  })

  it('returns leave when fees have come down, if they rose between planning and signing', async () => {
    const { cluster, working } = await clusterAt({ rate: 5n })
    cluster.chain.setLocked(true)
    const one = await owed(cluster, 2_000n, 'refund')
    await cluster.pass(working, HOUR + 1)
    cluster.chain.setRate(60_000n)
    cluster.chain.setLocked(false)
    await cluster.pass(working, HOUR)
    expect((await batchesOf(cluster)).map(({ state }) => state)).toEqual(['CANCELLED'])
    const other = await owed(cluster, 2_000n, 'refund')
    cluster.chain.setRate(5_000n)
    await cluster.pass(working, HOUR + LOOKS)
    const shareSats = (5n * (109n + 62n)) / 2n
    await cluster.expectPaid([one, other].map((refund) => ({ ...refund, sats: 2_000n - shareSats })))
  })

  it('returns leave together with what has come since if they were planned and not signed by the next full hour', async () => {
    const { cluster, working } = await clusterAt()
    const planned = async () => (await batchesOf(cluster)).map(({ state, payouts }) => [state, payouts])
    cluster.chain.setLocked(true)
    const one = await owed(cluster, 20_000n, 'refund')
    await cluster.pass(working, HOUR + 1)
    expect(await planned()).toEqual([['BATCHED', 1]])
    const other = await owed(cluster, 20_000n, 'refund')
    await cluster.pass(working, HOUR)
    expect(await planned()).toEqual([
      ['CANCELLED', 0],
      ['BATCHED', 2],
    ])
    cluster.chain.setLocked(false)
    await cluster.pass(working, LOOKS)
    const shareSats = (50n * (109n + 62n)) / 2n
    await cluster.expectPaid([one, other].map((refund) => ({ ...refund, sats: 20_000n - shareSats })))
  })

  it('returns leave at the rate of their shares, or a higher one: no player bears more than the fee', async () => {
    const { cluster, working } = await clusterAt({ rate: 60n })
    const { address } = await owed(cluster, 300_000_000n, 'refund')
    await cluster.pass(working, HOUR)
    cluster.chain.setRate(2_000n)
    await approveBatch(cluster.desk, 1n)
    await cluster.pass(working, LOOKS)
    await cluster.expectPaid([{ address, sats: 300_000_000n - 60n * 140n }])
    expect(await balanceOf(cluster.db, networkFees)).toBe(60n)
  })

  it('returns leave immediately and without limits in the demo', async () => {
    const cluster = await startPayoutCluster({ returnSeconds: 0 })
    const working = cluster.worker()
    const order = await cluster.money.order((await cluster.money.player()).id, [], { withInvoice: false })
    const excess = await owed(cluster, 2_000_000_000n, 'excess', order)
    await cluster.pass(working, 0)
    expect(await cluster.states()).toEqual(['SENT'])
    await cluster.pass(working, LOOKS)
    expect(cluster.chain.minedTo(excess.address)).toHaveLength(1)
  })
})

describe('planning of returns', () => {
  it('returns are planned and made at one moment: an address that comes into use a second later changes nothing', async () => {
    const { cluster } = await clusterAt()
    const player = await cluster.money.player()
    const newer = cluster.money.addressOf(888_888)
    await cluster.money.saveAddress(player.id, newer, cluster.now() + 3601)
    const working = cluster.worker({ db: (db) => withSlowListing(cluster, db) })
    await cluster.money.owe(player.id, 50_000n, 'refund')
    await cluster.pass(working, HOUR + LOOKS)
    expect((await listPayouts(cluster.desk)).setAside).toEqual([])
    await cluster.expectPaid([{ address: player.address, sats: 50_000n - 7_000n }])
  })
})

describe('what is beyond a limit of returns', () => {
  it('an excessive return waits for approval with its reason, and what comes a day later leaves again', async () => {
    const { cluster, working } = await clusterAt({ floatSats: 10_000_000n, rate: 2n })
    const player = await cluster.money.player()
    const order = await cluster.money.order(player.id, [], { withInvoice: false })
    await owed(cluster, 50_001n, 'excess', order)
    await owed(cluster, 500_001n, 'refund')
    for (let number = 0; number < 6; number += 1) await owed(cluster, 450_000n, 'refund')
    await cluster.pass(working, HOUR)
    expect((await batchesOf(cluster)).map(({ state, reason, payouts }) => [state, reason, payouts])).toEqual([
      ['WAITING_APPROVAL', BEYOND_ORDER, 1],
      ['WAITING_APPROVAL', BEYOND_ADDRESS, 1],
      ['SENT', null, 5],
      ['WAITING_APPROVAL', BEYOND_TOTAL, 1],
    ])
    const config = readConfig({})
    const seal = createSeal(new Uint8Array(32), cluster.runtime.random)
    const list = await payoutCommands['payouts-list'].run({ db: cluster.db, runtime: cluster.runtime, seal, config })
    expect(list).toContain(`batch 2  WAITING_APPROVAL  returns  1 payouts  0.00499721 BTC  ${BEYOND_ADDRESS}`)
    expect((await payoutsStatus(working.payouts)).returned).toEqual({ returnedSats: 2_250_000n, limitSats: 2_500_000n })
    await approveBatch(cluster.desk, 4n)
    await owed(cluster, 300_000n, 'refund')
    await cluster.pass(working, HOUR)
    expect((await batchesOf(cluster)).at(-1)).toMatchObject({ state: 'WAITING_APPROVAL', reason: BEYOND_TOTAL })
    await cluster.pass(working, 24 * HOUR)
    const later = await owed(cluster, 300_000n, 'refund')
    await cluster.pass(working, HOUR + LOOKS)
    expect(cluster.chain.minedTo(later.address)).toHaveLength(1)
    expect(await ledgerViolations(cluster.db)).toEqual([])
  })
})

describe('what waits for a player', () => {
  it('what waits for a player can be paid behind more returns than are checked together', async () => {
    const { cluster, working } = await clusterAt()
    const [many, small] = [await cluster.money.player(), await cluster.money.player()]
    await cluster.db.execute(insertMany, [many.id])
    const patient = await owed(cluster, 450_000n, 'refund')
    await cluster.money.owe(small.id, 100n, 'refund')
    const isPayable = (id: bigint) => cluster.db.transaction((tx) => canBePaid(working.payouts, tx, id))
    expect(await isPayable(patient.id)).toBe(true)
    expect(await isPayable(small.id)).toBe(false)
  })
})
