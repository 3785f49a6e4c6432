import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CONFIG } from '../../../test/application.ts'
import { testConsole, type TestConsole, type TestStaff } from '../../../test/console.ts'
import { Crasher, onlyDeath } from '../../../test/crasher.ts'
import { testLottery, type TestLottery } from '../../../test/lottery.ts'
import { casesOf, deathsAmong } from '../../../test/share.ts'
import { findViolations } from '../invariants/service.ts'
import { bankroll, operatorFee, winnings } from '../ledger/accounts.ts'
import { balanceOf, postTransfer } from '../ledger/service.ts'
import { lookAtRequest } from './carry-out.ts'

let world: TestLottery
let bench: TestConsole
let support: TestStaff
let treasurer: TestStaff
let playerId: bigint
const crasher = new Crasher()

beforeAll(async () => {
  world = await testLottery()
  const { lottery, db, runtime } = world
  const parts = {
    log: lottery.fairness,
    settings: CONFIG,
    webhooks: lottery.webhooks,
    operatorAddress: null,
    examine: async () => [],
  }
  bench = await testConsole({ db, runtime, parts, facts: lottery.facts })
  await bench.begin()
  support = await bench.person('support', ['support'])
  treasurer = await bench.person('treasurer', ['treasurer'])
  playerId = await world.addPlayer()
  await fillFee(1_000_000n)
})
afterAll(async () => {
  expect(await world.violations()).toEqual([])
  expect(await findViolations(world.db)).toEqual([])
  expect((await support.call('GET', '/audit/verify')).body).toMatchObject({ ok: true })
  await bench.end()
})
beforeEach(async () => {
  for (const staff of [support, treasurer]) await staff.signIn()
})

let fillings = 0
/** Leaves this much in the operator's fee. */
async function fillFee(sats: bigint): Promise<void> {
  const more = sats - (await balanceOf(world.db, operatorFee))
  fillings += 1
  const moves = [
    more >= 0n ? { from: bankroll, to: operatorFee, sats: more } : { from: operatorFee, to: bankroll, sats: -more },
  ]
  const transfer = { event: 'operator.withdrawal', subject: `test-${fillings}`, at: world.runtime.clock.now(), moves }
  await world.db.transaction((tx) => postTransfer(tx, transfer))
}

let orders = 0
/** A paid order: its id, and what it cost. */
async function paidOrder(): Promise<{ order: string; cost: bigint }> {
  orders += 1
  const lines = [[1, 2, 3, 4, 5 + (orders % 10)]]
  const order = await world.buy({ playerId, gameKey: 'bitcoin-hero', lines, days: [4] })
  const [row] = await world.rows<{ due_sats: string; status: string }>(
    `select due_sats, status from orders where id = $1`,
    [order],
  )
  expect(row?.status).toBe('PAID')
  return { order, cost: BigInt(row?.due_sats ?? 0) }
}

/** Everything about orders and plays that verifiers look at. */
async function played(): Promise<unknown> {
  return await world.rows(`select o.id, o.status, o.due_sats, o.applied_sats, o.paid_at, p.id as play, p.stake_sats, p.line_count, p.leaf_index
    from orders o left join plays p on p.order_id = o.id order by o.id, p.id`)
}

const given = async (order: string): Promise<unknown[]> =>
  await world.rows(`select sats from order_goodwill where order_id = $1`, [order])

describe('goodwill', () => {
  it('two people pay it from the operator’s fee into the winnings; the plays stay, and the player is told', async () => {
    const { order, cost } = await paidOrder()
    const before = { plays: await played(), log: await world.log() }
    const [feeBefore, wonBefore] = [
      await balanceOf(world.db, operatorFee),
      await balanceOf(world.db, winnings(playerId)),
    ]
    const asked = await support.propose(
      'orders.goodwill',
      { order, sats: String(cost) },
      'The page showed a wrong draw.',
    )
    expect(asked.body).toMatchObject({ state: 'proposed' })
    expect(await given(order)).toEqual([])
    expect((await support.call('GET', `/requests/${asked.id}`)).body.facts).toEqual({
      player: String(playerId),
      player_name: 'player-1',
      game: 'bitcoin-hero',
      state: 'PAID',
      sats: String(cost),
      goodwill_sats: '0',
    })
    expect((await treasurer.approve(asked.id)).body).toMatchObject({ state: 'done' })
    expect(await balanceOf(world.db, operatorFee)).toBe(feeBefore - cost)
    expect(await balanceOf(world.db, winnings(playerId))).toBe(wonBefore + cost)
    expect(await played()).toEqual(before.plays)
    expect(await world.log()).toEqual(before.log)
    expect(await world.rows(`select title from messages where key = $1`, [`order:${order}:goodwill`])).toHaveLength(1)
    const { body } = await support.call('GET', '/audit')
    expect(body.results[0]).toMatchObject({
      kind: 'orders.goodwill',
      staff: { name: 'support' },
      approver: { name: 'treasurer' },
      reason: 'The page showed a wrong draw.',
      detail: { subject: order },
    })
    await world.lottery.queue.runDue()
    expect(
      await world.rows(`select from payables where source = $1 and payout_id is null`, [`goodwill:${order}`]),
    ).toEqual([])
  })

  it('it is refused a second time, for an order that is not paid, and above what the fee holds', async () => {
    const { order } = await paidOrder()
    const ask = async (id: string, sats: string) => {
      const asked = await support.propose('orders.goodwill', { order: id, sats })
      return asked.body.state === 'proposed' ? await treasurer.approve(asked.id) : asked
    }
    await fillFee(99n)
    expect((await ask(order, '100')).body.error).toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('holds 99 sats'),
    })
    await fillFee(1_000_000n)
    expect((await ask(order, '100')).body).toMatchObject({ state: 'done' })
    expect((await ask(order, '100')).body.error).toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('already'),
    })
    expect(await given(order)).toEqual([{ sats: '100' }])
    expect((await ask('6f2c1c1e-6d0f-4a52-9a3e-5c1f0d6f7b11', '100')).body.error.code).toBe('NOT_FOUND')
  })

  it('a change of what was shown makes the request stale', async () => {
    const { order } = await paidOrder()
    const first = await support.propose('orders.goodwill', { order, sats: '10' })
    const second = await support.propose('orders.goodwill', { order, sats: '20' })
    expect((await treasurer.approve(first.id)).body).toMatchObject({ state: 'done' })
    expect((await treasurer.approve(second.id)).body.error.code).toBe('STALE')
    expect(await given(order)).toEqual([{ sats: '10' }])
  })

  it('it is never above the order’s amount, whatever is asked', async () => {
    const { order, cost } = await paidOrder()
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 1n, max: cost * 20n }), async (more) => {
        for (const staff of [support, treasurer]) await staff.signIn()
        const asked = await support.propose('orders.goodwill', { order, sats: String(cost + more) })
        expect((await treasurer.approve(asked.id)).body.error.message).toContain(`cost ${cost} sats`)
        expect(await given(order)).toEqual([])
      }),
      { numRuns: casesOf({ all: 100, share: 8 }) },
    )
  })
})

describe('a worker that pays goodwill', () => {
  beforeAll(() => bench.stopWorking())

  /** A request with both signatures that no worker has seen. */
  async function signed(order: string, sats: string): Promise<string> {
    const { id } = await support.propose('orders.goodwill', { order, sats })
    await lookAtRequest(bench.ctx, id, { attempts: 0 })
    expect((await treasurer.approve(id)).body).toMatchObject({ state: 'approved' })
    return id
  }

  it('pays one of two requests for one order that are carried out at once', async () => {
    const { order } = await paidOrder()
    const ids = [await signed(order, '30'), await signed(order, '40')]
    await Promise.all([...ids, ...ids].map((id) => lookAtRequest(bench.ctx, id, { attempts: 0 })))
    expect(await given(order)).toHaveLength(1)
    const states = await world.rows<{ state: string }>(
      `select state from operator_requests where id = any($1) order by state`,
      [ids],
    )
    expect(states.map(({ state }) => state)).toEqual(['done', 'refused'])
  })

  it('pays once, wherever it dies', async () => {
    const live = async (dieAt: number, when: 'before' | 'after'): Promise<number> => {
      const { order } = await paidOrder()
      const id = await signed(order, '50')
      crasher.arm(dieAt, when)
      await lookAtRequest({ ...bench.ctx, db: crasher.wrapStatements(world.db) }, id, { attempts: 0 }).catch(onlyDeath)
      const { calls } = crasher
      crasher.arm(0, 'before')
      await lookAtRequest(bench.ctx, id, { attempts: 1 })
      expect(await given(order), `died ${when} call ${dieAt}`).toEqual([{ sats: '50' }])
      return calls
    }
    const calls = await live(0, 'before')
    expect(calls).toBeGreaterThan(20)
    for (const { dieAt, when } of deathsAmong(calls)) await live(dieAt, when)
  })
})
