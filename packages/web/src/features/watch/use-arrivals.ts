import { useState } from 'react'
import type { WatchData } from '@fairball/contract/schemas/game'
import { countDrawn } from './watch-state.ts'

/** What has come of a draw while somebody watched it. Balls are counted in the order drawn. */
export interface Arrivals {
  /** How many balls were there when the watching began: those do not fall in. */
  known: number
  /** The balls that came last: after the first `from`, up to `to`. None where both are the same. */
  from: number
  to: number
  /** Whether the prizes came while somebody watched. */
  prizes: boolean
}

interface Seen extends Arrivals {
  hadPrizes: boolean
}

/**
 * @param data null before the first answer, of which nothing counts as arrived
 * @returns what has come of one draw. Give the component another key for another draw
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
