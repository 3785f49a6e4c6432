import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { FIXTURE_DUE_SATS, moneyFixture } from '../../../test/money.ts'
import type { SeenOutput } from '../../ports/payment-provider/payment-provider.ts'
import { TEST_START_AT, testRuntime } from '../../runtime/test-runtime.ts'
import { winnings } from '../ledger/accounts.ts'
import { balanceOf } from '../ledger/service.ts'
import { refreshPayments } from './service.ts'

const DUE = FIXTURE_DUE_SATS
const MINUTE = 60
const EXPIRES_AT = TEST_START_AT + 15 * MINUTE

/** An order for a draw that closes ten minutes after its expiry, at a provider that the test controls. */
async function fixture() {
  const { db, connect } = await testDatabase()
  const client = await connect()
  const runtime = testRuntime()
  let shown: Omit<SeenOutput, 'seenAt' | 'network'>[] = []
  const seenAt = new Map<string, number>()
  const money = await moneyFixture({
    db,
    runtime,
    wrapProvider: (provider) => ({
      ...provider,
      nextLookAt: () => null,
      get: async () => ({
        outputs: shown.map((output) => ({
          ...output,
          seenAt: seenAt.get(output.outpoint) ?? 0,
          network: 'ONCHAIN' as const,
          ...(output.confirmations > 0 ? { minedAt: runtime.clock.now() } : {}),
        })),
      }),
    }),
  })
  const closing = await money.draw(11, EXPIRES_AT + 15 * MINUTE)
  await money.draw(12, TEST_START_AT + 100 * 86_400)
  const { id: playerId } = await money.player({ hasAddress: false })
  const orderId = await money.order(playerId, [closing])
  /** Sets what pays the order; what is new is seen now. @returns the order's new status */
  const show = async (...outputs: readonly (readonly [string, bigint, (readonly string[] | undefined)?])[]) => {
    for (const [outpoint] of outputs) seenAt.set(outpoint, seenAt.get(outpoint) ?? runtime.clock.now())
    shown = outputs.map(([outpoint, sats, inputs]) => {
      return { outpoint, sats, confirmations: 0, ...(inputs === undefined ? {} : { inputs }) }
    })
    return await refreshPayments(money.payments, orderId)
  }
  return {
    ...money,
    orderId,
    show,
    async moveTo(at: number) {
      await money.moveTo(at)
      if (at >= EXPIRES_AT + 10 * MINUTE)
        await client.query(`update draws set status = 'closed' where id = $1`, [closing])
    },
    /** A block takes what waits. */
    async mine(confirmations = 1) {
      shown = shown.map((output) => ({ ...output, confirmations }))
      return await refreshPayments(money.payments, orderId)
    },
    /** The spent coins stored with the payments. */
    inputs: async () =>
      (await client.query<{ inputs: string[] | null }>(`select inputs from payments order by outpoint`)).rows.map(
        (row) => row.inputs,
      ),
    owed: () => balanceOf(db, winnings(playerId)),
    /** The numbers of the draws that the order plays in. */
    draws: async () =>
      (await client.query<{ number: number }>(`select number from plays p join draws d on d.id = p.draw_id`)).rows.map(
        (row) => row.number,
      ),
  }
}

const AFTER_CLOSE = EXPIRES_AT + 30 * MINUTE

describe('a payment that is replaced', () => {
  it.each([
    ['whose inputs are visible', ['coin:0', 'coin:1'], ['coin:1', 'coin:2']],
    ['whose inputs are not', undefined, undefined],
  ])('a payment replaced by one with a higher fee, %s, keeps its place', async (_what, inputs, others) => {
    const test = await fixture()
    expect(await test.show(['a:0', DUE, inputs])).toBe('PROCESSING')
    await test.moveTo(AFTER_CLOSE)
    expect(await test.show(['b:0', DUE, others])).toBe('PROCESSING')
    expect(await test.mine()).toBe('PAID')
    expect(await test.draws()).toEqual([12])
    expect(test.orderNews).toMatchObject([{ kind: 'paid', isLate: false }, { kind: 'moved' }])
  })

  it('a payment replaced again and again keeps the place of the first', async () => {
    const test = await fixture()
    await test.show(['a:0', DUE, ['coin:0']])
    await test.moveTo(AFTER_CLOSE)
    await test.show(['b:0', DUE, ['coin:0', 'coin:1']])
    await test.moveTo(AFTER_CLOSE + MINUTE)
    await test.show(['c:0', DUE + 5n, ['coin:1']])
    expect([await test.mine(), await test.owed()]).toEqual(['PAID', 5n])
  })

  it('a payment sent elsewhere and then back to the order counts from its own time', async () => {
    const test = await fixture()
    await test.show(['a:0', DUE, ['coin:0']])
    await test.moveTo(AFTER_CLOSE)
    expect(await test.show()).toBe('EXPIRED')
    await test.show(['b:0', DUE, ['coin:0']])
    expect([await test.mine(), await test.owed()]).toEqual(['REFUNDED', DUE])
  })

  it('a payment at a provider that shows no inputs keeps its place only if one check reports both', async () => {
    const test = await fixture()
    await test.show(['a:0', DUE])
    await test.show()
    await test.moveTo(AFTER_CLOSE)
    await test.show(['b:0', DUE])
    expect(await test.mine()).toBe('REFUNDED')
  })

  it('a payment replaced by one that spends none of its coins counts from its own time', async () => {
    const test = await fixture()
    await test.show(['a:0', DUE, ['coin:0']])
    await test.moveTo(AFTER_CLOSE)
    await test.show(['b:0', DUE, ['coin:1']])
    expect(await test.mine()).toBe('REFUNDED')
  })

  it('a smaller replacement covers less, and a larger one no more than the original did', async () => {
    const smaller = await fixture()
    await smaller.show(['a:0', DUE, ['coin:0']])
    await smaller.moveTo(AFTER_CLOSE)
    await smaller.show(['b:0', DUE - 1n, ['coin:0']], ['c:0', 1n, ['coin:9']])
    expect(await smaller.mine()).toBe('REFUNDED')
    const larger = await fixture()
    await larger.show(['a:0', DUE - 1n, ['coin:0']])
    await larger.moveTo(AFTER_CLOSE)
    await larger.show(['b:0', DUE, ['coin:0']])
    expect(await larger.mine()).toBe('REFUNDED')
  })

  it('a payment replaced by several outputs passes its place on once', async () => {
    const test = await fixture()
    await test.show(['a:0', 600n, ['coin:0']])
    await test.moveTo(AFTER_CLOSE)
    await test.show(['b:0', 600n, ['coin:0']], ['b:1', 600n, ['coin:0']])
    expect(await test.mine()).toBe('REFUNDED')
    const both = await fixture()
    await both.show(['a:0', 600n, ['coin:0']], ['a:1', 400n, ['coin:0']])
    await both.moveTo(AFTER_CLOSE)
    await both.show(['b:0', 300n, ['coin:0']], ['b:1', 700n, ['coin:0']])
    expect(await both.mine()).toBe('PAID')
  })

  it('a payment is known by what its transaction spends, stored once and until it is final', async () => {
    const test = await fixture()
    await test.show(['a:0', 600n, ['coin:0']], ['a:1', 400n, ['coin:0']])
    expect(await test.inputs()).toEqual([['coin:0'], null])
    await test.moveTo(AFTER_CLOSE)
    await test.show(['b:0', 600n, ['coin:0', 'coin:1']], ['b:1', 400n, ['coin:0', 'coin:1']])
    expect(await test.inputs()).toEqual([['coin:0', 'coin:1'], null])
    expect(await test.mine()).toBe('PAID')
    expect(await test.inputs()).toEqual([['coin:0', 'coin:1'], null])
    await test.mine(6)
    expect(await test.inputs()).toEqual([null, null])
  })

  it('a replaced payment is held no longer than before', async () => {
    const test = await fixture()
    await test.show(['a:0', DUE, ['coin:0']])
    await test.moveTo(EXPIRES_AT + 80 * MINUTE)
    await test.show(['b:0', DUE, ['coin:0']])
    await test.moveTo(EXPIRES_AT + 91 * MINUTE)
    expect(await test.mine()).toBe('REFUNDED')
  })
})
