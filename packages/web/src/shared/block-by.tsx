import { timeLabel } from '@fairball/domain/draw-time-label'
import { useClockValue } from './clock.ts'
import { useHasScripts } from './has-scripts.ts'
import { useUtcOffset } from './player-view.ts'

/** What is said of a payment that is seen and is in no block yet. */
export const BLOCK_BY_TEXTS = {
  until: (time: string) => `Your payment must be in a block by ${time} to keep this price.`,
  after: 'Your payment has not confirmed yet. If we can no longer accept the order, we send the money back.',
} as const

/** By when a payment has to be in a block to keep its price, in the player's time zone, and what holds afterwards. */
export function BlockBy({ at }: { at: number }) {
  const isOver = useClockValue((now) => now >= at)
  const hasScripts = useHasScripts()
  const time = timeLabel(at, useUtcOffset()(at))
  return <p>{isOver ? BLOCK_BY_TEXTS.after : BLOCK_BY_TEXTS.until(hasScripts ? time : `${time} UTC`)}</p>
}
