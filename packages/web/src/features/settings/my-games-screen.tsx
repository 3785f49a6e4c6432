import { paths } from '../../shared/paths.ts'
import { LinkButton } from '@fairball/ui/button.tsx'
import { EmptyState, LoadFailed } from '@fairball/ui/empty-state.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { Loading, Skeleton } from '@fairball/ui/skeleton.tsx'
import { MyGameCard } from './components/my-game-card.tsx'
import { SETTINGS_TEXTS } from './messages.ts'
import styles from './my-games-screen.module.css'
import { useMyGames } from './use-my-games.ts'

/** The games the player has played, each with its jackpot, its next draw, and the links to play and to check. */
export function MyGamesScreen(_props: object) {
  return (
    <>
      <PageTitle>{SETTINGS_TEXTS.gamesTitle}</PageTitle>
      <Games />
    </>
  )
}

function Games() {
  const games = useMyGames()
  if (games.isPending) {
    return (
      <Loading>
        <Skeleton shape="block" className={styles['card']} />
        <Skeleton shape="block" className={styles['card']} />
      </Loading>
    )
  }
  if (games.isLoadingError) return <LoadFailed onRetry={() => void games.refetch()} />
  if (games.data.length === 0) {
    return (
      <EmptyState
        text={SETTINGS_TEXTS.gamesEmpty}
        action={<LinkButton href={paths.home()}>{SETTINGS_TEXTS.seeGames}</LinkButton>}
      />
    )
  }
  return (
    <ul className={styles['games']}>
      {games.data.map((game) => (
        <li key={game.key}>
          <MyGameCard game={game} />
        </li>
      ))}
    </ul>
  )
}
