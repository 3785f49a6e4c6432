import { gamesQuery, useGames } from '../../app/data/games.ts'
import type { Game } from '../../app/data/games.ts'
import type { ScreenLoader } from '../../app/screen.tsx'
import { LoadFailed } from '../../ui/empty-state.tsx'
import { DrawStage } from './components/draw-stage.tsx'
import { OtherGames } from './components/other-games.tsx'
import { PrizeList } from './components/prize-list.tsx'
import { WatchSkeleton } from './components/watch-skeleton.tsx'
import { useWatch, watchQuery } from './use-watch.ts'
import styles from './watch-screen.module.css'

/** Props of {@link WatchScreen}. */
export interface WatchScreenProps {
  gameKey: string
}

/** Loads the games, and the draw this one is at. */
export const load: ScreenLoader<WatchScreenProps> = async ({ api, queryClient }, { gameKey }) => {
  const games = await queryClient.ensureQueryData(gamesQuery(api))
  const game = games.find(({ key }) => key === gameKey)
  if (game !== undefined) await queryClient.prefetchQuery(watchQuery(api, queryClient, game))
}

/** A draw as it happens: the time until it, then its balls one by one, then its prizes. */
export function WatchScreen({ gameKey }: WatchScreenProps) {
  const games = useGames()
  const game = games.data?.find(({ key }) => key === gameKey)
  if (games.data !== undefined && game !== undefined) return <Watch game={game} games={games.data} />
  if (games.isPending) return <WatchSkeleton />
  return <LoadFailed onRetry={() => void games.refetch()} />
}

function Watch({ game, games }: { game: Game; games: readonly Game[] }) {
  const { query, phase } = useWatch(game)
  return (
    <div className={styles['page']} data-game={game.key}>
      <DrawStage game={game} balls={query.data?.draw ?? null} phase={phase} />
      {query.data === undefined && query.isError ? (
        <LoadFailed onRetry={() => void query.refetch()} />
      ) : (
        <PrizeList prizes={query.data?.prizes ?? false} phase={phase} />
      )}
      <OtherGames games={games.filter(({ key }) => key !== game.key)} />
    </div>
  )
}
