import { Anchor } from '@fairball/ui/link.tsx'
import { ExternalIcon } from '@fairball/ui/icons.tsx'
import { VisuallyHidden } from '@fairball/ui/visually-hidden.tsx'
import { WINNERS_TEXTS } from '../messages.ts'
import type { Cause } from '../use-winners.ts'
import styles from './cause-card.module.css'

/** A good cause: its picture, or balls in its place, its description, and the link to its own site. */
export function CauseCard({ cause }: { cause: Cause }) {
  return (
    <li className={styles['cause']}>
      {cause.image === null ? (
        <span className={styles['pattern']} aria-hidden="true" />
      ) : (
        <img className={styles['image']} src={cause.image} alt="" width="480" height="320" loading="lazy" />
      )}
      <div className={styles['words']}>
        <h3>{cause.title}</h3>
        <p>{cause.description}</p>
        <p className={styles['visit']}>
          <Anchor href={cause.link} rel="noopener">
            <span aria-hidden="true">{WINNERS_TEXTS.visitShort}</span>
            <VisuallyHidden>{WINNERS_TEXTS.visit(cause.title)}</VisuallyHidden>
            <ExternalIcon size={16} />
          </Anchor>
        </p>
      </div>
    </li>
  )
}
