import type { ReactNode } from 'react'
import { HeldBack } from '../../../shared/stage/held-back.tsx'
import OwnResult from '../../../shared/stage/own-result.tsx'
import { useOwnTickets } from '../../../shared/stage/use-own-tickets.ts'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { useNewestDrawn, useWins } from '../use-results.ts'

/** How the newest draw that the player was in ended, and below it the lists, which wait for that. */
export function LatestResult({ gameKey, children }: { gameKey: string; children: ReactNode }) {
  const newest = useNewestDrawn(gameKey)
  const number = newest ?? null
  const own = useOwnTickets({ gameKey, number: number ?? 0 }, 'DRAWN', number !== null)
  const { isPending } = useWins(gameKey)
  return (
    <>
      {number !== null && own.tickets.length > 0 && <OwnResult key={number} gameKey={gameKey} number={number} />}
      <HeldBack
        isWaiting={newest === undefined || isPending || own.status === 'LOADING'}
        placeholder={<SkeletonRows rows={5} />}
      >
        {children}
      </HeldBack>
    </>
  )
}
