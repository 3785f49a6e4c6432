import { btcToSats } from '@fairball/domain/money'
import { describe, expect, it } from 'vitest'
import { type PayoutCluster, startPayoutCluster } from '../../../test/payout-cluster.ts'
import { winnings } from '../ledger/accounts.ts'
import { balanceOf } from '../ledger/service.ts'
import { waitingMoneyOf } from './service.ts'

const HOUR = 6

async function waitingFor(cluster: PayoutCluster, playerId: bigint) {
  const waiting = await waitingMoneyOf(cluster.worker().payouts, playerId)
  return waiting.map(({ kind, reason, amount }) => [kind, reason, amount.crypto.value, amount.fiat['GBP']?.value])
}

describe('waiting money', () => {
  it.each([
    ['NO_ADDRESS', { hasAddress: false }],
    ['EMAIL_UNVERIFIED', { isVerified: false }],
  ] as const)(
    'waiting money is shown with %s, prizes and returns apart, and adds up to the ledger’s balance',
    async (reason, lacks) => {
      const cluster = await startPayoutCluster()
      const { id } = await cluster.money.player(lacks)
      expect(await waitingFor(cluster, id)).toEqual([])
      await cluster.money.owe(id, 5_000n, 'prize')
      await cluster.money.owe(id, 2_000n, 'refund')
      await cluster.money.owe(id, 1_500n, 'excess')
      await cluster.pass(cluster.worker(), 2 * HOUR)
      const waiting = await waitingFor(cluster, id)
      expect(waiting).toEqual([
        ['PRIZES', reason, '0.00005000', 5],
        ['RETURNS', reason, '0.00003500', 3.5],
      ])
      const sats = waiting.reduce((sum, [, , value]) => sum + btcToSats(String(value)), 0n)
      expect(sats).toBe(await balanceOf(cluster.db, winnings(id)))
    },
  )

  it('the page shows what leaves soon, what is too small, and what a person checks; money on its way no longer waits', async () => {
    const cluster = await startPayoutCluster()
    const working = cluster.worker()
    const { id } = await cluster.money.player()
    await cluster.money.owe(id, 5_000n, 'prize')
    await cluster.money.owe(id, 250n, 'refund')
    expect(await waitingFor(cluster, id)).toEqual([
      ['PRIZES', 'LEAVING', '0.00005000', 5],
      ['RETURNS', 'TOO_SMALL', '0.00000250', 0.25],
    ])
    await cluster.pass(working, 1)
    await cluster.money.owe(id, 300_000_000n, 'refund')
    expect(await waitingFor(cluster, id)).toEqual([['RETURNS', 'NEXT_HOUR', '3.00000250', 300_000.25]])
    await cluster.pass(working, HOUR)
    expect(await waitingFor(cluster, id)).toEqual([
      ['RETURNS', 'TOO_SMALL', '0.00000250', 0.25],
      ['RETURNS', 'CHECKED', '3.00000000', 300_000],
    ])
  })
})
