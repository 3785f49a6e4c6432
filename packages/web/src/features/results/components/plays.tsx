import { useState } from 'react'
import { pageLinks } from '@fairball/domain/pagination'
import { paths } from '../../../shared/paths.ts'
import { useSeenDraws } from '../../../shared/seen-draws.ts'
import { LinkButton } from '@fairball/ui/button.tsx'
import { EmptyState, LoadFailed } from '@fairball/ui/empty-state.tsx'
import { SectionTitle } from '@fairball/ui/page-title.tsx'
import { Pagination } from '@fairball/ui/pagination.tsx'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { RESULTS_TEXTS } from '../messages.ts'
import { usePlays } from '../use-results.ts'
import { PlayCard } from './play-card.tsx'
import styles from './plays.module.css'

/** Props of {@link Plays}. */
interface PlaysProps {
  gameKey: string
  page: number
  /** The page of the wins, which stays when that of the plays changes. */
  winsPage: number
  /** The play that the address names: it is open. */
  playId: string | null
}

/** The player's plays, those not yet drawn first. */
export function Plays({ gameKey, page, winsPage, playId }: PlaysProps) {
  return (
    <section aria-labelledby="plays">
      <SectionTitle id="plays">{RESULTS_TEXTS.plays}</SectionTitle>
      {/* Another play in the address opens that one, whatever was toggled before. */}
      <PlayList key={`${gameKey} ${playId}`} gameKey={gameKey} page={page} winsPage={winsPage} playId={playId} />
    </section>
  )
}

function PlayList({ gameKey, page, winsPage, playId }: PlaysProps) {
  const plays = usePlays(gameKey, page)
  useSeenDraws(gameKey, plays.data?.results.flatMap(({ draw }) => draw?.number ?? []) ?? [])
  const [openIds, setOpenIds] = useState<readonly string[]>(playId === null ? [] : [playId])
  if (plays.isPending) return <SkeletonRows rows={5} />
  if (plays.isLoadingError) return <LoadFailed onRetry={() => void plays.refetch()} />

  const { results, total_pages: totalPages } = plays.data
  const toggle = (id: string) =>
    setOpenIds(openIds.includes(id) ? openIds.filter((other) => other !== id) : [...openIds, id])
  return (
    <>
      {results.length === 0 ? (
        <NoPlays gameKey={gameKey} isPastEnd={totalPages > 0} winsPage={winsPage} />
      ) : (
        <ul className={styles['plays']} aria-busy={plays.isPlaceholderData}>
          {results.map((play) => (
            <li key={play.id}>
              <PlayCard
                play={play}
                gameKey={gameKey}
                isOpen={openIds.includes(play.id)}
                onToggle={() => toggle(play.id)}
                isNamed={play.id === playId}
              />
            </li>
          ))}
        </ul>
      )}
      <Pagination
        page={page}
        totalPages={totalPages}
        items={pageLinks(page, totalPages)}
        hrefOf={(other) => paths.results(gameKey, other, undefined, winsPage)}
        label={RESULTS_TEXTS.playsPages}
      />
    </>
  )
}

/** No play yet, or the address names a page after the last. */
function NoPlays({ gameKey, isPastEnd, winsPage }: { gameKey: string; isPastEnd: boolean; winsPage: number }) {
  if (!isPastEnd) {
    return (
      <EmptyState
        text={RESULTS_TEXTS.playsEmpty}
        action={<LinkButton href={paths.game(gameKey)}>{RESULTS_TEXTS.playFirst}</LinkButton>}
      />
    )
  }
  const firstPage = paths.results(gameKey, 1, undefined, winsPage)
  return (
    <EmptyState
      text={RESULTS_TEXTS.pagePastEnd}
      action={<LinkButton href={firstPage}>{RESULTS_TEXTS.toFirstPage}</LinkButton>}
    />
  )
}
