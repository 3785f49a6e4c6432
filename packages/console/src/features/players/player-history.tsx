import { Amount } from '../../shared/amount.tsx'
import { Moment } from '../../shared/moment.tsx'
import { satsOf } from '../../shared/money.ts'
import { paths } from '../../shared/paths.ts'
import { Columns, Nothing, Part } from '../../shared/screen.tsx'
import { kindTitle } from '../../shared/signing/sentences.ts'
import { ConsoleTable } from '../../shared/table/console-table.tsx'
import type { Column } from '../../shared/table/console-table.tsx'
import type { Player } from './player-screen.tsx'
import styles from './players.module.css'

type Order = Player['orders'][number]
type Play = Player['plays'][number]
type Win = Player['wins'][number]
type Payout = Player['payouts'][number]
type Message = Player['messages'][number]

const at = <Row extends { at: number }>(heading: string): Column<Row> => ({
  key: 'at',
  heading,
  cell: (row) => <Moment at={row.at} />,
  sort: (row) => row.at,
})
const amount = <Row extends { sats: string }>(heading = 'Amount'): Column<Row> => ({
  key: 'sats',
  heading,
  cell: ({ sats }) => <Amount sats={sats} />,
  sort: ({ sats }) => satsOf(sats),
  align: 'end',
})
/** A column that shows a word of the row. */
const word = <Row,>(key: string, heading: string, of: (row: Row) => string): Column<Row> => ({
  key,
  heading,
  cell: of,
  sort: of,
})

const ORDERS: readonly Column<Order>[] = [
  { key: 'id', heading: 'Order', cell: ({ id }) => id.slice(0, 8) },
  at('Made'),
  word('game', 'Game', ({ game_name }) => game_name),
  { key: 'lines', heading: 'Lines', cell: ({ lines }) => lines, sort: ({ lines }) => lines, align: 'end' },
  word('state', 'State', ({ state }) => state),
  amount(),
]
const PLAYS: readonly Column<Play>[] = [
  { key: 'id', heading: 'Play', cell: ({ id }) => id.slice(0, 8) },
  at('Entered'),
  word('draw', 'Draw', ({ game_name, number }) => `${game_name} ${number}`),
  { key: 'lines', heading: 'Lines', cell: ({ lines }) => lines, sort: ({ lines }) => lines, align: 'end' },
  word('state', 'State', ({ state }) => state),
  amount('Stake'),
]
const WINS: readonly Column<Win>[] = [
  word('draw', 'Draw', ({ game_name, number }) => `${game_name} ${number}`),
  at('When'),
  word('prize', 'Prize', ({ prize }) => prize),
  amount(),
]
const PAYOUTS: readonly Column<Payout>[] = [
  { key: 'batch', heading: 'Batch', cell: ({ batch }) => `#${batch}` },
  at('When'),
  word('state', 'State', ({ state }) => state),
  amount(),
]
const MESSAGES: readonly Column<Message>[] = [
  word('subject', 'Subject', ({ subject }) => subject),
  at('When'),
  word('state', 'State', ({ state }) => state),
]

/** What a player bought, won, was paid and was told, and what staff wrote and did. */
export function PlayerHistory({ player }: { player: Player }) {
  const { orders, plays, wins, payouts, messages, notes, audit } = player
  return (
    <>
      <Part title="Orders">
        <ConsoleTable
          name="orders"
          caption="Orders of the player"
          columns={ORDERS}
          rows={orders}
          rowKey={({ id }) => id}
          hrefOf={({ id }) => paths.order(id)}
          empty="The player has ordered nothing."
        />
      </Part>
      <Part title="Plays">
        <ConsoleTable
          name="plays"
          caption="Plays of the player"
          columns={PLAYS}
          rows={plays}
          rowKey={({ id }) => id}
          hrefOf={({ order }) => paths.order(order)}
          empty="The player is in no draw yet."
        />
      </Part>
      <Columns>
        <Part title="Wins">
          <ConsoleTable
            name="wins"
            caption="Wins of the player"
            columns={WINS}
            rows={wins}
            rowKey={({ game, number, prize, at }) => `${game} ${number} ${prize} ${at}`}
            hrefOf={({ game, number }) => paths.draw(game, number)}
            empty="The player has won nothing yet."
          />
        </Part>
        <Part title="Payouts">
          <ConsoleTable
            name="payouts"
            caption="Payouts to the player"
            columns={PAYOUTS}
            rows={payouts}
            rowKey={({ batch, address }) => `${batch} ${address}`}
            hrefOf={({ batch }) => paths.payout(batch)}
            empty="Nothing was paid out yet."
          />
        </Part>
      </Columns>
      <Part title="Messages">
        <ConsoleTable
          name="messages"
          caption="Messages to the player"
          columns={MESSAGES}
          rows={messages}
          rowKey={({ id }) => id}
          empty="The player got no message yet."
        />
      </Part>
      <Columns>
        <Part title="Notes">
          {notes.length === 0 && <Nothing>There are none.</Nothing>}
          <ul className={styles['list']}>
            {notes.map(({ at, staff, text }) => (
              <li key={`${at} ${staff.id}`}>
                {text}
                <span className={styles['note']}>
                  {staff.name}, <Moment at={at} />
                </span>
              </li>
            ))}
          </ul>
        </Part>
        <Part title="What people did">
          {audit.length === 0 && <Nothing>Nobody has done anything with this account.</Nothing>}
          <ul className={styles['list']}>
            {audit.map(({ id, at, kind, staff, reason }) => (
              <li key={id}>
                {kindTitle(kind)}
                {reason !== null && `: ${reason}`}
                <span className={styles['note']}>
                  {staff?.name ?? 'the server'}, <Moment at={at} />
                </span>
              </li>
            ))}
          </ul>
        </Part>
      </Columns>
    </>
  )
}
