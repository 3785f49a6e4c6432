import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { FIXTURE_DUE_SATS, FIXTURE_GAME, moneyFixture } from '../../../test/money.ts'
import type { ProviderChanges } from '../../ports/payment-provider/payment-provider.ts'
import { TEST_START_AT, testRuntime } from '../../runtime/test-runtime.ts'
import { winnings } from '../ledger/accounts.ts'
import { balanceOf, ledgerViolations } from '../ledger/service.ts'
import { followProvider, moneyOf } from './service.ts'

const DUE = FIXTURE_DUE_SATS
const MINUTE = 60
const DAY = 86_400
/** Lifetime of an invoice. */
const EXPIRY = 15 * MINUTE

/** Orders for draws far ahead, with a provider whose blocks and messages the test controls. */
async function fixture() {
  const { db, connect } = await testDatabase()
  const client = await connect()
  let hasBlocks = true
  const changes = new Map<string | null, Partial<ProviderChanges>>()
  const money = await moneyFixture({
    db,
    runtime: testRuntime(),
    wrapProvider: (provider) => ({
      ...provider,
      async get(ref) {
        const { outputs } = await provider.get(ref)
        return {
          outputs: outputs.map(({ minedAt: _at, ...output }) => ({
            ...output,
            ...(hasBlocks ? {} : { confirmations: 0 }),
          })),
        }
      },
      follow: (cursor) => {
        return Promise.resolve({ cursor: cursor ?? 'nothing', refs: [], unknown: [], ...changes.get(cursor) })
      },
    }),
  })
  const draw = await money.draw(1, TEST_START_AT + 100 * DAY)
  const rows = async (text: string, values: unknown[] = []) =>
    (await client.query<Record<string, unknown>>(text, values)).rows

  return {
    ...money,
    rows,
    draw,
    changes,
    /** Another draw. @returns its id */
    addDraw: (startAt: number) => money.draw(2, startAt),
    setBlocks: (are: boolean) => void (hasBlocks = are),
    now: () => money.runtime.clock.now(),
    statusOf: async (orderId: string) => (await moneyOf(money.payments, orderId)).status,
    told: () => money.orderNews.map(({ kind }) => kind),
    owed: (playerId: bigint) => balanceOf(db, winnings(playerId)),
    /** An order of a new player with no address, whose refunds wait. */
    async newOrder(draws: bigint[] = [draw], freeTickets = 0) {
      const { id: playerId } = await money.player({ hasAddress: false })
      const orderId = await money.order(playerId, draws)
      if (freeTickets > 0) {
        await rows(`insert into free_tickets (player_id, game_key, won, held) values ($1, $2, $3, $3)`, [
          playerId,
          FIXTURE_GAME,
          freeTickets,
        ])
        await rows(`update orders set free_count = $2, entry_count = $2 + 1, line_count = $2 + 1 where id = $1`, [
          orderId,
          freeTickets,
        ])
      }
      return { orderId, playerId }
    },
    async waitForExpiry() {
      await money.moveTo(money.runtime.clock.now() + EXPIRY)
    },
  }
}

describe('a payment that is stuck in the mempool', () => {
  it('a stuck payment is checked for fourteen days, long after its order expired, and refunded if it is mined after all', async () => {
    const test = await fixture()
    const { orderId, playerId } = await test.newOrder()
    const expiresAt = test.now() + EXPIRY
    test.setBlocks(false)
    expect(await test.pay(orderId, DUE, 0)).toBe('PROCESSING')
    await test.moveTo(expiresAt + 90 * MINUTE)
    expect(await test.statusOf(orderId)).toBe('EXPIRED')
    test.runtime.clock.set(expiresAt + 14 * DAY - 1)
    await test.queue.runDue()
    expect(await test.rows(`select from jobs where kind = 'payments.refresh'`)).toHaveLength(1)
    await test.moveTo(expiresAt + 14 * DAY)
    expect(test.told()).toEqual(['expired'])
    // The provider is no longer asked, but its messages still count.
    expect(await test.rows(`select from jobs where kind = 'payments.refresh'`)).toEqual([])
    test.setBlocks(true)
    const { address } = await moneyOf(test.payments, orderId)
    test.changes.set(null, { cursor: 'one', refs: [address ?? ''] })
    await followProvider(test.payments)
    await test.moveTo(test.now() + 1)
    expect(await test.statusOf(orderId)).toBe('REFUNDED')
    expect(await test.owed(playerId)).toBe(DUE)
    expect(await test.problems()).toEqual([])
  })

  it('a payment in two parts, one of them confirmed, is refunded when the other is given up', async () => {
    const test = await fixture()
    const { orderId, playerId } = await test.newOrder()
    const expiresAt = test.now() + EXPIRY
    await test.pay(orderId, 300n)
    await test.rows(`update payments set final_at = $1`, [test.now()])
    test.setBlocks(false)
    await test.pay(orderId, 200n, 0)
    test.runtime.clock.set(expiresAt + 14 * DAY)
    await test.queue.runDue()
    expect(await test.statusOf(orderId)).toBe('REFUNDED')
    expect(await test.owed(playerId)).toBe(300n)
    expect(await ledgerViolations(test.db)).toEqual([])
  })
})

describe('an order that is paid after its invoice expired', () => {
  it.each([
    ['98% of the present price', 1020n, 'PAID'],
    ['less than that', 1021n, 'REFUNDED'],
  ])('an order paid late at a rate of %s gets the right status', async (_what, rate, status) => {
    const test = await fixture()
    const { orderId, playerId } = await test.newOrder()
    await test.waitForExpiry()
    await test.rows(`insert into rates (at, currency, sats_per_unit) values ($1, 'GBP', $2)`, [test.now() + 1, rate])
    test.runtime.clock.set(test.now() + 2)
    expect(await test.pay(orderId, DUE)).toBe(status)
    expect(await test.owed(playerId)).toBe(status === 'PAID' ? 0n : DUE)
    const told = status === 'PAID' ? { kind: 'paid', isLate: true } : { kind: 'refunded', reason: 'too-late' }
    expect(test.orderNews).toMatchObject([{ kind: 'expired' }, told])
    expect(await test.problems()).toEqual([])
  })

  it.each([
    ['a second before the end of the 24 hours', DAY - 1, 'PAID'],
    ['a second after it', DAY + 1, 'REFUNDED'],
  ])('an order paid late, %s, gets the right status', async (_what, seconds, status) => {
    const test = await fixture()
    const { orderId } = await test.newOrder()
    await test.waitForExpiry()
    await test.moveTo(test.now() + seconds)
    expect(await test.pay(orderId, DUE)).toBe(status)
    expect(await test.problems()).toEqual([])
  })

  it.each([
    ['before the close of each of its draws', -1, 'PAID'],
    ['after the close of one of them', 0, 'REFUNDED'],
  ])('an order paid late, %s, gets the status that its draws allow', async (_what, seconds, status) => {
    const test = await fixture()
    const startAt = test.now() + 60 * MINUTE
    const soon = await test.addDraw(startAt)
    const { orderId } = await test.newOrder([soon, test.draw])
    await test.waitForExpiry()
    await test.moveTo(startAt - 5 * MINUTE + seconds)
    expect(await test.pay(orderId, DUE)).toBe(status)
    expect(await test.rows(`select from plays`)).toHaveLength(status === 'PAID' ? 2 : 0)
    expect(await test.problems()).toEqual([])
  })

  it.each([
    ['while its free tickets are still free', 2, 'PAID', { used: 2, held: 0 }],
    ['when one of them was used meanwhile', 1, 'REFUNDED', { used: 1, held: 0 }],
  ])('an order paid late, %s, gets the status that its tickets allow', async (_what, left, status, tickets) => {
    const test = await fixture()
    const { orderId, playerId } = await test.newOrder([test.draw], 2)
    await test.waitForExpiry()
    expect(await test.rows(`select used, held from free_tickets`)).toEqual([{ used: 0, held: 0 }])
    await test.rows(`update free_tickets set used = $1`, [2 - left])
    expect(await test.pay(orderId, DUE)).toBe(status)
    expect(await test.rows(`select used, held from free_tickets`)).toEqual([tickets])
    expect(await test.owed(playerId)).toBe(status === 'PAID' ? 0n : DUE)
    expect(await test.problems()).toEqual([])
  })

  it('an order paid weeks later is refunded, even if its old address was paid already', async () => {
    const test = await fixture()
    const [never, once] = [await test.newOrder(), await test.newOrder()]
    await test.pay(once.orderId, DUE)
    await test.moveTo(test.now() + 40 * DAY)
    for (const [place, { orderId }] of [never, once].entries()) {
      const { address } = await moneyOf(test.payments, orderId)
      await test.chain.payIn({ address: address ?? '', sats: DUE, minedConfirmations: 1 })
      test.changes.set(place === 0 ? null : 'one', { cursor: place === 0 ? 'one' : 'two', refs: [address ?? ''] })
      await followProvider(test.payments)
    }
    await test.moveTo(test.now() + 1)
    expect([await test.statusOf(never.orderId), await test.statusOf(once.orderId)]).toEqual(['REFUNDED', 'PAID'])
    expect([await test.owed(never.playerId), await test.owed(once.playerId)]).toEqual([DUE, DUE])
    expect(test.told()).toEqual(['paid', 'expired', 'refunded', 'excess'])
    expect(await test.problems()).toEqual([])
  })
})
