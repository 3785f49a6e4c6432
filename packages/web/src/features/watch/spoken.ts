import type { BallArrivals } from '../../shared/stage/arrivals.ts'
import { spokenBalls } from '../../shared/stage/ball-words.ts'
import { WATCH_TEXTS } from './messages.ts'
import type { Watch } from './use-watch.ts'

/** What the page shows of the draw besides its data. */
interface Shown {
  landed: BallArrivals
  /** The balls that have landed. */
  drawn: readonly number[]
  pick: number
  /** The player's lines in the draw. */
  lines: readonly (readonly number[])[]
}

/** @returns the one sentence about the newest event of a draw, for those who do not see it; never a countdown */
export function spokenOf({ data, phase, isCutOff }: Watch, shown: Shown): string {
  if (isCutOff) return WATCH_TEXTS.cutOff
  const hasPrizes = data !== null && data.prizes !== false
  if (phase === 'ENDED') return hasPrizes ? WATCH_TEXTS.ended : WATCH_TEXTS.counting(shown.pick)
  return phase === 'LIVE' ? spokenBalls(shown.landed, shown) : ''
}
