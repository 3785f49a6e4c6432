import { CatchBoundary } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { laterPartState } from './first-view.ts'
import type { LaterPartState } from './first-view.ts'
import { PartFailed } from './page-failed.tsx'

/**
 * A part of a page whose script comes after the page's own; below the first view it is in the server's HTML. If its
 * script cannot be fetched, only the part is lost, not the page.
 */
export function LaterPart({ fallback, children }: { fallback?: ReactNode; children: ReactNode }) {
  const [part] = useState(laterPartState)
  // Effects run from the inside out: a part that came with the page has arrived by now.
  useEffect(() => part.expect(), [part])
  return (
    <CatchBoundary getResetKey={theSame} errorComponent={PartFailed}>
      <Suspense fallback={fallback}>
        {children}
        <Arrival part={part} />
      </Suspense>
    </CatchBoundary>
  )
}

function theSame() {
  return 0
}

function Arrival({ part }: { part: LaterPartState }) {
  useEffect(() => part.arrive(), [part])
  return null
}
