import { type ReactNode, useDeferredValue } from 'react'
import { HeldBack } from '../../../shared/stage/held-back.tsx'
import OwnResult from '../../../shared/stage/own-result.tsx'
import { useOwnTickets } from '../../../shared/stage/use-own-tickets.ts'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { useNewestDrawn, useWins } from '../use-results.ts'

/** How the newest draw that the player was in ended. Rendered after it, and below it, the lists, which wait for that. */
export function LatestResult({ gameKey, children }: { gameKey: string; children: ReactNode }) {
  const newest = useNewestDrawn(gameKey)
  const number = newest ?? null
  const own = useOwnTickets({ gameKey, number: number ?? 0 }, 'DRAWN', number !== null)
  const { isPending } = useWins(gameKey)
  const isWhole = useDeferredValue(true, false)
  return (
    <>
      {number !== null && own.tickets.length > 0 && <OwnResult key={number} gameKey={gameKey} number={number} />}
      <HeldBack
        isWaiting={!isWhole || newest === undefined || isPending || own.status === 'LOADING'}
        placeholder={<SkeletonRows rows={5} />}
      >
        {isWhole && children}
      </HeldBack>
    </>
  )
}
