import { countdownTo, twoDigits } from '@fairball/domain/countdown'
import { Countdown } from '@fairball/ui/countdown.tsx'
import { TickingText } from './ticking-text.tsx'

/** Counts down to the start of a draw, and stays at zero from then on. */
export function UntilDraw({ startAt }: { startAt: number }) {
  const part = (name: 'days' | 'hours' | 'mins' | 'secs') => (
    <TickingText textAt={(now) => twoDigits(countdownTo(startAt, now)[name])} />
  )
  return (
    <Countdown
      days={part('days')}
      hours={part('hours')}
      mins={part('mins')}
      secs={part('secs')}
      label="Time until the draw"
    />
  )
}
