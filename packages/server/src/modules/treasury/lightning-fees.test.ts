import { expect, it } from 'vitest'
import { START_AT, TEST_BITCOIN, testLottery } from '../../../test/lottery.ts'
import type { LightningFees } from '../../ports/lightning/lightning-node.ts'
import { createOrder } from '../orders/service.ts'
import { checkoutOf, moneyOf, openInvoice, refreshPayments } from '../payments/service.ts'
import { findViolations } from '../invariants/service.ts'
import { lightning, networkFees, operatorFee } from '../ledger/accounts.ts'
import { balanceOf } from '../ledger/service.ts'
import { lookAtWallets, type TreasuryContext, treasuryStatus } from './service.ts'

const NOTHING_MOVES = {
  list: async () => ({ cursor: '0', final: [], young: [] }),
  find: async () => null,
  spendsOurs: async () => false,
}

it('what the node earns and pays to the chain is booked as it grows, and corrected', async () => {
  const test = await testLottery({ startAt: START_AT })
  await test.restart({ bitcoin: { ...TEST_BITCOIN, lightning: 'test' } })
  const { db, lottery } = test
  const openingMsat = 50_000_000_000n
  let told: LightningFees = { routedMsat: 5_500n, chainFeeMsat: 166_000n }
  const node = lottery.lightning?.node
  if (node === undefined) throw new Error('this lottery takes no Lightning')
  await test.rows(`update lightning_node set routed_msat = null, chain_fee_msat = null`)
  const first = told
  const treasury: TreasuryContext = {
    ...lottery.treasury,
    movements: NOTHING_MOVES,
    lightning: {
      movedBy: (txid) => node.movedBy(txid),
      fees: async () => told,
      // What it held at the first reading had these fees paid.
      liquidity: async () => ({
        ...(await node.liquidity()),
        oursMsat: openingMsat + told.routedMsat - first.routedMsat - told.chainFeeMsat + first.chainFeeMsat,
      }),
    },
  }
  const stand = async () => [
    await balanceOf(db, lightning),
    await balanceOf(db, operatorFee),
    await balanceOf(db, networkFees),
  ]
  const look = async (fees: LightningFees) => {
    told = fees
    await Promise.all([lookAtWallets(treasury), lookAtWallets(treasury)])
    expect(await findViolations(db)).toEqual([])
    return await stand()
  }
  const [opening = 0n, earned = 0n, paid = 0n] = await stand()
  expect(await look(told)).toEqual([opening, earned, paid])
  expect(await look({ routedMsat: 8_000n, chainFeeMsat: 166_000n })).toEqual([opening + 2n, earned + 2n, paid])
  // The whole channel looks like a fee for a moment.
  const spent = { routedMsat: 8_000n, chainFeeMsat: 10_000_332_000n }
  expect(await look(spent)).toEqual([opening + 2n - 10_000_166n, earned + 2n, paid + 10_000_166n])
  const corrected = { routedMsat: 8_000n, chainFeeMsat: 166_001n }
  expect(await look(corrected)).toEqual([opening + 1n, earned + 2n, paid + 1n])
  expect(await look(corrected)).toEqual([opening + 1n, earned + 2n, paid + 1n])
  expect((await treasuryStatus(treasury)).lightningDifferenceSats).toBeGreaterThanOrEqual(0n)
})

it('what rounding left of payments is the operator’s, once a day', async () => {
  const test = await testLottery({ startAt: START_AT })
  await test.restart({ bitcoin: { ...TEST_BITCOIN, lightning: 'test' } })
  const { db, lottery, runtime } = test
  const orders = await Promise.all([1, 2, 3].map(async () => await order(test)))
  for (const [place, orderId] of orders.entries()) {
    const { dueSats } = await moneyOf(lottery.payments, orderId)
    const { lightning: invoice } = await checkoutOf(lottery.payments, orderId)
    // Wallets may pay a part of a satoshi more.
    await lottery.lightning?.test?.payIn(invoice?.payment_hash ?? '', dueSats * 1000n + BigInt(400 + place))
    await refreshPayments(lottery.payments, orderId)
  }
  const book = () => lookAtWallets({ ...lottery.treasury, movements: NOTHING_MOVES })
  const before = [await balanceOf(db, lightning), await balanceOf(db, operatorFee)] as const
  await book()
  expect(await balanceOf(db, operatorFee)).toBe(before[1])
  for (let day = 0; day < 2; day += 1) {
    await runtime.clock.advance(86_400)
    await book()
    expect([await balanceOf(db, lightning), await balanceOf(db, operatorFee)]).toEqual([before[0] + 1n, before[1] + 1n])
  }
  expect(await findViolations(db)).toEqual([])
})

async function order(test: Awaited<ReturnType<typeof testLottery>>): Promise<string> {
  const playerId = await test.addPlayer()
  const tickets = [{ numbers: [1, 2, 3, 4, 5], isLuckyDip: false }]
  const wanted = { playerId, gameKey: 'bitcoin-hero', days: [4], weeks: 1, tickets, idempotencyKey: null }
  const { orderId } = await createOrder(test.lottery.orders, wanted)
  await openInvoice(test.lottery.payments, orderId)
  return orderId
}

it('a node that holds less than the ledger says breaks I7', async () => {
  const test = await testLottery({ startAt: START_AT })
  await test.restart({ bitcoin: { ...TEST_BITCOIN, lightning: 'test' } })
  const { node } = test.lottery.lightning ?? {}
  if (node === undefined) throw new Error('this lottery takes no Lightning')
  const liquidity = async () => ({ ...(await node.liquidity()), oursMsat: 49_999_999_000n })
  const treasury = {
    ...test.lottery.treasury,
    movements: NOTHING_MOVES,
    lightning: { fees: () => node.fees(), movedBy: (txid: string) => node.movedBy(txid), liquidity },
  }
  await lookAtWallets(treasury)
  expect((await findViolations(test.db)).map(({ what }) => what)).toEqual([
    'the Lightning node holds 49999999 sats, the ledger says 50000000, on its way are 0',
  ])
})
