import type { PaidFor } from '@fairball/contract/schemas/order'
import { lazy, Suspense } from 'react'
import { useClockValue } from '../../../shared/use-clock.ts'
import type { Game } from '../../../shared/data/games.ts'

const OwnResult = lazy(() => import('../../../shared/stage/own-result.tsx'))

/** How the newest draw of an order that has begun ended; nothing before its prizes are counted. */
export function TicketResult({ game, order: { draws } }: { game: Game; order: PaidFor }) {
  const newest = useClockValue((now) => draws.findLast(({ start_at: startAt }) => startAt <= now) ?? null)
  if (newest === null || newest.play_id === null) return null
  return (
    <Suspense>
      <OwnResult key={newest.number} gameKey={game.key} number={newest.number} playId={newest.play_id} />
    </Suspense>
  )
}
