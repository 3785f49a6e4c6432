import { HOME_TEXTS } from '../messages.ts'
import styles from './returns-panel.module.css'

/** How much of a ticket goes back to players, here and elsewhere. */
export function ReturnsPanel() {
  return (
    <section className={styles['panel']} aria-labelledby="returns-title">
      <h2 id="returns-title" className={styles['title']}>
        {HOME_TEXTS.returnsTitle}
      </h2>
      <dl className={styles['bars']}>
        <div>
          <dt>{HOME_TEXTS.returnsHere}</dt>
          <dd>{HOME_TEXTS.returnsHereShare}</dd>
          <span className={styles['bar']} data-share="80" aria-hidden="true" />
        </div>
        <div>
          <dt>{HOME_TEXTS.returnsClassic}</dt>
          <dd>{HOME_TEXTS.returnsClassicShare}</dd>
          <span className={styles['bar']} data-share="50-60" aria-hidden="true" />
        </div>
      </dl>
      <p className={styles['note']}>{HOME_TEXTS.returnsNote}</p>
    </section>
  )
}
