import { describe, expect, it } from 'vitest'
import { forgetPayouts } from '../../../test/forgotten-payouts.ts'
import { acceptAll, type PayoutCluster, startPayoutCluster } from '../../../test/payout-cluster.ts'
import { acceptSpends, listPayouts, retryAddress, takeBackBatch } from '../operator/payout-actions.ts'
import { paymentVersion } from './outcome.ts'
import * as queries from './queries.ts'
import { beginReconciling, payoutsStatus } from './service.ts'

/** Longer than a payout's six blocks. */
const LOOKS = 9
const TAKEN_UP = 'a payout that the database had forgotten is taken up'

async function owePrize(cluster: PayoutCluster, sats: bigint) {
  const player = await cluster.money.player()
  await cluster.money.owe(player.id, sats)
  return { ...player, sats }
}

/** Payouts that left, and a database that was restored from an earlier backup. */
async function restoredCluster() {
  const cluster = await startPayoutCluster()
  const prizes = [await owePrize(cluster, 40_000n), await owePrize(cluster, 41_000n)]
  await cluster.pass(cluster.worker(), 2)
  await forgetPayouts(cluster.url)
  return { cluster, prizes }
}

function isTakenUp(cluster: PayoutCluster): boolean {
  return cluster.runtime.logged.some((line) => line['msg'] === TAKEN_UP)
}

describe('a database older than the wallet', () => {
  it('nothing is signed, and once the operator accepts, the wallet’s transaction is the batch’s', async () => {
    const { cluster, prizes } = await restoredCluster()
    const working = cluster.worker()
    await beginReconciling(working.payouts)
    await cluster.pass(working, LOOKS)
    expect((await payoutsStatus(working.payouts)).stopReason).toContain('not ours')
    expect(await cluster.states()).toEqual([])
    await acceptAll(cluster.desk)
    await cluster.pass(working, LOOKS)
    expect(await cluster.states()).toEqual(['FINAL'])
    expect(isTakenUp(cluster)).toBe(true)
    await cluster.expectPaid(prizes)
    expect(cluster.news.map((news) => news.sats)).toEqual([40_000n, 41_000n, 40_000n, 41_000n])
  })

  it('addresses that are owed more by now are set aside, and paid again only when the operator says so', async () => {
    const { cluster, prizes } = await restoredCluster()
    const [first, second] = prizes
    if (first === undefined || second === undefined) throw new Error('no prizes')
    await cluster.money.owe(first.id, 5_000n)
    const working = cluster.worker()
    await beginReconciling(working.payouts)
    await acceptAll(cluster.desk)
    await cluster.pass(working, 2)
    expect(await cluster.states()).toEqual(['CANCELLED'])
    const { setAside } = await listPayouts(cluster.desk)
    expect(setAside.map(({ address }) => address).toSorted()).toEqual([first.address, second.address].toSorted())
    expect(setAside[0]?.reason).toContain('paid already by')
    for (const { address, sats } of prizes) expect(cluster.chain.minedTo(address)).toEqual([sats])

    // Others are paid meanwhile; checked again, it waits again; nothing leaves.
    const other = await owePrize(cluster, 42_000n)
    await cluster.pass(working, 2)
    expect(cluster.chain.minedTo(other.address)).toEqual([42_000n])
    await retryAddress(cluster.desk, first.address)
    await cluster.pass(working, 2)
    expect(cluster.chain.minedTo(first.address)).toEqual([40_000n])
    const [, txid = ''] = /by ([\da-f]{64})/.exec(setAside[0]?.reason ?? '') ?? []
    await acceptSpends(cluster.desk, [txid], false)
    await cluster.pass(working, LOOKS)
    expect(await cluster.states()).toEqual(['CANCELLED', 'FINAL', 'CANCELLED', 'FINAL'])
    expect(cluster.chain.minedTo(first.address)).toEqual([40_000n, 45_000n])
    expect(cluster.chain.minedTo(second.address)).toEqual([41_000n, 41_000n])
    expect(isTakenUp(cluster)).toBe(false)
  })

  it('a batch whose bumped version was forgotten is halted, and cancelled without being paid again', async () => {
    const cluster = await startPayoutCluster()
    const prize = await owePrize(cluster, 40_000n)
    await cluster.pass(cluster.worker(), 0)
    const versions = (await cluster.db.run(queries.findVersions, [1n])).map(paymentVersion)
    const outputs = await cluster.db.run(queries.findOutputs, [1n])
    cluster.chain.mineEmpty()
    const dearer = await cluster.chain.wallet.bump({ label: 'forgotten', outputs, reserved: [], versions })
    if (dearer === null) throw new Error('no dearer version')
    await cluster.chain.wallet.broadcast(dearer, versions)
    cluster.chain.mine(1)

    const working = cluster.worker()
    await beginReconciling(working.payouts)
    await cluster.pass(working, 1)
    expect(await cluster.states()).toEqual(['SENT'])
    await acceptAll(cluster.desk)
    await cluster.pass(working, 1)
    expect(await cluster.states()).toEqual(['HALTED'])
    await takeBackBatch(cluster.desk, 1n)
    await cluster.pass(working, LOOKS + LOOKS)
    expect(await cluster.states()).toEqual(['CANCELLED', 'FINAL'])
    expect(isTakenUp(cluster)).toBe(true)
    await cluster.expectPaid([prize])
  })

  it('others are paid as usual', async () => {
    const { cluster, prizes } = await restoredCluster()
    const working = cluster.worker()
    await beginReconciling(working.payouts)
    await acceptAll(cluster.desk)
    await cluster.pass(working, 1)
    const later = [await owePrize(cluster, 42_000n), await owePrize(cluster, 43_000n)]
    await cluster.pass(working, LOOKS)
    expect(await cluster.states()).toEqual(['FINAL', 'FINAL'])
    expect(await cluster.db.run(queries.findForgottenTxs, [])).toEqual([])
    await cluster.expectPaid([...prizes, ...later])
  })
})

describe('a wallet that had made a payment before the first start', () => {
  it('the wallet pays the same address when it is owed, without asking', async () => {
    const cluster = await startPayoutCluster()
    const { address } = await cluster.money.player()
    // Found when nothing was owed or ordered yet.
    const past = await cluster.chain.wallet.prepare({
      label: 'past',
      outputs: [{ address, sats: 7_000n }],
      reserved: [],
    })
    await cluster.chain.wallet.broadcast(past, [])
    cluster.chain.mine(1)
    const working = cluster.worker()
    await beginReconciling(working.payouts)
    await acceptAll(cluster.desk)
    cluster.runtime.clock.set(cluster.now() + 60)
    const { id } = await cluster.money.player({ hasAddress: false })
    await cluster.money.saveAddress(id, address)
    await cluster.money.owe(id, 9_000n)
    await cluster.pass(working, LOOKS)
    expect(await cluster.states()).toEqual(['FINAL'])
    expect(cluster.chain.minedTo(address)).toEqual([7_000n, 9_000n])
  })
})
