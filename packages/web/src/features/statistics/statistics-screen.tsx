import { useGameName } from '../../shared/data/game-looks.ts'
import { GameTabs, SectionTabs } from '../../shared/results-tabs.tsx'
import { paths } from '../../shared/paths.ts'
import type { ScreenLoader } from '../../shared/screen.ts'
import { useSession } from '../../shared/session/use-session.ts'
import { Banner } from '../../ui/banner.tsx'
import { EmptyState, LoadFailed } from '../../ui/empty-state.tsx'
import { Link } from '../../ui/link.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { JackpotChart } from './components/jackpot-chart.tsx'
import { NumberCounts } from './components/number-counts.tsx'
import { STATISTICS_TEXTS } from './messages.ts'
import styles from './statistics-screen.module.css'
import { statisticsQuery, useStatistics } from './use-statistics.ts'

/** Props of {@link StatisticsScreen}. */
export interface StatisticsScreenProps {
  gameKey: string
}

export const load: ScreenLoader<StatisticsScreenProps> = async ({ api, queryClient }, { gameKey }) => {
  await queryClient.ensureQueryData(statisticsQuery(api, gameKey))
}

/** Statistics of a game's past draws, with a note that they do not predict future ones. */
export function StatisticsScreen({ gameKey }: StatisticsScreenProps) {
  const { status } = useSession()
  const name = useGameName(gameKey)
  return (
    <div data-game={gameKey}>
      <GameTabs gameKey={gameKey} section="statistics" />
      <div className={styles['title']}>
        <PageTitle>{STATISTICS_TEXTS.title(name)}</PageTitle>
      </div>
      {status === 'player' ? (
        <SectionTabs gameKey={gameKey} section="statistics" />
      ) : (
        <p className={styles['back']}>
          <Link href={paths.draws(gameKey)}>{STATISTICS_TEXTS.history}</Link>
        </p>
      )}
      <div className={styles['panels']}>
        <Banner kind="info">{STATISTICS_TEXTS.note}</Banner>
        <Panels gameKey={gameKey} />
      </div>
    </div>
  )
}

function Panels({ gameKey }: { gameKey: string }) {
  const statistics = useStatistics(gameKey)
  if (statistics.isPending) return <SkeletonRows rows={8} />
  if (statistics.isLoadingError) return <LoadFailed onRetry={() => void statistics.refetch()} />
  const { draws, numbers, jackpots } = statistics.data
  if (draws === 0) return <EmptyState text={STATISTICS_TEXTS.empty} />
  return (
    <>
      <NumberCounts draws={draws} numbers={numbers} />
      <JackpotChart gameKey={gameKey} jackpots={jackpots} />
    </>
  )
}
