import { Link } from '@fairball/ui/link.tsx'
import type { Check } from '@fairball/contract/console/read'
import { Moment } from './moment.tsx'
import { paths } from './paths.ts'
import { State } from './state.tsx'
import type { Mood } from './state.tsx'
import styles from './check-list.module.css'

const STATES: Readonly<Record<Check['state'], { mood: Mood; text: string }>> = {
  ok: { mood: 'good', text: 'Good' },
  warn: { mood: 'waiting', text: 'Warning' },
  fail: { mood: 'bad', text: 'Failed' },
  unknown: { mood: 'off', text: 'Not known yet' },
}

/** Where a check is put right in the console, if it can be. */
const NEXT_STEPS: Readonly<Record<string, { href: string; text: string }>> = {
  bankroll: { href: paths.treasury, text: 'Ask for a deposit address, and book what arrives' },
  'wallet-ledger': { href: paths.treasury, text: 'Book what nobody has explained' },
  games: { href: paths.games, text: 'Announce games, or resume sales' },
  mail: { href: paths.health, text: 'Type the code of a test mail' },
  texts: { href: paths.site, text: 'Write your own texts' },
  staff: { href: paths.staff, text: 'See who has registered passkeys' },
}

/** The way to what puts a check right; nothing for a check that the server alone can. */
export function NextStep({ check }: { check: string }) {
  const step = NEXT_STEPS[check]
  return step === undefined ? null : <Link href={step.href}>{step.text}</Link>
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
            {state !== 'ok' && (
              <>
                <NextStep check={id} /> <Runbook anchor={runbook} />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}
