import { fromHex, toHex } from './bytes.ts'
import { logKey } from './checkpoint.ts'
import { linesBlind, linesCommitment, linesText, paytoCommitment, secretCommitment } from './commitments.ts'
import { nobleHash, textHash } from './hash.ts'
import { isSignedBy, readNote, signNote } from './note.ts'
import { maskOf, ownerTag, playId, playSecret, stakeOf, writePlayLeaf } from './plays.ts'
import { readOrNull } from './read-or-null.ts'
import type { CurrencyValue } from './statement-codecs.ts'
import { type PayBy, readStatementOf, type StatementOf, writeStatement } from './statements.ts'
import { isIncluded, leafHash } from './tree.ts'

/** Promises and receipts (section 10): how the operator writes them and how a player's browser checks them. */

/** A play of an order, as its player knows it. */
export interface OrderPlay {
  /** of the draw, hex */
  readonly open: string
  /** in the order of the request, numbers ascending */
  readonly lines: readonly (readonly number[])[]
  /** number of lines, the first ones, that are paid with free tickets */
  readonly free: number
  /** of a line by the draw's rules, in minor units of the rate's currency */
  readonly price: number
}

/** An order, as both sides know it. */
export interface Order {
  /** 32 bytes, made in the player's browser */
  readonly secret: Uint8Array
  /** the payout address; empty if there is none */
  readonly payto: string
  readonly plays: readonly OrderPlay[]
}

/** The operator's additions to an order. */
export interface Offer {
  readonly log: string
  /** epoch seconds */
  readonly time: number
  readonly order: string
  readonly pay: readonly PayBy[]
  readonly rate: CurrencyValue
  readonly confirmations: number
  /** epoch seconds */
  readonly expires: number
}

/** The promise for an order: ids, sums and commitments follow from the order. */
export function promiseOf({ secret, payto, plays }: Order, offer: Offer): StatementOf<'promise'> {
  const play = plays.map(({ open, lines, free, price }) => ({
    open,
    play: toHex(playId(playSecret(secret, fromHex(open, 32)))),
    lines: lines.length,
    free,
    sats: stakeOf(lines.length - free, price, offer.rate.value),
  }))
  return {
    type: 'promise',
    ...offer,
    sats: play.reduce((sum, { sats }) => sum + sats, 0n),
    play,
    lines: linesCommitment(linesBlind(secret), linesText(plays.map(({ lines }) => lines))),
    payto: paytoCommitment(secret, payto),
    secret: secretCommitment(secret),
  }
}

/** Signs a promise or receipt. @param secretSeed of the log's key, 32 bytes */
export function signPaper(statement: StatementOf<'promise'> | StatementOf<'receipt'>, secretSeed: Uint8Array): string {
  const text = statement.type === 'promise' ? writeStatement(statement) : writeStatement(statement)
  return signNote(text, statement.log, secretSeed)
}

/** The log of the player's operator. */
interface PlayersLog {
  readonly origin: string
  /** 32 bytes: the key in force */
  readonly publicKey: Uint8Array
}

/**
 * Checks a promise before its QR code is shown: ids, sums and commitments are those of the player's order, and `pay`
 * matches the code.
 *
 * @param order its plays may be ordered differently from the promise's
 * @param shown amount and method of the payment that the code asks for
 * @returns the promise, or a sentence that says what is wrong with it
 */
export function checkPromise(
  note: string,
  order: Order,
  log: PlayersLog,
  shown: { readonly pay: PayBy; readonly sats: bigint },
): StatementOf<'promise'> | string {
  const promise = signedPaper('promise', note, log)
  if (typeof promise === 'string') return promise
  const plays = promise.play.map(({ open }) => order.plays.find((play) => play.open === open))
  if (!plays.every((play) => play !== undefined) || plays.length !== order.plays.length) {
    return 'The promise names other draws than you chose.'
  }
  if (new Set(plays).size !== plays.length) return 'The promise names a draw twice.'
  const own = promiseOf({ ...order, plays }, promise)
  if (own.secret !== promise.secret) return 'The promise is for another secret.'
  if (own.lines !== promise.lines) return 'The promise is for other lines.'
  if (own.payto !== promise.payto) return 'The promise is for another payout address.'
  if (writeStatement(own) !== writeStatement(promise)) return 'The promise has other plays, or its sums are wrong.'
  const isAsked = promise.pay.some((pay) => isSamePay(pay, shown.pay)) && promise.sats === shown.sats
  return isAsked ? promise : 'The promise is for another payment than the one shown.'
}

/** The data that a player checks a receipt against. */
interface ReceiptContext {
  readonly promise: StatementOf<'promise'>
  readonly username: string
  /** of the batch or close that the receipt names, which is proven to be in the log */
  readonly tree: { readonly size: number; readonly root: string }
  /** of the play's leaf in that tree, hex */
  readonly path: readonly string[]
}

/**
 * Checks a receipt for a play of an order: the leaf is the player's, and its path leads to the root of the tree.
 *
 * @param order its plays as promised; a moved play as it is now
 * @returns the receipt, or a sentence that says what is wrong with it
 */
export function checkReceipt(
  note: string,
  order: Order,
  log: PlayersLog,
  { promise, username, tree, path }: ReceiptContext,
): StatementOf<'receipt'> | string {
  const receipt = signedPaper('receipt', note, log)
  if (typeof receipt === 'string') return receipt
  const play = order.plays.find(({ open }) => open === receipt.open)
  if (play === undefined) return 'The receipt is for a draw that the order is not in.'
  if (receipt.promise !== textHash(writeStatement(promise))) return 'The receipt is for another promise.'
  const leaf = leafHash(nobleHash, leafOfPlay(order.secret, play, promise.rate.value, username))
  if (toHex(leaf) !== receipt.leaf) return 'The receipt is for other lines, or for another player.'
  const secret = playSecret(order.secret, fromHex(play.open))
  if (toHex(playId(secret)) !== receipt.play) return 'The receipt is for another play.'
  const isThere = isIncluded(
    nobleHash,
    { index: receipt.index, size: tree.size, root: fromHex(tree.root, 32) },
    leaf,
    path.map((hash) => fromHex(hash, 32)),
  )
  return isThere ? receipt : 'The play is not in the batch that the receipt names.'
}

/** The leaf of an order's play. @param rate of the order; 0 for a play carried over from a draw void after its close */
export function leafOfPlay(orderSecret: Uint8Array, play: OrderPlay, rate: number, username: string): Uint8Array {
  const openHash = fromHex(play.open, 32)
  const secret = playSecret(orderSecret, openHash)
  return writePlayLeaf({
    openHash,
    playId: playId(secret),
    rate,
    free: play.free,
    masks: play.lines.map(maskOf),
    ownerTag: ownerTag(secret, openHash, username),
  })
}

function signedPaper<T extends 'promise' | 'receipt'>(
  type: T,
  text: string,
  { origin, publicKey }: PlayersLog,
): StatementOf<T> | string {
  const note = readNote(text)
  if (note === null || !isSignedBy(note, logKey(origin, publicKey))) return `The ${type} is not signed by the operator.`
  const statement = readOrNull(() => readStatementOf(type, note.text))
  if (statement === null) return `The ${type} is not readable.`
  // Both types have a `log` line.
  const { log } = statement as unknown as { readonly log: string }
  return log === origin ? statement : `The ${type} is of another log.`
}

function isSamePay(one: PayBy, other: PayBy): boolean {
  if (one.by === 'bitcoin') return other.by === one.by && other.address === one.address
  return one.by === 'lightning' ? other.by === one.by && other.hash === one.hash : other.by === 'none'
}
