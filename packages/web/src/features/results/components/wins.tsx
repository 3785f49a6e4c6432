import { pageLinks } from '@fairball/domain/pagination'
import { paths } from '../../../shared/paths.ts'
import { LinkButton } from '@fairball/ui/button.tsx'
import { EmptyState, LoadFailed } from '@fairball/ui/empty-state.tsx'
import { TrophyIcon } from '@fairball/ui/icons.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { SectionTitle } from '@fairball/ui/page-title.tsx'
import { Pagination } from '@fairball/ui/pagination.tsx'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { RESULTS_TEXTS } from '../messages.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { useWins } from '../use-results.ts'
import { groupWins } from '../win-groups.ts'
import type { WinGroup } from '../win-groups.ts'
import styles from './wins.module.css'

/** Rows shown at a time, so that the plays below stay near. */
const ROWS_A_PAGE = 5

/** Props of {@link Wins}. */
interface WinsProps {
  gameKey: string
  /** Which page of them is shown, from 1. */
  winsPage: number
  /** The state of the rest of the page, which stays when the page of the wins changes. */
  playsPage: number
  playId: string | null
}

/** The player's wins, newest first; equal wins of one play are one row. */
export function Wins(props: WinsProps) {
  return (
    <section aria-labelledby="wins">
      <SectionTitle id="wins">{RESULTS_TEXTS.wins}</SectionTitle>
      <WinList {...props} />
    </section>
  )
}

function WinList({ gameKey, winsPage, playsPage, playId }: WinsProps) {
  const wins = useWins(gameKey)
  if (wins.isPending) return <SkeletonRows rows={2} />
  if (wins.isLoadingError) return <LoadFailed onRetry={() => void wins.refetch()} />
  if (wins.data.length === 0) return <EmptyState text={RESULTS_TEXTS.winsEmpty} />
  // All of them arrive in one answer; the pages are made here.
  const groups = groupWins(wins.data)
  const totalPages = Math.ceil(groups.length / ROWS_A_PAGE)
  const shown = groups.slice((winsPage - 1) * ROWS_A_PAGE, winsPage * ROWS_A_PAGE)
  const hrefOf = (page: number) => paths.results(gameKey, playsPage, playId ?? undefined, page)
  return (
    <>
      {shown.length === 0 ? (
        <EmptyState
          text={RESULTS_TEXTS.pagePastEnd}
          action={<LinkButton href={hrefOf(1)}>{RESULTS_TEXTS.toFirstPage}</LinkButton>}
        />
      ) : (
        <ul className={styles['wins']}>
          {shown.map((group) => (
            <WinRow key={group.win.id} gameKey={gameKey} group={group} winsPage={winsPage} />
          ))}
        </ul>
      )}
      <Pagination
        page={winsPage}
        totalPages={totalPages}
        items={pageLinks(winsPage, totalPages)}
        hrefOf={hrefOf}
        label={RESULTS_TEXTS.winsPages}
      />
    </>
  )
}

function WinRow({
  gameKey,
  group: { win, count, totalBtc },
  winsPage,
}: {
  gameKey: string
  group: WinGroup
  winsPage: number
}) {
  const { date, money } = usePlayerView()
  const day = date(win.date)
  return (
    <li className={styles['win']}>
      <span className={styles['icon']}>
        <TrophyIcon size={24} />
      </span>
      <p className={styles['what']}>
        <strong>{RESULTS_TEXTS.winTypes[win.win_type]}</strong>
        <span>
          {day} · {RESULTS_TEXTS.lines(count)}
        </span>
      </p>
      {win.amount_won !== null && (
        <p className={styles['amount']}>
          <strong>{RESULTS_TEXTS.amount(count, money(win.amount_won.fiat))}</strong>
          <span>
            {totalBtc} {win.amount_won.crypto.code}
          </span>
        </p>
      )}
      <Link
        href={paths.results(gameKey, win.play_page, win.play_id, winsPage)}
        aria-label={RESULTS_TEXTS.moreDetailsLabel(day)}
        className={styles['more']}
      >
        {RESULTS_TEXTS.moreDetails}
      </Link>
    </li>
  )
}
