import { Ball } from '@fairball/ui/ball.tsx'
import { Banner } from '@fairball/ui/banner.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { Amount } from '../../shared/amount.tsx'
import { useRead } from '../../shared/api.ts'
import type { AnswerOf } from '../../shared/calls.ts'
import { Details } from '../../shared/details.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { Moment } from '../../shared/moment.tsx'
import { satsOf } from '../../shared/money.ts'
import { paths } from '../../shared/paths.ts'
import { Columns, Nothing, Part, Screen } from '../../shared/screen.tsx'
import { State } from '../../shared/state.tsx'
import { ConsoleTable } from '../../shared/table/console-table.tsx'
import type { Column } from '../../shared/table/console-table.tsx'
import styles from './draws.module.css'

type Draw = AnswerOf<'getDraw'>
type Statement = Draw['statements'][number]
type Tier = Draw['tiers'][number]

const STATEMENTS: readonly Column<Statement>[] = [
  { key: 'index', heading: 'Entry', cell: ({ index }) => index, sort: ({ index }) => index },
  { key: 'at', heading: 'When', cell: ({ at }) => <Moment at={at} />, sort: ({ at }) => at },
  { key: 'kind', heading: 'Statement', cell: ({ kind }) => kind, sort: ({ kind }) => kind },
  { key: 'text', heading: 'What it says', cell: ({ text }) => <span className={styles['text']}>{text}</span> },
]
const TIERS: readonly Column<Tier>[] = [
  { key: 'prize', heading: 'Prize', cell: ({ prize }) => prize },
  { key: 'winners', heading: 'Winners', cell: ({ winners }) => winners.toLocaleString('en-GB'), align: 'end' },
  {
    key: 'sats',
    heading: 'Amount',
    cell: ({ sats }) => <Amount sats={sats} />,
    sort: ({ sats }) => satsOf(sats),
    align: 'end',
  },
]

/** One draw, to read: nobody moves, postpones or changes it from here. */
export function DrawScreen({ game, number }: { game: string; number: string }) {
  const draw = useRead('getDraw', { params: { game, number } }, { isRenewed: true })
  return (
    <Loaded of={draw} rows={8}>
      {(answer) => <Content draw={answer} />}
    </Loaded>
  )
}

function Content({ draw }: { draw: Draw }) {
  const { game, game_name, number, late_seconds, numbers, witnesses, statements, tiers } = draw
  return (
    <Screen title={`${game_name} ${number}`} lead={<Link href={paths.game(game)}>The game</Link>}>
      {late_seconds > 0 && (
        <Banner kind="warning">It is {Math.ceil(late_seconds / 60).toLocaleString('en-GB')} minutes late.</Banner>
      )}
      <Columns>
        <Part title="The draw">
          {numbers !== null && (
            <p className={styles['balls']} data-game={game}>
              {numbers.map((ball) => (
                <Ball key={ball} number={ball} size={36} world={game} />
              ))}
            </p>
          )}
          <DrawDetails draw={draw} />
        </Part>
        <Part title="Witnesses">
          {witnesses.length === 0 && <Nothing>No witness is configured.</Nothing>}
          <Details
            items={witnesses.map(({ name, signed_at }) => ({
              term: name,
              value:
                signed_at === null ? (
                  <State mood="waiting">Has not signed</State>
                ) : (
                  <>
                    <State mood="good">Signed</State> <Moment at={signed_at} />
                  </>
                ),
            }))}
          />
        </Part>
      </Columns>
      <Part title="Prizes">
        <ConsoleTable
          name="tiers"
          caption="Prizes of the draw"
          columns={TIERS}
          rows={tiers}
          rowKey={({ prize }) => prize}
          empty="Its winners are counted once the last ball is shown."
        />
      </Part>
      <Part title="Statements in the public record">
        <ConsoleTable
          name="statements"
          caption="Statements about the draw"
          columns={STATEMENTS}
          rows={statements}
          rowKey={({ index }) => String(index)}
          empty="There is none yet."
        />
      </Part>
    </Screen>
  )
}

function DrawDetails({ draw }: { draw: Draw }) {
  const { state, opened_at, closes_at, starts_at, settled_at, entries, plays, stake_sats, beacon_round } = draw
  return (
    <Details
      items={[
        { term: 'State', value: state },
        { term: 'Opened', value: <Moment at={opened_at} /> },
        { term: 'Sales close', value: <Moment at={closes_at} /> },
        { term: 'Starts', value: <Moment at={starts_at} /> },
        settled_at === null ? null : { term: 'Settled', value: <Moment at={settled_at} /> },
        { term: 'Plays', value: plays.toLocaleString('en-GB') },
        { term: 'Entries', value: entries.toLocaleString('en-GB') },
        { term: 'Stake', value: <Amount sats={stake_sats} /> },
        beacon_round === null ? null : { term: 'Random number of round', value: beacon_round },
      ]}
    />
  )
}
