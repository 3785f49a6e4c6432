import { asciiBytes, fromHex, toHex } from '@fairball/domain/protocol/bytes'
import { nobleHash } from '@fairball/domain/protocol/hash'
import { type TestDraw, TestOperator } from '@fairball/domain/protocol/operator-fixture'
import { linesBlind } from '@fairball/domain/protocol/commitments'
import { playSecret } from '@fairball/domain/protocol/plays'
import { expect, it } from 'vitest'
import type { OrderStatusAnswer } from '@fairball/contract/schemas/order'
import type { PlayPapers } from '@fairball/contract/schemas/fairness'
import type { Api } from '../shared/api.ts'
import { BrowserDatabase } from '../testing/browser-database.ts'
import { keptOrder } from '../testing/kept-order.ts'
import { listedTicket } from '../testing/listed-ticket.ts'
import { hintOf, PlayersOrder } from '../testing/served-operator.ts'
import { KeptStore } from './kept-store.ts'
import { readPaper } from './memory.ts'
import { fetchPapers, keptLinesIn, papersOfDraw, playsOf, rememberPaid, rememberPaidOrders } from './own-papers.ts'

const ME = 'player-1'
const SECRET = nobleHash(asciiBytes('the order'))
const LINES = [
  [1, 2, 3],
  [4, 5, 6],
]

/** A player with a sold play, and an API that provides its papers. */
function player() {
  const operator = new TestOperator()
  const draw = operator.openDraw()
  const order = new PlayersOrder(draw, { secret: SECRET, username: ME, lines: LINES })
  operator.sell(draw, [{ secret: SECRET, username: ME, lines: LINES, free: 0, rate: 3000 }])
  const store = new KeptStore(new BrowserDatabase().factory, null)
  const given = { papers: order.papers(), status: 'PAID' as OrderStatusAnswer }
  const answers: Record<string, (input: { params: { number: number } }) => unknown> = {
    getReceipt: () => given.papers,
    getPayment: () => ({ status: given.status, game_key: 'test-game' }),
    getFairnessDraw: ({ params }) => hintOf(operator, params.number),
  }
  const api = { call: async (name: string, input: never) => answers[name]?.(input) } as unknown as Api
  const parts = { api, store, player: ME, sightAt: 100 }
  const name = { player: ME, open: draw.open.hash }
  const fetchOwn = () => fetchPapers(parts, [listedTicket(draw.start, LINES)])
  return { operator, draw, order, store, given, parts, name, fetchOwn }
}

/** The order as this browser kept it when it made it. */
const made = (draw: TestDraw, promise: string) =>
  keptOrder({ player: ME, secret: toHex(SECRET), madeAt: draw.open.statement.time, lines: LINES, promise })

it('the papers of a play are fetched on any device and added to a bundle of its draw', async () => {
  const { order, store, name, fetchOwn } = player()
  expect(await fetchOwn()).toEqual([])
  const papers = await papersOfDraw(store, name)
  const [promise, receipt] = papers
  expect(promise).toMatchObject({
    note: order.promise(),
    secret: toHex(linesBlind(SECRET)),
    username: null,
    lines: '1,2,3;4,5,6',
  })
  expect(receipt).toMatchObject({
    secret: toHex(playSecret(SECRET, fromHex(name.open))),
    username: ME,
    path: order.papers().receipts[0]?.path,
  })
  expect(JSON.stringify(papers)).not.toContain(toHex(SECRET))
  expect(await playsOf(store, name)).toEqual([{ id: order.id, isMoved: false }])
  expect(await papersOfDraw(store, { ...name, player: 'another-player' })).toEqual([])
})

it('the first receipt is kept beside a later one, and one that is no longer provided is reported', async () => {
  const { order, store, given, name, fetchOwn } = player()
  await fetchOwn()
  given.papers = order.papers({ index: 7 })
  const found = await fetchOwn()
  expect(found.map(({ kind }) => kind)).toEqual(['receipt'])
  expect(found[0]?.notes).toEqual([order.papers().receipts[0]?.note])
  const kept = (await papersOfDraw(store, name)).map(({ note }) => readPaper(note)?.statement)
  expect(kept.flatMap((paper) => (paper?.type === 'receipt' ? paper.index : []))).toEqual([0, 7])
})

it('a promise that differs from the answer to the order is reported', async () => {
  const { draw, order, store, given, fetchOwn } = player()
  await store.put('orders', made(draw, order.promise()))
  const papers: PlayPapers = { ...given.papers, promise: order.promise({ confirmations: 9 }) }
  given.papers = papers
  const found = await fetchOwn()
  expect(found[0]).toMatchObject({ kind: 'promise', notes: [order.promise(), papers.promise] })
})

it('the plays of a paid order are expected, whatever is listed later, and those of an unpaid one are not', async () => {
  const { draw, order, store, given, parts, name } = player()
  await store.put('orders', made(draw, order.promise()))
  given.status = 'EXPIRED'
  await rememberPaidOrders(parts, name.open)
  expect(await keptLinesIn(parts, { game: 'test-game', draw: 1 })).toBe(0)
  given.status = 'PAID'
  await rememberPaidOrders(parts, name.open)
  given.status = 'EXPIRED'
  expect(await playsOf(store, name)).toEqual([{ id: order.id, isMoved: false }])
  expect(await keptLinesIn(parts, { game: 'test-game', draw: 1 })).toBe(2)
})

it('an order that its page showed as paid is known as paid without another call', async () => {
  const { draw, order, store, name } = player()
  await store.put('orders', made(draw, order.promise()))
  await rememberPaid(store, { transactionId: 'another-order' }, 5)
  expect(await playsOf(store, name)).toEqual([])
  await rememberPaid(store, { transactionId: 'order-1' }, 5)
  expect(await playsOf(store, name)).toEqual([{ id: order.id, isMoved: false }])
})

it('a play is not expected if a receipt moved it to another draw', async () => {
  const { operator, order, store, given, name, fetchOwn } = player()
  await fetchOwn()
  const next = operator.openDraw()
  const receipt = readPaper(order.papers().receipts[0]?.note ?? '')
  given.papers = {
    ...given.papers,
    receipts: [
      ...given.papers.receipts,
      ...order.papers({ open: next.open.hash, supersedes: receipt?.hash ?? '', reason: 'late' }).receipts,
    ],
  }
  expect(await fetchOwn()).toEqual([])
  expect(await playsOf(store, name)).toEqual([{ id: order.id, isMoved: true }])
})
