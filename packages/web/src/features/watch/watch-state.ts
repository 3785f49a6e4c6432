import { SECONDS_AFTER_LAST_BALL } from '@fairball/domain/draw-phase'
import { POSTPONED_BY_SECONDS } from '@fairball/domain/fairness/protocol'
import type { DrawTimes, ShownBall, WatchPhase } from '@fairball/domain/draw-phase'
import type { WatchData, WatchPrize } from '@fairball/contract/schemas/game'

/** How often a draw is fetched while its balls or prizes are pending and nothing streams, in ms (specification, section 4). */
const LIVE_MS = 1_000
/** And as a safeguard while it streams, and after its end, in ms. */
const SLOW_MS = 10_000
/** How often the games are fetched before a draw, since it can be delayed, the jackpot grows and this device's clock may go wrong, in ms. */
const BEFORE_MS = 30_000
/** And while the server has not begun a draw that should run: it was delayed, or another one took its place, in ms. */
const NOT_BEGUN_MS = 5_000
/** Seconds past its time after which the page says that the first ball is late. */
const LATE_AFTER_SECONDS = 10

/**
 * Joins what is known of a draw with what has just arrived. Answers can overtake each other, and the stream does not know who
 * watches: a ball once shown stays shown, prizes once there stay, and a win once known stays known.
 *
 * @param known null before the first answer
 */
export function mergedWatch(known: WatchData | null, arrived: WatchData): WatchData {
  if (known === null || known.draw.length !== arrived.draw.length) return arrived
  return {
    draw: arrived.draw.map((ball, place) => furtherBall(known.draw[place] ?? false, ball)),
    prizes: mergedPrizes(known.prizes, arrived.prizes),
  }
}

function furtherBall(known: ShownBall, arrived: ShownBall): ShownBall {
  if (typeof arrived === 'number') return arrived
  return typeof known === 'number' ? known : known || arrived
}

function mergedPrizes(known: WatchData['prizes'], arrived: WatchData['prizes']): WatchData['prizes'] {
  if (arrived === false) return known
  if (known === false) return arrived
  return arrived.map((prize) => ({ ...prize, youWin: prize.youWin || hasWon(known, prize) }))
}

function hasWon(prizes: readonly WatchPrize[], { matches: [matches] }: WatchPrize): boolean {
  return prizes.some((prize) => prize.youWin && prize.matches[0] === matches)
}

/**
 * Whether an answer is of another draw than what is known: the answers do not say which draw they are of. A draw's numbers never change, and one
 * that has begun always has a ball that is drawn or being drawn.
 */
export function isOfAnotherDraw(known: WatchData | null, arrived: WatchData): boolean {
  if (known === null) return false
  if (known.draw.length !== arrived.draw.length) return true
  if (hasNotBegun(arrived.draw)) return !hasNotBegun(known.draw)
  return arrived.draw.some((ball, place) => {
    const before = known.draw[place]
    return typeof ball === 'number' && typeof before === 'number' && ball !== before
  })
}

/** @returns whether no ball is drawn or being drawn */
function hasNotBegun(balls: readonly ShownBall[]): boolean {
  return balls.every((ball) => ball === false)
}

/** What there is to say of a draw that runs: it is about to begin, its random number is late, balls are drawn, or its prizes are counted. */
export type LiveState = 'BEGINS' | 'LATE' | 'DRAWS' | 'COUNTS'

/** @returns how far a draw is that is live. @param balls null before the first answer */
export function liveStateAt(
  { startAt, endAt }: DrawTimes,
  balls: readonly ShownBall[] | null,
  nowAt: number,
): LiveState {
  if (balls === null) return 'DRAWS'
  if (hasNotBegun(balls)) return 'BEGINS'
  const drawn = countDrawn(balls)
  if (drawn === balls.length) return 'COUNTS'
  const firstBallAt = startAt + (endAt - startAt - SECONDS_AFTER_LAST_BALL) / balls.length
  return drawn === 0 && nowAt >= firstBallAt + LATE_AFTER_SECONDS ? 'LATE' : 'DRAWS'
}

/** @returns whether a draw is delayed: sales closed for the time it was planned for, long before the one it has now */
export function isPostponed({ closesAt, startAt }: Pick<DrawTimes, 'closesAt' | 'startAt'>): boolean {
  return startAt - closesAt >= POSTPONED_BY_SECONDS
}

/** @returns how many balls are shown; they are drawn in order */
export function countDrawn(balls: readonly ShownBall[]): number {
  return balls.filter((ball) => typeof ball === 'number').length
}

/**
 * @param balls null before the first answer
 * @returns after how many ms the games are fetched again; false while that is needed by nothing but the end of a draw, which all pages follow
 */
export function gamesAfterMs(phase: WatchPhase, balls: readonly ShownBall[] | null): number | false {
  if (phase === 'PLAY' || phase === 'STARTS_SOON') return BEFORE_MS
  return phase === 'LIVE' && balls !== null && hasNotBegun(balls) ? NOT_BEGUN_MS : false
}

/**
 * @param canWatch whether the draw has not ended and starts within the hour
 * @returns whether the stream is followed: around the draw, until balls and prizes are there. Before the balls it tells the time alone
 */
export function isWorthStreaming(phase: WatchPhase, canWatch: boolean): boolean {
  return phase === 'STARTS_SOON' || phase === 'LIVE' || (phase === 'PLAY' && canWatch)
}

/**
 * @param isStreaming whether events arrive, which makes fetching a safeguard only
 * @returns after how many ms the draw is fetched again; false while nothing changes
 */
export function fetchAfterMs(phase: WatchPhase, isStreaming: boolean): number | false {
  switch (phase) {
    case 'PLAY':
    case 'STARTS_SOON':
      return false
    case 'LIVE':
      return isStreaming ? SLOW_MS : LIVE_MS
    case 'ENDED':
      return SLOW_MS
  }
}
