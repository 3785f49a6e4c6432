import { momentLabel } from '@fairball/domain/draw-time-label'
import { useMinuteNow } from './use-clock.ts'
import { useUtcOffset } from './player-view.ts'

/**
 * @returns the words for moments, in epoch seconds: "Wed, Nov 25, 8:00 PM" by the player's clock, with the offset of the
 *   moment itself, or the browser's without a profile
 */
export function useMoments(): (at: number) => string {
  const utcOffsetAt = useUtcOffset()
  // Only the year of the present matters.
  const nowAt = useMinuteNow()
  return (at) => momentLabel({ at, nowAt, utcOffsetAt })
}
