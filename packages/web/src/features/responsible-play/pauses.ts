/** Duration of a pause from playing, in days or calendar months. */
type PauseLength = { days: number } | { months: number }

/** A pause to choose. */
export interface Pause {
  /** Names the choice among its kind. */
  key: string
  /** "1 day". */
  name: string
  length: PauseLength
}

/** The two kinds of pauses: a time-out, and a self-exclusion. */
export type PauseKind = 'time-out' | 'exclusion'

/**
 * The choices (decisions, section 6): time-outs of 1 day to 6 weeks, self-exclusions of 6 months or more. The server
 * sets no upper limit.
 */
export const PAUSES: Readonly<Record<PauseKind, readonly Pause[]>> = {
  'time-out': [
    { key: '1d', name: '1 day', length: { days: 1 } },
    { key: '2d', name: '2 days', length: { days: 2 } },
    { key: '1w', name: '1 week', length: { days: 7 } },
    { key: '2w', name: '2 weeks', length: { days: 14 } },
    { key: '4w', name: '4 weeks', length: { days: 28 } },
    { key: '6w', name: '6 weeks', length: { days: 42 } },
  ],
  exclusion: [
    { key: '6m', name: '6 months', length: { months: 6 } },
    { key: '1y', name: '1 year', length: { months: 12 } },
    { key: '2y', name: '2 years', length: { months: 24 } },
    { key: '5y', name: '5 years', length: { months: 60 } },
    { key: '10y', name: '10 years', length: { months: 120 } },
    { key: '25y', name: '25 years', length: { months: 300 } },
    { key: '50y', name: '50 years', length: { months: 600 } },
  ],
}

const DAY_SECONDS = 86_400
/** Longer pauses are confirmed twice. */
const ASKED_ONCE_MONTHS = 60

/**
 * The end of a pause that begins now. A month without that day runs into the next one, so that no pause is shorter than
 * its name.
 *
 * @param nowAt epoch seconds
 */
export function endOfPause(length: PauseLength, nowAt: number): number {
  if ('days' in length) return nowAt + length.days * DAY_SECONDS
  const end = new Date(nowAt * 1000)
  end.setUTCMonth(end.getUTCMonth() + length.months)
  return end.getTime() / 1000
}

/** Whether a pause is long enough to be confirmed twice. */
export function isAskedTwice(length: PauseLength): boolean {
  return 'months' in length && length.months > ASKED_ONCE_MONTHS
}

/**
 * The pauses that can be chosen now. A running one can only be extended.
 *
 * @param runningUntil end of the running one, null without one
 */
export function possiblePauses(kind: PauseKind, runningUntil: number | null, nowAt: number): readonly Pause[] {
  return PAUSES[kind].filter(({ length }) => runningUntil === null || endOfPause(length, nowAt) > runningUntil)
}
