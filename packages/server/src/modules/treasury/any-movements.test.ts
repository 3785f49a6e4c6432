import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FIXTURE_DUE_SATS as DUE } from '../../../test/money.ts'
import { acceptAll } from '../../../test/payout-cluster.ts'
import { OWN } from '../../../test/stand-in-wallet.ts'
import { startTreasuryCluster, type TreasuryCluster } from '../../../test/treasury-cluster.ts'
import { casesOf } from '../../../test/share.ts'
import { Refused } from '../../kernel/errors.ts'
import { TEST_START_AT } from '../../runtime/test-runtime.ts'
import { ledgerViolations } from '../ledger/service.ts'
import { bookWithdrawal, depositBankroll, WITHDRAW_SOURCES } from '../operator/treasury-actions.ts'
import { moneyOf } from '../payments/service.ts'
import { lookAtWallets, treasuryStatus } from './service.ts'

const MONTH = 30 * 86_400
const RUNS = casesOf({ all: 40, share: 4 })
const MAX_STEPS = 35

const sats = fc.bigInt({ min: 700n, max: 400_000n })
const step = fc.oneof(
  fc.record({ kind: fc.constant('arrive' as const), sats }),
  fc.record({ kind: fc.constant('arrive-in-both' as const), sats }),
  fc.record({ kind: fc.constant('order' as const), percent: fc.constantFrom(50n, 100n, 130n) }),
  fc.record({ kind: fc.constant('stray' as const), sats }),
  fc.record({ kind: fc.constant('prize' as const), sats }),
  fc.record({ kind: fc.constant('prize-to-deposits' as const), sats }),
  fc.record({ kind: fc.constant('sweep' as const), sats }),
  fc.record({ kind: fc.constant('send-back' as const), sats }),
  fc.record({
    kind: fc.constant('leave' as const),
    from: fc.constantFrom('deposits' as const, 'payouts' as const),
    sats,
  }),
  fc.record({ kind: fc.constant('leave-with-strangers' as const), sats, strangersSats: sats }),
  fc.record({ kind: fc.constant('reward' as const), sats }),
  fc.record({ kind: fc.constant('blocks' as const), count: fc.integer({ min: 1, max: 7 }) }),
  fc.record({ kind: fc.constant('blocks' as const), count: fc.constant(1) }),
  fc.record({ kind: fc.constant('reorganise' as const), depth: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('look' as const) }),
  fc.record({ kind: fc.constant('look' as const) }),
  fc.record({ kind: fc.constant('pass' as const) }),
  fc.record({ kind: fc.constant('operator' as const), from: fc.constantFrom(...WITHDRAW_SOURCES), pick: fc.nat() }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Something leaves the wallet in any share of the runs, so that there is something to book. */
const LEAVES: Step[] = [
  { kind: 'blocks', count: 1 },
  { kind: 'leave', from: 'payouts', sats: 100_000n },
  { kind: 'look' },
]

/** @returns whether something was removed from the chain, which the ledger learns only after a while */
async function doStep(cluster: TreasuryCluster, drawId: bigint, one: Step): Promise<boolean> {
  const { money, sim } = cluster
  const elsewhere = money.addressOf(900_000)
  switch (one.kind) {
    case 'arrive':
      cluster.arrive({ address: OWN, sats: one.sats })
      break
    case 'arrive-in-both':
      cluster.arrive({ address: OWN, sats: one.sats }, { address: cluster.freshDeposit(), sats: one.sats })
      break
    case 'order': {
      const { id } = await money.player()
      const orderId = await money.order(id, [drawId])
      const { address } = await moneyOf(money.payments, orderId)
      cluster.arrive({ address: address ?? '', sats: (DUE * one.percent) / 100n })
      break
    }
    case 'stray':
      cluster.arrive({ address: cluster.freshDeposit(), sats: one.sats })
      break
    case 'prize':
      await money.owe((await money.player()).id, one.sats)
      break
    case 'prize-to-deposits': {
      const { id } = await money.player({ hasAddress: false })
      await money.saveAddress(id, cluster.freshDeposit())
      await money.owe(id, one.sats)
      break
    }
    case 'sweep':
      cluster.spend('deposits', [OWN], one.sats)
      break
    case 'send-back':
      cluster.spend('payouts', [cluster.freshDeposit()], one.sats)
      break
    case 'leave':
      cluster.spend(one.from, [elsewhere, cluster.freshDeposit()], one.sats)
      break
    case 'leave-with-strangers':
      cluster.spend('deposits', [elsewhere], one.sats, { strangersSats: one.strangersSats })
      break
    case 'reward':
      cluster.reward(cluster.freshDeposit(), one.sats)
      break
    case 'blocks':
      sim.mine(one.count)
      break
    case 'reorganise':
      sim.reorganise(one.depth)
      return true
    case 'look':
      await cluster.look()
      break
    case 'pass':
      await cluster.pass(1)
      break
    case 'operator':
      await operate(cluster, one.from, one.pick)
      break
  }
  return false
}

/** What an operator may do at any time, sensible or not. */
async function operate(cluster: TreasuryCluster, from: string, pick: number): Promise<void> {
  const { desk } = cluster
  const chosen = <T>(list: readonly T[]): T | undefined => list[pick % Math.max(1, list.length)]
  const txid = chosen(await cluster.unbooked())
  const outpoint = chosen(await cluster.deposits())?.outpoint
  const actions = [
    ...(txid === undefined ? [] : [() => bookWithdrawal(desk, txid, from)]),
    ...(outpoint === undefined ? [] : [() => depositBankroll(desk, outpoint)]),
    () => bookWithdrawal(desk, 'no such transaction', from),
  ]
  for (const action of actions) {
    await action().catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error
    })
  }
  await acceptAll(cluster.payoutDesk)
}

it('wallets, ledger and chain agree, whatever comes, moves, leaves and is booked in whatever order', async () => {
  let movements = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: MAX_STEPS }), async (steps) => {
      const cluster = await startTreasuryCluster()
      try {
        const drawId = await cluster.money.draw(1, TEST_START_AT + MONTH)
        cluster.arrive({ address: OWN, sats: 3_000_000n })
        let isShaken = false
        for (const one of steps) {
          isShaken = (await doStep(cluster, drawId, one)) || isShaken
          if (one.kind !== 'look' || isShaken) continue
          // What is on its way always explains the difference between wallets and ledger.
          expect((await treasuryStatus(cluster.treasury)).unexplainedSats).toBe(0n)
          expect(await ledgerViolations(cluster.db)).toEqual([])
        }
        await cluster.pass(8)
        await acceptAll(cluster.payoutDesk)
        await cluster.pass(9)
        expect(await cluster.problems()).toEqual([])
        // All that waits can be booked, and then they are equal.
        for (const txid of await cluster.unbooked()) {
          movements += 1
          await bookWithdrawal(cluster.desk, txid, 'losses')
        }
        await lookAtWallets(cluster.treasury)
        expect(await cluster.problems()).toEqual([])
        expect((await treasuryStatus(cluster.treasury)).unbooked).toBe(0)
      } finally {
        await cluster.drop()
      }
    }),
    { numRuns: RUNS, examples: [[LEAVES]] },
  )
  expect(movements).toBeGreaterThan(0)
}, 120_000)
