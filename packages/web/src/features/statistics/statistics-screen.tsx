import { useGameName } from '../../shared/data/game-looks.ts'
import { paths } from '../../shared/paths.ts'
import { ResultsFrame } from '../../shared/results-frame.tsx'
import type { ScreenLoader } from '../../shared/screen.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { EmptyState, LoadFailed } from '@fairball/ui/empty-state.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { JackpotChart } from './components/jackpot-chart.tsx'
import { NumberCounts } from './components/number-counts.tsx'
import { STATISTICS_TEXTS } from './messages.ts'
import { statisticsQuery, useStatistics } from './use-statistics.ts'

/** Draws below which there are lists, since a chart would show chance alone. */
const LEAST_FOR_CHART = 20

/** Props of {@link StatisticsScreen}. */
export interface StatisticsScreenProps {
  gameKey: string
}

export const load: ScreenLoader<StatisticsScreenProps> = async ({ api, queryClient }, { gameKey }) => {
  await queryClient.ensureQueryData(statisticsQuery(api, gameKey))
}

/** Statistics of a game's past draws, with a note that they do not predict future ones. */
export function StatisticsScreen({ gameKey }: StatisticsScreenProps) {
  const name = useGameName(gameKey)
  return (
    <ResultsFrame
      gameKey={gameKey}
      section="statistics"
      title={STATISTICS_TEXTS.title(name)}
      forVisitors={<Link href={paths.draws(gameKey)}>{STATISTICS_TEXTS.history}</Link>}
    >
      <Banner kind="info">{STATISTICS_TEXTS.note}</Banner>
      <Panels gameKey={gameKey} />
    </ResultsFrame>
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
      <NumberCounts draws={draws} numbers={numbers} isChart={draws >= LEAST_FOR_CHART} />
      <JackpotChart gameKey={gameKey} jackpots={jackpots} isChart={draws >= LEAST_FOR_CHART} />
    </>
  )
}
