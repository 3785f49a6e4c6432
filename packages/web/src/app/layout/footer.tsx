import type { ReactNode } from 'react'
import { Link } from '../../ui/link.tsx'
import { Wordmark } from '../../ui/wordmark.tsx'
import { useConfig } from '../config.ts'
import { useGames } from '../data/games.ts'
import { paths } from '../paths.ts'
import styles from './footer.module.css'

/** The foot of every page: the games, responsible play, and the age that is asked for. */
export function Footer() {
  const { data: games = [] } = useGames()
  const { testMode } = useConfig()
  return (
    <footer className={styles['footer']}>
      <div className={styles['inner']}>
        <div className={styles['columns']}>
          <div className={styles['about']}>
            <Wordmark />
            <p>Set a spending limit, take time out or turn on reminders at any time. Play for fun, never for income.</p>
          </div>
          <Column title="Games">
            {games.map((game) => (
              <li key={game.key}>
                <Link href={paths.game(game.key)} variant="quiet">
                  {game.name}
                </Link>
              </li>
            ))}
          </Column>
          <Column title="Draw history">
            {games.map((game) => (
              <li key={game.key}>
                <Link href={paths.draws(game.key)} variant="quiet">
                  {game.name} results
                </Link>
              </li>
            ))}
          </Column>
          <Column title="Additional information">
            <li>
              <Link href={paths.fairness()} variant="quiet">
                Fairness (white paper)
              </Link>
            </li>
            <li>
              <Link href={paths.helpAndContactUs()} variant="quiet">
                Help & contact us
              </Link>
            </li>
            <li>
              <Link href="/api/docs" variant="quiet">
                API reference
              </Link>
            </li>
            {testMode && (
              <li>
                <Link href={paths.links()} variant="quiet">
                  All pages and demo controls
                </Link>
              </li>
            )}
          </Column>
        </div>
        <p className={styles['age']}>
          <span className={styles['badge']} aria-hidden="true">
            18+
          </span>
          Games are promoted by a licensed company. Players must be 18 or over.
        </p>
      </div>
    </footer>
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
