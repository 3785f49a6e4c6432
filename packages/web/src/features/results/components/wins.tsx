import { useState } from 'react'
import { paths } from '../../../app/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState, LoadFailed } from '../../../ui/empty-state.tsx'
import { TrophyIcon } from '../../../ui/icons.tsx'
import { Link } from '../../../ui/link.tsx'
import { SectionTitle } from '../../../ui/page-title.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { RESULTS_TEXTS } from '../messages.ts'
import { usePlayerView } from '../player-view.ts'
import { useWins } from '../use-results.ts'
import type { Win } from '../use-results.ts'
import styles from './wins.module.css'

/** So many wins are shown at first: an order of a thousand lines can win a hundred times in one draw. */
const FIRST_WINS = 5

/** The player's winning entries, newest first. */
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
  const shown = showsAll ? wins.data : wins.data.slice(0, FIRST_WINS)
  return (
    <>
      <ul className={styles['wins']}>
        {shown.map((win) => (
          <WinRow key={win.id} gameKey={gameKey} win={win} />
        ))}
      </ul>
      {shown.length < wins.data.length && (
        <Button variant="soft" onClick={() => setShowsAll(true)}>
          {RESULTS_TEXTS.showAllWins(wins.data.length)}
        </Button>
      )}
    </>
  )
}

function WinRow({ gameKey, win }: { gameKey: string; win: Win }) {
  const { date, money } = usePlayerView()
  const day = date(win.date)
  return (
    <li className={styles['win']}>
      <span className={styles['icon']}>
        <TrophyIcon size={24} />
      </span>
      <p className={styles['what']}>
        <strong>{RESULTS_TEXTS.winTypes[win.win_type]}</strong>
        <span>{day}</span>
      </p>
      {win.amount_won !== null && (
        <p className={styles['amount']}>
          <strong>{money(win.amount_won.fiat)}</strong>
          <span>
            {win.amount_won.crypto.value} {win.amount_won.crypto.code}
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
