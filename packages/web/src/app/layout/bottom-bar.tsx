import { useLocation } from '@tanstack/react-router'
import { BallIcon, PersonIcon, SlipIcon, TrophyIcon } from '@fairball/ui/basic-icons.tsx'
import { Anchor } from '@fairball/ui/link.tsx'
import { useGames } from '../../shared/data/games.ts'
import { paths } from '../../shared/paths.ts'
import { useSession } from '../../shared/session/use-session.ts'
import styles from './bottom-bar.module.css'

/** The navigation at the foot of phones. */
export function BottomBar() {
  const { data: games } = useGames()
  const { status } = useSession()
  const { pathname, href } = useLocation()
  const gameKey = /^\/game\/([^/]+)/u.exec(pathname)?.[1] ?? games?.[0]?.key
  const results = gameKey === undefined ? null : (status === 'player' ? paths.results : paths.draws)(gameKey)

  const winners = paths.winnersAndGoodCauses()

  const entries = [
    { href: paths.home(), name: 'Games', icon: <BallIcon />, current: pathname === '/' },
    ...(results === null
      ? []
      : [
          {
            href: results,
            name: 'Results',
            icon: <SlipIcon />,
            current: /\/(?:results|draws)(?:\/|$)/u.test(pathname),
          },
        ]),
    { href: winners, name: 'Winners', icon: <TrophyIcon />, current: pathname === winners },
    ...(status === 'player'
      ? []
      : [{ href: paths.login(href), name: 'Log In', icon: <PersonIcon />, current: pathname === '/login' }]),
  ]
  return (
    <nav aria-label="Bottom" className={styles['bar']} data-status={status}>
      {entries.map((entry) => (
        <Anchor
          key={entry.name}
          href={entry.href}
          className={styles['item']}
          data-item={entry.name}
          aria-current={entry.current ? 'page' : undefined}
        >
          {entry.icon}
          {entry.name}
        </Anchor>
      ))}
    </nav>
  )
}
