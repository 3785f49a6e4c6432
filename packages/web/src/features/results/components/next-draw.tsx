import { canWatch } from '@fairball/domain/draw-phase'
import type { Game } from '../../../shared/data/games.ts'
import { useClockValue } from '../../../shared/clock.ts'
import { paths } from '../../../shared/paths.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { Figure } from '../../../ui/figure.tsx'
import { RESULTS_TEXTS } from '../messages.ts'
import { usePlayerView, useSaleTime } from '../../../shared/player-view.ts'
import styles from './next-draw.module.css'

/** The game's next draw on its colour: its time, its jackpot, and the link to play. */
export function NextDraw({ game }: { game: Game }) {
  const { figure } = usePlayerView()
  const { start_at: startAt, end_at: endAt } = game.next_draw
  const { when } = useSaleTime(game)
  const isWatchable = useClockValue((nowAt) => canWatch({ startAt, endAt }, nowAt))
  return (
    <section className={styles['panel']} data-game={game.key}>
      <h2 className={styles['title']}>{RESULTS_TEXTS.nextDraw}</h2>
      <p className={styles['jackpot']}>
        <Figure text={figure(game.jackpot.fiat)} />
      </p>
      <p className={styles['note']}>{RESULTS_TEXTS.estimated}</p>
      <p className={styles['when']}>{when}</p>
      <div className={styles['actions']}>
        <LinkButton href={paths.game(game.key)} onField block>
          {RESULTS_TEXTS.play(game.name)}
        </LinkButton>
        {isWatchable && (
          <LinkButton href={paths.watch(game.key)} variant="soft" onField block>
            {RESULTS_TEXTS.watchDraw}
          </LinkButton>
        )}
      </div>
    </section>
  )
}
