import { maskMiddle } from '@fairball/domain/masking'
import { DataTable } from '../../../ui/data-table.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { Link } from '../../../ui/link.tsx'
import { Tag } from '../../../ui/tag.tsx'
import type { TagKind } from '../../../ui/tag.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import type { PlayerView } from '../../../shared/player-view.ts'
import type { TransactionRow } from '../use-transactions.ts'
import styles from './transaction-table.module.css'

/** The colour of each status (specification, section 4: Underpaid is red). */
const STATUS_KINDS: Record<TransactionRow['status'], TagKind> = {
  UNDERPAID: 'danger',
  PROCESSING: 'warning',
  REFUNDED: 'neutral',
  PAID: 'success',
  EXPIRED: 'ended',
}

/** Rows of the transaction history; stacked under 641 px. */
export function TransactionTable({ rows }: { rows: readonly TransactionRow[] }) {
  const view = usePlayerView()
  return (
    <DataTable
      caption={SETTINGS_TEXTS.transactionsCaption}
      columns={columnsFor(view)}
      rows={rows}
      rowKey={(row) => row.id}
    />
  )
}

function columnsFor({ date, dateTime, money }: PlayerView): Column<TransactionRow>[] {
  return [
    {
      heading: SETTINGS_TEXTS.date,
      cell: (row) => <When date={date(row.datetime)} dateTime={dateTime(row.datetime)} />,
    },
    { heading: SETTINGS_TEXTS.kind, cell: (row) => SETTINGS_TEXTS.kinds[row.type] },
    { heading: SETTINGS_TEXTS.network, cell: (row) => SETTINGS_TEXTS.networks[row.network] },
    { heading: SETTINGS_TEXTS.transaction, cell: (row) => <BitcoinTransactions row={row} /> },
    {
      heading: SETTINGS_TEXTS.status,
      cell: (row) => <Tag kind={STATUS_KINDS[row.status]}>{SETTINGS_TEXTS.statuses[row.status]}</Tag>,
    },
    {
      heading: SETTINGS_TEXTS.amount,
      align: 'end',
      cell: (row) => (
        <span className={styles['amount']}>
          <strong>{money(row.amount.fiat)}</strong>
          <span>
            {row.amount.crypto.value} {row.amount.crypto.code}
          </span>
        </span>
      ),
    },
  ]
}

/** The day, and under it the time. */
function When({ date, dateTime }: { date: string; dateTime: string }) {
  return (
    <span className={styles['when']}>
      {date}
      <span>{dateTime.slice(date.length)}</span>
    </span>
  )
}

/**
 * The bitcoin transactions behind a row: shortened, complete in the link or, if no explorer knows the network, in a
 * tooltip.
 */
function BitcoinTransactions({ row }: { row: TransactionRow }) {
  if (row.transactions.length === 0) return <span className={styles['none']}>{SETTINGS_TEXTS.noTransaction}</span>
  return (
    <span className={styles['ids']}>
      {row.transactions.map(({ tnx_link: link, tnx_label: label }) =>
        link === null ? (
          <code key={label} className={styles['id']} title={label}>
            {maskMiddle(label)}
          </code>
        ) : (
          <Link
            key={label}
            href={link}
            target="_blank"
            rel="noopener noreferrer"
            className={styles['id']}
            title={label}
          >
            {maskMiddle(label)}
          </Link>
        ),
      )}
    </span>
  )
}
