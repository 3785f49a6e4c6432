import { Banner } from '@fairball/ui/banner.tsx'
import { Ball } from '@fairball/ui/ball.tsx'
import { Amount } from '../../shared/amount.tsx'
import { useRead } from '../../shared/api.ts'
import type { AnswerOf } from '../../shared/calls.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { Moment } from '../../shared/moment.tsx'
import { satsOf } from '../../shared/money.ts'
import { paths } from '../../shared/paths.ts'
import { Part, Screen } from '../../shared/screen.tsx'
import { ActionButton } from '../../shared/signing/action-button.tsx'
import { State } from '../../shared/state.tsx'
import { ConsoleTable } from '../../shared/table/console-table.tsx'
import type { Column } from '../../shared/table/console-table.tsx'
import styles from './games.module.css'
import { PauseAction } from './pause-action.tsx'

type Game = AnswerOf<'listGames'>['results'][number]

const COLUMNS: readonly Column<Game>[] = [
  { key: 'name', heading: 'Game', cell: (game) => <Name game={game} />, sort: ({ name }) => name },
  { key: 'state', heading: 'State', cell: (game) => <GameState game={game} />, sort: ({ state }) => state },
  { key: 'price', heading: 'Price', cell: ({ price }) => price, align: 'end' },
  {
    key: 'jackpot',
    heading: 'Jackpot',
    cell: ({ jackpot_sats }) => <Amount sats={jackpot_sats} />,
    sort: ({ jackpot_sats }) => satsOf(jackpot_sats),
    align: 'end',
  },
  {
    key: 'next',
    heading: 'Sales close',
    cell: ({ next_draw }) => <Moment at={next_draw?.closes_at ?? null} />,
    sort: ({ next_draw }) => next_draw?.closes_at ?? null,
  },
  {
    key: 'coming',
    heading: 'Coming change',
    cell: ({ coming }) => (coming === null ? '–' : <Moment at={coming.from_at} />),
    sort: ({ coming }) => coming?.from_at ?? null,
  },
]

function Name({ game: { key, name } }: { game: Game }) {
  return (
    <span className={styles['name']}>
      <Ball size={24} world={key} state="drawn" />
      {name}
    </span>
  )
}

/** Whether a game is sold. */
export function GameState({ game: { paused, state } }: { game: Pick<Game, 'paused' | 'state'> }) {
  if (paused !== null) return <State mood="waiting">Paused</State>
  return <State mood={state === 'open' ? 'good' : 'plain'}>{state === 'open' ? 'On sale' : state}</State>
}

/** The games: what is sold now, what is coming, and the pause of all sales. */
export function GamesScreen() {
  const games = useRead('listGames', {}, { isRenewed: true })
  const paused = games.data?.paused ?? null
  return (
    <Screen
      title="Games"
      lead="What is sold, and what changes. Announced draws keep their rules."
      actions={
        games.data !== undefined &&
        (paused === null ? (
          <PauseAction game="all">Pause all sales</PauseAction>
        ) : (
          <ActionButton kind="sales.resume" args={{ game: 'all' }}>
            Resume sales
          </ActionButton>
        ))
      }
    >
      {paused !== null && (
        <Banner kind="warning">
          All sales are paused since <Moment at={paused.since} />: {paused.note}
        </Banner>
      )}
      <Part title="Games">
        <Loaded of={games}>
          {({ results }) => (
            <ConsoleTable
              caption="Games"
              columns={COLUMNS}
              rows={results}
              rowKey={({ key }) => key}
              hrefOf={({ key }) => paths.game(key)}
              empty="There is no game yet. A game’s file makes the first one."
            />
          )}
        </Loaded>
      </Part>
    </Screen>
  )
}
