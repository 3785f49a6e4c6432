import { useSyncExternalStore } from 'react'
import { drawTimeLabel } from '@fairball/domain/draw-time-label'
import { useClockValue } from '../../app/clock.ts'
import { useSession } from '../../app/session/use-session.ts'

/** When a draw is, as the player's clock has it. */
export interface DrawTime {
  /** The day alone: "Tonight", "Friday", "Dec 24, 2026", or "Soon". */
  day: string
  /** The time alone: "at 8:00 PM"; empty when the day is "Soon". */
  time: string
  /** Both. */
  full: string
}

/** @returns when a draw is, in the player's time zone, or the browser's for those without a profile (specification, section 4) */
export function useDrawTime(startAt: number): DrawTime {
  const offset = useUtcOffset(startAt)
  const day = useClockValue((now) => drawTimeLabel({ startAt, nowAt: now, utcOffsetSeconds: offset }))
  const full = useClockValue((now) => drawTimeLabel({ startAt, nowAt: now, utcOffsetSeconds: offset, withTime: true }))
  return { day, time: full.slice(day.length).trim(), full }
}

/** @returns the seconds the player's clock is ahead of UTC at a moment; 0 in what the server renders */
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

/** @returns the day of a moment in the player's time zone: "Friday, Nov 20" */
export function useDate(at: number): string {
  const offset = useUtcOffset(at)
  return DAY.format((at + offset) * 1000)
}

/** Shifted by the player's offset and written as UTC, so that server and browser write the same. */
const DAY = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'short', day: 'numeric', timeZone: 'UTC' })
