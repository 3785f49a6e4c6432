import { drawTimeLabel } from '@fairball/domain/draw-time-label'
import { gameByKey } from '@fairball/domain/games'
import { useClockValue } from '../../../app/clock.ts'
import { paths } from '../../../app/paths.ts'
import { Ball } from '../../../ui/ball.tsx'
import { LinkButton } from '../../../ui/button.tsx'
import { Figure } from '../../../ui/ticket-card.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import { usePlayerView } from '../../../app/player-view.ts'
import type { MyGame } from '../use-my-games.ts'
import styles from './my-game-card.module.css'

/** One played game: a ticket with the jackpot on its field, the next draw and two links on its stub. */
export function MyGameCard({ game }: { game: MyGame }) {
  const { figure, utcOffsetAt } = usePlayerView()
  const startAt = game.next_draw.start_at
  const when = useClockValue((nowAt) =>
    drawTimeLabel({ startAt, nowAt, utcOffsetSeconds: utcOffsetAt(startAt), withTime: true }),
  )
  return (
    <article className={styles['ticket']} data-game={game.key}>
      <div className={styles['field']}>
        <h2 className={styles['name']}>{game.name}</h2>
        <p className={styles['jackpot']}>
          <Figure text={figure(game.jackpot.fiat)} />
        </p>
        <p className={styles['note']}>{SETTINGS_TEXTS.gamesJackpot}</p>
        <span className={styles['ball']} aria-hidden="true">
          <Ball number={gameByKey(game.key)?.pool} size={92} onField />
        </span>
      </div>
      <div className={styles['stub']}>
        <p className={styles['next']}>
          <span>{SETTINGS_TEXTS.gamesNextDraw}</span>
          <strong>{when}</strong>
        </p>
        <div className={styles['links']}>
          <LinkButton href={paths.game(game.key)} size="small" aria-label={SETTINGS_TEXTS.gamesPlayLabel(game.name)}>
            {SETTINGS_TEXTS.gamesPlay}
          </LinkButton>
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
