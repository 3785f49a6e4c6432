import { expect, it } from 'vitest'
import { forgetPayouts } from '../../../test/forgotten-payouts.ts'
import { acceptAll, payoutHouse, type PayoutHouse } from '../../../test/payout-house.ts'
import { listPayouts } from '../operator/payout-actions.ts'
import { bookWithdrawal, viewTreasury } from '../operator/treasury-actions.ts'
import { insertMovement } from '../treasury/queries.ts'
import { beginReconciling } from './service.ts'

/** Longer than a payout's six blocks. */
const LOOKS = 9
const SATS = 7_000n
const RACES = 6

/** A player who is owed what a spend of the payouts' wallet already pays to his address, of which the database knows nothing. */
async function houseWithSpend() {
  const house = await payoutHouse()
  const player = await house.money.player()
  await house.money.owe(player.id, SATS)
  await house.pass(house.worker(), 2)
  await forgetPayouts(house.url)
  const working = house.worker()
  await beginReconciling(working.payouts)
  const [txid = ''] = (await listPayouts(house.desk)).unaccepted
  const spend = await house.chain.wallet.spend(txid)
  if (spend === null) throw new Error('no spend was found')
  await house.db.run(insertMovement, {
    txid,
    foundAt: house.now(),
    paidSats: SATS,
    feeSats: spend.feeSats,
    kind: 'spend',
    state: 'UNBOOKED',
  })
  const treasury = {
    db: house.db,
    runtime: house.runtime,
    jobs: working.queue,
    actor: 'operator',
  }
  return { house, working, treasury, txid, address: player.address }
}

function isTakenUp(house: PayoutHouse): boolean {
  return house.runtime.logged.some((line) => line['msg'] === 'a payout that the database had forgotten is taken up')
}

it('a spend the operator booked as his own is no payout: the prize of the same sum is paid besides', async () => {
  const { house, working, treasury, txid, address } = await houseWithSpend()
  await acceptAll(house.desk)
  await bookWithdrawal(treasury, txid, 'bankroll')
  await house.pass(working, LOOKS)
  expect(await house.states()).toEqual(['FINAL'])
  expect(house.chain.minedTo(address)).toEqual([SATS, SATS])
  expect(isTakenUp(house)).toBe(false)
  expect(await house.problems()).toEqual([])
})

it('a spend that is a payout cannot be booked as the operator’s own, and is missing nowhere', async () => {
  const { house, working, treasury, txid, address } = await houseWithSpend()
  expect((await viewTreasury(treasury)).unbooked.map((one) => one.txid)).toEqual([txid])
  await acceptAll(house.desk)
  await house.pass(working, LOOKS)
  expect(isTakenUp(house)).toBe(true)
  await expect(bookWithdrawal(treasury, txid, 'bankroll')).rejects.toThrow(`${txid} is a payout, and booked as one.`)
  expect((await viewTreasury(treasury)).unbooked).toEqual([])
  await house.expectPaid([{ address, sats: SATS }])
})

it(
  `of a payout and the operator’s word at the same moment one is booked, ${RACES} times`,
  { timeout: 60_000 },
  async () => {
    for (let race = 0; race < RACES; race += 1) {
      const { house, working, treasury, txid, address } = await houseWithSpend()
      await acceptAll(house.desk)
      const [, word] = await Promise.allSettled([house.pass(working, 0), bookWithdrawal(treasury, txid, 'bankroll')])
      await house.pass(working, LOOKS)
      const paid = word.status === 'fulfilled' ? [SATS, SATS] : [SATS]
      expect(house.chain.minedTo(address)).toEqual(paid)
      expect(await house.problems()).toEqual([])
      await house.drop()
    }
  },
)
