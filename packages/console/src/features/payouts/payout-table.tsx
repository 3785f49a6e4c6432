import { Link } from '@fairball/ui/link.tsx'
import { Mono } from '@fairball/ui/mono.tsx'
import { Tag } from '@fairball/ui/tag.tsx'
import type { Payout } from '@fairball/contract/console/read'
import { Amount } from '../../shared/amount.tsx'
import { Moment } from '../../shared/moment.tsx'
import { satsOf } from '../../shared/money.ts'
import { paths } from '../../shared/paths.ts'
import { ConsoleTable } from '../../shared/table/console-table.tsx'
import type { Column } from '../../shared/table/console-table.tsx'
import styles from './payouts.module.css'

const COLUMNS: readonly Column<Payout>[] = [
  { key: 'payee', heading: 'Payee', cell: ({ payee }) => payee, sort: ({ payee }) => payee },
  {
    key: 'since',
    heading: 'Account since',
    cell: ({ player_since }) => <Moment at={player_since} />,
    sort: ({ player_since }) => player_since,
  },
  {
    key: 'address',
    heading: 'Address',
    cell: (payout) => <Address payout={payout} />,
    sort: ({ address_since }) => address_since,
  },
  { key: 'draws', heading: 'From', cell: ({ draws }) => <Draws draws={draws} /> },
  {
    key: 'wins',
    heading: 'Other wins',
    cell: ({ other_wins }) => <OtherWins wins={other_wins} />,
    sort: ({ other_wins }) => satsOf(other_wins.sats),
  },
  {
    key: 'sats',
    heading: 'Amount',
    cell: ({ sats }) => <Amount sats={sats} />,
    sort: ({ sats }) => satsOf(sats),
    align: 'end',
  },
]

/** The payouts of a batch. */
export function PayoutTable({ payouts }: { payouts: readonly Payout[] }) {
  return (
    <ConsoleTable
      caption="Payouts of the batch"
      columns={COLUMNS}
      rows={payouts}
      rowKey={({ id }) => id}
      hrefOf={({ player }) => (player === null ? null : paths.player(player))}
      textOf={({ payee, address }) => `${payee} ${address}`}
      empty="It pays nobody."
    />
  )
}

function Address({ payout }: { payout: Payout }) {
  const { address, address_since, is_address_recent, holds } = payout
  return (
    <span className={styles['address']}>
      <Mono text={address} />
      {address_since !== null && (
        <span className={styles['why']}>
          since <Moment at={address_since} />
        </span>
      )}
      {is_address_recent && <Tag kind="warning">New address</Tag>}
      {holds.map(({ kind, reason, until_at }) => (
        <Tag key={`${kind} ${until_at}`} kind="danger">
          On hold: {reason}
        </Tag>
      ))}
    </span>
  )
}

function Draws({ draws }: { draws: Payout['draws'] }) {
  if (draws.length === 0) return '–'
  return (
    <span className={styles['draws']}>
      {draws.map(({ game, game_name, number }) => (
        <Link key={`${game} ${number}`} href={paths.draw(game, number)}>
          {game_name} {number}
        </Link>
      ))}
    </span>
  )
}

function OtherWins({ wins }: { wins: Payout['other_wins'] }) {
  if (wins.count === 0) return 'none'
  return (
    <span className={styles['draws']}>
      {wins.count} × <Amount sats={wins.sats} />
    </span>
  )
}
