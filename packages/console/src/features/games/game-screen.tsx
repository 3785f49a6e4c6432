import { Banner } from '@fairball/ui/banner.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { Amount } from '../../shared/amount.tsx'
import { useRead } from '../../shared/api.ts'
import type { AnswerOf } from '../../shared/calls.ts'
import { Details } from '../../shared/details.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { Moment } from '../../shared/moment.tsx'
import { paths } from '../../shared/paths.ts'
import { Columns, Part, Screen } from '../../shared/screen.tsx'
import { ActionButton } from '../../shared/signing/action-button.tsx'
import { State } from '../../shared/state.tsx'
import { GameFile } from './game-file.tsx'
import { GameState } from './games-screen.tsx'
import styles from './games.module.css'
import { PauseAction } from './pause-action.tsx'

type Game = AnswerOf<'getGame'>

/** One game: what it is, how it became so, what is announced, and the file that changes it. */
export function GameScreen({ game }: { game: string }) {
  const answer = useRead('getGame', { params: { key: game } })
  return (
    <Loaded of={answer} rows={8}>
      {(found) => <Content game={found} />}
    </Loaded>
  )
}

function Content({ game }: { game: Game }) {
  const { key, name, paused, versions } = game
  return (
    <Screen
      title={name}
      lead={<Link href={paths.games}>All games</Link>}
      actions={
        paused === null ? (
          <PauseAction game={key}>Pause sales</PauseAction>
        ) : (
          <ActionButton kind="sales.resume" args={{ game: key }}>
            Resume sales
          </ActionButton>
        )
      }
    >
      {paused !== null && (
        <Banner kind="warning">
          Sales are paused since <Moment at={paused.since} />: {paused.note}
        </Banner>
      )}
      <Columns>
        <Part title="Now">
          <Details
            items={[
              { term: 'State', value: <GameState game={game} /> },
              { term: 'Price', value: game.price },
              { term: 'Jackpot', value: <Amount sats={game.jackpot_sats} /> },
              game.next_draw === null
                ? null
                : {
                    term: 'Next draw',
                    value: (
                      <Link href={paths.draw(key, game.next_draw.number)}>
                        {game.next_draw.number}, closes <Moment at={game.next_draw.closes_at} />
                      </Link>
                    ),
                  },
            ]}
          />
        </Part>
        <Part title="Versions">
          <Versions versions={versions} />
        </Part>
      </Columns>
      <GameFile game={key} file={game.file} />
    </Screen>
  )
}

function Versions({ versions }: { versions: Game['versions'] }) {
  return (
    <ul className={styles['versions']}>
      {versions.map(({ version, from_at, announced_at, changes, reason, by, is_carried }) => (
        <li key={version} className={styles['version']}>
          <strong>Version {version}</strong>
          {from_at !== null && (
            <>
              , from <Moment at={from_at} />
            </>
          )}{' '}
          <State mood={is_carried ? 'good' : 'waiting'}>{is_carried ? 'In draws' : 'Announced'}</State>
          {changes.map((change) => (
            <span key={change} className={styles['note']}>
              {change}
            </span>
          ))}
          <span className={styles['note']}>
            {by ?? 'the server'}
            {announced_at !== null && (
              <>
                , <Moment at={announced_at} />
              </>
            )}
            {reason !== null && `: ${reason}`}
          </span>
        </li>
      ))}
    </ul>
  )
}
