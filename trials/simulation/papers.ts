import { createHash } from 'node:crypto'
import { readBolt11 } from '@fairball/domain/bolt11'
import { maskNumbers } from '@fairball/domain/lines'
import type { BundlePaper } from '@fairball/domain/protocol/bundle'
import { fromHex, toHex } from '@fairball/domain/protocol/bytes'
import { linesBlind, linesText } from '@fairball/domain/protocol/commitments'
import { nobleHash } from '@fairball/domain/protocol/hash'
import { readNote } from '@fairball/domain/protocol/note'
import { checkPromise, type Order } from '@fairball/domain/protocol/papers'
import { playSecret } from '@fairball/domain/protocol/plays'
import { NO_HASH } from '@fairball/domain/protocol/statement-codecs'
import { readLogStatement, readStatementOf } from '@fairball/domain/protocol/statements'
import { isIncluded } from '@fairball/domain/protocol/tree'
import type pg from 'pg'
import { Broken } from './checks.ts'
import type { WitnessedLog } from './witnesses.ts'

/** Price of a line, in pence. */
const PRICE_MINOR = 100
const OTHER_ADDRESS = 'The promise is for another payout address.'

/** A receipt as shown to a player. */
export interface ShownReceipt {
  readonly note: string
  readonly path: readonly string[]
}

/** The secret that a browser makes for an order; a repeated request has the same one. */
export function secretOf(order: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(`secret of ${order}`).digest())
}

/**
 * The fault that a browser finds in a promise before it shows the payment address.
 *
 * @param shown the address and satoshis to pay
 * @returns null if there is no fault, `address` if only the payout address differs, or a sentence
 */
export function promiseFault(
  note: string,
  order: Omit<Order, 'plays'> & { readonly lines: readonly (readonly number[])[] },
  log: WitnessedLog,
  shown: { readonly address: string | null; readonly dueSats: bigint },
): string | null {
  const { play } = readStatementOf('promise', readNote(note)?.text ?? '')
  const plays = play.map(({ open, free }) => ({ open, free, lines: order.lines, price: PRICE_MINOR }))
  const pay = shown.address === null ? { by: 'none' as const } : { by: 'bitcoin' as const, address: shown.address }
  const [publicKey = new Uint8Array()] = log.publicKeys
  const players = { origin: log.origin, publicKey }
  const checked = checkPromise(note, { ...order, plays }, players, { pay, sats: shown.dueSats })
  if (typeof checked !== 'string') return null
  return checked === OTHER_ADDRESS ? 'address' : checked
}

/**
 * The fault that a browser finds in an invoice before it shows a code for it.
 *
 * @param note the promise
 * @param shown what the page says of the invoice, and what the order costs
 * @returns null if there is none, or a sentence
 */
export function lightningFault(
  note: string,
  bolt11: string,
  shown: { readonly hash: string; readonly dueSats: bigint },
): string | null {
  const { pay } = readStatementOf('promise', readNote(note)?.text ?? '')
  const invoice = readBolt11(bolt11)
  if (invoice === null || invoice.network !== 'regtest') return 'it cannot be read'
  if (invoice.hash !== shown.hash) return 'the page names another hash'
  if (!pay.some((one) => one.by === 'lightning' && one.hash === invoice.hash)) return 'the promise does not name it'
  return invoice.amountMsat === shown.dueSats * 1_000n ? null : 'it is over another amount'
}

/** The papers of a draw as its players have them, including their secrets. */
export async function papersOfDraw(observer: pg.Client, openHash: string): Promise<BundlePaper[]> {
  const { rows } = await observer.query<{ secret: Buffer; promise: string; masks: bigint[]; draws: number }>(
    `select o.secret, o.promise, cardinality(o.draw_ids) as draws,
        (select array_agg(m.mask order by l.part, m.place) from order_lines l
          cross join unnest(l.masks) with ordinality as m (mask, place) where l.order_id = o.id) as masks
      from orders o where o.promise is not null and position($1 in o.promise) > 0 order by o.created_at, o.id`,
    [openHash],
  )
  const promises = rows.map(({ secret, promise, masks, draws }) => ({
    note: promise,
    secret: toHex(linesBlind(secret)),
    username: null,
    lines: linesText(Array.from({ length: draws }, () => masks.map((mask) => maskNumbers(BigInt.asUintN(64, mask))))),
    path: [],
    preimage: null,
  }))
  const given = await observer.query<{ secret: Buffer; username: string; note: string }>(
    `select o.secret, o.username, r.note from receipts r join orders o on o.id = r.order_id join draws d on d.id = r.draw_id
      where d.open_hash = $1 order by r.index, r.made_at`,
    [openHash],
  )
  const receipts = given.rows.map(({ secret, username, note }) => ({
    note,
    secret: toHex(playSecret(secret, fromHex(openHash))),
    username,
    lines: null,
    path: [],
    preimage: null,
  }))
  return [...promises, ...receipts]
}

/**
 * Every promise states its order's price and payment address. Each shown receipt leads to what it names.
 *
 * @throws Broken
 */
export async function assertPapersHold(observer: pg.Client, shown: readonly ShownReceipt[]): Promise<void> {
  const { rows } = await observer.query<{ id: string; promise: string; due_sats: bigint; address: string | null }>(
    `select o.id, o.promise, o.due_sats, i.address from orders o left join invoices i on i.order_id = o.id where o.promise is not null`,
  )
  const promises = new Map(
    rows.map((row) => {
      const text = readNote(row.promise)?.text ?? ''
      return [toHex(nobleHash(new TextEncoder().encode(text))), { ...row, promise: readStatementOf('promise', text) }]
    }),
  )
  const broken = [...promises.values()].flatMap(({ id, promise, due_sats: dueSats, address }) => {
    const isRight =
      promise.sats === BigInt(dueSats) && promise.pay.every((pay) => pay.by !== 'bitcoin' || pay.address === address)
    return isRight ? [] : [`order ${id} costs ${dueSats} sats at ${address}, but its promise differs`]
  })
  for (const { note, path } of shown) {
    const receipt = readStatementOf('receipt', readNote(note)?.text ?? '')
    const promise = promises.get(receipt.promise)?.promise
    const isNamed = promise?.play.some(({ open, play }) => open === receipt.open && play === receipt.play) ?? false
    if (isNamed !== (receipt.supersedes === NO_HASH))
      broken.push(`the receipt of play ${receipt.play} takes the place of ${receipt.supersedes}`)
    if (!(await isLed(observer, receipt, path)))
      broken.push(`the receipt of play ${receipt.play} does not lead to its batch`)
  }
  if (broken.length > 0) throw new Broken(broken)
}

async function isLed(
  observer: pg.Client,
  receipt: ReturnType<typeof readStatementOf<'receipt'>>,
  path: readonly string[],
): Promise<boolean> {
  const { rows } = await observer.query<{ text: string }>('select text from log_leaves where hash = $1', [
    receipt.statement,
  ])
  const named = readLogStatement(rows[0]?.text ?? '')
  if (named.type !== 'sold' && named.type !== 'close') return false
  const head = { index: receipt.index, size: named.size, root: fromHex(named.root) }
  const hashes = path.map((hash) => fromHex(hash))
  return named.open === receipt.open && isIncluded(nobleHash, head, fromHex(receipt.leaf), hashes)
}
