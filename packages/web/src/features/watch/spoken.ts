import type { BallArrivals } from '../../shared/stage/arrivals.ts'
import type { Outcome } from '../../shared/stage/outcome.ts'
import { spokenBalls } from '../../shared/stage/ball-words.ts'
import type { OwnTickets } from '../../shared/stage/use-own-tickets.ts'
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
  own: Pick<OwnTickets, 'status'>
  /** How the draw ended for the player; null without a ticket in it, and until that is known. */
  outcome: Outcome | null
}

/** @returns the one sentence about the newest event of a draw, for those who do not see it; never a countdown */
export function spokenOf({ data, phase, isCutOff }: Watch, shown: Shown): string {
  if (isCutOff) return WATCH_TEXTS.cutOff
  const hasPrizes = data !== null && data.prizes !== false
  if (phase === 'ENDED') {
    // The result of a player with lines comes a moment after the prizes, and one sentence is enough.
    const isKnown = hasPrizes && (shown.lines.length === 0 || shown.outcome !== null) && shown.own.status !== 'LOADING'
    return isKnown ? (shown.outcome?.spoken ?? WATCH_TEXTS.ended) : WATCH_TEXTS.counting(shown.pick)
  }
  return phase === 'LIVE' ? spokenBalls(shown.landed, shown) : ''
}
