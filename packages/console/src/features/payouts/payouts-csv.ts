import type { Batch } from '@fairball/contract/console/read'

const COLUMNS = ['batch', 'state', 'created_at', 'payout', 'payee', 'player', 'address', 'sats', 'draws'] as const

/** The payouts of batches as CSV (RFC 4180). */
export function payoutsCsv(batches: readonly Batch[]): string {
  const rows = batches.flatMap(({ id, state, created_at, payouts }) =>
    payouts.map((payout) => [
      id,
      state,
      new Date(created_at * 1000).toISOString(),
      payout.id,
      payout.payee,
      payout.player ?? '',
      payout.address,
      payout.sats,
      payout.draws.map(({ game, number }) => `${game} ${number}`).join('; '),
    ]),
  )
  return [COLUMNS, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** A cell; one that a spreadsheet would run as a formula begins with an apostrophe. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
