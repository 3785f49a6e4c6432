import { Suspense, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { laterPartState } from './first-view.ts'
import type { LaterPartState } from './first-view.ts'

/** A part of a page below its first view: it stands in the server's HTML, and its script comes after the page's own. */
export function LaterPart({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  const [part] = useState(laterPartState)
  // Effects run from the inside out: a part that came with the page has arrived by now.
  useEffect(() => part.expect(), [part])
  return (
    <Suspense fallback={fallback}>
      {children}
      <Arrival part={part} />
    </Suspense>
  )
}

function Arrival({ part }: { part: LaterPartState }) {
  useEffect(() => part.arrive(), [part])
  return null
}
