import type { Game } from '../../../shared/data/games.ts'
import { rangeOf } from '../../../shared/data/games.ts'
import { leastSplit } from '../../../shared/data/shares.ts'
import { paths } from '../../../shared/paths.ts'
import { classNames } from '@fairball/ui/class-names.ts'
import { Link } from '@fairball/ui/link.tsx'
import { LOWER_TEXTS } from '../lower-messages.ts'
import styles from './returns-panel.module.css'

/** The share of a ticket's price that returns to players, here and elsewhere. */
export function ReturnsPanel({ games }: { games: readonly Game[] }) {
  return (
    <section className={styles['panel']} aria-labelledby="returns-title">
      <h2 id="returns-title" className={styles['title']}>
        {LOWER_TEXTS.returnsTitle}
      </h2>
      <dl className={styles['bars']}>
        <div>
          <dt>{LOWER_TEXTS.returnsHere}</dt>
          <dd>{rangeOf(games, 'prize_pool')}%</dd>
          <svg className={styles['bar']} width="100%" height="20" aria-hidden="true">
            <rect className={styles['share']} width={`${leastSplit(games)?.prize_pool ?? 0}%`} height="20" />
          </svg>
        </div>
        <div>
          <dt>{LOWER_TEXTS.returnsClassic}</dt>
          <dd>{LOWER_TEXTS.returnsClassicShare}</dd>
          <span className={classNames(styles['bar'], styles['classic'])} aria-hidden="true" />
        </div>
      </dl>
      <p className={styles['note']}>
        {LOWER_TEXTS.returnsNote(rangeOf(games, 'fee'))}{' '}
        <Link href={paths.whereTheMoneyGoes()}>{LOWER_TEXTS.returnsMore}</Link>
      </p>
    </section>
  )
}
