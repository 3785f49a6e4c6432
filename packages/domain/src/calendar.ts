import { assert } from './assert.ts'
import { LotteryError } from './errors.ts'
import { POSTPONED_BY_SECONDS, WEEK_SECONDS } from './protocol/numbers.ts'
import { BETWEEN_DRAWS_SECONDS, endAfterStart, type GameRules, type Weekday } from './games.ts'
import { weekdayOf } from './weekday.ts'

/** A draw in the calendar of its game; times in epoch seconds. */
interface ScheduledDraw {
  readonly startAt: number
  /** sales close; before `startAt` */
  readonly closesAt: number
  readonly endAt: number
  /** the day of `startAt`, in UTC */
  readonly weekday: Weekday
}

/** The facts of a draw that an order depends on; times in epoch seconds. */
export interface OpenDraw {
  /** its number within the game, from 1 */
  readonly number: number
  /** the day of `startAt` in UTC: Monday 1 to Sunday 7 */
  readonly weekday: number
  readonly startAt: number
  /** open for sale before this moment */
  readonly closesAt: number
}

/** Input for choosing the draws of an order. */
interface OrderedDays {
  readonly game: { readonly name: string; readonly weeksAhead: number }
  /** the game's draws that are open for sale, ascending by start; closed ones are skipped */
  readonly openDraws: readonly OpenDraw[]
  /** the chosen weekdays, 1 to 7; each counts once */
  readonly days: readonly number[]
  /** number of weeks, 1 to the game's maximum */
  readonly weeks: number
  /** time of the order, epoch seconds */
  readonly nowAt: number
}

/** The rules that a game's calendar depends on. */
type Calendar = Pick<GameRules, 'drawTimes' | 'closesBeforeSeconds' | 'pick'>

/** What a version of a game says of its calendar. */
export interface CalendarVersion extends Calendar {
  readonly version: number
  /** the first start that it applies to, epoch seconds */
  readonly fromAt: number
}

/** A draw in the calendar of a game that changes. */
export interface VersionedDraw extends ScheduledDraw {
  readonly version: number
}

const DAY_SECONDS = 86_400
/** Seconds around the demo's extra draw in which a regular draw is left out (decisions section 4). */
const EXTRA_DRAW_APART_SECONDS = 3600

/**
 * The draws of a game whose versions succeed each other, ascending, without an end unless its last version has no draw
 * times; with the demo's extra first draw, around which regular ones are left out for 60 minutes. A draw belongs to the highest version that applies to its start. After a change of version, a draw that starts
 * less than 600 s after the last one of the version before ends is left out.
 *
 * @param afterAt epoch seconds; a draw that starts at exactly this moment is not included
 * @param extraStartAt start of the demo's extra draw, epoch seconds
 */
export function* drawsOfVersions(
  versions: readonly CalendarVersion[],
  afterAt: number,
  extraStartAt: number | null = null,
): Generator<VersionedDraw, void> {
  const spans = spansOf(versions)
  for (const [index, { calendar, fromAt, untilAt }] of spans.entries()) {
    if (untilAt <= afterAt) continue
    const before = spans[index - 1]
    const earliestAt = before === undefined ? fromAt : Math.max(fromAt, lastEndOf(before) + BETWEEN_DRAWS_SECONDS)
    const isExtraHere = extraStartAt !== null && extraStartAt >= fromAt && extraStartAt < untilAt
    for (const startAt of startsAfter(calendar, Math.max(afterAt, earliestAt - 1), isExtraHere ? extraStartAt : null)) {
      if (startAt >= untilAt) break
      yield { ...scheduledDraw(calendar, startAt), version: calendar.version }
    }
  }
}

/** When the first draw of a version starts, in epoch seconds; null if it has none: its game ends. */
export function firstStartOf(version: CalendarVersion): number | null {
  const { value } = drawsOfVersions([version], version.fromAt - 1).next()
  return value?.startAt ?? null
}

/** A time in which one version applies, from its first second to before its last. */
interface VersionSpan {
  readonly calendar: CalendarVersion
  readonly fromAt: number
  readonly untilAt: number
}

function spansOf(versions: readonly CalendarVersion[]): VersionSpan[] {
  const spans: VersionSpan[] = []
  let untilAt = Number.POSITIVE_INFINITY
  for (const calendar of [...versions].sort((one, other) => other.version - one.version)) {
    if (calendar.fromAt >= untilAt) continue // taken back by a later version
    spans.unshift({ calendar, fromAt: calendar.fromAt, untilAt })
    untilAt = calendar.fromAt
  }
  return spans
}

/** When the last draw of a span ends; long past if it has none in its last week. */
function lastEndOf({ calendar, fromAt, untilAt }: VersionSpan): number {
  let lastAt = Number.NEGATIVE_INFINITY
  for (const startAt of startsAfter(calendar, Math.max(fromAt, untilAt - WEEK_SECONDS) - 1)) {
    if (startAt >= untilAt) break
    lastAt = startAt
  }
  return lastAt + endAfterStart(calendar)
}

/**
 * The draws of an order, as their numbers, ascending by start (decisions section 4): for each chosen day, the next
 * `weeks` draws of that weekday that are open for sale. If a chosen day is today (UTC) and today's draws have all
 * closed, its first week is the first open draw that is not otherwise in the order; its other weeks stay on the
 * weekday. There are always exactly days × weeks draws.
 *
 * @throws LotteryError INVALID_PAYLOAD for no day, a day without an open draw, or weeks out of range
 * @throws LotteryError GAME_NOT_AVAILABLE if not enough draws are open
 */
export function drawsOfOrder({ game, openDraws, days, weeks, nowAt }: OrderedDays): number[] {
  const chosenDays = [...new Set(days)]
  const open = openDraws.filter((draw) => nowAt < draw.closesAt)
  if (open.length === 0) throw new LotteryError('GAME_NOT_AVAILABLE')
  const fields = problemsOfDays({ game, openDraws: open, days, weeks, nowAt })
  if (Object.keys(fields).length > 0) throw new LotteryError('INVALID_PAYLOAD', undefined, { fields })
  const chosen = drawsOfDays(open, chosenDays, weeks, nowAt)
  if (chosen.length < chosenDays.length * weeks) {
    const first = firstOpenDrawNotIn(open, new Set(chosen.map((draw) => draw.number)), nowAt)
    if (first === null) throw new LotteryError('GAME_NOT_AVAILABLE')
    chosen.push(first)
  }
  return chosen.sort((one, other) => one.startAt - other.startAt).map((draw) => draw.number)
}

/** Problems of the days and weeks of an order, by field; empty if there are none. */
export function problemsOfDays({ game, openDraws, days, weeks, nowAt }: OrderedDays): Record<string, string> {
  const open = openDraws.filter((draw) => nowAt < draw.closesAt)
  const most = days.map((day) => weeksOfDay(game, open, day, nowAt))
  const least = Math.min(game.weeksAhead, ...most.filter((ofDay) => ofDay > 0))
  const fields: Record<string, string> = {}
  if (days.length === 0) fields['days'] = 'Choose at least one day.'
  else if (most.includes(0)) fields['days'] = `${game.name} is not drawn on every day chosen.`
  if (weeks > least) fields['weeks'] = least === 1 ? 'At most 1 week.' : `At most ${least} weeks.`
  else if (!Number.isSafeInteger(weeks) || weeks < 1) fields['weeks'] = `Must be a whole number from 1 to ${least}.`
  return fields
}

/**
 * Maximum number of weeks for a day of an order: its open draws, and the one that stands in for today's where that has
 * closed, up to the game's maximum. 0 for a day without an open draw.
 *
 * @param open the game's draws that are open for sale at `nowAt`
 */
export function weeksOfDay(
  game: Pick<GameRules, 'weeksAhead'>,
  open: readonly OpenDraw[],
  day: number,
  nowAt: number,
): number {
  const draws = open.filter((draw) => draw.weekday === day).length
  return draws === 0 ? 0 : Math.min(game.weeksAhead, draws + (isOverForToday(open, day, nowAt) ? 1 : 0))
}

/** For each day its next draws, one less where today's stands for another. There may be too few of a day. */
function drawsOfDays<D extends OpenDraw>(
  open: readonly D[],
  days: readonly number[],
  weeks: number,
  nowAt: number,
): D[] {
  return days.flatMap((day) => {
    const wanted = isOverForToday(open, day, nowAt) ? weeks - 1 : weeks
    return open.filter((draw) => draw.weekday === day).slice(0, wanted)
  })
}

/**
 * The first draw open for sale that the order is not in yet; null if there is none. Entries of a closed or void draw
 * move to it (decisions section 4).
 *
 * @param openDraws ascending by start; closed ones are skipped
 * @param taken numbers of the order's draws
 */
export function firstOpenDrawNotIn<D extends Pick<OpenDraw, 'number' | 'closesAt'>>(
  openDraws: readonly D[],
  taken: ReadonlySet<number>,
  nowAt: number,
): D | null {
  return openDraws.find((draw) => nowAt < draw.closesAt && !taken.has(draw.number)) ?? null
}

/**
 * The draws of a game that must be open for sale now, ascending by start: every draw that some order could name now,
 * and one more for entries to move to (decisions section 4). They are always the game's next draws without a gap. The
 * caller opens those that are not open yet; a draw opened earlier stays open.
 *
 * @param weeksAhead maximum number of weeks of an order
 * @param nowAt epoch seconds
 * @param extraStartAt start of the demo's extra draw, past or future, in epoch seconds
 */
export function openAhead(
  versions: readonly CalendarVersion[],
  weeksAhead: number,
  nowAt: number,
  extraStartAt: number | null = null,
): VersionedDraw[] {
  // Two weeks beyond any order, so that every draw needed below is included.
  const untilAt = nowAt + (weeksAhead + 2) * WEEK_SECONDS
  const notClosed: (VersionedDraw & OpenDraw)[] = []
  for (const draw of drawsOfVersions(versions, nowAt, extraStartAt)) {
    if (nowAt >= draw.closesAt) continue
    if (draw.startAt > untilAt && notClosed.length > 0) break
    notClosed.push({ ...draw, number: notClosed.length })
  }
  // The largest order, every day for the maximum of weeks, names every draw that any order can name: a smaller order is
  // a part of it, and replaces the first week of a closed day only by a draw that the larger order names too.
  const days = [...new Set(notClosed.map((draw) => draw.weekday))]
  const named = new Set(drawsOfDays(notClosed, days, weeksAhead, nowAt).map((draw) => draw.number))
  if (days.some((day) => isOverForToday(notClosed, day, nowAt))) {
    const first = firstOpenDrawNotIn(notClosed, named, nowAt)
    if (first !== null) named.add(first.number)
  }
  return notClosed.slice(0, Math.max(named.size, ...named) + 1)
}

/**
 * The start of a postponed draw: the first whole minute at least 900 s after the decision (fairness section 9), and at
 * least 600 s after the end of every earlier unfinished draw of the game (decisions section 4). Epoch seconds.
 *
 * @param decidedAt the time of the postpone statement
 * @param earlierEndsAt ends of the game's earlier unfinished draws
 */
export function postponedStartAt(decidedAt: number, earlierEndsAt: readonly number[]): number {
  const earliest = Math.max(
    decidedAt + POSTPONED_BY_SECONDS,
    ...earlierEndsAt.map((endAt) => endAt + BETWEEN_DRAWS_SECONDS),
  )
  return Math.ceil(earliest / 60) * 60
}

function isOverForToday(open: readonly OpenDraw[], day: number, nowAt: number): boolean {
  if (day !== weekdayOf(nowAt)) return false
  const today = Math.floor(nowAt / DAY_SECONDS)
  return !open.some((draw) => Math.floor(draw.startAt / DAY_SECONDS) === today)
}

function scheduledDraw(game: Calendar, startAt: number): ScheduledDraw {
  return {
    startAt,
    closesAt: startAt - game.closesBeforeSeconds,
    endAt: startAt + endAfterStart(game),
    weekday: weekdayOf(startAt),
  }
}

/** The starts of a calendar after a moment: endless, unless the game has no draw times. */
function* startsAfter(game: Calendar, afterAt: number, extraStartAt: number | null = null): Generator<number, void> {
  assert(Number.isSafeInteger(afterAt), `not a moment: ${afterAt}`)
  if (game.drawTimes.length === 0) return
  let extra = extraStartAt !== null && extraStartAt > afterAt ? extraStartAt : null
  for (let day = Math.floor(afterAt / DAY_SECONDS); ; day += 1) {
    for (const startAt of startsOfDay(game, day)) {
      if (startAt <= afterAt) continue
      if (extraStartAt !== null && Math.abs(startAt - extraStartAt) <= EXTRA_DRAW_APART_SECONDS) continue
      if (extra !== null && extra < startAt) {
        yield extra
        extra = null
      }
      yield startAt
    }
  }
}

function startsOfDay(game: Calendar, day: number): number[] {
  const weekday = weekdayOf(day * DAY_SECONDS)
  return game.drawTimes
    .filter((time) => time.day === weekday)
    .map((time) => day * DAY_SECONDS + time.minuteOfDay * 60)
    .sort((one, other) => one - other)
}
