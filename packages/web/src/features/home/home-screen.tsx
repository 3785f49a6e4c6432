import { lazy, Suspense } from 'react'
import { gamesQuery, useGames } from '../../shared/data/games.ts'
import type { Game } from '../../shared/data/games.ts'
import { latestDrawsQuery } from '../../shared/data/latest-draws.ts'
import { LaterPart } from '../../shared/later-part.tsx'
import type { ScreenLoader } from '../../shared/screen.ts'
import { useSession } from '../../shared/session/use-session.ts'
import { EmptyState, LoadFailed } from '@fairball/ui/empty-state.tsx'
import { Hero } from './components/hero.tsx'
import { HomeSkeleton, LowerSkeleton } from './components/home-skeleton.tsx'
import { HOME_TEXTS } from './messages.ts'
import { useFeaturedGame } from './use-home.ts'
import styles from './home-screen.module.css'

const loadLowerHalf = async () => ({ default: (await import('./components/lower-half.tsx')).LowerHalf })
const LowerHalf = lazy(loadLowerHalf)
// Requested with the screen, before it is rendered: the part below the first view becomes clickable soon after the
// first view.
loadLowerHalf().catch(() => undefined)

const TicketStrip = lazy(async () => (await import('./components/lower-half.tsx')).loadTicketStrip())

/** Loads the games, and the newest draw of each. */
export const load: ScreenLoader = async ({ api, queryClient }) => {
  await Promise.all([queryClient.ensureQueryData(gamesQuery(api)), queryClient.prefetchQuery(latestDrawsQuery(api))])
}

/** The home page: the game that closes next, all games, a check of numbers, and the latest results. */
export function HomeScreen() {
  const games = useGames()
  if (games.isPending) return <HomeSkeleton />
  if (games.isError) return <LoadFailed onRetry={() => void games.refetch()} />
  if (games.data.length === 0) return <EmptyState text={HOME_TEXTS.noGames} />
  return <Home games={games.data} />
}

function Home({ games }: { games: Game[] }) {
  const featured = useFeaturedGame(games)
  if (featured === null) return null
  return (
    <div className={styles['page']}>
      <div>
        <Held />
        <Hero game={featured} games={games} />
      </div>
      <LaterPart fallback={<LowerSkeleton />}>
        <LowerHalf games={games} firstKey={featured.key} />
      </LaterPart>
    </div>
  )
}

/** The room of a player's tickets, and the tickets once they are there. */
function Held() {
  const { status } = useSession()
  return (
    <div className={styles['held']} data-status={status}>
      {status === 'player' && (
        <Suspense>
          <TicketStrip />
        </Suspense>
      )}
    </div>
  )
}
