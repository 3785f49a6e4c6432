import { canWatch } from '@fairball/domain/draw-phase'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Figure } from '@fairball/ui/figure.tsx'
import { useClockValue } from './use-clock.ts'
import type { Game } from './data/games.ts'
import styles from './next-draw-panel.module.css'
import { paths } from './paths.ts'
import { usePlayerView, useSaleTime } from './player-view.ts'

/**
 * The game's next draw on its colour: its time, its jackpot, and the link to watch it.
 *
 * @param props.canPlay adds the link to play, which pages about results show to players only (specification, section 2)
 */
export function NextDrawPanel({ game, canPlay }: { game: Game; canPlay: boolean }) {
  const { figure } = usePlayerView()
  const { start_at: startAt, end_at: endAt } = game.next_draw
  const { when } = useSaleTime(game)
  const isWatchable = useClockValue((nowAt) => canWatch({ startAt, endAt }, nowAt))
  return (
    <section className={styles['panel']} data-game={game.key}>
      <h2 className={styles['title']}>Next draw</h2>
      <p className={styles['jackpot']}>
        <Figure text={figure(game.jackpot.fiat)} />
      </p>
      <p className={styles['note']}>Estimated jackpot</p>
      <p className={styles['when']}>{when}</p>
      <div className={styles['actions']}>
        {canPlay && (
          <LinkButton href={paths.game(game.key)} onField block>
            {`Play ${game.name}`}
          </LinkButton>
        )}
        {isWatchable && (
          <LinkButton href={paths.watch(game.key)} variant="soft" onField block>
            WATCH DRAW
          </LinkButton>
        )}
      </div>
    </section>
  )
}
