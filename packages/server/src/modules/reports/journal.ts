import type { Tx } from '../../db/pool.ts'
import * as queries from './queries.ts'

/** A stretch of time in epoch seconds, its end excluded. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** Number of lines in memory at a time. */
const LINES_AT_ONCE = 500
/** The columns that a month's hash covers. */
const HASHED_COLUMNS = 'transfer,at,event,key,account,subject,sats'
const COLUMNS = `${HASHED_COLUMNS},currency,rate_sats,rate_at,fiat`

/** The pieces of the journal of a stretch, read through a cursor of the transaction. */
export function journalPieces(
  tx: Tx,
  { from, to }: Stretch,
  currency: string,
  format: 'csv' | 'json',
): AsyncGenerator<string> {
  return format === 'csv' ? csvPieces(tx, { from, to }, currency) : jsonPieces(tx, { from, to }, currency)
}

async function* csvPieces(tx: Tx, { from, to }: Stretch, currency: string): AsyncGenerator<string> {
  let head = `${COLUMNS}\n`
  for await (const rows of tx.stream(queries.journalCsv, [from, to, currency], LINES_AT_ONCE)) {
    yield head + joined(rows)
    head = ''
  }
  if (head !== '') yield head
}

async function* jsonPieces(tx: Tx, { from, to }: Stretch, currency: string): AsyncGenerator<string> {
  let before = `${JSON.stringify({ from, to, currency }).slice(0, -1)},"rows":[`
  for await (const rows of tx.stream(queries.journalJson, [from, to, currency], LINES_AT_ONCE)) {
    yield before + rows.map(({ line }) => line).join(',')
    before = ','
  }
  yield before === ',' ? ']}' : `${before}]}`
}

/** The pieces that the hash of a month covers. @param onTransfer is told of the transfer of each line */
export async function* hashedPieces(
  tx: Tx,
  { from, to }: Stretch,
  onTransfer: (id: bigint) => void,
): AsyncGenerator<string> {
  yield `${HASHED_COLUMNS}\n`
  for await (const rows of tx.stream(queries.hashedJournal, [from, to], LINES_AT_ONCE)) {
    for (const { transferId } of rows) onTransfer(transferId)
    yield joined(rows)
  }
}

function joined(rows: readonly { readonly line: string }[]): string {
  return rows.map(({ line }) => `${line}\n`).join('')
}
