/** What is left until a moment, each a whole number from 0. */
interface Countdown {
  readonly days: number
  /** to 23 */
  readonly hours: number
  /** to 59 */
  readonly mins: number
  /** to 59 */
  readonly secs: number
}

/** What is left until a moment, for the days, hours, mins and sec of a game page; all 0 once it has come. */
export function countdownTo(at: number, nowAt: number): Countdown {
  const left = secondsLeft(at, nowAt)
  return {
    days: Math.floor(left / 86_400),
    hours: Math.floor(left / 3600) % 24,
    mins: Math.floor(left / 60) % 60,
    secs: left % 60,
  }
}

/** What is left until a moment as `mm:ss` (spec section 4); minutes go on past 59; `00:00` once it has come. */
export function minutesAndSeconds(at: number, nowAt: number): string {
  const left = secondsLeft(at, nowAt)
  return `${twoDigits(Math.floor(left / 60))}:${twoDigits(left % 60)}`
}

/** At least two digits, as countdowns show them. */
export function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

function secondsLeft(at: number, nowAt: number): number {
  // Rounded up, so that a countdown shows 0 only when the moment has come.
  return Math.max(0, Math.ceil(at - nowAt))
}
