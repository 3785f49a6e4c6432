import { satsToBtc } from '@fairball/domain/money'
import { describe, expect, it } from 'vitest'
import { chainOfPayments } from '../../../test/chain-of-payments.ts'
import { testLottery } from '../../../test/lottery.ts'
import { type LedgerAccount, losses, received, stakesHeld, suspense, winnings } from '../ledger/accounts.ts'
import { balanceOf } from '../ledger/service.ts'
import { createOrder } from '../orders/service.ts'
import { checkoutOf, moneyOf, openInvoice, refreshPayments } from './service.ts'

const HERO = 'bitcoin-hero'
const HOUR = 3600
/** Two lines in two draws at £1 and 1,000 sats per pound. */
const DUE = 4000n

/** An order of two lines for the demo's first draw, which closes ten minutes after the start, and tomorrow's. */
async function newOrder(options: { address?: null; freeTickets?: number } = {}) {
  const test = await testLottery()
  const { lottery, db, rows, runtime } = test
  const chain = chainOfPayments(test)
  const playerId = await test.addPlayer(options.address === null ? { address: null } : {})
  const { freeTickets = 0 } = options
  if (freeTickets > 0)
    await rows(`insert into free_tickets (player_id, game_key, won) values ($1, $2, $3)`, [playerId, HERO, freeTickets])
  const lines = [
    [1, 2, 3, 4, 5],
    [6, 7, 8, 9, 10],
  ]
  const { orderId } = await createOrder(lottery.orders, {
    playerId,
    gameKey: HERO,
    days: [3, 4],
    weeks: 1,
    tickets: lines.map((numbers) => ({ numbers, isLuckyDip: false })),
    idempotencyKey: null,
  })
  await openInvoice(lottery.payments, orderId)
  const balance = (account: LedgerAccount) => balanceOf(db, account)
  return {
    ...test,
    chain,
    orderId,
    playerId,
    balance,
    now: () => runtime.clock.now(),
    status: async () => (await moneyOf(lottery.payments, orderId)).status,
    plays: () =>
      rows<{ number: number; stake_sats: string; free_count: number }>(
        `select d.number, p.stake_sats, p.free_count from plays p join draws d on d.id = p.draw_id
          where p.order_id = $1 order by d.number`,
        [orderId],
      ),
    freeTickets: async () => (await rows(`select used, held from free_tickets where player_id = $1`, [playerId]))[0],
    messages: async () =>
      (await rows<{ title: string }>(`select title from messages where player_id = $1 order by id`, [playerId])).map(
        (message) => message.title,
      ),
  }
}

describe('a payment reorganised away after its order was PAID', () => {
  it('a payment is reversed when it is missing twice: the entries are removed, and the ledger’s wallet follows the chain', async () => {
    const test = await newOrder()
    const { chain, orderId, balance, lottery, moveTo, now } = test
    const outpoint = await chain.pay(orderId, DUE, 1)
    expect(await refreshPayments(lottery.payments, orderId)).toBe('PAID')
    expect(await test.plays()).toHaveLength(2)

    await chain.lose(outpoint)
    expect(await refreshPayments(lottery.payments, orderId)).toBe('PAID') // one check may be stale
    expect(await test.plays()).toHaveLength(2)
    await moveTo(now() + 60) // the second comes without a message
    expect(await test.status()).toBe('PENDING') // its invoice is still open
    expect(await test.plays()).toEqual([])
    expect([await balance(stakesHeld(HERO)), await balance(received), await balance(losses)]).toEqual([0n, 0n, 0n])
    expect(await test.violations()).toEqual([])
    expect(await test.messages()).toEqual([
      'Your Bitcoin Hero numbers are in',
      'Your Bitcoin Hero payment was reversed',
    ])
    await moveTo(now() + 900)
    expect(await test.status()).toBe('EXPIRED')
  })

  it('a payment that is found again in the second check was a stale answer, and nothing changed', async () => {
    const test = await newOrder()
    const { chain, orderId, lottery, moveTo, now } = test
    const outpoint = await chain.pay(orderId, DUE, 1)
    await refreshPayments(lottery.payments, orderId)
    const before = await test.plays()
    const lost = await chain.lose(outpoint)
    await refreshPayments(lottery.payments, orderId)
    await chain.comeBack(lost, 1)
    await moveTo(now() + 60)
    expect(await test.status()).toBe('PAID')
    expect(await test.plays()).toEqual(before)
    // And the doubt is over: if it is missing once more, that is the first time.
    await chain.lose(outpoint)
    expect(await refreshPayments(lottery.payments, orderId)).toBe('PAID')
  })

  it('an order waits for the payment’s next block as PROCESSING, and is then in its draws again', async () => {
    const test = await newOrder()
    const { chain, orderId, moveTo, now } = test
    const outpoint = await chain.pay(orderId, DUE, 1)
    await refreshPayments(test.lottery.payments, orderId)
    const before = await test.plays()
    await chain.toMempool(outpoint)
    expect(await chain.settleDoubts(orderId)).toBe('PROCESSING')
    expect(await test.plays()).toEqual([])
    expect(await test.violations()).toEqual([])
    await chain.mine(outpoint)
    await moveTo(now() + 60)
    await refreshPayments(test.lottery.payments, orderId)
    expect(await test.status()).toBe('PAID')
    expect(await test.plays()).toEqual(before)
    expect(await test.messages()).toEqual([
      'Your Bitcoin Hero numbers are in',
      'Your Bitcoin Hero payment was reversed',
      'Your Bitcoin Hero numbers are in again',
    ])
    expect(await test.violations()).toEqual([])
  })

  it('the operator bears the loss as far as a draw has closed, and it is made good when the payment returns', async () => {
    const test = await newOrder()
    const { chain, orderId, balance, moveTo, now } = test
    const outpoint = await chain.pay(orderId, DUE, 1)
    await refreshPayments(test.lottery.payments, orderId)
    await moveTo(now() + 20 * 60) // the first of the two draws is closed and settled
    const lost = await chain.lose(outpoint)
    expect(await chain.settleDoubts(orderId)).toBe('EXPIRED')
    expect(await test.plays()).toMatchObject([{ number: 1, stake_sats: '2000' }])
    expect([await balance(losses), await balance(stakesHeld(HERO))]).toEqual([2000n, 0n])
    expect(await test.violations()).toEqual([])

    // A day of grace is over at the close of a draw of the order: money that returns is refunded.
    await chain.comeBack(lost, 1)
    expect(await chain.settleDoubts(orderId)).toBe('REFUNDED')
    expect(await balance(losses)).toBe(0n)
    const [refund] = await test.rows(`select sats from refunds where order_id = $1`, [orderId])
    expect(refund).toEqual({ sats: '2000' })
    expect(await test.violations()).toEqual([])
  })

  it('a payment that returns after one of its draws closed plays in the other, and the loss is made good', async () => {
    const test = await newOrder()
    const { chain, orderId, balance, moveTo, now } = test
    const outpoint = await chain.pay(orderId, DUE, 1)
    await refreshPayments(test.lottery.payments, orderId)
    await moveTo(now() + 20 * 60)
    await chain.toMempool(outpoint)
    expect(await chain.settleDoubts(orderId)).toBe('PROCESSING')
    expect(await balance(losses)).toBe(2000n)
    await chain.mine(outpoint)
    expect(await chain.settleDoubts(orderId)).toBe('PAID')
    expect((await test.plays()).map((play) => play.stake_sats)).toEqual(['2000', '2000'])
    expect([await balance(losses), await balance(received)]).toEqual([0n, 0n])
    expect(await test.violations()).toEqual([])
  })

  it('an order stays PAID if all its draws have closed', async () => {
    const test = await newOrder()
    const { chain, orderId, balance, moveTo, now } = test
    const first = await chain.pay(orderId, DUE, 1)
    await refreshPayments(test.lottery.payments, orderId)
    // Tomorrow at six in the evening both have closed. Six blocks are an hour: such a chain is made by hand here.
    await moveTo(now() + 31 * HOUR)
    await test.rows(`update payments set final_at = null where outpoint = $1`, [first])
    await chain.lose(first)
    expect(await chain.settleDoubts(orderId)).toBe('PAID')
    expect(await balance(losses)).toBe(DUE)
    expect(await test.violations()).toEqual([])
  })

  it('the free tickets of removed entries are returned, and used again', async () => {
    const test = await newOrder({ freeTickets: 3 })
    const { chain, orderId, moveTo, now } = test
    const outpoint = await chain.pay(orderId, 1000n, 1)
    expect(await refreshPayments(test.lottery.payments, orderId)).toBe('PAID')
    expect(await test.freeTickets()).toEqual({ used: 3, held: 0 })
    await moveTo(now() + 20 * 60) // both free entries of the first draw have played
    const lost = await chain.lose(outpoint)
    await chain.settleDoubts(orderId)
    expect(await test.status()).toBe('EXPIRED')
    expect(await test.freeTickets()).toEqual({ used: 2, held: 0 })
    await chain.comeBack(lost, 1)
    expect(await chain.settleDoubts(orderId)).toBe('REFUNDED')
    expect(await test.freeTickets()).toEqual({ used: 2, held: 0 })
    expect(await test.violations()).toEqual([])
  })

  it('an excess that is still owed is cancelled, and the stakes bear one that has left', async () => {
    const owed = await newOrder({ address: null })
    const first = await owed.chain.pay(owed.orderId, DUE, 1)
    const second = await owed.chain.pay(owed.orderId, 1500n, 1)
    await refreshPayments(owed.lottery.payments, owed.orderId)
    expect(await owed.balance(winnings(owed.playerId))).toBe(1500n)
    await owed.chain.lose(second)
    expect(await owed.chain.settleDoubts(owed.orderId)).toBe('PAID')
    expect([await owed.balance(winnings(owed.playerId)), await owed.balance(losses)]).toEqual([0n, 0n])
    expect(await owed.violations()).toEqual([])
    await owed.chain.lose(first)
    await owed.chain.settleDoubts(owed.orderId)
    expect(await owed.plays()).toEqual([])

    const left = await newOrder()
    await left.chain.pay(left.orderId, DUE, 1)
    const more = await left.chain.pay(left.orderId, 1500n, 1)
    await left.chain.settleDoubts(left.orderId)
    await left.moveTo(left.now() + 60)
    expect(await left.balance(winnings(left.playerId))).toBe(0n) // paid out
    const lost = await left.chain.lose(more)
    // The player has 1,500 of the 4,000 back: the stakes bear it before the operator does.
    expect(await left.chain.settleDoubts(left.orderId)).toBe('UNDERPAID')
    expect(await left.plays()).toEqual([])
    expect([await left.balance(losses), await left.balance(received)]).toEqual([0n, 2500n])
    await left.chain.comeBack(lost, 1)
    expect(await left.chain.settleDoubts(left.orderId)).toBe('PAID')
    expect(await left.plays()).toHaveLength(2)
    expect([await left.balance(losses), await left.balance(received)]).toEqual([0n, 0n])
    expect(await left.violations()).toEqual([])
  })

  it('a payment is never reversed once it is six deep', async () => {
    const test = await newOrder()
    const { chain, orderId, moveTo, now } = test
    const outpoint = await chain.pay(orderId, DUE, 1)
    await refreshPayments(test.lottery.payments, orderId)
    await moveTo(now() + HOUR)
    expect(await test.rows(`select from payments where final_at is not null`)).toHaveLength(1)
    await chain.lose(outpoint)
    expect(await chain.settleDoubts(orderId)).toBe('PAID')
    // After that it is no longer checked.
    await moveTo(now() + 2 * 24 * HOUR)
    expect(await test.rows(`select from jobs where kind = 'payments.refresh'`)).toEqual([])
  })

  it('two workers at the same time find a lost payment as one does', async () => {
    const test = await newOrder()
    const { chain, orderId, lottery, now, runtime } = test
    const outpoint = await chain.pay(orderId, DUE, 1)
    await refreshPayments(lottery.payments, orderId)
    await chain.lose(outpoint)
    const crowd = () => Promise.all(Array.from({ length: 5 }, () => refreshPayments(lottery.payments, orderId)))
    await crowd()
    runtime.clock.set(now() + 60)
    await crowd()
    expect(await test.plays()).toEqual([])
    expect(await test.balance(suspense)).toBe(0n)
    expect(await test.violations()).toEqual([])
  })
})

describe('an order paid again after its payment was reorganised away for good', () => {
  /** The order was PAID, and its payment is now spent elsewhere. */
  async function lostOrder(options: Parameters<typeof newOrder>[0] = {}) {
    const test = await newOrder(options)
    const outpoint = await test.chain.pay(test.orderId, DUE, 1)
    await refreshPayments(test.lottery.payments, test.orderId)
    const lost = await test.chain.lose(outpoint)
    expect(await test.chain.settleDoubts(test.orderId)).toBe('PENDING')
    const missing = async (): Promise<bigint> => {
      const { missing: shown, uri } = await checkoutOf(test.lottery.payments, test.orderId)
      const { missingSats } = await moneyOf(test.lottery.payments, test.orderId)
      expect(shown.value).toBe(satsToBtc(missingSats))
      expect(uri?.includes('amount=')).toBe(missingSats > 0n)
      return missingSats
    }
    return { ...test, lost, missing }
  }

  it('an order paid with the same amount is PAID, in its draws again', async () => {
    const test = await lostOrder()
    expect(await test.missing()).toBe(DUE)
    await test.chain.pay(test.orderId, DUE, 1)
    expect(await test.chain.settleDoubts(test.orderId)).toBe('PAID')
    expect((await test.plays()).map((play) => play.stake_sats)).toEqual(['2000', '2000'])
    expect(await test.missing()).toBe(0n)
    expect(await test.violations()).toEqual([])
  })

  it('an order paid with less is UNDERPAID, and PAID with the part that the checkout asks for', async () => {
    const test = await lostOrder()
    await test.chain.pay(test.orderId, 1500n, 1)
    expect(await test.chain.settleDoubts(test.orderId)).toBe('UNDERPAID')
    expect(await test.missing()).toBe(2500n)
    await test.chain.pay(test.orderId, await test.missing(), 1)
    expect(await test.chain.settleDoubts(test.orderId)).toBe('PAID')
    expect(await test.balance(winnings(test.playerId))).toBe(0n)
    expect(await test.violations()).toEqual([])
  })

  it('an order paid with less and no more is fully REFUNDED at its expiry', async () => {
    const test = await lostOrder({ address: null })
    await test.chain.pay(test.orderId, 1500n, 1)
    expect(await test.chain.settleDoubts(test.orderId)).toBe('UNDERPAID')
    await test.moveTo(test.now() + 900)
    expect(await test.status()).toBe('REFUNDED')
    expect(await test.balance(winnings(test.playerId))).toBe(1500n)
    expect([await test.balance(received), await test.balance(losses)]).toEqual([0n, 0n])
    // And so is the first payment, should it return.
    await test.chain.comeBack(test.lost, 1)
    expect(await test.chain.settleDoubts(test.orderId)).toBe('REFUNDED')
    expect(await test.balance(winnings(test.playerId))).toBe(1500n + DUE)
    expect(await test.rows(`select sats from refunds`)).toEqual([{ sats: String(1500n + DUE) }])
    expect(await test.violations()).toEqual([])
  })

  it('an order paid with more is PAID, and the excess is owed', async () => {
    const test = await lostOrder({ address: null })
    await test.chain.pay(test.orderId, DUE + 700n, 1)
    expect(await test.chain.settleDoubts(test.orderId)).toBe('PAID')
    expect(await test.balance(winnings(test.playerId))).toBe(700n)
    // The first payment returns as well: all of it is excess.
    await test.chain.comeBack(test.lost, 1)
    expect(await test.chain.settleDoubts(test.orderId)).toBe('PAID')
    expect(await test.balance(winnings(test.playerId))).toBe(700n + DUE)
    expect(await test.violations()).toEqual([])
  })

  it('an order paid in two parts, the second on its way, is PROCESSING until that is mined', async () => {
    const test = await lostOrder()
    await test.chain.pay(test.orderId, 1500n, 1)
    const second = await test.chain.pay(test.orderId, 2500n, 0)
    expect(await test.chain.settleDoubts(test.orderId)).toBe('PROCESSING')
    expect(await test.missing()).toBe(0n)
    await test.chain.mine(second)
    expect(await test.chain.settleDoubts(test.orderId)).toBe('PAID')
    expect(await test.violations()).toEqual([])
  })

  it('an order whose excess was paid out needs the price again, not the rest of it', async () => {
    const test = await newOrder()
    const first = await test.chain.pay(test.orderId, DUE, 1)
    await test.chain.pay(test.orderId, 1500n, 1)
    await test.chain.settleDoubts(test.orderId)
    await test.moveTo(test.now() + 60)
    expect(await test.balance(winnings(test.playerId))).toBe(0n) // paid out
    await test.chain.lose(first)
    expect(await test.chain.settleDoubts(test.orderId)).toBe('PENDING')
    expect((await moneyOf(test.lottery.payments, test.orderId)).missingSats).toBe(DUE)
    await test.chain.pay(test.orderId, DUE - 1500n, 1)
    expect(await test.chain.settleDoubts(test.orderId)).toBe('UNDERPAID')
    expect((await moneyOf(test.lottery.payments, test.orderId)).missingSats).toBe(1500n)
    // What was returned before must not be taken for a payment: the order does not wait for ever.
    await test.moveTo(test.now() + 900)
    expect(await test.status()).toBe('REFUNDED')
    expect([await test.balance(received), await test.balance(losses)]).toEqual([0n, 0n])
    expect(await test.violations()).toEqual([])
  })

  it('an order of which one draw closed is refunded less what that draw cost, and the loss is made good', async () => {
    const test = await newOrder({ address: null })
    const outpoint = await test.chain.pay(test.orderId, DUE, 1)
    await refreshPayments(test.lottery.payments, test.orderId)
    await test.moveTo(test.now() + 20 * 60)
    await test.chain.lose(outpoint)
    expect(await test.chain.settleDoubts(test.orderId)).toBe('EXPIRED')
    expect((await moneyOf(test.lottery.payments, test.orderId)).missingSats).toBe(DUE)
    await test.chain.pay(test.orderId, 2500n, 1)
    expect(await test.chain.settleDoubts(test.orderId)).toBe('REFUNDED')
    // Whether a line won a prize or a free ticket depends on the numbers drawn.
    const [won] = await test.rows<{ sats: string }>(`select coalesce(sum(amount_sats), 0) as sats from wins`)
    const balances = [await test.balance(losses), await test.balance(winnings(test.playerId))]
    expect(balances).toEqual([0n, 500n + BigInt(won?.sats ?? 0)])
    expect((await test.messages()).filter((title) => !/free ticket|won/.test(title))).toEqual([
      'Your Bitcoin Hero numbers are in',
      'Your Bitcoin Hero payment was reversed',
      'Your Bitcoin Hero order has expired',
      'Your Bitcoin Hero payment is refunded',
    ])
    expect(await test.violations()).toEqual([])
  })
})
