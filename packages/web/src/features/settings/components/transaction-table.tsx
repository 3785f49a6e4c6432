import { maskMiddle } from '@fairball/domain/masking'
import { DataTable } from '@fairball/ui/data-table.tsx'
import type { Column } from '@fairball/ui/data-table.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { Tag } from '@fairball/ui/tag.tsx'
import type { TagKind } from '@fairball/ui/tag.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import { useGameName } from '../../../shared/data/game-looks.ts'
import { paths } from '../../../shared/paths.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import type { PlayerView } from '../../../shared/player-view.ts'
import { signOf, transactionWords } from '../transaction-words.ts'
import type { TransactionRow } from '../use-transactions.ts'
import { PaymentReceipt } from './payment-receipt.tsx'
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

function columnsFor({ date, dateTime }: PlayerView): Column<TransactionRow>[] {
  return [
    {
      heading: SETTINGS_TEXTS.date,
      cell: (row) => <When date={date(row.datetime)} dateTime={dateTime(row.datetime)} />,
    },
    { heading: SETTINGS_TEXTS.what, cell: (row) => <What row={row} /> },
    { heading: SETTINGS_TEXTS.transaction, cell: (row) => <Transactions row={row} /> },
    {
      heading: SETTINGS_TEXTS.status,
      cell: (row) => <Tag kind={STATUS_KINDS[row.status]}>{SETTINGS_TEXTS.statuses[row.status]}</Tag>,
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

/** The sum and what it was for, which leads to the ticket if it is about one order; under it the sum in bitcoin. */
function What({ row }: { row: TransactionRow }) {
  const { money } = usePlayerView()
  const { game_key: gameKey, transaction_id: order, amount } = row
  const words = <Words row={row} />
  return (
    <span className={styles['what']}>
      <span>
        <strong>
          {signOf(row)}
          {money(amount.fiat)}
        </strong>{' '}
        {gameKey === null || order === null ? words : <Link href={paths.game(gameKey, order)}>{words}</Link>}
      </span>
      <span className={styles['small']}>
        {amount.crypto.value} {amount.crypto.code}
      </span>
    </span>
  )
}

function Words({ row }: { row: TransactionRow }) {
  return row.game_key === null ? transactionWords(row, null) : <WordsOfGame row={row} gameKey={row.game_key} />
}

function WordsOfGame({ row, gameKey }: { row: TransactionRow; gameKey: string }) {
  return transactionWords(row, useGameName(gameKey))
}

/** The bitcoin transactions behind a row, and under them the network. */
function Transactions({ row }: { row: TransactionRow }) {
  return (
    <span className={styles['ids']}>
      <BitcoinTransactions row={row} />
      <span className={styles['small']}>{SETTINGS_TEXTS.networks[row.network]}</span>
      <PaymentReceipt row={row} />
    </span>
  )
}

/**
 * The bitcoin transactions behind a row: shortened, complete in the link or, if no explorer knows the network, in a
 * tooltip.
 */
function BitcoinTransactions({ row }: { row: TransactionRow }) {
  if (row.transactions.length === 0) {
    // None comes any more for what was not paid in time, or with free tickets.
    const isOver = row.type === 'PAYMENT' && signOf(row) === ''
    return (
      <span className={styles['small']}>{isOver ? SETTINGS_TEXTS.noTransaction : SETTINGS_TEXTS.noTransactionYet}</span>
    )
  }
  return (
    <>
      {row.transactions.map(({ tnx_link: link, tnx_label: label }) =>
        link === null ? (
          <code key={label} className={styles['id']} title={label}>
            {row.network === 'LIGHTNING' ? label : maskMiddle(label)}
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
    </>
  )
}
