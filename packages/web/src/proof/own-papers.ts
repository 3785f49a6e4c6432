import type { BundlePaper } from '@fairball/domain/protocol/bundle'
import { fromHex, toHex } from '@fairball/domain/protocol/bytes'
import { linesBlind, linesCommitment, linesText } from '@fairball/domain/protocol/commitments'
import { playId, playSecret } from '@fairball/domain/protocol/plays'
import type { Ticket } from '@fairball/contract/schemas/ticket'
import type { Api } from '../shared/api.ts'
import type { KeptPaper } from './kept-records.ts'
import type { KeptStore } from './kept-store.ts'
import { type Contradiction, goneReceipts, otherPromises, readPaper, rememberPapers } from './memory.ts'

/** Maximum number of papers fetched at the same time. */
const AT_ONCE = 4

/** Dependencies of fetching papers. */
interface PapersParts {
  readonly api: Api
  readonly store: KeptStore
  readonly player: string
  /** The time recorded for new sights, epoch seconds. */
  readonly sightAt: number
}

/**
 * Fetches the papers of a player's plays and keeps new ones; those seen first stay. Promises that this browser got with
 * its own orders are kept with them.
 *
 * @returns contradictions to papers that were kept before
 */
export async function fetchPapers(
  { api, store, player, sightAt }: PapersParts,
  tickets: readonly Pick<Ticket, 'play_id' | 'lines'>[],
): Promise<Contradiction[]> {
  const before = await store.all('papers')
  const found: Contradiction[] = []
  for (let at = 0; at < tickets.length; at += AT_ONCE) {
    const some = tickets.slice(at, at + AT_ONCE)
    const answers = await Promise.all(
      some.map(async ({ play_id: id, lines }) => ({
        id,
        listed: lines.map(({ numbers }) => numbers),
        papers: await api.call('getReceipt', { params: { play_id: id } }),
      })),
    )
    for (const { id, listed, papers } of answers) {
      found.push(...goneReceipts(before, id, papers))
      const order = await orderOf(store, papers.promise)
      // The promise in the answer to the order comes first.
      if (order?.transactionId != null) await rememberPaid(store, { transactionId: order.transactionId }, sightAt)
      const lines = linesIn(papers.promise, papers.secret, order?.lines ?? listed)
      await rememberPapers(store, papers, { playId: id, player, lines, seenAt: sightAt })
    }
  }
  return [...otherPromises(await ofPlayer(store, player)), ...found]
}

/** The papers of a player, as this browser keeps them. */
async function ofPlayer(store: KeptStore, player: string): Promise<readonly KeptPaper[]> {
  return (await store.all('papers')).filter((paper) => paper.player === player)
}

/** The kept order of a promise, made in this browser. */
async function orderOf(store: KeptStore, promise: string) {
  const name = readPaper(promise)?.statement.order
  const orders = await store.all('orders')
  return orders.find(({ promise: own }) => own !== null && readPaper(own)?.statement.order === name)
}

/** The lines of an order as its promise commits to them; null if these differ. */
function linesIn(promise: string, secret: string, lines: readonly (readonly number[])[]): string | null {
  const statement = readPaper(promise)?.statement
  if (statement?.type !== 'promise') return null
  const rising = lines.map((line) => line.toSorted((one, other) => one - other))
  const text = linesText(statement.play.map(() => rising))
  return linesCommitment(linesBlind(fromHex(secret, 32)), text) === statement.lines ? text : null
}

/** A player's papers for a bundle of a draw: those that name it, and the promises that its receipts are for. */
export async function papersOfDraw(
  store: KeptStore,
  { player, open }: { readonly player: string; readonly open: string },
): Promise<BundlePaper[]> {
  const own = await ofPlayer(store, player)
  const ofDraw = own.filter(({ opens }) => opens.includes(open))
  const orders = new Set(ofDraw.map(({ order }) => order))
  // Includes receipts of other draws, which may replace one of this draw.
  return own.filter(({ order }) => orders.has(order)).map(bundlePaper)
}

function bundlePaper({ type, note, secret, username, lines, opens, path }: KeptPaper): BundlePaper {
  const order = fromHex(secret, 32)
  const [open = ''] = opens
  return type === 'promise'
    ? { note, secret: toHex(linesBlind(order)), username: null, lines, path: [], preimage: null }
    : { note, secret: toHex(playSecret(order, fromHex(open, 32))), username, lines: null, path, preimage: null }
}

/** A play that has to be in a draw. */
export interface ExpectedPlay {
  /** hex */
  readonly id: string
  /** Whether a receipt says that it was moved to another draw. */
  readonly isMoved: boolean
}

/** A player's plays in a draw, by the promises that name it and the receipts that moved a play there. */
export async function playsOf(
  store: KeptStore,
  { player, open }: { readonly player: string; readonly open: string },
): Promise<ExpectedPlay[]> {
  const own = await ofPlayer(store, player)
  const plays = new Map<string, ExpectedPlay>()
  for (const { secret, hash, opens, order } of own) {
    if (!opens.includes(open)) continue
    const id = toHex(playId(playSecret(fromHex(secret, 32), fromHex(open, 32))))
    const isMoved = own.some(
      (other) =>
        other.order === order && other.type === 'receipt' && !other.opens.includes(open) && isInPlaceOf(other, hash),
    )
    plays.set(id, { id, isMoved: isMoved || (plays.get(id)?.isMoved ?? false) })
  }
  return [...plays.values()]
}

function isInPlaceOf({ note }: KeptPaper, hash: string): boolean {
  const statement = readPaper(note)?.statement
  return statement?.type === 'receipt' && statement.supersedes === hash
}

/** The record that an order was paid. */
type OrderName = { readonly transactionId: string }

/** Records that an order of this browser was paid: from now on its plays have to be in their draws. */
export async function rememberPaid(store: KeptStore, { transactionId }: OrderName, seenAt: number): Promise<void> {
  const orders = await store.all('orders')
  const order = orders.find((one) => one.transactionId === transactionId)
  if (order?.promise == null) return
  const { promise, secret, player, lines } = order
  const papers = { promise, secret, username: player, receipts: [] }
  await rememberPapers(store, papers, { playId: null, player, lines: linesIn(promise, secret, lines), seenAt })
}

/**
 * Fetches whether orders of this browser that name a draw were paid, if unknown: an unpaid one has no claim. A paid
 * order stays paid.
 */
export async function rememberPaidOrders({ api, store, player, sightAt }: PapersParts, open: string): Promise<void> {
  const known = new Set((await ofPlayer(store, player)).map(({ order }) => order))
  for (const order of await store.all('orders')) {
    const promise = readPaper(order.promise ?? '')?.statement
    const isOfDraw = promise?.type === 'promise' && promise.play.some((play) => play.open === open)
    const { transactionId } = order
    if (!isOfDraw || order.player !== player || transactionId === null || known.has(promise.order)) continue
    const { status } = await api.call('getPayment', { query: { transaction_id: transactionId } })
    if (status === 'PAID') await rememberPaid(store, { transactionId }, sightAt)
  }
}

/** Number of a player's lines in a draw according to the papers of this browser, whatever the operator lists now. */
export async function keptLinesIn(parts: PapersParts, { game, draw }: { game: string; draw: number }): Promise<number> {
  const { api, store, player } = parts
  const orders = (await store.all('orders')).filter((order) => order.player === player && order.game === game)
  if (orders.length === 0) return 0
  const { open } = await api.call('getFairnessDraw', { params: { game, number: draw } })
  await rememberPaidOrders(parts, open)
  const plays = await playsOf(store, { player, open })
  return plays.filter(({ isMoved }) => !isMoved).length === 0 ? 0 : linesOfOrders(await ofPlayer(store, player), open)
}

function linesOfOrders(papers: readonly KeptPaper[], open: string): number {
  return papers
    .map(({ note }) => readPaper(note)?.statement)
    .flatMap((statement) => (statement?.type === 'promise' ? statement.play : []))
    .filter((play) => play.open === open)
    .reduce((sum, { lines }) => sum + lines, 0)
}
