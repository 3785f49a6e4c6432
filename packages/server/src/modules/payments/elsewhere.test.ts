import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { FIXTURE_DUE_SATS as DUE, moneyFixture } from '../../../test/money.ts'
import type { PaymentProvider } from '../../ports/payment-provider/payment-provider.ts'
import { TEST_START_AT, testRuntime } from '../../runtime/test-runtime.ts'
import { ledgerViolations } from '../ledger/service.ts'
import { beginPayments, checkoutOf, moneyOf, refreshPayments } from './service.ts'

const DAY = 86_400

/** Orders made at one provider, while the test decides which one is configured. */
async function shop() {
  const { db } = await testDatabase()
  const runtime = testRuntime()
  const asked: string[] = []
  let isOther = false
  const money = await moneyFixture({
    db,
    runtime,
    wrapProvider: (provider): PaymentProvider => ({
      ...provider,
      get name() {
        return isOther ? 'opennode' : provider.name
      },
      async get(ref) {
        if (!isOther) return await provider.get(ref)
        asked.push(ref)
        return { outputs: [], isFinal: true }
      },
    }),
  })
  const drawId = await money.draw(1, TEST_START_AT + 100 * DAY)
  return {
    ...money,
    asked,
    order: async () => await money.order((await money.player()).id, [drawId]),
    changeProvider: (other: boolean) => (isOther = other),
    /** Skips the checks of every ten minutes, which find nothing new. */
    async jumpTo(at: number): Promise<void> {
      runtime.clock.set(at)
      await money.queue.runDue()
    },
    statusOf: async (orderId: string) => (await moneyOf(money.payments, orderId)).status,
    said: (message: string) => runtime.logged.filter((line) => line['msg'] === message),
  }
}

const ELSEWHERE = 'an order is paid at a provider that is not configured any more'

describe('an order whose invoice another provider has', () => {
  it('the wrong provider is never asked about the order, and its page says that the status is unknown', async () => {
    const test = await shop()
    const orderId = await test.order()
    expect(await test.pay(orderId, DUE, 0)).toBe('PROCESSING')
    test.changeProvider(true)
    for (let look = 0; look < 3; look += 1) expect(await refreshPayments(test.payments, orderId)).toBe('PROCESSING')
    expect(await checkoutOf(test.payments, orderId)).toMatchObject({ is_live: false, status: 'PROCESSING' })
    expect(test.asked).toEqual([])
    expect(test.said(ELSEWHERE)).toMatchObject([{ orderId, provider: 'test', level: 'error' }])
    expect(await ledgerViolations(test.db)).toEqual([])
  })

  it('the order expires if no money was seen, and waits for the operator if some was', async () => {
    const test = await shop()
    const [empty, half] = [await test.order(), await test.order()]
    await test.pay(half, DUE / 2n)
    test.changeProvider(true)
    await test.moveTo(TEST_START_AT + 3 * 3600)
    for (const days of [1, 2, 15, 20]) await test.jumpTo(TEST_START_AT + days * DAY)
    expect([await test.statusOf(empty), await test.statusOf(half)]).toEqual(['EXPIRED', 'UNDERPAID'])
    expect(test.asked).toEqual([])
    expect(await test.problems()).toEqual([])
  })

  it('the order resumes when its provider is configured again', async () => {
    const test = await shop()
    const orderId = await test.order()
    await test.pay(orderId, DUE, 0)
    test.changeProvider(true)
    await test.moveTo(TEST_START_AT + 3600)
    test.changeProvider(false)
    await test.moveTo(TEST_START_AT + 2 * 3600)
    expect(await test.statusOf(orderId)).toBe('PAID')
    expect(await test.problems()).toEqual([])
  })

  it('such orders are counted at the start, in one line with their number, and the start continues', async () => {
    const test = await shop()
    await test.order()
    await test.order()
    await test.pay(await test.order(), DUE)
    const open = 'open orders use a provider that is no longer configured'
    await beginPayments(test.payments)
    expect(test.said(open)).toEqual([])
    test.changeProvider(true)
    await beginPayments(test.payments)
    expect(test.said(open)).toMatchObject([{ orders: 2, providers: ['test'], provider: 'opennode', level: 'error' }])
  })
})
