import { paths } from '../../../shared/paths.ts'
import { Link } from '../../../ui/link.tsx'
import { LOWER_TEXTS } from '../lower-messages.ts'
import styles from './returns-panel.module.css'

/** The share of a ticket's price that returns to players, here and elsewhere. */
export function ReturnsPanel() {
  return (
    <section className={styles['panel']} aria-labelledby="returns-title">
      <h2 id="returns-title" className={styles['title']}>
        {LOWER_TEXTS.returnsTitle}
      </h2>
      <dl className={styles['bars']}>
        <div>
          <dt>{LOWER_TEXTS.returnsHere}</dt>
          <dd>{LOWER_TEXTS.returnsHereShare}</dd>
          <span className={styles['bar']} data-share="80" aria-hidden="true" />
        </div>
        <div>
          <dt>{LOWER_TEXTS.returnsClassic}</dt>
          <dd>{LOWER_TEXTS.returnsClassicShare}</dd>
          <span className={styles['bar']} data-share="50-60" aria-hidden="true" />
        </div>
      </dl>
      <p className={styles['note']}>
        {LOWER_TEXTS.returnsNote} <Link href={paths.whereTheMoneyGoes()}>{LOWER_TEXTS.returnsMore}</Link>
      </p>
    </section>
  )
}
