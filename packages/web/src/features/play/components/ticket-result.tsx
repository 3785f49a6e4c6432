import type { PaidFor } from '@fairball/contract/schemas/order'
import { Skeleton } from '@fairball/ui/skeleton.tsx'
import { lazy, Suspense } from 'react'
import { useClockValue } from '../../../shared/use-clock.ts'
import type { Game } from '../../../shared/data/games.ts'
import styles from './paid-order.module.css'

const OwnResult = lazy(() => import('../../../shared/stage/own-result.tsx'))

/**
 * How the newest draw of an order that has begun ended; nothing before its prizes are counted. While it is asked for, its
 * place is kept: the ticket is below it, and often there first.
 */
export function TicketResult({ game, order: { draws } }: { game: Game; order: PaidFor }) {
  const newest = useClockValue((now) => draws.findLast(({ start_at: startAt }) => startAt <= now) ?? null)
  if (newest === null || newest.play_id === null) return null
  const isShown = game.last_draw_at !== null && newest.start_at <= game.last_draw_at
  const coming = isShown ? <Skeleton shape="block" className={styles['coming']} /> : null
  return (
    <Suspense fallback={coming}>
      <OwnResult
        key={newest.number}
        gameKey={game.key}
        number={newest.number}
        playId={newest.play_id}
        coming={coming}
      />
    </Suspense>
  )
}
