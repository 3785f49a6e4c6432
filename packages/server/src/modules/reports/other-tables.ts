import type { Tx } from '../../db/pool.ts'
import { fiatText } from './fiat.ts'
import type { Stretch } from './journal.ts'
import { balancesAt } from './months.ts'
import * as queries from './queries.ts'
import type { Table } from './table.ts'

/** Number of rows in memory at a time. */
const ROWS_AT_ONCE = 1000

/** The balances over all that is dated before a moment; with details, of each account that is not empty. */
export async function trialBalanceTable(
  tx: Tx,
  { at, currency, isDetailed }: { at: number; currency: string; isDetailed: boolean },
): Promise<Table> {
  const table = { about: { at, currency }, columns: ['account', 'subject', 'sats', 'fiat'] }
  if (!isDetailed) {
    const balances = await balancesAt(tx, at, currency)
    return { ...table, rows: [balances.map(({ account, sats, fiat }) => [account, null, sats, fiat])] }
  }
  const rate = (await tx.maybeOne(queries.rateAt, [currency, at]))?.satsPerUnit ?? null
  return { ...table, rows: detailedRows(tx, at, rate) }
}

async function* detailedRows(tx: Tx, at: number, rate: bigint | null) {
  for await (const rows of tx.stream(queries.balancesBySubject, [at], ROWS_AT_ONCE))
    yield rows.map(({ kind, subject, sats }) => [kind, subject, sats, fiatText(sats, rate)])
}

/** The payouts that were made in a stretch, converted at the rate of then, without where they went. */
export function payoutsTable(tx: Tx, { from, to }: Stretch, currency: string): Table {
  return {
    about: { from, to, currency },
    columns: [
      'payout',
      'batch',
      'kind',
      'player',
      'partner',
      'created_at',
      'sent_at',
      'cancelled_at',
      'reference',
      'sats',
      'fee_share_sats',
      'currency',
      'rate_sats',
      'rate_at',
      'fiat',
    ],
    rows: payoutRows(tx, { from, to }, currency),
  }
}

async function* payoutRows(tx: Tx, { from, to }: Stretch, currency: string) {
  for await (const rows of tx.stream(queries.payouts, [from, to, currency], ROWS_AT_ONCE))
    yield rows.map((row) => [
      row.id,
      row.batchId,
      row.kind,
      row.playerId,
      row.partnerId,
      row.createdAt,
      row.sentAt,
      row.cancelledAt,
      row.reference,
      row.sats,
      row.feeShareSats,
      currency,
      row.rateSats,
      row.rateAt,
      fiatText(row.sats, row.rateSats),
    ])
}

/** Figures of players by day, UTC, without their names. Days on which nothing was are left out. No sum is in it. */
export function playersTable(tx: Tx, { from, to }: Stretch, currency: string): Table {
  return {
    about: { from, to, currency },
    columns: ['day', 'registered', 'active', 'excluded', 'limits_set'],
    rows: playerRows(tx, { from, to }),
  }
}

async function* playerRows(tx: Tx, { from, to }: Stretch) {
  const rows = await tx.run(queries.playerDays, [from, to])
  yield rows.map(({ day, registered, active, excluded, limitsSet }) => [
    new Date(day * 1000).toISOString().slice(0, 10),
    registered,
    active,
    excluded,
    limitsSet,
  ])
}
