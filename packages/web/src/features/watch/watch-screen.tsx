import { lazy } from 'react'
import { gamesQuery, useGames } from '../../shared/data/games.ts'
import type { Game } from '../../shared/data/games.ts'
import { LaterPart } from '../../shared/later-part.tsx'
import type { ScreenLoader } from '../../shared/screen.ts'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'
import { DrawStage } from './components/draw-stage.tsx'
import { WatchSkeleton } from './components/watch-skeleton.tsx'
import { useDrawNews } from './use-draw-news.ts'
import { useWatch, watchQuery } from './use-watch.ts'
import styles from './watch-screen.module.css'

// Loaded on demand: draws seldom fail, and few pages sleep through one.
const EndedGame = lazy(() => import('../../shared/ended-game.tsx'))
const DrawNewsBanner = lazy(() => import('./components/draw-news-banner.tsx'))

/** Props of {@link WatchScreen}. */
export interface WatchScreenProps {
  gameKey: string
}

/** Loads the games, and the game's current draw. */
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
  if (games.isSuccess) return <EndedGame gameKey={gameKey} />
  return <LoadFailed onRetry={() => void games.refetch()} />
}

function Watch({ game, games }: { game: Game; games: readonly Game[] }) {
  const watch = useWatch(game)
  const prizes = watch.data?.prizes ?? false
  const news = useDrawNews(game, prizes !== false)
  return (
    <div className={styles['page']} data-game={game.key}>
      {news !== null && (
        <LaterPart>
          <DrawNewsBanner gameKey={game.key} news={news} />
        </LaterPart>
      )}
      {/* Another draw has other balls: none of them was known before. */}
      <DrawStage key={game.next_draw.number} game={game} games={games} watch={watch} />
    </div>
  )
}
