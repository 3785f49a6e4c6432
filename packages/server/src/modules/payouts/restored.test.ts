import { describe, expect, it } from 'vitest'
import { forgetPayouts } from '../../../test/forgotten-payouts.ts'
import { acceptAll, payoutHouse, type PayoutHouse } from '../../../test/payout-house.ts'
import { acceptSpends, listPayouts, retryAddress, takeBackBatch } from '../operator/payout-actions.ts'
import { paymentVersion } from './outcome.ts'
import * as queries from './queries.ts'
import { beginReconciling, payoutsStatus } from './service.ts'

/** Longer than a payout's six blocks. */
const LOOKS = 9
const TAKEN_UP = 'a payout that the database had forgotten is taken up'

async function owePrize(house: PayoutHouse, sats: bigint) {
  const player = await house.money.player()
  await house.money.owe(player.id, sats)
  return { ...player, sats }
}

/** Payouts that left, and a database that was restored from a backup taken before they were made. */
async function restoredHouse() {
  const house = await payoutHouse()
  const prizes = [await owePrize(house, 40_000n), await owePrize(house, 41_000n)]
  await house.pass(house.worker(), 2)
  await forgetPayouts(house.url)
  return { house, prizes }
}

function isTakenUp(house: PayoutHouse): boolean {
  return house.runtime.logged.some((line) => line['msg'] === TAKEN_UP)
}

describe('with a database older than the wallet', () => {
  it('nothing is signed, and once the operator accepts, the wallet’s transaction is the batch’s', async () => {
    const { house, prizes } = await restoredHouse()
    const working = house.worker()
    await beginReconciling(working.payouts)
    await house.pass(working, LOOKS)
    expect((await payoutsStatus(working.payouts)).stopReason).toContain('not ours')
    expect(await house.states()).toEqual([])
    await acceptAll(house.desk)
    await house.pass(working, LOOKS)
    expect(await house.states()).toEqual(['FINAL'])
    expect(isTakenUp(house)).toBe(true)
    await house.expectPaid(prizes)
    expect(house.news.map((news) => news.sats)).toEqual([40_000n, 41_000n, 40_000n, 41_000n])
  })

  it('addresses that are owed more by now are set aside, and paid again only when the operator says so', async () => {
    const { house, prizes } = await restoredHouse()
    const [first, second] = prizes
    if (first === undefined || second === undefined) throw new Error('no prizes')
    await house.money.owe(first.id, 5_000n)
    const working = house.worker()
    await beginReconciling(working.payouts)
    await acceptAll(house.desk)
    await house.pass(working, 2)
    expect(await house.states()).toEqual(['CANCELLED'])
    const { setAside } = await listPayouts(house.desk)
    expect(setAside.map(({ address }) => address).toSorted()).toEqual([first.address, second.address].toSorted())
    expect(setAside[0]?.reason).toContain('paid already by')
    for (const { address, sats } of prizes) expect(house.chain.minedTo(address)).toEqual([sats])

    // Others are paid meanwhile; checked again, it waits again; nothing leaves.
    const other = await owePrize(house, 42_000n)
    await house.pass(working, 2)
    expect(house.chain.minedTo(other.address)).toEqual([42_000n])
    await retryAddress(house.desk, first.address)
    await house.pass(working, 2)
    expect(house.chain.minedTo(first.address)).toEqual([40_000n])
    const [, txid = ''] = /by ([\da-f]{64})/.exec(setAside[0]?.reason ?? '') ?? []
    await acceptSpends(house.desk, [txid], false)
    await house.pass(working, LOOKS)
    expect(await house.states()).toEqual(['CANCELLED', 'FINAL', 'CANCELLED', 'FINAL'])
    expect(house.chain.minedTo(first.address)).toEqual([40_000n, 45_000n])
    expect(house.chain.minedTo(second.address)).toEqual([41_000n, 41_000n])
    expect(isTakenUp(house)).toBe(false)
  })

  it('a batch whose dearer version was forgotten is halted, and cancelled without being paid again', async () => {
    const house = await payoutHouse()
    const prize = await owePrize(house, 40_000n)
    await house.pass(house.worker(), 0)
    const versions = (await house.db.run(queries.findVersions, [1n])).map(paymentVersion)
    const outputs = await house.db.run(queries.findOutputs, [1n])
    house.chain.mineEmpty()
    const dearer = await house.chain.wallet.bump({ label: 'forgotten', outputs, reserved: [], versions })
    if (dearer === null) throw new Error('no dearer version')
    await house.chain.wallet.broadcast(dearer, versions)
    house.chain.mine(1)

    const working = house.worker()
    await beginReconciling(working.payouts)
    await house.pass(working, 1)
    expect(await house.states()).toEqual(['SENT'])
    await acceptAll(house.desk)
    await house.pass(working, 1)
    expect(await house.states()).toEqual(['HALTED'])
    await takeBackBatch(house.desk, 1n)
    await house.pass(working, LOOKS + LOOKS)
    expect(await house.states()).toEqual(['CANCELLED', 'FINAL'])
    expect(isTakenUp(house)).toBe(true)
    await house.expectPaid([prize])
  })

  it('others are paid as ever', async () => {
    const { house, prizes } = await restoredHouse()
    const working = house.worker()
    await beginReconciling(working.payouts)
    await acceptAll(house.desk)
    await house.pass(working, 1)
    const later = [await owePrize(house, 42_000n), await owePrize(house, 43_000n)]
    await house.pass(working, LOOKS)
    expect(await house.states()).toEqual(['FINAL', 'FINAL'])
    expect(await house.db.run(queries.findForgottenTxs, [])).toEqual([])
    await house.expectPaid([...prizes, ...later])
  })
})

describe('a wallet that had paid somebody before the first start', () => {
  it('pays the same address when it is owed, without asking', async () => {
    const house = await payoutHouse()
    const { address } = await house.money.player()
    // Found when nothing was owed or ordered yet.
    const past = await house.chain.wallet.prepare({
      label: 'past',
      outputs: [{ address, sats: 7_000n }],
      reserved: [],
    })
    await house.chain.wallet.broadcast(past, [])
    house.chain.mine(1)
    const working = house.worker()
    await beginReconciling(working.payouts)
    await acceptAll(house.desk)
    house.runtime.clock.set(house.now() + 60)
    const { id } = await house.money.player({ hasAddress: false })
    await house.money.saveAddress(id, address)
    await house.money.owe(id, 9_000n)
    await house.pass(working, LOOKS)
    expect(await house.states()).toEqual(['FINAL'])
    expect(house.chain.minedTo(address)).toEqual([7_000n, 9_000n])
  })
})
