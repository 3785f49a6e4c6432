import { fromHex, toHex } from '@fairball/domain/protocol/bytes'
import { textHash } from '@fairball/domain/protocol/hash'
import { checkPromise, checkReceipt, type Order } from '@fairball/domain/protocol/papers'
import { readNote } from '@fairball/domain/protocol/note'
import { NO_HASH } from '@fairball/domain/protocol/statement-codecs'
import { readStatementOf } from '@fairball/domain/protocol/statements'
import { describe, expect, it } from 'vitest'
import { ADDRESSES, START_AT, testLottery } from '../../../test/lottery.ts'
import { createOrder } from '../orders/service.ts'
import { allPapersOf, moneyOf, openInvoice, papersOf, refreshPayments } from './service.ts'

const HERO = 'bitcoin-hero'
const CLOSES_AT = START_AT + 10 * 60
const SECRET = new Uint8Array(32).fill(9)
const LINES = [
  [1, 2, 3, 4, 5],
  [6, 7, 8, 9, 10],
]
/** £2 at 1,000 sats per pound. */
const DUE = 2000n

/** An unpaid order for the first draw of bitcoin-hero, by a player who made its secret. */
async function ordered() {
  const test = await testLottery()
  const { lottery, db, rows } = test
  const playerId = await test.addPlayer()
  const tickets = LINES.map((numbers) => ({ numbers, isLuckyDip: false }))
  const request = { playerId, gameKey: HERO, days: [3], weeks: 1, tickets, idempotencyKey: null, secret: SECRET }
  const { orderId, made } = await createOrder(lottery.orders, request)
  const { promise } = await openInvoice(lottery.payments, orderId, made)
  const { address } = await moneyOf(lottery.payments, orderId)
  const { publicKey } = await lottery.fairness.keys.inForce(db)
  const log = { origin: lottery.fairness.origin, publicKey }
  const openOf = async (number: number) =>
    (
      await rows<{ open_hash: string }>(`select open_hash from draws where game_key = $1 and number = $2`, [
        HERO,
        number,
      ])
    )[0]?.open_hash ?? ''
  const orderIn = (open: string): Order => ({
    secret: SECRET,
    payto: ADDRESSES[0] ?? '',
    plays: [{ open, lines: LINES, free: 0, price: 100 }],
  })
  return {
    ...test,
    playerId,
    orderId,
    promise: promise ?? '',
    log,
    openOf,
    orderIn,
    address: address ?? '',
    async pay() {
      await lottery.chain.payIn({ address: address ?? '', sats: DUE, minedConfirmations: 1 })
      await refreshPayments(lottery.payments, orderId)
    },
    async papers() {
      const [play] = await rows<{ id: string }>(`select id from plays where order_id = $1`, [orderId])
      return await papersOf(lottery.payments, play?.id ?? '', playerId)
    },
  }
}

const textOf = (note: string): string => readNote(note)?.text ?? ''

describe('the promise of an order', () => {
  it('the player’s browser accepts the promise: ids, sums, commitments and address match', async () => {
    const { promise, orderIn, openOf, log, address } = await ordered()
    const shown = { pay: { by: 'bitcoin', address } as const, sats: DUE }
    const order = orderIn(await openOf(1))
    expect(checkPromise(promise, order, log, shown)).toMatchObject({ type: 'promise', sats: DUE, confirmations: 1 })
    expect(checkPromise(promise, { ...order, payto: ADDRESSES[1] ?? '' }, log, shown)).toContain('payout address')
  })

  it('the promise is the same however often and whenever it is requested', async () => {
    const { promise, lottery, orderId, pay, papers, moveTo } = await ordered()
    const again = await Promise.all([openInvoice(lottery.payments, orderId), openInvoice(lottery.payments, orderId)])
    expect(again.map((answer) => answer.promise)).toEqual([promise, promise])
    await pay()
    expect((await papers()).promise).toBe(promise)
    await moveTo(CLOSES_AT + 1)
    expect((await papers()).promise).toBe(promise)
  })
})

describe('the receipt of a play', () => {
  it('a receipt comes with its batch, proves its place there, and is made once', async () => {
    const { pay, papers, moveTo, orderIn, openOf, log, promise, rows, lottery, playerId } = await ordered()
    await pay()
    expect(await papers()).toMatchObject({ secret: toHex(SECRET), receipts: [] })
    await moveTo(CLOSES_AT - 1)
    const [play] = await rows<{ id: string }>(`select id from plays`)
    const atOnce = () => papersOf(lottery.payments, play?.id ?? '', playerId)
    const [one, other] = await Promise.all([atOnce(), atOnce()])
    expect(one).toEqual(other)
    const [receipt] = one.receipts
    const open = await openOf(1)
    const { statement, index } = readStatementOf('receipt', textOf(receipt?.note ?? ''))
    expect(index).toBe(0)
    const [sold] = await rows<{ text: string }>(`select text from log_leaves where hash = $1`, [statement])
    const context = {
      promise: readStatementOf('promise', textOf(promise)),
      username: one.username,
      tree: readStatementOf('sold', sold?.text ?? ''),
      path: receipt?.path ?? [],
    }
    expect(checkReceipt(receipt?.note ?? '', orderIn(open), log, context)).toMatchObject({
      open,
      reason: 'none',
      supersedes: NO_HASH,
      promise: textHash(textOf(promise)),
    })
    expect(checkReceipt(receipt?.note ?? '', orderIn(open), log, { ...context, username: 'another' })).toContain(
      'another',
    )
    await moveTo(CLOSES_AT + 3600)
    expect(await papers()).toEqual(one)
  })

  it('a receipt of a play that was paid late replaces the promise, and says so', async () => {
    const { pay, papers, moveTo, promise, openOf, runtime } = await ordered()
    await moveTo(CLOSES_AT + 1)
    await pay()
    await moveTo(runtime.clock.now() + 601)
    const { receipts } = await papers()
    expect(receipts.map(({ note }) => readStatementOf('receipt', textOf(note)))).toMatchObject([
      { reason: 'late', supersedes: textHash(textOf(promise)), open: await openOf(2) },
    ])
  })

  it('a receipt replaces the one before it each time its play moves', async () => {
    const { pay, papers, moveTo, promise, openOf, runtime, lottery, rows } = await ordered()
    await pay()
    await moveTo(CLOSES_AT - 1)
    await papers()
    // Three times nothing can be sealed in time: the draw is void before a close, and so is the next one.
    const numbers: number[] = [1]
    while (numbers.length < 3) {
      const last = numbers.at(-1) ?? 0
      const [draw] = await rows<{ start_at: string; status: string }>(
        `select start_at, status from draws where game_key = $1 and number = $2`,
        [HERO, last],
      )
      if (draw?.status === 'void') {
        await moveTo(runtime.clock.now() + 601)
        await papers()
        const [play] = await rows<{ number: number }>(`select d.number from plays p join draws d on d.id = p.draw_id`)
        numbers.push(play?.number ?? 0)
      } else {
        runtime.clock.set(Number(draw?.start_at) + 60)
        await lottery.queue.runDue()
      }
    }
    const receipts = (await papers()).receipts.map(({ note }) => ({
      text: textOf(note),
      ...readStatementOf('receipt', textOf(note)),
    }))
    expect(receipts.map(({ reason }) => reason)).toEqual(['none', 'void', 'void'])
    const opens: string[] = []
    for (const number of numbers) opens.push(await openOf(number))
    expect(receipts.map(({ open }) => open)).toEqual(opens)
    expect(receipts.map(({ supersedes }) => supersedes)).toEqual([
      NO_HASH,
      ...receipts.slice(0, 2).map(({ text }) => textHash(text)),
    ])
    expect(new Set(receipts.map((receipt) => receipt.promise))).toEqual(new Set([textHash(textOf(promise))]))
  })

  it('only the player of a play gets its papers', async () => {
    const { pay, lottery, rows, addPlayer, playerId } = await ordered()
    await pay()
    const [play] = await rows<{ id: string }>(`select id from plays`)
    const other = await addPlayer()
    await expect(papersOf(lottery.payments, play?.id ?? '', other)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await allPapersOf(lottery.payments, other)).toEqual({ papers: [] })
    expect((await allPapersOf(lottery.payments, playerId)).papers).toMatchObject([{ play_id: play?.id }])
    expect(fromHex((await allPapersOf(lottery.payments, playerId)).papers[0]?.secret ?? '')).toEqual(SECRET)
  })
})
