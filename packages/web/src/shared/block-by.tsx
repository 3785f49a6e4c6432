import { timeLabel } from '@fairball/domain/draw-time-label'
import { useClockValue } from './use-clock.ts'
import { useHasScripts } from './has-scripts.ts'
import { useUtcOffset } from './player-view.ts'

/** The words about a payment that is seen but not in a block yet. */
export const BLOCK_BY_TEXTS = {
  until: (time: string) => `Your payment must be in a block by ${time} to keep this price.`,
  after: 'Your payment has not confirmed yet. If we can no longer accept the order, we send the money back.',
} as const

/**
 * The deadline for a payment to be in a block and keep its price, in the player's time zone, and the consequence
 * afterwards.
 */
export function BlockBy({ at }: { at: number }) {
  const isOver = useClockValue((now) => now >= at)
  const hasScripts = useHasScripts()
  const time = timeLabel(at, useUtcOffset()(at))
  return <p>{isOver ? BLOCK_BY_TEXTS.after : BLOCK_BY_TEXTS.until(hasScripts ? time : `${time} UTC`)}</p>
}
