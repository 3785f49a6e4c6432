import { useSyncExternalStore } from 'react'
import { drawTimeLabel } from '@fairball/domain/draw-time-label'
import { useClockValue } from '../../app/clock.ts'
import { useSession } from '../../app/session/use-session.ts'

/** @returns when a draw is, in the player's time: "Tonight at 8:00 PM", or "Soon" once it has started */
export function useDrawTime(startAt: number): string {
  const utcOffsetSeconds = useUtcOffset(startAt)
  return useClockValue((nowAt) => drawTimeLabel({ startAt, nowAt, utcOffsetSeconds, withTime: true }))
}

/** @returns the seconds the player's clock is ahead of UTC at a moment, the browser's without a profile; 0 in what the server renders */
export function useUtcOffset(at: number): number {
  const { utcOffsetSeconds } = useSession()
  const ofBrowser = useSyncExternalStore(
    never,
    () => -60 * new Date(at * 1000).getTimezoneOffset(),
    () => 0,
  )
  return utcOffsetSeconds ?? ofBrowser
}

// The offset of a browser does not change while a page is open.
function never(): () => void {
  return () => {}
}
