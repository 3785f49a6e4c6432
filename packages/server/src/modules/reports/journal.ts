import type { Tx } from '../../db/pool.ts'
import { fiatText } from './fiat.ts'
import * as queries from './queries.ts'
import type { Table } from './table.ts'

/** A stretch of time in epoch seconds, its end excluded. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** Number of rows in memory at a time. */
const ROWS_AT_ONCE = 1000
/** The columns that a month's hash covers. */
const HASHED_COLUMNS = ['transfer', 'at', 'event', 'key', 'account', 'subject', 'sats'] as const
const COLUMNS = [...HASHED_COLUMNS, 'currency', 'rate_sats', 'rate_at', 'fiat']

/** Every posting of a stretch, read through a cursor of the transaction. */
export function journalTable(tx: Tx, { from, to }: Stretch, currency: string): Table {
  return { about: { from, to, currency }, columns: COLUMNS, rows: journalRows(tx, { from, to }, currency) }
}

async function* journalRows(tx: Tx, { from, to }: Stretch, currency: string) {
  for await (const rows of tx.stream(queries.journal, [from, to, currency], ROWS_AT_ONCE))
    yield rows.map((row) => [
      ...hashedValues(row),
      currency,
      row.rateSats,
      row.rateAt,
      fiatText(row.amountSats, row.rateSats),
    ])
}

/** The same in satoshis alone. @param onRows is told of the rows that are read */
export function hashedTable(tx: Tx, stretch: Stretch, onRows: (transferIds: readonly bigint[]) => void): Table {
  return { about: {}, columns: HASHED_COLUMNS, rows: hashedRows(tx, stretch, onRows) }
}

async function* hashedRows(tx: Tx, { from, to }: Stretch, onRows: (transferIds: readonly bigint[]) => void) {
  for await (const rows of tx.stream(queries.postingsOfStretch, [from, to], ROWS_AT_ONCE)) {
    onRows(rows.map(({ transferId }) => transferId))
    yield rows.map(hashedValues)
  }
}

interface Posting {
  readonly transferId: bigint
  readonly at: number
  readonly event: string
  readonly key: string
  readonly kind: string
  readonly subject: string
  readonly amountSats: bigint
}

/** In the order of `HASHED_COLUMNS`. */
function hashedValues({ transferId, at, event, key, kind, subject, amountSats }: Posting) {
  return [transferId, at, event, key, kind, subject, amountSats] as const
}
