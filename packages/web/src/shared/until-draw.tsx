import { countdownTo, twoDigits } from '@fairball/domain/countdown'
import { Countdown, type CountdownPart } from '@fairball/ui/countdown.tsx'
import { TickingText } from './ticking-text.tsx'

/** Counts down to the start of a draw, and stays at zero from then on. */
export function UntilDraw({ startAt }: { startAt: number }) {
  const part = (name: CountdownPart) => <TickingText textAt={(now) => twoDigits(countdownTo(startAt, now)[name])} />
  return <Countdown part={part} label="Time until the draw" />
}
