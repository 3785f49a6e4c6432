import type { ReactNode } from 'react'
import { useLooks } from '../../../shared/data/game-looks.ts'
import { Ball } from '@fairball/ui/ball.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { ACCOUNT_TEXTS } from '../messages.ts'
import styles from './auth-page.module.css'

/** Props of {@link AuthPage}. */
interface AuthPageProps {
  title: string
  lead?: string
  children: ReactNode
  /** Links under the panel. */
  foot?: ReactNode
}

/** A page for signing in: its form in a panel, and beside it, if there is room, how a game works. */
export function AuthPage({ title, lead, children, foot }: AuthPageProps) {
  const lookAt = useLooks()
  return (
    <div className={styles['page']} data-foot="slim">
      <div className={styles['main']}>
        <PageTitle {...(lead !== undefined && { lead })}>{title}</PageTitle>
        <Card>{children}</Card>
        {foot !== undefined && <div className={styles['foot']}>{foot}</div>}
      </div>
      <aside className={styles['side']} data-game={lookAt(2)} aria-label={ACCOUNT_TEXTS.panelTitle}>
        <p className={styles['sideTitle']}>{ACCOUNT_TEXTS.panelTitle}</p>
        <ol className={styles['steps']}>
          {ACCOUNT_TEXTS.panelSteps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <div className={styles['balls']} aria-hidden="true">
          <Ball number={7} size="fluid" onField className={styles['ball']} />
          <Ball number={23} size="fluid" world={lookAt(5)} className={styles['ball']} />
          <Ball number={41} size="fluid" world={lookAt(1)} className={styles['ball']} />
          <Ball number={16} size="fluid" world={lookAt(3)} className={styles['ball']} />
        </div>
      </aside>
    </div>
  )
}

/** A line of links under a form: a question and where it leads. */
export function FootLine({ children }: { children: ReactNode }) {
  return <p className={styles['line']}>{children}</p>
}
