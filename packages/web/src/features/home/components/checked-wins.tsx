import { paths } from '../../../shared/paths.ts'
import { Link } from '@fairball/ui/link.tsx'
import { Tag } from '@fairball/ui/tag.tsx'
import { LOWER_TEXTS } from '../lower-messages.ts'
import { useDate } from '../../../shared/player-view.ts'
import type { CheckedNumbers } from '../use-check-numbers.ts'
import styles from './checked-wins.module.css'

/** The draws a checked line would have won in; one sentence if there are none. */
export function CheckedWins({ gameKey, checked }: { gameKey: string; checked: CheckedNumbers }) {
  if (checked.draws.length === 0) return <p className={styles['words']}>{LOWER_TEXTS.checkNothing}</p>
  return (
    <div className={styles['wins']}>
      <p className={styles['words']}>{LOWER_TEXTS.checkWins(checked.draws.length)}</p>
      <ul className={styles['list']}>
        {checked.draws.map((draw) => (
          <Win key={draw.number} gameKey={gameKey} draw={draw} />
        ))}
      </ul>
    </div>
  )
}

function Win({ gameKey, draw }: { gameKey: string; draw: CheckedNumbers['draws'][number] }) {
  const date = useDate(draw.date)
  return (
    <li className={styles['win']}>
      <Link href={paths.draw(gameKey, draw.number)}>{LOWER_TEXTS.latestDraw(draw.number.toLocaleString('en-US'))}</Link>
      <span className={styles['date']}>{date}</span>
      <span>{LOWER_TEXTS.checkMatches(draw.matches)}</span>
      <Tag kind="success">{LOWER_TEXTS.checkWinType[draw.win_type]}</Tag>
    </li>
  )
}
