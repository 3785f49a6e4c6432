/**
 * How long a player has been here, counted jointly by the tabs of a browser: the visible one adds the time since the
 * last count of any tab, so two at once do not count twice. Time out of view is not counted: other tabs, a locked
 * screen, a computer asleep.
 */
export interface PlayTime {
  /** The player. */
  player: string
  /** Time here, in ms. */
  countedMs: number
  /** `countedMs` at the last reminder, in ms. */
  remindedMs: number
  /** When the player was last seen here, in ms since the epoch by this device. */
  seenAtMs: number
}

/** Interval at which a tab in view counts, in ms. */
export const LOOK_EVERY_MS = 5_000
/** A gap between two checks, in ms, above which the player was away rather than a timer slow. */
const LONGEST_GAP_MS = 3 * LOOK_EVERY_MS
/** Absence after which a new visit starts, in ms. */
const NEW_VISIT_AFTER_MS = 6 * 3_600_000
const MINUTE_MS = 60_000

/** The result of a check. */
interface Look {
  player: string
  nowMs: number
  /** The minutes between reminders. */
  minutes: number
  /** The tab has been in view since the last check, not only from now on. */
  wasHere: boolean
}

/**
 * Counts on.
 *
 * @param before the count so far; null at the first time
 */
export function countOn(before: PlayTime | null, { player, nowMs, minutes, wasHere }: Look): PlayTime {
  const gapMs = before === null ? 0 : nowMs - before.seenAtMs
  if (before === null || before.player !== player || gapMs >= NEW_VISIT_AFTER_MS)
    return { player, countedMs: 0, remindedMs: 0, seenAtMs: nowMs }
  // If the clock was set back, the gap is below zero. While a reminder waits for its answer, time does not count.
  const isCounted = wasHere && gapMs > 0 && gapMs <= LONGEST_GAP_MS && !isReminderDue(before, minutes)
  return { ...before, countedMs: before.countedMs + (isCounted ? gapMs : 0), seenAtMs: nowMs }
}

/** @returns whether it is time for the next reminder */
export function isReminderDue({ countedMs, remindedMs }: PlayTime, minutes: number): boolean {
  return countedMs - remindedMs >= minutes * MINUTE_MS
}

/** @returns the time after a reminder was answered: the next one comes after the same number of minutes */
export function reminded(time: PlayTime): PlayTime {
  return { ...time, remindedMs: time.countedMs }
}

/** @returns whole minutes here */
export function minutesHere({ countedMs }: PlayTime): number {
  return Math.floor(countedMs / MINUTE_MS)
}

/** Reads the time stored by a tab. @returns null without one, or if it is not ours */
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
