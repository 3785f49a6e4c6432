import { assert } from './assert.ts'

/**
 * Time from the last ball to the end of a draw, in seconds (decisions section 4). It is not in games.ts, because not
 * every page loads the rules.
 */
export const SECONDS_AFTER_LAST_BALL = 60

/**
 * The status of a draw: open for sale, closed and sealed, drawn (the server knows its numbers, not all are shown yet),
 * settled; or void, if it was never drawn (fairness section 9).
 */
type DrawStatus = 'open' | 'closed' | 'drawn' | 'settled' | 'void'

/** The statuses a draw may move to, from each. */
const MOVES: Record<DrawStatus, readonly DrawStatus[]> = {
  open: ['closed', 'void'],
  closed: ['drawn', 'void'],
  drawn: ['settled'],
  settled: [],
  void: [],
}

/** Every status of a draw. */
// Object.keys is typed as string[]; the table above has exactly these keys.
export const DRAW_STATUSES = Object.keys(MOVES) as readonly DrawStatus[]

/** Time after its end during which `next_draw` stays on a draw, in seconds (decisions section 4). */
export const STAYS_AFTER_END_SECONDS = 600
/** Time before its start from which a draw can be watched, in seconds (spec section 9). */
const WATCH_BEFORE_START_SECONDS = 3600

/** A ball as the watch page shows it: not yet drawn, being drawn, or its number (spec section 3). */
export type ShownBall = boolean | number

/** The times of a draw, in epoch seconds. */
export interface DrawTimes {
  readonly closesAt: number
  readonly startAt: number
  readonly endAt: number
}

/** When the balls of a draw are shown; times in epoch seconds. */
interface Reveal {
  readonly startAt: number
  readonly endAt: number
  /** number of balls */
  readonly pick: number
  /** when a late beacon signature arrived; absent or null if it was in time or has not arrived yet */
  readonly revealFromAt?: number | null
}

/** The statuses a draw may move to this one from. */
export function drawStatusesBefore(to: DrawStatus): DrawStatus[] {
  return DRAW_STATUSES.filter((from) => MOVES[from].includes(to))
}

/** Whether entries can be bought: strictly before sales close. */
export function isOpenForSale(draw: Pick<DrawTimes, 'closesAt'>, nowAt: number): boolean {
  return nowAt < draw.closesAt
}

/**
 * The balls of a draw as shown at a moment, in the order drawn (decisions section 4). Ball i, counted from 1, is shown
 * from `startAt + i × (endAt − startAt − 60) / pick` on, is `true` while it is the one being drawn and `false` before.
 * Until the numbers are known, the first ball is being drawn. If the beacon round arrives after the first ball was due,
 * the first ball is shown on its arrival and the others follow at the same pace (fairness section 9).
 *
 * @param numbers in the order drawn, or null until they are known
 * @returns one ball per number of a line
 */
export function ballsShown(
  draw: Reveal & { readonly numbers: readonly number[] | null; readonly nowAt: number },
): ShownBall[] {
  const { numbers, pick, nowAt } = draw
  assert(numbers === null || numbers.length === pick, `a draw of ${pick} balls has ${numbers?.length} numbers`)
  const shownCount = numbers === null ? 0 : countShown(draw, nowAt)
  return Array.from({ length: pick }, (_, place) => {
    if (place < shownCount) return numbers?.[place] ?? false
    return place === shownCount && nowAt >= draw.startAt
  })
}

/**
 * When the last ball is shown, in epoch seconds: until then no answer reveals more than the balls do (decisions section
 * 4). If the beacon was in time, that is 60 s before the draw's end.
 */
export function revealEndAt(draw: Reveal): number {
  return revealStartAt(draw) + revealSeconds(draw)
}

/** The phase of a draw on the watch page (spec section 4, Watch phases). */
export type WatchPhase = 'PLAY' | 'STARTS_SOON' | 'LIVE' | 'ENDED'

/**
 * The phase of a draw on the watch page (spec section 4): PLAY before sales close, STARTS_SOON until the start, LIVE
 * until the end or while balls are pending, ENDED after the end or once all balls are shown and prizes have arrived. A
 * ball that is being drawn means that the draw has started, whatever this device's clock shows.
 *
 * @param balls as last fetched, or null before the first time
 * @param hasPrizes whether the prizes have arrived
 */
export function watchPhaseAt(
  draw: DrawTimes & { readonly balls: readonly ShownBall[] | null; readonly hasPrizes: boolean },
  nowAt: number,
): WatchPhase {
  if (nowAt < draw.closesAt) return 'PLAY'
  const isDrawing = draw.balls?.includes(true) ?? false
  if (nowAt < draw.startAt && !isDrawing) return 'STARTS_SOON'
  if (draw.balls?.some((ball) => typeof ball !== 'number')) return 'LIVE'
  if (draw.balls !== null && draw.hasPrizes) return 'ENDED'
  return nowAt < draw.endAt ? 'LIVE' : 'ENDED'
}

/** Whether a draw can be watched: it has not ended, and starts within 3600 s or has started (spec section 2). */
export function canWatch(draw: Pick<DrawTimes, 'startAt' | 'endAt'>, nowAt: number): boolean {
  return nowAt < draw.endAt && draw.startAt - nowAt <= WATCH_BEFORE_START_SECONDS
}

/** The home page's buttons for a game's next draw. */
interface HomeButtons {
  readonly play: boolean
  readonly watch: boolean
  readonly drawHistory: boolean
  readonly results: boolean
}

/**
 * The home page's buttons (spec section 2): play while sales are open; watch as `canWatch` says; draw history when
 * sales have closed and the draw has ended; results always.
 */
export function homeButtonsAt(draw: DrawTimes, nowAt: number): HomeButtons {
  const isOpen = isOpenForSale(draw, nowAt)
  return { play: isOpen, watch: canWatch(draw, nowAt), drawHistory: !isOpen && nowAt >= draw.endAt, results: true }
}

/**
 * The game the home page opens with: the one whose sales close soonest, or the first if none is still open (spec
 * section 1); null if there is no game.
 */
export function gameOfHome<G extends { readonly closesAt: number }>(games: readonly G[], nowAt: number): G | null {
  const open = games.filter((game) => isOpenForSale(game, nowAt))
  const soonest = open.reduce<G | null>((best, game) => (best && best.closesAt <= game.closesAt ? best : game), null)
  return soonest ?? games[0] ?? null
}

/**
 * The draw of `next_draw`: the first that has not ended, or ended less than 10 minutes ago (decisions section 4). Void
 * draws are skipped. Null if there is none.
 *
 * @param draws of one game, ascending by start
 */
export function nextDrawOf<D extends { readonly endAt: number; readonly status?: DrawStatus }>(
  draws: readonly D[],
  nowAt: number,
): D | null {
  return draws.find((draw) => draw.status !== 'void' && nowAt < draw.endAt + STAYS_AFTER_END_SECONDS) ?? null
}

function revealSeconds({ startAt, endAt, pick }: Reveal): number {
  const seconds = endAt - startAt - SECONDS_AFTER_LAST_BALL
  assert(Number.isSafeInteger(pick) && pick > 0 && seconds > 0, 'the draw is too short to show its balls')
  return seconds
}

/** The origin of the balls' times: the start, unless the beacon round arrived after the first ball was due. */
function revealStartAt(draw: Reveal): number {
  const firstBallSeconds = Math.floor(revealSeconds(draw) / draw.pick)
  return Math.max(draw.startAt, (draw.revealFromAt ?? draw.startAt) - firstBallSeconds)
}

function countShown(draw: Reveal, nowAt: number): number {
  // Multiplied out, so that a ball whose time is not a whole second is not shown before it.
  const count = Math.floor(((nowAt - revealStartAt(draw)) * draw.pick) / revealSeconds(draw))
  return Math.max(0, Math.min(draw.pick, count))
}

/**
 * When a ball is due, in epoch seconds, if the random number was in time: for ball i, counted from 1, `startAt + i ×
 * (endAt − startAt − 60) / pick`, rounded up to the second from which it is shown.
 */
export function ballDueAt(
  { startAt, endAt }: Pick<DrawTimes, 'startAt' | 'endAt'>,
  pick: number,
  ball: number,
): number {
  return startAt + Math.ceil((ball * (endAt - startAt - SECONDS_AFTER_LAST_BALL)) / pick)
}
