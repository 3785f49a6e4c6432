import { FAIRNESS_TEXTS } from '../messages.ts'
import styles from './timeline.module.css'

/** The steps of a draw, from the promise to the payment. */
export function Timeline() {
  return (
    <ol className={styles['timeline']}>
      {FAIRNESS_TEXTS.timelineSteps.map(({ name, when, text }, index) => (
        <li key={name} className={styles['step']}>
          <span className={styles['number']} aria-hidden="true">
            {index + 1}
          </span>
          <h3 className={styles['name']}>{name}</h3>
          <p className={styles['when']}>{when}</p>
          <p className={styles['text']}>{text}</p>
        </li>
      ))}
    </ol>
  )
}
