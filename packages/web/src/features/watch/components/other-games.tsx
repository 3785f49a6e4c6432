import { watchPhaseAt } from '@fairball/domain/draw-phase'
import { useClockValue } from '../../../shared/use-clock.ts'
import type { Game } from '../../../shared/data/games.ts'
import { paths } from '../../../shared/paths.ts'
import { Ball } from '@fairball/ui/ball.tsx'
import { Anchor } from '@fairball/ui/link.tsx'
import { SectionTitle } from '@fairball/ui/page-title.tsx'
import { Tag } from '@fairball/ui/tag.tsx'
import { WATCH_TEXTS } from '../messages.ts'
import { useDrawTime } from '../../../shared/player-view.ts'
import { timesOf } from '../use-watch.ts'
import styles from './other-games.module.css'

/** The draws of the other games, to be watched next. */
export function OtherGames({ games }: { games: readonly Game[] }) {
  if (games.length === 0) return null
  return (
    <nav aria-labelledby="other-games">
      <SectionTitle id="other-games">{WATCH_TEXTS.others}</SectionTitle>
      <ul className={styles['games']}>
        {games.map((game) => (
          <li key={game.key}>
            <OtherGame game={game} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

function OtherGame({ game }: { game: Game }) {
  const { full: when } = useDrawTime(game.next_draw.start_at)
  // Its balls are not known here; its times are enough to know that it can be watched.
  const phase = useClockValue((now) => watchPhaseAt({ ...timesOf(game), balls: null, hasPrizes: false }, now))
  return (
    <Anchor href={paths.watch(game.key)} className={styles['game']} data-game={game.key}>
      <span aria-hidden="true">
        <Ball number={game.sets[0]?.N} size={48} onField />
      </span>
      <span className={styles['words']}>
        <strong>{game.name}</strong>
        {phase === 'PLAY' || phase === 'ENDED' ? (
          <span>{when}</span>
        ) : (
          <Tag kind={phase === 'LIVE' ? 'live' : 'soon'}>{WATCH_TEXTS.tags[phase]}</Tag>
        )}
      </span>
    </Anchor>
  )
}
