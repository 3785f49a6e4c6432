import { Link } from '@fairball/ui/link.tsx'
import type { Check } from '@fairball/contract/console/read'
import { Moment } from './moment.tsx'
import { State } from './state.tsx'
import type { Mood } from './state.tsx'
import styles from './check-list.module.css'

const STATES: Readonly<Record<Check['state'], { mood: Mood; text: string }>> = {
  ok: { mood: 'good', text: 'Good' },
  warn: { mood: 'waiting', text: 'Warning' },
  fail: { mood: 'bad', text: 'Failed' },
  unknown: { mood: 'off', text: 'Not known yet' },
}

/** The operator's manual, where each remedy has a heading. */
const MANUAL = 'docs/operations.md'

/** Where a remedy is written down. */
export function Runbook({ anchor }: { anchor: string | null }) {
  if (anchor === null) return null
  if (anchor.startsWith('/') || anchor.startsWith('https://')) return <Link href={anchor}>What to do</Link>
  return (
    <span className={styles['runbook']}>
      {MANUAL}#{anchor.replace(/^#/u, '')}
    </span>
  )
}

/** The checks of the installation: what is wrong, since when, and where the remedy is. */
export function CheckList({ checks }: { checks: readonly Check[] }) {
  return (
    <ul className={styles['list']}>
      {checks.map(({ id, state, text, since, runbook }) => (
        <li key={id} className={styles['check']}>
          <State mood={STATES[state].mood}>{STATES[state].text}</State>
          <span className={styles['words']}>
            <strong>{id}</strong>: {text}
            {since !== null && state !== 'ok' && (
              <span className={styles['since']}>
                {' '}
                since <Moment at={since} />
              </span>
            )}{' '}
            {state !== 'ok' && <Runbook anchor={runbook} />}
          </span>
        </li>
      ))}
    </ul>
  )
}
