import { paths } from '../../../app/paths.ts'
import { Link } from '../../../ui/link.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { HOME_TEXTS } from '../messages.ts'
import { useDate } from '../../../app/player-view.ts'
import type { CheckedNumbers } from '../use-home.ts'
import styles from './checked-wins.module.css'

/** The draws a checked line would have won in; one sentence when there is none. */
export function CheckedWins({ gameKey, checked }: { gameKey: string; checked: CheckedNumbers }) {
  if (checked.draws.length === 0) return <p className={styles['words']}>{HOME_TEXTS.checkNothing}</p>
  return (
    <div className={styles['wins']}>
      <p className={styles['words']}>{HOME_TEXTS.checkWins(checked.draws.length)}</p>
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
      <Link href={paths.draw(gameKey, draw.number)}>{HOME_TEXTS.latestDraw(draw.number.toLocaleString('en-US'))}</Link>
      <span className={styles['date']}>{date}</span>
      <span>{HOME_TEXTS.checkMatches(draw.matches)}</span>
      <Tag kind="success">{HOME_TEXTS.checkWinType[draw.win_type]}</Tag>
    </li>
  )
}
