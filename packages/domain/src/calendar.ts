import { assert } from './assert.ts'
import { LotteryError } from './errors.ts'
import { POSTPONED_BY_SECONDS } from './fairness/protocol.ts'
import { endAfterStart, type GameRules, type Weekday } from './games.ts'
import { weekdayOf } from './weekday.ts'

/** A draw as the calendar of its game has it; times in epoch seconds. */
interface ScheduledDraw {
  readonly startAt: number
  /** sales close; before `startAt` */
  readonly closesAt: number
  readonly endAt: number
  /** of `startAt`, in UTC */
  readonly weekday: Weekday
}

/** What an order needs to know of a draw; times in epoch seconds. */
export interface OpenDraw {
  /** counts per game, from 1 */
  readonly number: number
  /** 1 to 7, Monday 1, of `startAt` in UTC */
  readonly weekday: number
  readonly startAt: number
  /** open for sale before this moment */
  readonly closesAt: number
}

/** The draws an order is for are chosen by these. */
interface OrderedDays {
  readonly game: Pick<GameRules, 'drawTimes' | 'maxWeeksAhead'>
  /** the game's draws that are open for sale, ascending by start; closed ones among them are passed over */
  readonly openDraws: readonly OpenDraw[]
  /** the chosen weekdays, 1 to 7; each counts once */
  readonly days: readonly number[]
  /** for how many weeks, 1 to the game's most */
  readonly weeks: number
  /** when the order is made, epoch seconds */
  readonly nowAt: number
}

/** What the calendar of a game takes to be computed. */
type Calendar = Pick<GameRules, 'drawTimes' | 'closesBeforeSeconds' | 'pick'>

const DAY_SECONDS = 86_400
/** A regular draw this near to the demo's extra one is left out (decisions section 4). */
const EXTRA_DRAW_APART_SECONDS = 3600
/** Draws of one game never overlap, and are at least this far apart when one is postponed (decisions section 4). */
export const BETWEEN_DRAWS_SECONDS = 600

/**
 * The next draws of a game's weekly calendar that start after a moment, ascending.
 *
 * @param afterAt epoch seconds; a draw that starts at this very moment is not among them
 * @param count how many, from 0 to 10,000
 */
export function regularDrawsAfter(game: Calendar, afterAt: number, count: number): ScheduledDraw[] {
  return take(startsAfter(game, afterAt), count).map((startAt) => scheduledDraw(game, startAt))
}

/**
 * The next draws of a game that start after a moment, ascending, with the demo's extra first draw among them: a regular
 * draw within 60 minutes of the extra one, before or after, is left out (decisions section 4).
 *
 * @param afterAt epoch seconds; a draw that starts at this very moment is not among them
 * @param count how many, from 0 to 10,000
 * @param extraStartAt when the extra draw starts, epoch seconds; without one the calendar is the regular one
 */
export function scheduledDrawsAfter(
  game: Calendar,
  afterAt: number,
  count: number,
  extraStartAt: number | null = null,
): ScheduledDraw[] {
  if (extraStartAt === null) return regularDrawsAfter(game, afterAt, count)
  const starts = take(startsAfter(game, afterAt, extraStartAt), count)
  return starts.map((startAt) => scheduledDraw(game, startAt))
}

/**
 * Which draws an order is for, as their numbers, ascending by start (decisions section 4): for each chosen day, the next
 * `weeks` draws of that weekday that are open for sale. If a chosen day is today (UTC) and no draw of today is open any
 * more, its first week is the first open draw that is not otherwise in the order; its further weeks stay on the weekday.
 * There are always exactly days × weeks of them.
 *
 * @throws LotteryError INVALID_PAYLOAD for no day, a day on which the game is not drawn, or weeks out of range
 * @throws LotteryError GAME_NOT_AVAILABLE when not enough draws are open
 */
export function drawsOfOrder({ game, openDraws, days, weeks, nowAt }: OrderedDays): number[] {
  const chosenDays = new Set(days)
  checkDaysAndWeeks(game, chosenDays, weeks)
  const open = openDraws.filter((draw) => nowAt < draw.closesAt)
  const chosen = [...chosenDays].flatMap((day) => {
    const wanted = isOverForToday(open, day, nowAt) ? weeks - 1 : weeks
    const draws = open.filter((draw) => draw.weekday === day).slice(0, wanted)
    if (draws.length < wanted) throw new LotteryError('GAME_NOT_AVAILABLE')
    return draws
  })
  if (chosen.length < chosenDays.size * weeks) {
    const first = firstOpenDrawNotIn(open, new Set(chosen.map((draw) => draw.number)), nowAt)
    if (first === null) throw new LotteryError('GAME_NOT_AVAILABLE')
    chosen.push(first)
  }
  return chosen.sort((one, other) => one.startAt - other.startAt).map((draw) => draw.number)
}

/**
 * The first draw still open for sale that is not among those taken; null when there is none. It is where the entries of
 * a closed or void draw move (decisions section 4).
 *
 * @param openDraws ascending by start; closed ones among them are passed over
 * @param taken numbers of the draws the order is in already
 */
export function firstOpenDrawNotIn<D extends Pick<OpenDraw, 'number' | 'closesAt'>>(
  openDraws: readonly D[],
  taken: ReadonlySet<number>,
  nowAt: number,
): D | null {
  return openDraws.find((draw) => nowAt < draw.closesAt && !taken.has(draw.number)) ?? null
}

/**
 * The draws of a game that have to be open for sale now, ascending by start: every one that some order could name now,
 * and one more for entries to move to (decisions section 4). They are always the game's next draws without a gap. A
 * draw opened earlier stays open; what is missing here has to be opened.
 *
 * @param nowAt epoch seconds
 * @param extraStartAt when the demo's extra draw starts or started, epoch seconds
 */
export function openAhead(
  game: Calendar & Pick<GameRules, 'maxWeeksAhead'>,
  nowAt: number,
  extraStartAt: number | null = null,
): ScheduledDraw[] {
  // Two weeks more than can be named, so that every draw looked for below lies inside.
  const horizon = game.drawTimes.length * (game.maxWeeksAhead + 2) + 2
  const notClosed = scheduledDrawsAfter(game, nowAt, horizon, extraStartAt).filter((draw) => nowAt < draw.closesAt)
  // The largest order, every day for the most weeks, names every draw that any order can name: a smaller order is a part
  // of it, and moves the first week of a day that is over only to a draw that is in the larger one or that it moves to.
  const numbered = notClosed.map((draw, place) => ({ ...draw, number: place }))
  const days = [...new Set(game.drawTimes.map((time) => time.day))]
  const nameable = drawsOfOrder({ game, openDraws: numbered, days, weeks: game.maxWeeksAhead, nowAt })
  const lastNamed = nameable.at(-1) ?? 0
  return notClosed.slice(0, Math.max(nameable.length, lastNamed) + 1)
}

/**
 * When a postponed draw starts: the first whole minute at least 900 s after the decision (fairness section 9), and at
 * least 600 s after the end of every earlier unfinished draw of the game (decisions section 4). Epoch seconds.
 *
 * @param decidedAt the time of the postpone statement
 * @param earlierEndsAt when the game's earlier unfinished draws end
 */
export function postponedStartAt(decidedAt: number, earlierEndsAt: readonly number[]): number {
  const earliest = Math.max(
    decidedAt + POSTPONED_BY_SECONDS,
    ...earlierEndsAt.map((endAt) => endAt + BETWEEN_DRAWS_SECONDS),
  )
  return Math.ceil(earliest / 60) * 60
}

function checkDaysAndWeeks(game: OrderedDays['game'], days: ReadonlySet<number>, weeks: number): void {
  const drawDays = new Set<number>(game.drawTimes.map((time) => time.day))
  const fields: Record<string, string> = {}
  if (days.size === 0) fields['days'] = 'Choose at least one day.'
  else if (![...days].every((day) => drawDays.has(day))) fields['days'] = 'The game is not drawn on every day chosen.'
  if (!Number.isSafeInteger(weeks) || weeks < 1 || weeks > game.maxWeeksAhead) {
    fields['weeks'] = `Must be a whole number from 1 to ${game.maxWeeksAhead}.`
  }
  if (Object.keys(fields).length > 0) throw new LotteryError('INVALID_PAYLOAD', undefined, { fields })
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

/** The starts of a calendar after a moment, without end unless the game is never drawn. */
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

function take(starts: Generator<number, void>, count: number): number[] {
  assert(Number.isSafeInteger(count) && count >= 0 && count <= 10_000, `not a number of draws: ${count}`)
  return [...starts.take(count)]
}
