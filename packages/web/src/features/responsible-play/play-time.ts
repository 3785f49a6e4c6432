/**
 * How long a player has been here, as the tabs of a browser count it together: whichever is in view adds the time since any of them last
 * did, so two at once do not count twice. Time out of view is not counted: other tabs, a locked screen, a computer asleep.
 */
export interface PlayTime {
  /** Whose time it is. */
  player: string
  /** Time here, in ms. */
  countedMs: number
  /** `countedMs` at the last reminder, in ms. */
  remindedMs: number
  /** When somebody was last seen here, in ms since the epoch by this device. */
  seenAtMs: number
}

/** Interval at which a tab in view counts, in ms. */
export const LOOK_EVERY_MS = 5_000
/** A longer gap than this between two looks, in ms, is no slow timer: nobody was here. */
const LONGEST_GAP_MS = 3 * LOOK_EVERY_MS
/** Absence after which a new visit starts, in ms. */
const NEW_VISIT_AFTER_MS = 6 * 3_600_000
const MINUTE_MS = 60_000

/** What a look sees. */
interface Look {
  player: string
  nowMs: number
  /** The minutes between reminders. */
  minutes: number
  /** The tab has been in view since the last look, not only from now on. */
  wasHere: boolean
}

/**
 * Counts on.
 *
 * @param before what was counted so far; null at the first time
 */
export function countOn(before: PlayTime | null, { player, nowMs, minutes, wasHere }: Look): PlayTime {
  const gapMs = before === null ? 0 : nowMs - before.seenAtMs
  if (before === null || before.player !== player || gapMs >= NEW_VISIT_AFTER_MS)
    return { player, countedMs: 0, remindedMs: 0, seenAtMs: nowMs }
  // A clock that was set back makes a gap below zero. While a reminder waits for its answer, nobody plays.
  const isCounted = wasHere && gapMs > 0 && gapMs <= LONGEST_GAP_MS && !isReminderDue(before, minutes)
  return { ...before, countedMs: before.countedMs + (isCounted ? gapMs : 0), seenAtMs: nowMs }
}

/** @returns whether it is time for the next reminder */
export function isReminderDue({ countedMs, remindedMs }: PlayTime, minutes: number): boolean {
  return countedMs - remindedMs >= minutes * MINUTE_MS
}

/** @returns the time as it is after a reminder was answered: the next one comes after as many minutes again */
export function reminded(time: PlayTime): PlayTime {
  return { ...time, remindedMs: time.countedMs }
}

/** @returns whole minutes here */
export function minutesHere({ countedMs }: PlayTime): number {
  return Math.floor(countedMs / MINUTE_MS)
}

/** Reads what a tab has stored. @returns null for nothing, or what is not ours */
export function parsePlayTime(text: string | null): PlayTime | null {
  if (text === null) return null
  try {
    const stored: unknown = JSON.parse(text)
    return isPlayTime(stored) ? stored : null
  } catch {
    return null
  }
}

function isPlayTime(stored: unknown): stored is PlayTime {
  if (typeof stored !== 'object' || stored === null) return false
  const { player, countedMs, remindedMs, seenAtMs } = stored as Partial<Record<keyof PlayTime, unknown>>
  return typeof player === 'string' && [countedMs, remindedMs, seenAtMs].every((ms) => Number.isFinite(ms))
}
