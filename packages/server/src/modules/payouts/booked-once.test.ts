import { expect, it } from 'vitest'
import { forgetPayouts } from '../../../test/forgotten-payouts.ts'
import { acceptAll, type PayoutCluster, startPayoutCluster } from '../../../test/payout-cluster.ts'
import { listPayouts } from '../operator/payout-actions.ts'
import { bookWithdrawal, viewTreasury } from '../operator/treasury-actions.ts'
import { insertMovement } from '../treasury/queries.ts'
import { beginReconciling } from './service.ts'

/** Longer than a payout's six blocks. */
const LOOKS = 9
const SATS = 7_000n
const RACES = 6

/**
 * A player who is owed exactly what a spend of the payout wallet already pays to his address, unknown to the database.
 */
async function clusterWithSpend() {
  const cluster = await startPayoutCluster()
  const player = await cluster.money.player()
  await cluster.money.owe(player.id, SATS)
  await cluster.pass(cluster.worker(), 2)
  await forgetPayouts(cluster.url)
  const working = cluster.worker()
  await beginReconciling(working.payouts)
  const [txid = ''] = (await listPayouts(cluster.desk)).unaccepted
  const spend = await cluster.chain.wallet.spend(txid)
  if (spend === null) throw new Error('no spend was found')
  await cluster.db.run(insertMovement, {
    txid,
    foundAt: cluster.now(),
    paidSats: SATS,
    feeSats: spend.feeSats,
    kind: 'spend',
    state: 'UNBOOKED',
  })
  const treasury = {
    db: cluster.db,
    runtime: cluster.runtime,
    jobs: working.queue,
    actor: 'operator',
  }
  return { cluster, working, treasury, txid, address: player.address }
}

function isTakenUp(cluster: PayoutCluster): boolean {
  return cluster.runtime.logged.some((line) => line['msg'] === 'a payout that the database had forgotten is taken up')
}

it('a spend the operator booked as his own is no payout: the prize of the same sum is paid as well', async () => {
  const { cluster, working, treasury, txid, address } = await clusterWithSpend()
  await acceptAll(cluster.desk)
  await bookWithdrawal(treasury, txid, 'bankroll')
  await cluster.pass(working, LOOKS)
  expect(await cluster.states()).toEqual(['FINAL'])
  expect(cluster.chain.minedTo(address)).toEqual([SATS, SATS])
  expect(isTakenUp(cluster)).toBe(false)
  expect(await cluster.problems()).toEqual([])
})

it('a spend that is a payout cannot be booked as the operator’s own, and is missing nowhere', async () => {
  const { cluster, working, treasury, txid, address } = await clusterWithSpend()
  expect((await viewTreasury(treasury)).unbooked.map((one) => one.txid)).toEqual([txid])
  await acceptAll(cluster.desk)
  await cluster.pass(working, LOOKS)
  expect(isTakenUp(cluster)).toBe(true)
  await expect(bookWithdrawal(treasury, txid, 'bankroll')).rejects.toThrow(`${txid} is a payout, and booked as one.`)
  expect((await viewTreasury(treasury)).unbooked).toEqual([])
  await cluster.expectPaid([{ address, sats: SATS }])
})

it(
  `of a payout and the operator’s booking at the same moment one takes effect, ${RACES} times`,
  { timeout: 60_000 },
  async () => {
    for (let race = 0; race < RACES; race += 1) {
      const { cluster, working, treasury, txid, address } = await clusterWithSpend()
      await acceptAll(cluster.desk)
      const [, word] = await Promise.allSettled([cluster.pass(working, 0), bookWithdrawal(treasury, txid, 'bankroll')])
      await cluster.pass(working, LOOKS)
      const paid = word.status === 'fulfilled' ? [SATS, SATS] : [SATS]
      expect(cluster.chain.minedTo(address)).toEqual(paid)
      expect(await cluster.problems()).toEqual([])
      await cluster.drop()
    }
  },
)
