import { LIMIT_TEXTS } from '../limit-messages.ts'
import type { Limit } from '../limits.ts'
import styles from './limits-card.module.css'

/** What the check cannot prove. @param limits null while it is running */
export function LimitsCard({ limits }: { limits: readonly Limit[] | null }) {
  return (
    <section className={styles['limits']} data-waiting={limits === null}>
      <h2>{LIMIT_TEXTS.title}</h2>
      {limits === null && <p>{LIMIT_TEXTS.waiting}</p>}
      {limits?.length === 0 && <p>{LIMIT_TEXTS.nothing}</p>}
      {limits?.map(({ title, text }) => (
        <p key={title}>
          <strong>{title}</strong> {text}
        </p>
      ))}
    </section>
  )
}
