import { fromHex, toHex } from '@fairball/domain/protocol/bytes'
import { nobleHash } from '@fairball/domain/protocol/hash'
import { leafOfPlay } from '@fairball/domain/protocol/papers'
import { LEAF, writeRevocationLeaf } from '@fairball/domain/protocol/plays'
import { NO_HASH } from '@fairball/domain/protocol/statement-codecs'
import { isConsistent, leafHash, rootOf } from '@fairball/domain/protocol/tree'
import { describe, expect, it, vi } from 'vitest'
import { chainOfPayments } from '../../../test/chain-of-payments.ts'
import { START_AT, testLottery, type TestLotteryOptions } from '../../../test/lottery.ts'
import { consistencyPath, playsTree } from '../fairness/service.ts'
import { createOrder } from '../orders/service.ts'
import { openInvoice, refreshPayments } from '../payments/service.ts'
import { appendBatch } from './appending.ts'
import { closeDraw } from './service.ts'

const HERO = 'bitcoin-hero'
const FIRST_START_AT = START_AT + 15 * 60
const CLOSES_AT = FIRST_START_AT - 5 * 60
const LINES = [
  [1, 2, 3, 4, 5],
  [6, 7, 8, 9, 10],
]

/** A lottery in which a player buys for the first draw of bitcoin-hero. */
async function selling(options: TestLotteryOptions = {}) {
  const test = await testLottery(options)
  const { rows, lottery } = test
  const playerId = await test.addPlayer()
  const [draw] = await rows<{ id: string; open_hash: string }>(
    `select id, open_hash from draws where game_key = $1 and number = 1`,
    [HERO],
  )
  if (draw === undefined) throw new Error('there is a first draw')
  return {
    ...test,
    playerId,
    drawId: BigInt(draw.id),
    openHash: draw.open_hash,
    buyNow: (lines = LINES) => test.buy({ playerId, gameKey: HERO, lines, days: [3] }),
    append: () => test.db.transaction((tx) => appendBatch(lottery.draws, tx, BigInt(draw.id))),
    leaves: async () =>
      (await rows<{ leaf: Buffer }>(`select leaf from play_leaves where draw_id = $1 order by index`, [draw.id])).map(
        ({ leaf }) => new Uint8Array(leaf),
      ),
    batches: async () =>
      (await test.log()).flatMap(({ hash, statement }) =>
        statement.type === 'sold' && statement.open === draw.open_hash ? [{ ...statement, hash }] : [],
      ),
    close: async () => (await test.statementsOf(HERO, 1)).find((statement) => statement.type === 'close'),
  }
}

/** Root of some leaves, hex. */
function rootOfLeaves(leaves: readonly Uint8Array[]): string {
  return toHex(
    rootOf(
      nobleHash,
      leaves.map((leaf) => leafHash(nobleHash, leaf)),
    ),
  )
}

describe('a batch of plays', () => {
  it('a batch is logged within ten minutes, its leaves in the order of their ids, each as its player computes it', async () => {
    const { buyNow, batches, leaves, moveTo, rows, openHash, runtime, violations } = await selling()
    for (let order = 0; order < 4; order += 1) await buyNow(LINES.slice(0, 1 + (order % 2)))
    const paidAt = runtime.clock.now()
    expect(await batches()).toEqual([])
    await moveTo(CLOSES_AT - 1)
    const [batch, ...more] = await batches()
    expect(more).toEqual([])
    expect((batch?.time ?? 0) - paidAt).toBeLessThanOrEqual(600)
    const all = await leaves()
    expect(batch).toMatchObject({
      size: 4,
      root: rootOfLeaves(all),
      stake: 6000n,
      rate: { currency: 'GBP', value: 1000 },
    })
    const ids = all.map((leaf) => toHex(leaf.subarray(LEAF.playId, LEAF.rate)))
    expect(ids).toEqual(ids.toSorted())
    const orders = await rows<{ secret: Buffer; username: string; line_count: number }>(
      `select secret, username, line_count from orders`,
    )
    const own = orders.map(({ secret, username, line_count: count }) =>
      toHex(leafOfPlay(secret, { open: openHash, lines: LINES.slice(0, count), free: 0, price: 100 }, 1000, username)),
    )
    expect(all.map(toHex).toSorted()).toEqual(own.toSorted())
    expect(await violations()).toEqual([])
  })

  it('the first play of a quiet draw is in a batch within half a minute; the next batch waits until five minutes are over', async () => {
    const { buyNow, batches, moveTo, runtime, violations } = await selling()
    const paidAt = runtime.clock.now()
    await buyNow()
    await moveTo(paidAt + 30)
    const [first] = await batches()
    expect(first).toMatchObject({ size: 1 })
    const batchAt = first?.time ?? 0
    expect(batchAt - paidAt).toBeLessThanOrEqual(30)
    await buyNow()
    await moveTo(batchAt + 200)
    await buyNow()
    await moveTo(batchAt + 299)
    expect(await batches()).toHaveLength(1)
    await moveTo(batchAt + 300)
    expect((await batches()).map(({ size }) => size)).toEqual([1, 3])
    expect(await violations()).toEqual([])
  })

  it('a batch extends the one before, and nothing is logged if nothing is new', async () => {
    const { buyNow, batches, append, db, openHash, log } = await selling()
    await buyNow()
    await append()
    const { length } = await log()
    await append()
    expect(await log()).toHaveLength(length)
    await buyNow()
    await buyNow()
    await append()
    const [first, second] = await batches()
    expect([first?.size, second?.size, second?.stake]).toEqual([1, 3, 6000n])
    const path = await consistencyPath(db, playsTree(openHash), 1, 3)
    const headOf = (batch: typeof first) => ({ size: batch?.size ?? 0, root: fromHex(batch?.root ?? '') })
    expect(isConsistent(nobleHash, headOf(first), headOf(second), path)).toBe(true)
  })

  it('a batch holds each play once, however many workers append, sell and close at the same time', async () => {
    const { buyNow, append, db, lottery, leaves, rows, runtime, drawId, close, violations } = await selling()
    await buyNow()
    await Promise.all([append(), buyNow(), append(), buyNow(), append()])
    runtime.clock.set(CLOSES_AT)
    const closing = () => db.transaction((tx) => closeDraw(lottery.draws, tx, drawId))
    await Promise.all([append(), closing(), append(), closing()])
    const all = await leaves()
    expect(all).toHaveLength(3)
    expect(await close()).toMatchObject({ size: 3, lines: 6, stake: 6000n, root: rootOfLeaves(all) })
    expect(
      await rows(`select from plays p join play_leaves l on l.draw_id = p.draw_id and l.index = p.leaf_index
        and l.play_id = p.play_id`),
    ).toHaveLength(3)
    expect(await violations()).toEqual([])
  })
})

it('an order becomes PAID while a batch of its draw waits for it, and is in that batch', async () => {
  const test = await selling()
  const { buyNow, lottery, rows, leaves, playerId, runtime, violations } = test
  await buyNow()
  runtime.clock.set(runtime.clock.now() + 30)
  const appending = lottery.queue.runDue.bind(lottery.queue)
  const batches: Promise<void>[] = []
  const orders: typeof lottery.orders = {
    ...lottery.orders,
    async appendSoon(tx, draws) {
      if (batches.length === 0) batches.push(appending())
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await vi.waitFor(async () => expect(await rows(waiting)).toHaveLength(1), { timeout: 20_000, interval: 10 })
      await lottery.orders.appendSoon(tx, draws)
    },
  }
  const tickets = LINES.map((numbers) => ({ numbers, isLuckyDip: false }))
  const request = { playerId, gameKey: HERO, days: [3], weeks: 1, tickets, idempotencyKey: null }
  const { orderId } = await createOrder(lottery.orders, request)
  await openInvoice(lottery.payments, orderId)
  await chainOfPayments(test).pay(orderId, 2000n, 1)
  expect(await refreshPayments({ ...lottery.payments, orders }, orderId)).toBe('PAID')
  await Promise.all(batches)
  expect(await leaves()).toHaveLength(2)
  expect(await violations()).toEqual([])
})

describe('the close', () => {
  it('the close carries everything that was sold, even plays paid for in the last moment', async () => {
    const { buyNow, batches, moveTo, close, violations } = await selling()
    await buyNow()
    await moveTo(CLOSES_AT - 1)
    await buyNow()
    await moveTo(CLOSES_AT)
    const sold = await batches()
    expect(sold.map(({ size }) => size)).toEqual([1, 2])
    expect(await close()).toMatchObject({
      sold: sold[1]?.hash,
      size: 2,
      root: sold[1]?.root,
      stake: sold[1]?.stake,
      lines: 4,
      time: CLOSES_AT,
    })
    expect(await violations()).toEqual([])
  })

  it('the close names no batch if nothing was sold', async () => {
    const { moveTo, close, batches } = await selling()
    await moveTo(CLOSES_AT)
    expect(await close()).toMatchObject({ sold: NO_HASH, size: 0, root: toHex(nobleHash()), lines: 0, stake: 0n })
    expect(await batches()).toEqual([])
  })
})

describe('a play whose payment leaves the chain after its batch', () => {
  /** Two orders. The first is paid and in a batch, and its payment is gone. */
  async function lostPlay() {
    const test = await selling()
    const { lottery, playerId, append, moveTo, runtime } = test
    const chain = chainOfPayments(test)
    const tickets = LINES.map((numbers) => ({ numbers, isLuckyDip: false }))
    const request = { playerId, gameKey: HERO, days: [3], weeks: 1, tickets, idempotencyKey: null }
    const { orderId } = await createOrder(lottery.orders, request)
    await openInvoice(lottery.payments, orderId)
    const outpoint = await chain.pay(orderId, 2000n, 1)
    await refreshPayments(lottery.payments, orderId)
    await test.buyNow()
    await append()
    const lost = await chain.lose(outpoint)
    await refreshPayments(lottery.payments, orderId)
    await moveTo(runtime.clock.now() + 60)
    return { ...test, chain, orderId, outpoint, lost }
  }

  it('the close revokes the play: a leaf of its own says so, and it counts for nothing', async () => {
    const { moveTo, leaves, close, outpoint, openHash, rows, violations } = await lostPlay()
    const [gone] = await rows<{ leaf_index: string; play_id: Buffer }>(
      `select leaf_index, play_id from plays_taken_back`,
    )
    await moveTo(CLOSES_AT)
    const all = await leaves()
    const index = Number(gone?.leaf_index)
    const revocation = writeRevocationLeaf({
      openHash: fromHex(openHash),
      playId: gone?.play_id ?? new Uint8Array(),
      index,
      transaction: fromHex(outpoint.slice(0, 64)),
    })
    expect(toHex(all[2] ?? new Uint8Array())).toBe(toHex(revocation))
    const list = new Uint8Array(16)
    new DataView(list.buffer).setBigUint64(0, BigInt(index))
    new DataView(list.buffer).setBigUint64(8, 2n)
    expect(await close()).toMatchObject({
      size: 3,
      root: rootOfLeaves(all),
      lines: 2,
      stake: 2000n,
      revoked: { count: 1, list: toHex(nobleHash(list)) },
    })
    await moveTo(FIRST_START_AT + 200)
    expect(await violations()).toEqual([])
  })

  it('the play keeps its leaf if the payment returns before the close', async () => {
    const { moveTo, chain, lost, lottery, orderId, leaves, close, rows, violations } = await lostPlay()
    await chain.comeBack(lost, 1)
    expect(await refreshPayments(lottery.payments, orderId)).toBe('PAID')
    expect(await rows(`select from plays_taken_back`)).toEqual([])
    await moveTo(CLOSES_AT)
    expect(await leaves()).toHaveLength(2)
    expect(await close()).toMatchObject({ size: 2, lines: 4, revoked: { count: 0 } })
    await moveTo(FIRST_START_AT + 200)
    expect(await violations()).toEqual([])
  })
})
