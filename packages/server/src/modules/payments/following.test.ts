import { afterEach, describe, expect, it, vi } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { FIXTURE_DUE_SATS, moneyFixture } from '../../../test/money.ts'
import type { ProviderChanges, SeenOutput } from '../../ports/payment-provider/payment-provider.ts'
import { TEST_START_AT, testClock, testRuntime } from '../../runtime/test-runtime.ts'
import { bankroll, losses, suspense } from '../ledger/accounts.ts'
import { balanceOf, ledgerViolations, postTransfer } from '../ledger/service.ts'
import { FOLLOW_SECONDS } from './following.ts'
import { followProvider, moneyOf, paymentTroubles, startFollowing, stopFollowing } from './service.ts'

const DAY = 86_400

let checkAtTheEnd: () => Promise<void>
afterEach(() => checkAtTheEnd())

/** Payments whose provider reports what the test puts into `changes`, then whatever else is new. */
async function followed() {
  const { db } = await testDatabase()
  const asked: (string | null)[] = []
  const changes = new Map<string | null, Partial<ProviderChanges> | Error>()
  const outside = testClock(TEST_START_AT)
  const money = await moneyFixture({
    db,
    runtime: { ...testRuntime(), monotonic: { nowMs: outside.nowMs, sleep: outside.sleep } },
    wrapProvider: (provider) => ({
      ...provider,
      async follow(cursor) {
        asked.push(cursor)
        const next = changes.get(cursor)
        if (next instanceof Error) throw next
        return { cursor: cursor ?? 'nothing', refs: [], unknown: [], ...next }
      },
    }),
  })
  const draw = await money.draw(1, TEST_START_AT + 100 * DAY)
  checkAtTheEnd = async () => expect(await ledgerViolations(db)).toEqual([])
  return {
    ...money,
    draw,
    asked,
    changes,
    outside,
    suspended: () => balanceOf(db, suspense),
    alerts: () => money.runtime.logged.filter((line) => line['level'] === 'error').map((line) => line['msg']),
  }
}

const output = (outpoint: string, sats: bigint, confirmations: number): SeenOutput => {
  return { outpoint, sats, confirmations, seenAt: TEST_START_AT, network: 'ONCHAIN' }
}

describe('a provider that can be followed', () => {
  it('the provider is asked every ten seconds of the time outside from where it was left, even after it was down', async () => {
    const test = await followed()
    test.changes.set(null, { cursor: 'one' })
    test.changes.set('one', new Error('down'))
    const asks = (times: number) =>
      vi.waitFor(async () => {
        if (test.asked.length < times) await test.outside.advance(FOLLOW_SECONDS)
        expect(test.asked.length).toBe(times)
      }, 10_000)
    startFollowing(test.payments)
    await asks(1)
    await test.moveTo(TEST_START_AT + DAY)
    expect(test.asked).toEqual([null])
    await asks(3)
    expect(test.asked).toEqual([null, 'one', 'one'])
    test.changes.set('one', { cursor: 'two' })
    await asks(5)
    expect(test.asked.at(-1)).toBe('two')
    await stopFollowing(test.payments)
  })

  it('a change at the provider triggers a check of its order', async () => {
    const test = await followed()
    const player = await test.player()
    const orderId = await test.order(player.id, [test.draw])
    const { address } = await moneyOf(test.payments, orderId)
    await test.chain.payIn({ address: address ?? '', sats: FIXTURE_DUE_SATS, minedConfirmations: 1 })
    test.changes.set(null, { cursor: 'one', refs: [address ?? ''] })
    await followProvider(test.payments)
    await test.queue.runDue()
    expect((await moneyOf(test.payments, orderId)).status).toBe('PAID')
  })

  it('money that belongs to no order is booked to suspense once it is confirmed, with one alert', async () => {
    const test = await followed()
    test.changes.set(null, { cursor: 'one', unknown: [output('a:0', 700n, 0)] })
    test.changes.set('one', { cursor: 'two', unknown: [output('a:0', 700n, 1), output('b:1', 50n, 3)] })
    test.changes.set('two', { cursor: 'three', unknown: [output('a:0', 700n, 2)] })
    await followProvider(test.payments)
    expect(await test.suspended()).toBe(0n)
    await followProvider(test.payments)
    expect(await test.suspended()).toBe(750n)
    await followProvider(test.payments)
    expect(await test.suspended()).toBe(750n)
    expect(test.alerts()).toEqual(Array(2).fill('money arrived that belongs to no order'))
    expect(await paymentTroubles(test.db)).toEqual({ unknownDeposits: 2, reversed: 0, missing: 0 })
  })

  it('money for an invoice that was never stored is booked to suspense as well', async () => {
    const test = await followed()
    const { address } = await moneyOf(test.payments, await test.order((await test.player()).id, [test.draw]))
    const stray = await test.chain.freshAddress()
    await test.chain.payIn({ address: stray, sats: 800n, minedConfirmations: 1 })
    test.changes.set(null, { cursor: 'one', refs: [stray, address ?? ''] })
    await followProvider(test.payments)
    expect(await test.suspended()).toBe(800n)
  })

  it('money in suspense is removed when it is reorganised away, and added again', async () => {
    const test = await followed()
    const seen = (confirmations: number) => [output('a:0', 700n, confirmations)]
    test.changes.set(null, { cursor: 'one', unknown: seen(1) })
    test.changes.set('one', { cursor: 'two', unknown: seen(0) })
    test.changes.set('two', { cursor: 'three', unknown: seen(1) })
    test.changes.set('three', { cursor: 'four', unknown: [...seen(-1), output('never:0', 5n, -1)] })
    await followProvider(test.payments)
    await followProvider(test.payments)
    expect(await test.suspended()).toBe(0n)
    await followProvider(test.payments)
    expect(await test.suspended()).toBe(700n)
    // The operator has meanwhile claimed it: what suspense does not have is lost.
    await test.db.transaction((tx) =>
      postTransfer(tx, {
        event: 'operator.deposit',
        subject: 'test',
        at: TEST_START_AT,
        moves: [{ from: suspense, to: bankroll, sats: 600n }],
      }),
    )
    await followProvider(test.payments)
    expect(await test.suspended()).toBe(0n)
    expect(await balanceOf(test.db, losses)).toBe(600n)
  })

  it('several processes at the same time follow the provider as one', async () => {
    const test = await followed()
    test.changes.set(null, { cursor: 'one', unknown: [output('a:0', 700n, 1)] })
    test.changes.set('one', { cursor: 'two', unknown: [output('a:0', 700n, 2), output('b:0', 5n, 1)] })
    const process = async (): Promise<void> => {
      for (let times = 0; times < 3; times += 1) await followProvider(test.payments)
    }
    await Promise.all(Array.from({ length: 9 }, process))
    expect(await test.suspended()).toBe(705n)
  })
})
