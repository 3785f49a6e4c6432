import { CopyButton } from '@fairball/ui/copy-button.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { Mono } from '@fairball/ui/mono.tsx'
import { Amount } from '../../shared/amount.tsx'
import { useRead } from '../../shared/api.ts'
import type { AnswerOf } from '../../shared/calls.ts'
import { Details } from '../../shared/details.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { Moment } from '../../shared/moment.tsx'
import { satsOf, satsOfTyped } from '../../shared/money.ts'
import { paths } from '../../shared/paths.ts'
import { Columns, Part, Screen } from '../../shared/screen.tsx'
import { ActionButton } from '../../shared/signing/action-button.tsx'
import { amountProblem } from '../../shared/signing/field-rules.ts'
import { FormAction } from '../../shared/signing/form-action.tsx'
import { ConsoleTable } from '../../shared/table/console-table.tsx'
import type { Column } from '../../shared/table/console-table.tsx'
import { hasGoodwill } from './goodwill.ts'
import styles from './orders.module.css'

type Order = AnswerOf<'getOrder'>
type Play = Order['plays'][number]

const PLAYS: readonly Column<Play>[] = [
  {
    key: 'draw',
    heading: 'Draw',
    cell: ({ game_name, number }) => `${game_name} ${number}`,
    sort: ({ number }) => number,
  },
  { key: 'lines', heading: 'Lines', cell: ({ lines }) => lines, sort: ({ lines }) => lines, align: 'end' },
  { key: 'state', heading: 'State', cell: ({ state }) => state, sort: ({ state }) => state },
  {
    key: 'won',
    heading: 'Won',
    cell: ({ won_sats }) => <Amount sats={won_sats} />,
    sort: ({ won_sats }) => satsOf(won_sats),
    align: 'end',
  },
]

/** One order from its beginning to its last payout, and a sentence for the player. */
export function OrderScreen({ id }: { id: string }) {
  const order = useRead('getOrder', { params: { id } })
  return (
    <Loaded of={order} rows={8}>
      {(answer) => <Content order={answer} />}
    </Loaded>
  )
}

function Content({ order }: { order: Order }) {
  const { id, player, sentence, plays, timeline } = order
  return (
    <Screen
      title={`Order ${id.slice(0, 8)}`}
      lead={
        <>
          by <Link href={paths.player(player.id)}>{player.username}</Link>
        </>
      }
      actions={<Actions order={order} />}
    >
      <Part title="To send to the player" actions={<CopyButton text={sentence} label="Copy the sentence" />}>
        <p className={styles['sentence']}>{sentence}</p>
      </Part>
      <Columns>
        <Part title="What happened">
          <Timeline timeline={timeline} />
        </Part>
        <Part title="The order">
          <OrderDetails order={order} />
        </Part>
      </Columns>
      <Part title="Plays">
        <ConsoleTable
          caption="Plays of the order"
          columns={PLAYS}
          rows={plays}
          rowKey={({ id: play }) => play}
          hrefOf={({ game, number }) => paths.draw(game, number)}
          empty="It has no plays: it was not paid."
        />
      </Part>
    </Screen>
  )
}

function Actions({ order }: { order: Order }) {
  const { id, goodwill_sats } = order
  return (
    <>
      <ActionButton kind="orders.refresh" args={{ order: id }} variant="soft">
        Read it again
      </ActionButton>
      {!hasGoodwill(goodwill_sats) && (
        <FormAction
          kind="orders.goodwill"
          title="Pay goodwill"
          fields={[
            {
              name: 'amount',
              label: 'Amount in BTC',
              hint: 'At most the order’s amount, once. It comes from the operator’s fee; the plays stay.',
              problem: amountProblem,
            },
          ]}
          toArgs={({ amount = '' }) => ({ order: id, sats: satsOfTyped(amount) ?? '' })}
        >
          Pay goodwill
        </FormAction>
      )}
    </>
  )
}

function OrderDetails({ order }: { order: Order }) {
  const { state, game_name, created_at, expires_at, sats, received_sats, goodwill_sats, lines, draws, address } = order
  return (
    <Details
      items={[
        { term: 'State', value: state },
        { term: 'Game', value: game_name },
        { term: 'Lines and draws', value: `${lines} × ${draws}` },
        { term: 'Amount', value: <Amount sats={sats} /> },
        { term: 'Received', value: <Amount sats={received_sats} /> },
        hasGoodwill(goodwill_sats) ? { term: 'Goodwill', value: <Amount sats={goodwill_sats} /> } : null,
        { term: 'Made', value: <Moment at={created_at} /> },
        expires_at === null ? null : { term: 'To be paid by', value: <Moment at={expires_at} /> },
        address === null ? null : { term: 'Address', value: <Mono text={address} /> },
      ]}
    />
  )
}

function Timeline({ timeline }: { timeline: Order['timeline'] }) {
  return (
    <ol className={styles['timeline']}>
      {timeline.map(({ at, kind, text, sats, txid, batch, draw }) => (
        <li key={`${at} ${kind} ${text}`} className={styles['event']}>
          <span className={styles['when']}>
            <Moment at={at} />
          </span>
          <span>
            {text} {sats !== null && <Amount sats={sats} />}
            {draw !== null && (
              <>
                {' '}
                <Link href={paths.draw(draw.game, draw.number)}>
                  {draw.game_name} {draw.number}
                </Link>
              </>
            )}
            {batch !== null && (
              <>
                {' '}
                <Link href={paths.payout(batch)}>Batch {batch}</Link>
              </>
            )}
            {txid !== null && (
              <span className={styles['txid']}>
                <Mono text={txid} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}
