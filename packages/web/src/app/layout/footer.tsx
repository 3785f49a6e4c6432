import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { LinkButton } from '@fairball/ui/button.tsx'
import { classNames } from '@fairball/ui/class-names.ts'
import { Link } from '@fairball/ui/link.tsx'
import { Wordmark } from '@fairball/ui/wordmark.tsx'
import { useConfig } from '../../shared/config.ts'
import { useGames } from '../../shared/data/games.ts'
import type { Game } from '../../shared/data/games.ts'
import { NETWORK_NAMES } from '../../shared/network-names.ts'
import { paths } from '../../shared/paths.ts'
import { feedbackLink } from './site-links.ts'
import { ThemeSwitch } from './theme-switch.tsx'
import styles from './footer.module.css'

/**
 * The foot of every page: feedback, all pages in columns, the operator, and how to play within limits. Where a page has
 * an element with `data-foot="slim"`, it is one row, so that nothing leads away from a task.
 */
export function Footer() {
  const { data: games = [] } = useGames()
  const { testMode, siteName, logo, content } = useConfig()
  const { operator, social } = content
  const feedback = feedbackLink(content)
  return (
    <footer className={styles['footer']}>
      <div className={styles['inner']}>
        <noscript>
          {import.meta.env.SSR && (
            <p className={styles['scripts']}>
              JavaScript is switched off in this browser. Countdowns, live balls, menus, filters, downloads, replays and
              the theme need it. Reload a page to see what is new.
            </p>
          )}
        </noscript>
        <section aria-label="Feedback" className={classNames(styles['feedback'], styles['full'])}>
          <p>
            <strong>Missing something? Found a problem?</strong> Tell us what would make {siteName} better.
          </p>
          <LinkButton href={feedback.href} target={feedback.target} variant="secondary" size="small">
            {feedback.name}
          </LinkButton>
        </section>
        <div className={classNames(styles['slim'], styles['row'])}>
          <Wordmark name={siteName} logo={logo} />
          <nav aria-label="Site">
            <ul className={styles['row']}>
              <Entry href={paths.terms()}>Terms</Entry>
              <Entry href={paths.privacyPolicy()}>Privacy</Entry>
              <Entry href={paths.helpAndContactUs()}>Help</Entry>
              <Entry href={paths.responsiblePlay()}>Limits and time-outs</Entry>
            </ul>
          </nav>
        </div>
        <div className={classNames(styles['columns'], styles['full'])}>
          <section aria-label="Responsible play" className={styles['about']}>
            <Wordmark name={siteName} logo={logo} />
            <p>
              Set a spending limit, take time out or turn on reminders{' '}
              <Link href={paths.responsiblePlay()}>in your settings</Link>, at any time. Play for fun, never for income.
            </p>
            {social.length > 0 && (
              <ul aria-label="Elsewhere" className={styles['row']}>
                {social.map(({ network, url }) => (
                  <li key={url}>
                    <Link href={url} rel="me noopener noreferrer" variant="quiet">
                      {NETWORK_NAMES[network]}
                    </Link>
                  </li>
                ))}
              </ul>
            )}
          </section>
          <Column title="Games">
            {games.length > 0 && (
              <li>
                <AllGames games={games} />
              </li>
            )}
            <Entry href={paths.howToClaim()}>How to claim</Entry>
            <Entry href={paths.whereTheMoneyGoes()}>Where the money goes</Entry>
          </Column>
          <Column title="Additional information">
            <Entry href={paths.aboutUs()}>About us</Entry>
            <Entry href={paths.winnersAndGoodCauses()}>Winners & good causes</Entry>
            <Entry href={paths.fairness()}>Fairness (white paper)</Entry>
            <Entry href={paths.helpAndContactUs()}>Help & contact us</Entry>
            <Entry href="/api/docs">API reference</Entry>
            {testMode && <Entry href={paths.links()}>All pages and demo controls</Entry>}
          </Column>
          <Column title="Legal">
            <Entry href={paths.terms()}>Terms</Entry>
            <Entry href={paths.privacyPolicy()}>Privacy Policy</Entry>
            <Entry href={paths.cookies()}>Cookies</Entry>
          </Column>
        </div>
        <div className={styles['age']}>
          <span className={styles['badge']} aria-hidden="true">
            18+
          </span>
          <p className={styles['full']}>
            Games are promoted by a licensed company. Players must be 18 or over.
            {operator !== null && (
              <>
                <br />
                {operator.licence}
              </>
            )}
          </p>
          <ThemeSwitch />
        </div>
      </div>
    </footer>
  )
}

/** The link of each game; on a phone they are folded at first. */
function AllGames({ games }: { games: readonly Game[] }) {
  const fold = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (fold.current !== null) fold.current.open = !matchMedia('(width < 641px)').matches
  }, [])
  return (
    <details ref={fold} open className={styles['fold']}>
      <summary>All games</summary>
      <ul className={styles['links']}>
        {games.map((game) => (
          <Entry key={game.key} href={paths.game(game.key)}>
            {game.name}
          </Entry>
        ))}
      </ul>
    </details>
  )
}

function Column({ title, children }: { title: string; children: ReactNode }) {
  return (
    <nav aria-label={title}>
      <h2 className={styles['title']}>{title}</h2>
      <ul className={styles['links']}>{children}</ul>
    </nav>
  )
}

function Entry({ href, children }: { href: string; children: ReactNode }) {
  return (
    <li>
      <Link href={href} variant="quiet">
        {children}
      </Link>
    </li>
  )
}
