import { useGames } from '../../../app/data/games.ts'
import { paths } from '../../../app/paths.ts'
import { Ball } from '../../../ui/ball.tsx'
import { Anchor } from '../../../ui/link.tsx'
import { LinkTabs } from '../../../ui/link-tabs.tsx'
import { RESULTS_TEXTS } from '../messages.ts'
import styles from './result-tabs.module.css'

/** Leads to the results of each game: a bar that scrolls on narrow screens, or a list for the side. */
export function GameTabs({ gameKey, isList = false }: { gameKey: string; isList?: boolean }) {
  const { data: games = [] } = useGames()
  const tabs = games.map((game) => ({
    href: paths.results(game.key),
    name: game.name,
    current: game.key === gameKey,
    icon: <Ball world={game.key} size={24} />,
  }))
  if (!isList) return <LinkTabs label={RESULTS_TEXTS.games} tabs={tabs} />
  return (
    <nav aria-label={RESULTS_TEXTS.games}>
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

/** The player's own results and the draw history of the game. */
export function SectionTabs({ gameKey }: { gameKey: string }) {
  return (
    <LinkTabs
      label={RESULTS_TEXTS.sections}
      tabs={[
        { href: paths.results(gameKey), name: RESULTS_TEXTS.checkNumbers, current: true },
        { href: paths.draws(gameKey), name: RESULTS_TEXTS.drawHistory, current: false },
      ]}
    />
  )
}
