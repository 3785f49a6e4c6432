import { btcToSats } from '@fairball/domain/money'
import { describe, expect, it } from 'vitest'
import { type PayoutCluster, startPayoutCluster } from '../../../test/payout-cluster.ts'
import { inFlight, winnings } from '../ledger/accounts.ts'
import { balanceOf } from '../ledger/service.ts'
import { balanceOfPlayer } from './service.ts'

const HOUR = 6
/** Payouts above this wait for a person. */
const APPROVAL_SATS = 100_000_000n

/** A player's balance: of each sum its kind, amount and way; and the totals, which the ledger must confirm. */
async function balanceFor(cluster: PayoutCluster, playerId: bigint) {
  const balance = await balanceOfPlayer(cluster.worker().payouts, playerId)
  const items = [...balance.waiting.items, ...balance.on_its_way.items].map(({ kind, amount, payout }) => {
    const { status, reason, leaves_by } = payout
    return [kind, amount.crypto.value, reason ?? status, leaves_by === null ? null : leaves_by - cluster.now()]
  })
  const waitingSats = btcToSats(balance.waiting.total.crypto.value)
  const flyingSats = btcToSats(balance.on_its_way.total.crypto.value)
  expect([waitingSats, flyingSats]).toEqual([
    await balanceOf(cluster.db, winnings(playerId)),
    await balanceOf(cluster.db, inFlight),
  ])
  return { items, paid: balance.paid, balance }
}

describe('the balance of a player', () => {
  it.each([
    ['NO_ADDRESS', { hasAddress: false }],
    ['EMAIL_UNVERIFIED', { isVerified: false }],
  ] as const)('a sum waits with the reason %s, and the total is the ledger’s', async (reason, lacks) => {
    const cluster = await startPayoutCluster()
    const { id } = await cluster.money.player(lacks)
    await cluster.money.owe(id, 5_000n, 'prize')
    await cluster.money.owe(id, 2_000n, 'refund')
    await cluster.pass(cluster.worker(), 2 * HOUR)
    const { items } = await balanceFor(cluster, id)
    expect(items).toEqual([
      ['PRIZE', '0.00005000', reason, null],
      ['REFUND', '0.00002000', reason, null],
    ])
  })

  it('a prize leaves within the hour, a return at the full hour, and then both are paid', async () => {
    const cluster = await startPayoutCluster()
    const working = cluster.worker()
    const { id } = await cluster.money.player()
    cluster.runtime.clock.set(cluster.now() + 600)
    await cluster.money.owe(id, 5_000n, 'prize')
    await cluster.money.owe(id, 2_000n, 'refund')
    const toFullHour = 3600 - (cluster.now() % 3600)
    expect((await balanceFor(cluster, id)).items).toEqual([
      ['PRIZE', '0.00005000', 'SCHEDULED', 3600],
      ['REFUND', '0.00002000', 'SCHEDULED', toFullHour],
    ])
    await cluster.pass(working, 2 * HOUR)
    const { items, paid } = await balanceFor(cluster, id)
    expect([items, paid.total.crypto.value]).toEqual([[], '0.00007000'])
    expect(paid.last_at).toBeLessThanOrEqual(cluster.now())
  })

  it('a sum too small to send, and one that a person checks, say so', async () => {
    const cluster = await startPayoutCluster({ limits: { approvalSats: APPROVAL_SATS, floatSats: null } })
    const working = cluster.worker()
    const { id } = await cluster.money.player()
    await cluster.money.owe(id, 250n, 'refund')
    expect((await balanceFor(cluster, id)).items).toEqual([['REFUND', '0.00000250', 'BELOW_MINIMUM', null]])
    await cluster.money.owe(id, 300_000_000n, 'prize')
    await cluster.pass(working, HOUR)
    expect((await balanceFor(cluster, id)).items).toEqual([
      ['REFUND', '0.00000250', 'BELOW_MINIMUM', null],
      ['PRIZE', '3.00000000', 'ON_HOLD', null],
    ])
  })
})
