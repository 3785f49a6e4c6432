/** The time left until a moment, each part a whole number from 0. */
interface Countdown {
  readonly days: number
  /** to 23 */
  readonly hours: number
  /** to 59 */
  readonly mins: number
  /** to 59 */
  readonly secs: number
}

/** The time left until a moment, for the days, hours, mins and sec of a game page; all 0 from that moment on. */
export function countdownTo(at: number, nowAt: number): Countdown {
  const left = secondsLeft(at, nowAt)
  return {
    days: Math.floor(left / 86_400),
    hours: Math.floor(left / 3600) % 24,
    mins: Math.floor(left / 60) % 60,
    secs: left % 60,
  }
}

/** The time left until a moment as `mm:ss` (spec section 4); minutes may exceed 59; `00:00` from that moment on. */
export function minutesAndSeconds(at: number, nowAt: number): string {
  const left = secondsLeft(at, nowAt)
  return `${twoDigits(Math.floor(left / 60))}:${twoDigits(left % 60)}`
}

/** At least two digits, as countdowns show them. */
export function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

function secondsLeft(at: number, nowAt: number): number {
  // Rounded up, so that a countdown shows 0 only from the moment itself on.
  return Math.max(0, Math.ceil(at - nowAt))
}
