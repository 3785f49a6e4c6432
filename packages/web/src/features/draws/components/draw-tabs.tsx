import { useGames } from '../../../app/data/games.ts'
import { paths } from '../../../app/paths.ts'
import { Ball } from '../../../ui/ball.tsx'
import { LinkTabs } from '../../../ui/link-tabs.tsx'
import { DRAWS_TEXTS } from '../messages.ts'

/** Leads to the draw history of each game. */
export function GameTabs({ gameKey }: { gameKey: string }) {
  const { data: games = [] } = useGames()
  return (
    <LinkTabs
      label={DRAWS_TEXTS.games}
      tabs={games.map((game) => ({
        href: paths.draws(game.key),
        name: game.name,
        current: game.key === gameKey,
        icon: <Ball world={game.key} size={24} />,
      }))}
    />
  )
}

/** The player's own results and the draw history of the game. */
export function SectionTabs({ gameKey }: { gameKey: string }) {
  return (
    <LinkTabs
      label={DRAWS_TEXTS.sections}
      tabs={[
        { href: paths.results(gameKey), name: DRAWS_TEXTS.checkNumbers, current: false },
        { href: paths.draws(gameKey), name: DRAWS_TEXTS.history, current: true },
      ]}
    />
  )
}
