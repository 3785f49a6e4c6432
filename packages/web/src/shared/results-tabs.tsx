import { Ball } from '@fairball/ui/ball.tsx'
import { LinkTabs } from '@fairball/ui/link-tabs.tsx'
import { useGames } from './data/games.ts'
import { paths } from './paths.ts'

/** One of the pages about results: the player's own, the draws, or the statistics. */
export type ResultsSection = 'results' | 'draws' | 'statistics'

const GAMES = {
  results: 'Results of other games',
  draws: 'Draw history of other games',
  statistics: 'Statistics of other games',
} as const

/** Links to the same section of each game: a bar that scrolls on narrow screens. */
export function GameTabs({ gameKey, section }: { gameKey: string; section: ResultsSection }) {
  const { data: games = [] } = useGames()
  const tabs = games.map((game) => ({
    href: paths[section](game.key),
    name: game.name,
    current: game.key === gameKey,
    icon: <Ball world={game.key} size={24} />,
  }))
  return <LinkTabs label={GAMES[section]} tabs={tabs} />
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
