import { canWatch } from '@fairball/domain/draw-phase'
import { lazyRouteComponent, useLocation } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Ball } from '@fairball/ui/ball.tsx'
import { LinkButton } from '@fairball/ui/button.tsx'
import { classNames } from '@fairball/ui/class-names.ts'
import { Anchor } from '@fairball/ui/link.tsx'
import { LiveDot } from '@fairball/ui/tag.tsx'
import { Wordmark } from '@fairball/ui/wordmark.tsx'
import { useClockValue } from '../../shared/use-clock.ts'
import { useConfig } from '../../shared/config.ts'
import { useGames } from '../../shared/data/games.ts'
import { forPlayers } from '../../shared/for-players.ts'
import type { Game } from '../../shared/data/games.ts'
import { paths } from '../../shared/paths.ts'
import { useSession } from '../../shared/session/use-session.ts'
import { Menu, MenuItem } from './menu.tsx'
import { MobileMenuButton } from './mobile-menu-button.tsx'
import styles from './top-bar.module.css'

const AccountMenu = forPlayers(lazyRouteComponent(() => import('./account-menu.tsx')))

/** The bar at the top of every page: games, results, winners, the live draw, and the account. */
export function TopBar() {
  const { data: games = [] } = useGames()
  const { siteName, logo } = useConfig()
  const { status } = useSession()
  const { pathname } = useLocation()
  const watchable = useClockValue((now) => watchableGame(games, now)?.key ?? null)
  const resultsOf = status === 'player' ? paths.results : paths.draws
  const current = (href: string) => (pathname === href ? 'page' : undefined)

  return (
    <header className={styles['bar']}>
      <Anchor
        href={paths.home()}
        className={styles['home']}
        aria-label={`${siteName}, home`}
        aria-current={current('/')}
      >
        <Wordmark name={siteName} logo={logo} />
      </Anchor>
      <nav aria-label="Main" className={styles['nav']}>
        <span className={styles['menus']}>
          <Menu name="Games">
            <GameLinks games={games} pathname={pathname} hrefOf={(key) => paths.game(key)} />
          </Menu>
          <Menu name="Results">
            <GameLinks games={games} pathname={pathname} hrefOf={(key) => resultsOf(key)} />
          </Menu>
          <Anchor
            href={paths.winnersAndGoodCauses()}
            className={styles['link']}
            aria-current={current(paths.winnersAndGoodCauses())}
          >
            <span>
              Winners <span className={styles['rest']}>& Good Causes</span>
            </span>
          </Anchor>
          <Anchor
            href={paths.fairness()}
            className={classNames(styles['link'], styles['wide'])}
            aria-current={current(paths.fairness())}
          >
            Fairness
          </Anchor>
        </span>
        {watchable !== null && (
          <Anchor
            href={paths.watch(watchable)}
            className={styles['link']}
            aria-current={current(paths.watch(watchable))}
          >
            <LiveDot />
            <span>
              Watch <span className={styles['rest']}>The Draws</span>
            </span>
          </Anchor>
        )}
      </nav>
      <Account />
      <MobileMenuButton />
    </header>
  )
}

/**
 * Takes the same room for players and visitors. Both views exist until the session is known; a mark on the document
 * shows the likely one.
 */
function Account() {
  const { status, profile } = useSession()
  const { href } = useLocation()
  return (
    <div className={styles['account']} data-status={status}>
      {status !== 'player' && (
        <div className={styles['anonymous']}>
          <LinkButton href={paths.openAccount(href)} variant="secondary" size="small" className={styles['open']}>
            Open an account
          </LinkButton>
          <LinkButton href={paths.login(href)} size="small">
            LOG IN
          </LinkButton>
        </div>
      )}
      {profile !== null && (
        <Suspense>
          <AccountMenu username={profile.username} />
        </Suspense>
      )}
    </div>
  )
}

/** One link a game. */
function GameLinks({
  games,
  pathname,
  hrefOf,
}: {
  games: readonly Game[]
  pathname: string
  hrefOf: (gameKey: string) => string
}) {
  return games.map((game) => (
    <MenuItem key={game.key}>
      <Anchor href={hrefOf(game.key)} aria-current={pathname === hrefOf(game.key) ? 'page' : undefined}>
        <span aria-hidden="true">
          <Ball number={game.sets[0]?.n} size={24} world={game.key} />
        </span>
        {game.name}
      </Anchor>
    </MenuItem>
  ))
}

/** @returns the game whose draw can be watched now and starts first; null without one */
function watchableGame(games: readonly Game[], now: number): Game | null {
  const watchable = games.filter(({ next_draw: draw }) => canWatch({ startAt: draw.start_at, endAt: draw.end_at }, now))
  return watchable.toSorted((a, b) => a.next_draw.start_at - b.next_draw.start_at)[0] ?? null
}
