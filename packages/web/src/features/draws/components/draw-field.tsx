import { useGame } from '../../../shared/data/games.ts'
import { paths } from '../../../shared/paths.ts'
import { BallRow } from '@fairball/ui/ball-row.tsx'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Tag } from '@fairball/ui/tag.tsx'
import { DRAWS_TEXTS } from '../messages.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import type { DrawDetails } from '../use-draws.ts'
import styles from './draw-field.module.css'

/** The head of a draw's page on the game's colour: the draw's number, its time, and its balls. */
export function DrawField({ gameKey, name, draw }: { gameKey: string; name: string; draw: DrawDetails }) {
  const { dateTime } = usePlayerView()
  const { data: game } = useGame(gameKey)
  const isDrawn = draw.numbers.length > 0
  const places = isDrawn ? draw.numbers : Array.from({ length: game?.sets[0]?.n ?? 0 }, () => false)
  return (
    <section className={styles['field']}>
      <div className={styles['head']}>
        <h1>{DRAWS_TEXTS.drawTitle(name, draw.number)}</h1>
        <Tag kind={draw.status === 'DRAWN' ? 'neutral' : 'soon'}>{DRAWS_TEXTS.statuses[draw.status]}</Tag>
      </div>
      <p className={styles['when']}>{dateTime(draw.datetime)}</p>
      <BallRow
        places={places}
        size={64}
        shrinks
        onField
        label={isDrawn ? DRAWS_TEXTS.numbersOf(draw.number) : DRAWS_TEXTS.notDrawn}
        className={styles['balls']}
      />
      <p className={styles['note']}>{isDrawn ? DRAWS_TEXTS.inOrder : DRAWS_TEXTS.notDrawn}</p>
      {draw.status === 'VOID' && <p className={styles['note']}>{DRAWS_TEXTS.voidNote}</p>}
      <NextStep gameKey={gameKey} name={name} draw={draw} />
    </section>
  )
}

/** Actions for a future draw. */
function NextStep({ gameKey, name, draw }: { gameKey: string; name: string; draw: DrawDetails }) {
  switch (draw.status) {
    case 'OPEN':
      return (
        <LinkButton href={paths.game(gameKey)} onField className={styles['action']}>
          {DRAWS_TEXTS.play(name)}
        </LinkButton>
      )
    case 'CLOSED':
      return (
        <LinkButton href={paths.watch(gameKey)} onField className={styles['action']}>
          {DRAWS_TEXTS.toWatch}
        </LinkButton>
      )
    case 'DRAWN':
    case 'VOID':
      return null
  }
}
