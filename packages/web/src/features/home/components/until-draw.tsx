import { countdownTo } from '@fairball/domain/countdown'
import { useNow } from '../../../shared/use-clock.ts'
import { Countdown } from '@fairball/ui/countdown.tsx'
import { HOME_TEXTS } from '../messages.ts'

/** Counts down to the start of the draw, and stays at zero from then on. */
export function UntilDraw({ startAt }: { startAt: number }) {
  const now = useNow()
  return <Countdown {...countdownTo(startAt, now)} label={HOME_TEXTS.untilDraw} />
}
