import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { FIXTURE_DUE_SATS as DUE, moneyFixture } from '../../../test/money.ts'
import type { InvoiceSnapshot, SeenOutput } from '../../ports/payment-provider/payment-provider.ts'
import { TEST_START_AT, testRuntime } from '../../runtime/test-runtime.ts'
import { suspense, wallet, winnings } from '../ledger/accounts.ts'
import { balanceOf, ledgerViolations } from '../ledger/service.ts'
import { LONGEST_WAIT_SECONDS, MISSING_SECONDS } from './order-payments.ts'
import { bookUnknown, refreshPayments } from './service.ts'

const DAY = 86_400
const OUT = `${'ab'.repeat(32)}:0`

const output = (more: Partial<SeenOutput> = {}): SeenOutput => ({
  outpoint: OUT,
  sats: DUE,
  confirmations: 1,
  seenAt: TEST_START_AT,
  network: 'ONCHAIN',
  ...more,
})

/** An order at a provider that the test controls, and a monotonic clock that the test moves. */
async function shop() {
  const database = await testDatabase()
  const { db } = database
  const base = testRuntime()
  let monotonicMs = 0
  const runtime = { ...base, monotonic: { ...base.monotonic, nowMs: () => monotonicMs } }
  let say: () => InvoiceSnapshot = () => ({ outputs: [] })
  let asked = 0
  const money = await moneyFixture({
    db,
    runtime,
    wrapProvider: (provider) => ({
      ...provider,
      async get() {
        asked += 1
        return say()
      },
    }),
  })
  const player = await money.player()
  const orderId = await money.order(player.id, [await money.draw(1, TEST_START_AT + 100 * DAY)])
  const walletBefore = await balanceOf(db, wallet)
  const client = await database.connect()
  return {
    ...money,
    orderId,
    player,
    says: (snapshot: InvoiceSnapshot | (() => InvoiceSnapshot)) =>
      (say = typeof snapshot === 'function' ? snapshot : () => snapshot),
    passMonotonic: (ms: number) => (monotonicMs += ms),
    asked: () => asked,
    refresh: () => refreshPayments(money.payments, orderId),
    bookUnknown: (one: SeenOutput) => db.transaction((tx) => bookUnknown(money.payments, tx, one)),
    came: async () => (await balanceOf(db, wallet)) - walletBefore,
    inSuspense: () => balanceOf(db, suspense),
    owed: () => balanceOf(db, winnings(player.id)),
    violations: () => ledgerViolations(db),
    rows: async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows as unknown[],
    said: (message: string) => base.logged.filter((line) => line['msg'] === message),
  }
}

describe('an output', () => {
  it('an output that a provider lists many times counts once, and a worthless one not at all', async () => {
    const test = await shop()
    const other = output({ outpoint: `${'ab'.repeat(32)}:1`, sats: 7n })
    test.says({
      outputs: [output({ confirmations: 0 }), output(), other, output(), output({ outpoint: 'z:0', sats: 0n }), other],
    })
    expect(await test.refresh()).toBe('PAID')
    expect(await test.refresh()).toBe('PAID')
    expect([await test.came(), await test.owed()]).toEqual([DUE + 7n, 7n])
    expect(await test.violations()).toEqual([])
  })

  it('an output in suspense never pays an order, and is reported once', async () => {
    const test = await shop()
    await test.bookUnknown(output())
    test.says({ outputs: [output()] })
    for (let look = 0; look < 3; look += 1) expect(await test.refresh()).toBe('PENDING')
    expect([await test.came(), await test.inSuspense()]).toEqual([DUE, DUE])
    const facts = { orderId: test.orderId, outpoint: OUT, level: 'error' }
    expect(test.said('an unattributed payment came to the address of an order')).toMatchObject([facts])
    // Other money still pays it.
    test.says({ outputs: [output(), output({ outpoint: 'other:0' })] })
    expect(await test.refresh()).toBe('PAID')
    expect([await test.came(), await test.owed()]).toEqual([2n * DUE, 0n])
    expect(await test.violations()).toEqual([])
  })

  it('an output that pays an order is never booked as unattributed, whatever reports it', async () => {
    const test = await shop()
    test.says({ outputs: [output()] })
    expect(await test.refresh()).toBe('PAID')
    for (const confirmations of [0, 1, 6, -1]) await test.bookUnknown(output({ confirmations }))
    expect([await test.came(), await test.inSuspense()]).toEqual([DUE, 0n])
    const told = test.said('money that pays an order was told as money of nobody: it counts once')
    expect(told[0]).toMatchObject({ orderId: test.orderId, outpoint: OUT, level: 'error' })
    expect(await test.violations()).toEqual([])
  })

  it('an output that is booked as both at the same moment counts once', async () => {
    const test = await shop()
    for (let round = 0; round < 10; round += 1) {
      const one = output({ outpoint: `round-${round}:0` })
      test.says({ outputs: [one] })
      const before = await test.came()
      await Promise.allSettled([test.refresh(), test.bookUnknown(one)])
      await test.refresh()
      expect((await test.came()) - before).toBe(DUE)
    }
    expect(await test.violations()).toEqual([])
  })

  it('an output cannot be in both tables, whatever writes into them', async () => {
    const test = await shop()
    await test.bookUnknown(output())
    const insertPayment = `insert into payments (order_id, outpoint, sats, seen_at, network) values ($1, $2, 5, 0, 'ONCHAIN')`
    await expect(test.rows(insertPayment, [test.orderId, OUT])).rejects.toThrow(
      `the output ${OUT} is known as money of nobody: it cannot pay an order as well`,
    )
    await test.rows(insertPayment, [test.orderId, 'b:0'])
    const insertUnknown = `insert into unknown_deposits (outpoint, sats, seen_at, provider, network) values ($1, 5, 0, 'x', 'ONCHAIN')`
    await expect(test.rows(insertUnknown, ['b:0'])).rejects.toThrow(
      'the output b:0 pays an order: it cannot be money of nobody as well',
    )
    await expect(test.rows(`update unknown_deposits set outpoint = 'b:0'`)).rejects.toThrow(
      'the output b:0 pays an order',
    )
  })
})

describe('a provider that does not know an invoice for a while', () => {
  const unknown: InvoiceSnapshot = { outputs: [], isFinal: true, isUnknown: true }

  it('the provider has not answered while the order is open or has money that may still vanish', async () => {
    const test = await shop()
    test.says(unknown)
    await expect(test.refresh()).rejects.toMatchObject({ name: 'Unreachable' })
    test.says({ outputs: [output({ confirmations: 0 })] })
    expect(await test.refresh()).toBe('PROCESSING')
    test.says(unknown)
    await expect(test.refresh()).rejects.toMatchObject({ name: 'Unreachable' })
    test.says({ outputs: [output()] })
    expect(await test.refresh()).toBe('PAID')
    test.says(unknown)
    for (let look = 0; look < 2; look += 1) await expect(test.refresh()).rejects.toMatchObject({ name: 'Unreachable' })
    expect(await test.rows('select from payments where final_at is not null or missing_since is not null')).toEqual([])
    expect(await test.came()).toBe(DUE)
    expect(await test.violations()).toEqual([])
  })

  it('an order without money ends, and the provider is trusted once nothing more can come', async () => {
    const test = await shop()
    test.says(unknown)
    test.runtime.clock.set(TEST_START_AT + 901)
    expect(await test.refresh()).toBe('EXPIRED')
    test.says({ outputs: [output({ confirmations: 0 })] })
    await test.refresh()
    test.says(unknown)
    await expect(test.refresh()).rejects.toMatchObject({ name: 'Unreachable' })
    test.runtime.clock.set(TEST_START_AT + 901 + LONGEST_WAIT_SECONDS)
    expect(await test.refresh()).toBe('EXPIRED')
    expect(await test.rows('select from payments')).toEqual([])
  })

  it('a provider that denies an invoice or says it returned the money undoes only what never counted', async () => {
    const test = await shop()
    test.says({ outputs: [output(), output({ outpoint: 'more:0', confirmations: 0 })] })
    expect(await test.refresh()).toBe('PAID')
    test.says({ outputs: [], leavesCounted: true })
    for (let look = 0; look < 3; look += 1) {
      test.runtime.clock.set(test.runtime.clock.now() + 2 * MISSING_SECONDS)
      expect(await test.refresh()).toBe('PAID')
    }
    const kept = `select outpoint, final_at, missing_since from payments`
    expect(await test.rows(kept)).toEqual([{ outpoint: OUT, final_at: null, missing_since: null }])
    test.runtime.clock.set(test.runtime.clock.now() + DAY)
    await test.refresh()
    expect(await test.rows('select from payments where final_at is not null')).toHaveLength(1)
    expect(await test.came()).toBe(DUE)
    expect(await test.violations()).toEqual([])
  })
})

describe('an answer that comes too late to be stored', () => {
  it('a late answer is discarded and requested again: two checks that doubt a payment are apart', async () => {
    const test = await shop()
    test.says({ outputs: [output()] })
    expect(await test.refresh()).toBe('PAID')
    test.says({ outputs: [] })
    expect(await test.refresh()).toBe('PAID') // the first doubt
    test.runtime.clock.set(TEST_START_AT + MISSING_SECONDS)
    let answers = 0
    // Requested before the block came, and answered a minute after it.
    test.says(() => {
      answers += 1
      if (answers > 1) return { outputs: [output()] }
      test.passMonotonic(MISSING_SECONDS * 1000)
      return { outputs: [] }
    })
    expect(await test.refresh()).toBe('PAID')
    expect(answers).toBe(2)
    expect(await test.rows('select from payments where times_reversed > 0 or missing_since is not null')).toEqual([])
    expect(await test.violations()).toEqual([])
  })

  it('an answer that is always late is none: nothing changes, and the check is repeated later', async () => {
    const test = await shop()
    test.says(() => {
      test.passMonotonic(MISSING_SECONDS * 1000)
      return { outputs: [output()] }
    })
    await expect(test.refresh()).rejects.toMatchObject({ name: 'Unreachable' })
    expect([await test.came(), test.asked()]).toEqual([0n, 3])
  })
})
