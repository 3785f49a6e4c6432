import { useMoments } from './moment.ts'
import styles from './draw-dates.module.css'

/** Draws shown at once; of more, only the first of them are, and the rest opens. */
const MOST_AT_ONCE = 3
const FIRST = 2

/** Draws by their dates: "Wed, Nov 25, 8:00 PM". Of more than three, the first two and "and 6 more", which opens. */
export function DrawDates({ draws }: { draws: readonly { number: number; start_at: number }[] }) {
  if (draws.length <= MOST_AT_ONCE) return <Dates draws={draws} />
  return (
    <>
      <Dates draws={draws.slice(0, FIRST)} />
      <details className={styles['more']}>
        <summary>and {draws.length - FIRST} more</summary>
        <Dates draws={draws.slice(FIRST)} />
      </details>
    </>
  )
}

function Dates({ draws }: { draws: readonly { number: number; start_at: number }[] }) {
  const moment = useMoments()
  return (
    <ul className={styles['dates']}>
      {draws.map(({ number, start_at: startAt }) => (
        <li key={number}>
          <time dateTime={new Date(startAt * 1000).toISOString()}>{moment(startAt)}</time>
        </li>
      ))}
    </ul>
  )
}
