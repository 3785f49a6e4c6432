import { useState } from 'react'
import { paths } from '../../../app/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState, LoadFailed } from '../../../ui/empty-state.tsx'
import { TrophyIcon } from '../../../ui/icons.tsx'
import { Link } from '../../../ui/link.tsx'
import { SectionTitle } from '../../../ui/page-title.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { RESULTS_TEXTS } from '../messages.ts'
import { usePlayerView } from '../../../app/player-view.ts'
import { useWins } from '../use-results.ts'
import { groupWins } from '../win-groups.ts'
import type { WinGroup } from '../win-groups.ts'
import styles from './wins.module.css'

/** So many rows are shown at first. */
const FIRST_ROWS = 5

/** The player's wins, newest first; equal wins of one play are one row. */
export function Wins({ gameKey }: { gameKey: string }) {
  return (
    <section aria-labelledby="wins">
      <SectionTitle id="wins">{RESULTS_TEXTS.wins}</SectionTitle>
      <WinList gameKey={gameKey} />
    </section>
  )
}

function WinList({ gameKey }: { gameKey: string }) {
  const wins = useWins(gameKey)
  const [showsAll, setShowsAll] = useState(false)
  if (wins.isPending) return <SkeletonRows rows={2} />
  if (wins.isLoadingError) return <LoadFailed onRetry={() => void wins.refetch()} />
  if (wins.data.length === 0) return <EmptyState text={RESULTS_TEXTS.winsEmpty} />
  const groups = groupWins(wins.data)
  const shown = showsAll ? groups : groups.slice(0, FIRST_ROWS)
  return (
    <>
      <ul className={styles['wins']}>
        {shown.map((group) => (
          <WinRow key={group.win.id} gameKey={gameKey} group={group} />
        ))}
      </ul>
      {shown.length < groups.length && (
        <Button variant="soft" onClick={() => setShowsAll(true)}>
          {RESULTS_TEXTS.showAllWins(wins.data.length)}
        </Button>
      )}
    </>
  )
}

function WinRow({ gameKey, group: { win, count, totalBtc } }: { gameKey: string; group: WinGroup }) {
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
        href={paths.results(gameKey, win.play_page, win.play_id)}
        aria-label={RESULTS_TEXTS.moreDetailsLabel(day)}
        className={styles['more']}
      >
        {RESULTS_TEXTS.moreDetails}
      </Link>
    </li>
  )
}
