import { pageLinks } from '@fairball/domain/pagination'
import { useGameName } from '../../shared/data/game-looks.ts'
import { paths } from '../../shared/paths.ts'
import { ResultsFrame } from '../../shared/results-frame.tsx'
import type { ScreenLoader } from '../../shared/screen.ts'
import { useSession } from '../../shared/session/use-session.ts'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { EmptyState, LoadFailed } from '@fairball/ui/empty-state.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { Pagination } from '@fairball/ui/pagination.tsx'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { Downloads } from './components/downloads.tsx'
import { DrawRow } from './components/draw-row.tsx'
import styles from './draw-history-screen.module.css'
import { DRAWS_TEXTS } from './messages.ts'
import { monthsOf } from './months.ts'
import { drawsQuery, useDraws } from './use-draws.ts'

/** Props of {@link DrawHistoryScreen}. */
export interface DrawHistoryScreenProps {
  gameKey: string
  /** From 1. */
  page: number
}

export const load: ScreenLoader<DrawHistoryScreenProps> = async ({ api, queryClient }, { gameKey, page }) => {
  await queryClient.ensureQueryData(drawsQuery(api, gameKey, page))
}

/** The draws of a game in the previous 180 days, newest first. */
export function DrawHistoryScreen({ gameKey, page }: DrawHistoryScreenProps) {
  const { status } = useSession()
  const name = useGameName(gameKey)
  const isPlayer = status === 'player'
  return (
    <ResultsFrame
      gameKey={gameKey}
      section="draws"
      title={DRAWS_TEXTS.title(name)}
      forVisitors={<Link href={paths.statistics(gameKey)}>{DRAWS_TEXTS.statistics}</Link>}
    >
      <Card
        title={DRAWS_TEXTS.history}
        lead={
          <>
            {DRAWS_TEXTS.historyLead}
            {/* On a line of its own: another face must not wrap it. */}
            <br />
            <Link href={paths.howToClaim()}>{DRAWS_TEXTS.howToClaim}</Link>
          </>
        }
        actions={<Downloads gameKey={gameKey} gameName={name} />}
      >
        <History gameKey={gameKey} page={page} canPlay={isPlayer} />
      </Card>
    </ResultsFrame>
  )
}

function History({ gameKey, page, canPlay }: DrawHistoryScreenProps & { canPlay: boolean }) {
  const draws = useDraws(gameKey, page)
  if (draws.isPending) return <SkeletonRows rows={10} />
  if (draws.isLoadingError) return <LoadFailed onRetry={() => void draws.refetch()} />
  const { results, total_pages: totalPages } = draws.data
  return (
    <>
      {results.length === 0 ? (
        <NoDraws gameKey={gameKey} isPastEnd={totalPages > 0} canPlay={canPlay} />
      ) : (
        monthsOf(results).map((month) => (
          <div key={month.name}>
            <h3 className={styles['month']}>{month.name}</h3>
            <ul className={styles['draws']}>
              {month.draws.map((draw) => (
                <li key={draw.id}>
                  <DrawRow gameKey={gameKey} draw={draw} />
                </li>
              ))}
            </ul>
          </div>
        ))
      )}
      <Pagination
        page={page}
        totalPages={totalPages}
        items={pageLinks(page, totalPages)}
        hrefOf={(other) => paths.draws(gameKey, other)}
        label={DRAWS_TEXTS.historyPages}
      />
    </>
  )
}

/** Nothing was drawn yet, or the address names a page after the last. The link to play is for players only. */
function NoDraws({ gameKey, isPastEnd, canPlay }: { gameKey: string; isPastEnd: boolean; canPlay: boolean }) {
  if (isPastEnd) {
    return (
      <EmptyState
        text={DRAWS_TEXTS.pagePastEnd}
        action={<LinkButton href={paths.draws(gameKey)}>{DRAWS_TEXTS.toFirstPage}</LinkButton>}
      />
    )
  }
  return (
    <EmptyState
      text={DRAWS_TEXTS.historyEmpty}
      action={canPlay && <LinkButton href={paths.game(gameKey)}>{DRAWS_TEXTS.pickNumbers}</LinkButton>}
    />
  )
}
