import { GAMES } from '@fairball/domain/seeds'
import { describe, expect, it, vi } from 'vitest'
import { type TestLottery, testLottery } from '../../../test/lottery.ts'
import type { Tx } from '../../db/pool.ts'
import { bankroll, reserve, suspense } from '../ledger/accounts.ts'
import { balanceOf, postTransfer } from '../ledger/service.ts'
import { pauseSales, resumeSales } from '../operator/sales-actions.ts'
import { createOrder } from '../orders/service.ts'
import { moneyOf, openInvoice, refreshPayments } from '../payments/service.ts'
import { salesState } from './service.ts'

const TXID = 'ab'.repeat(32)
const HERO = 'bitcoin-hero'
const TREASURE = 'treasure'
const NOT_TAKEN = { code: 'GAME_NOT_AVAILABLE' }

/** At the demo's 1,000 sats per pound, 1.25 times floor and cover of a game, in sats. */
function wantedBy(gameKey: string): bigint {
  const game = GAMES.find(({ key }) => key === gameKey)
  return (BigInt((game?.guaranteedMinor ?? 0) + (game?.coverMinor ?? 0)) * 10n * 5n) / 4n
}

/** Leaves this much in the free bankroll. */
async function leave({ db, runtime }: TestLottery, sats: bigint): Promise<void> {
  await db.transaction(async (tx) => {
    const moreSats = sats - (await balanceOf(tx, bankroll))
    const moves = [
      moreSats > 0n
        ? { from: suspense, to: bankroll, sats: moreSats }
        : { from: bankroll, to: suspense, sats: -moreSats },
    ]
    await postTransfer(tx, { event: 'test.moved', subject: `${sats} ${moreSats}`, at: runtime.clock.now(), moves })
  })
}

async function order({ lottery }: Pick<TestLottery, 'lottery'>, playerId: bigint, gameKey: string): Promise<string> {
  const game = GAMES.find(({ key }) => key === gameKey) ?? expect.fail(gameKey)
  const numbers = Array.from({ length: game.pick }, (_, place) => place + 1)
  const days = [game.drawTimes[0]?.day ?? 1]
  const tickets = [{ numbers, isLuckyDip: false }]
  return (await createOrder(lottery.orders, { playerId, gameKey, days, weeks: 1, tickets, idempotencyKey: null }))
    .orderId
}

async function onSale({ lottery, db }: TestLottery): Promise<string[]> {
  return (await salesState(lottery.draws, db)).games.flatMap(({ gameKey, isOnSale }) => (isOnSale ? [gameKey] : []))
}

const operator = ({ db, runtime, lottery }: TestLottery) => ({ db, runtime, jobs: lottery.queue, actor: 'alice' })

describe('the bankroll, per game', () => {
  it('coins that left the wallets unbooked secure no prizes', async () => {
    const test = await testLottery({ games: GAMES })
    const playerId = await test.addPlayer()
    await order(test, playerId, HERO)
    await test.rows(
      `insert into treasury_movements (txid, found_at, paid_sats, kind, state) values ($1, 0, 4990000000, 'spend', 'UNBOOKED')`,
      [TXID],
    )
    await expect(order(test, playerId, HERO)).rejects.toMatchObject(NOT_TAKEN)
    await test.rows(`update treasury_movements set state = 'BOOKED', booked_at = 1 where txid = $1`, [TXID])
    await order(test, playerId, HERO)
  })

  it('of two games that share a bankroll for one, the first one sells until the other has sold', async () => {
    const test = await testLottery({ games: GAMES })
    const playerId = await test.addPlayer()
    await leave(test, wantedBy(TREASURE))
    expect(await onSale(test)).toEqual([HERO])
    await expect(order(test, playerId, TREASURE)).rejects.toMatchObject(NOT_TAKEN)
    await pauseSales(operator(test), HERO, { note: 'Back soon', reason: 'a test' })
    expect(await onSale(test)).toEqual([]) // a paused game keeps its part
    // An order for Treasure from when the bankroll was larger commits it: it comes first from then on.
    await resumeSales(operator(test), HERO, 'a test')
    await leave(test, wantedBy(HERO) + wantedBy(TREASURE))
    await order(test, playerId, TREASURE)
    await leave(test, wantedBy(TREASURE))
    expect(await onSale(test)).toEqual([TREASURE])
    await expect(order(test, playerId, HERO)).rejects.toMatchObject(NOT_TAKEN)
  })

  it('an order that can no longer be paid commits its game to nothing', async () => {
    const test = await testLottery({ games: GAMES })
    await order(test, await test.addPlayer(), TREASURE)
    await leave(test, wantedBy(TREASURE))
    const commitsAt = async (seconds: number) => {
      test.runtime.clock.set(start + seconds)
      const { games } = await salesState(test.lottery.draws, test.db)
      return games.filter(({ isCommitted }) => isCommitted).map(({ gameKey }) => gameKey)
    }
    const start = test.runtime.clock.now()
    expect(await commitsAt(0)).toEqual([TREASURE])
    await test.rows(`update orders set status = 'EXPIRED'`)
    expect(await commitsAt(900 + 86_400)).toEqual([TREASURE])
    expect(await commitsAt(900 + 86_401)).toEqual([])
  })

  it('of two orders at once that together commit two games for which the bankroll does not reach, one is taken', async () => {
    const test = await testLottery({ games: GAMES })
    const { rows } = test
    const [one, other] = [await test.addPlayer(), await test.addPlayer()]
    await order(test, one, TREASURE)
    await leave(test, wantedBy(TREASURE))
    // An order for Treasure stops after it was found to be carried. Then the order that committed Treasure ends.
    const found = Promise.withResolvers<undefined>()
    const goOn = Promise.withResolvers<undefined>()
    const checkMayPlay = async (tx: Tx): Promise<void> => {
      await tx.notify('asked') // answered after the statements that were sent before
      found.resolve(undefined)
      await goOn.promise
    }
    const held = order({ lottery: await test.beside({ checkMayPlay }) }, one, TREASURE)
    await found.promise
    await rows(`update orders set status = 'REFUNDED'`)
    expect(await onSale(test)).toEqual([HERO])
    const second = order(test, other, HERO)
    const refused = expect(second).rejects.toMatchObject(NOT_TAKEN)
    await vi.waitFor(async () =>
      expect(
        await rows(`select from pg_locks l join pg_database d on d.oid = l.database
          where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`),
      ).toHaveLength(1),
    )
    goOn.resolve(undefined)
    await held
    await refused
    expect(await onSale(test)).toEqual([TREASURE])
  })

  it('a draw without entries sets nothing of the bankroll aside at its close', async () => {
    const test = await testLottery({ games: GAMES })
    const freeSats = await balanceOf(test.db, bankroll)
    const [draw] = await test.rows<{ id: string; closes_at: string }>(
      `select id, closes_at from draws where game_key = $1 and number = 1`,
      [HERO],
    )
    await test.moveTo(Number(draw?.closes_at) + 1)
    expect(await test.rows(`select status, entries from draws where id = $1`, [draw?.id])).toEqual([
      { status: 'closed', entries: 0 },
    ])
    expect(await balanceOf(test.db, reserve(BigInt(draw?.id ?? 0)))).toBe(0n)
    expect(await balanceOf(test.db, bankroll)).toBe(freeSats)
    expect(await test.violations()).toEqual([])
  })
})

describe('a pause of sales', () => {
  it('no orders are taken until it ends, and each pause is ended by its own name', async () => {
    const test = await testLottery({ games: GAMES })
    const playerId = await test.addPlayer()
    const ctx = operator(test)
    await pauseSales(ctx, HERO, { note: ' Back on Monday ', reason: 'the stock is counted' })
    await expect(order(test, playerId, HERO)).rejects.toMatchObject(NOT_TAKEN)
    await order(test, playerId, TREASURE)
    const { games } = await salesState(test.lottery.draws, test.db)
    expect(games.map(({ pauseNote }) => pauseNote)).toEqual([null, 'Back on Monday', null, null, null, null])
    await pauseSales(ctx, 'all', { note: 'Closed today', reason: 'holiday' })
    expect(await onSale(test)).toEqual([])
    expect(await resumeSales(ctx, 'all', 'over')).toBe('The pause of all has ended (over). Still paused: bitcoin-hero.')
    expect(await onSale(test)).not.toContain(HERO)
    await resumeSales(ctx, HERO, 'counted')
    await order(test, playerId, HERO)
  })

  it('an order made before the pause is paid and played', async () => {
    const test = await testLottery({ games: GAMES })
    const { lottery, rows } = test
    const orderId = await order(test, await test.addPlayer(), HERO)
    await openInvoice(lottery.payments, orderId)
    await pauseSales(operator(test), 'all', { note: 'Closed today', reason: 'holiday' })
    const { address, missingSats } = await moneyOf(lottery.payments, orderId)
    await lottery.chain.payIn({ address: address ?? '', sats: missingSats, minedConfirmations: 1 })
    await refreshPayments(lottery.payments, orderId)
    const [draw] = await rows<{ end_at: string }>(
      `select d.end_at from plays p join draws d on d.id = p.draw_id where p.order_id = $1`,
      [orderId],
    )
    await test.moveTo(Number(draw?.end_at) + 60)
    expect(
      await rows(`select d.status, d.entries from plays p join draws d on d.id = p.draw_id where p.order_id = $1`, [
        orderId,
      ]),
    ).toEqual([{ status: 'settled', entries: 1 }])
    expect(await test.violations()).toEqual([])
  })

  it('a pause needs a game, a note that fits and a reason, and does not begin or end twice', async () => {
    const test = await testLottery({ games: GAMES })
    const ctx = operator(test)
    const texts = { note: 'Back soon', reason: 'a test' }
    await expect(pauseSales(ctx, 'nothing', texts)).rejects.toThrow('There is no game nothing.')
    await expect(pauseSales(ctx, HERO, { ...texts, note: ' ' })).rejects.toThrow('--note is one line of text.')
    await expect(pauseSales(ctx, HERO, { ...texts, reason: 'a\nb' })).rejects.toThrow('--reason is one line of text.')
    await expect(pauseSales(ctx, HERO, { ...texts, note: 'x'.repeat(141) })).rejects.toThrow('141 characters')
    await expect(resumeSales(ctx, HERO, 'over')).rejects.toThrow('Sales of bitcoin-hero are not paused.')
    await pauseSales(ctx, HERO, texts)
    await expect(pauseSales(ctx, HERO, texts)).rejects.toThrow('Sales of bitcoin-hero are paused already')
  })
})
