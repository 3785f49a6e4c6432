import { Ball } from '../ui/ball.tsx'
import { Anchor } from '../ui/link.tsx'
import { LinkTabs } from '../ui/link-tabs.tsx'
import { useGames } from './data/games.ts'
import { paths } from './paths.ts'
import styles from './results-tabs.module.css'

/** One of the pages about results: the player's own, the draws, or the statistics. */
type ResultsSection = 'results' | 'draws' | 'statistics'

const GAMES = {
  results: 'Results of other games',
  draws: 'Draw history of other games',
  statistics: 'Statistics of other games',
} as const

/** Links to the same section of each game: a bar that scrolls on narrow screens, or a list for the side. */
export function GameTabs({
  gameKey,
  section,
  isList = false,
}: {
  gameKey: string
  section: ResultsSection
  isList?: boolean
}) {
  const { data: games = [] } = useGames()
  const tabs = games.map((game) => ({
    href: paths[section](game.key),
    name: game.name,
    current: game.key === gameKey,
    icon: <Ball world={game.key} size={24} />,
  }))
  if (!isList) return <LinkTabs label={GAMES[section]} tabs={tabs} />
  return (
    <nav aria-label={GAMES[section]}>
      <ul className={styles['list']}>
        {tabs.map(({ href, name, current, icon }) => (
          <li key={href}>
            <Anchor href={href} className={styles['item']} aria-current={current ? 'page' : undefined}>
              {icon}
              {name}
            </Anchor>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The player's own results, the draw history and the statistics of the game. */
export function SectionTabs({ gameKey, section }: { gameKey: string; section: ResultsSection }) {
  return (
    <LinkTabs
      label="Results sections"
      tabs={[
        { href: paths.results(gameKey), name: 'Check my Numbers', current: section === 'results' },
        { href: paths.draws(gameKey), name: 'Draw History', current: section === 'draws' },
        { href: paths.statistics(gameKey), name: 'Statistics', current: section === 'statistics' },
      ]}
    />
  )
}
