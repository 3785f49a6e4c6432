import { btcToSats } from '@fairball/domain/money'
import { describe, expect, it } from 'vitest'
import { payoutHouse, type PayoutHouse } from '../../../test/payout-house.ts'
import { winnings } from '../ledger/accounts.ts'
import { balanceOf } from '../ledger/service.ts'
import { waitingMoneyOf } from './service.ts'

const HOUR = 6

async function waitingFor(house: PayoutHouse, playerId: bigint) {
  const waiting = await waitingMoneyOf(house.worker().payouts, playerId)
  return waiting.map(({ kind, reason, amount }) => [kind, reason, amount.crypto.value, amount.fiat['GBP']?.value])
}

describe('waiting money', () => {
  it.each([
    ['NO_ADDRESS', { hasAddress: false }],
    ['EMAIL_UNVERIFIED', { isVerified: false }],
  ] as const)(
    'is shown with %s, prizes and returns apart, and comes to the ledger’s balance',
    async (reason, lacks) => {
      const house = await payoutHouse()
      const { id } = await house.money.player(lacks)
      expect(await waitingFor(house, id)).toEqual([])
      await house.money.owe(id, 5_000n, 'prize')
      await house.money.owe(id, 2_000n, 'refund')
      await house.money.owe(id, 1_500n, 'excess')
      await house.pass(house.worker(), 2 * HOUR)
      const waiting = await waitingFor(house, id)
      expect(waiting).toEqual([
        ['PRIZES', reason, '0.00005000', 5],
        ['RETURNS', reason, '0.00003500', 3.5],
      ])
      const sats = waiting.reduce((sum, [, , value]) => sum + btcToSats(String(value)), 0n)
      expect(sats).toBe(await balanceOf(house.db, winnings(id)))
    },
  )

  it('says what leaves soon, what is too small, and what a person checks; what is on its way waits no more', async () => {
    const house = await payoutHouse()
    const working = house.worker()
    const { id } = await house.money.player()
    await house.money.owe(id, 5_000n, 'prize')
    await house.money.owe(id, 250n, 'refund')
    expect(await waitingFor(house, id)).toEqual([
      ['PRIZES', 'LEAVING', '0.00005000', 5],
      ['RETURNS', 'TOO_SMALL', '0.00000250', 0.25],
    ])
    await house.pass(working, 1)
    await house.money.owe(id, 300_000_000n, 'refund')
    expect(await waitingFor(house, id)).toEqual([['RETURNS', 'NEXT_HOUR', '3.00000250', 300_000.25]])
    await house.pass(working, HOUR)
    expect(await waitingFor(house, id)).toEqual([
      ['RETURNS', 'TOO_SMALL', '0.00000250', 0.25],
      ['RETURNS', 'CHECKED', '3.00000000', 300_000],
    ])
  })
})
