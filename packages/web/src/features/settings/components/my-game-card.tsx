import { useGame } from '../../../shared/data/games.ts'
import { paths } from '../../../shared/paths.ts'
import { Ball } from '@fairball/ui/ball.tsx'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Figure } from '@fairball/ui/figure.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import { usePlayerView, useSaleTime } from '../../../shared/player-view.ts'
import type { MyGame } from '../use-my-games.ts'
import styles from './my-game-card.module.css'

/** One played game: a ticket with the jackpot on its field, the next draw and two links on its stub. */
export function MyGameCard({ game }: { game: MyGame }) {
  const { figure } = usePlayerView()
  const pool = useGame(game.key).data?.sets[0]?.N
  const { jackpot, next_draw: nextDraw } = game
  return (
    <article className={styles['ticket']} data-game={game.key}>
      <div className={styles['field']}>
        <h2 className={styles['name']}>{game.name}</h2>
        {jackpot !== null && (
          <>
            <p className={styles['jackpot']}>
              <Figure text={figure(jackpot.fiat)} />
            </p>
            <p className={styles['note']}>{SETTINGS_TEXTS.gamesJackpot}</p>
          </>
        )}
        <span className={styles['ball']} aria-hidden="true">
          <Ball number={pool} size={92} onField />
        </span>
      </div>
      <div className={styles['stub']}>
        {nextDraw === null ? (
          <p className={styles['next']}>{SETTINGS_TEXTS.gamesEnded}</p>
        ) : (
          <NextDraw game={{ next_draw: nextDraw, open_draws: game.open_draws }} />
        )}
        <div className={styles['links']}>
          {nextDraw !== null && (
            <LinkButton href={paths.game(game.key)} size="small" aria-label={SETTINGS_TEXTS.gamesPlayLabel(game.name)}>
              {SETTINGS_TEXTS.gamesPlay}
            </LinkButton>
          )}
          <LinkButton
            href={paths.results(game.key)}
            size="small"
            variant="soft"
            aria-label={SETTINGS_TEXTS.gamesResultsLabel(game.name)}
          >
            {SETTINGS_TEXTS.gamesResults}
          </LinkButton>
        </div>
      </div>
    </article>
  )
}

function NextDraw({ game }: { game: Parameters<typeof useSaleTime>[0] }) {
  const { when, isNextOnSale } = useSaleTime(game)
  return (
    <p className={styles['next']}>
      {isNextOnSale && <span>{SETTINGS_TEXTS.gamesNextDraw}</span>}
      <strong>{when}</strong>
    </p>
  )
}
