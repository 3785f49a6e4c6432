import { useEffect, useState } from 'react'
import { runtime } from '../runtime.ts'
import type { BallArrivals } from './arrivals.ts'

/** The way of a ball from the drum into the tray, in ms. */
const LANDS_AFTER_MS = 900

/** @returns the balls that lie in the tray: one that has just arrived is among them once it has landed */
export function useLanded({ known, to }: BallArrivals): BallArrivals {
  const [landed, setLanded] = useState<BallArrivals>({ known, from: known, to: known })
  // What was known before the page was open lies in the tray at once, also if that comes with a later answer.
  if (landed.to < known) setLanded({ known, from: known, to: known })
  useEffect(() => {
    if (to === landed.to) return
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    return runtime.after(isStill ? 0 : LANDS_AFTER_MS, () =>
      setLanded((before) => ({ ...before, from: before.to, to })),
    )
  }, [landed.to, to])
  return landed
}
