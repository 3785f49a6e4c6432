import { useState } from 'react'
import type { WatchData } from '@fairball/contract/schemas/game'
import type { BallArrivals } from '../../shared/stage/arrivals.ts'
import { countDrawn } from './watch-state.ts'

/** The balls and prizes that arrived while the page was open. */
export interface Arrivals extends BallArrivals {
  /** Whether the prizes arrived while the page was open. */
  prizes: boolean
}

interface Seen extends Arrivals {
  hadPrizes: boolean
}

/**
 * @param data null before the first answer, which does not count as an arrival
 * @returns the arrivals of one draw. Give the component another key for another draw
 */
export function useArrivals(data: WatchData | null): Arrivals {
  const [seen, setSeen] = useState<Seen | null>(() => firstSight(data))
  const next = nextSight(seen, data)
  if (next !== seen) setSeen(next)
  return next ?? { known: 0, from: 0, to: 0, prizes: false }
}

function firstSight(data: WatchData | null): Seen | null {
  if (data === null) return null
  const drawn = countDrawn(data.draw)
  return { known: drawn, from: drawn, to: drawn, prizes: false, hadPrizes: data.prizes !== false }
}

function nextSight(seen: Seen | null, data: WatchData | null): Seen | null {
  if (seen === null || data === null) return seen ?? firstSight(data)
  const drawn = countDrawn(data.draw)
  const hasPrizes = data.prizes !== false
  if (drawn === seen.to && hasPrizes === seen.hadPrizes) return seen
  return {
    known: seen.known,
    from: drawn === seen.to ? seen.from : seen.to,
    to: drawn,
    prizes: seen.prizes || (hasPrizes && !seen.hadPrizes),
    hadPrizes: hasPrizes,
  }
}
