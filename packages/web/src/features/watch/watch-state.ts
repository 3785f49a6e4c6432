import { SECONDS_AFTER_LAST_BALL } from '@fairball/domain/draw-phase'
import { POSTPONED_BY_SECONDS } from '@fairball/domain/protocol/numbers'
import type { DrawTimes, ShownBall, WatchPhase } from '@fairball/domain/draw-phase'
import type { Game, WatchData, WatchPrize } from '@fairball/contract/schemas/game'

/**
 * Interval at which a draw is fetched while its balls or prizes are pending and there is no stream, in ms
 * (specification, section 4).
 */
const LIVE_MS = 1_000
/** The same as a safeguard during a stream, and after the draw's end, in ms. */
const SLOW_MS = 10_000
/**
 * Interval at which the games are fetched before a draw, in ms: it can be delayed, the jackpot grows and this device's
 * clock may be wrong.
 */
const BEFORE_MS = 30_000
/**
 * The same while the server has not begun a draw that should run, in ms: it was delayed, or another draw replaced it.
 */
const NOT_BEGUN_MS = 5_000
/** Delay of the first ball after which the page says that it is late, in seconds. */
const LATE_AFTER_SECONDS = 10

/**
 * Merges the known data of a draw with an answer. Answers can overtake each other, and the stream does not know the
 * player: a ball once shown stays shown, prizes once known stay, and so does a win.
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
 * Whether an answer is about another draw than the known data: answers do not name their draw. A draw's numbers never
 * change, and one that has begun always has a ball that is drawn or being drawn.
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

/** @returns the games as everybody sees them, with the free tickets that the player is known to have in them */
export function withOwnTickets<One extends Pick<Game, 'key' | 'tickets_won'>>(
  games: readonly One[],
  known: readonly Pick<Game, 'key' | 'tickets_won'>[] = [],
): One[] {
  return games.map((one) => ({ ...one, tickets_won: known.find(({ key }) => key === one.key)?.tickets_won ?? 0 }))
}

/** @returns whether no ball is drawn or being drawn */
function hasNotBegun(balls: readonly ShownBall[]): boolean {
  return balls.every((ball) => ball === false)
}

/**
 * The state of a running draw: it is about to begin, its random number is late, balls are drawn, or its prizes are
 * counted.
 */
type LiveState = 'BEGINS' | 'LATE' | 'DRAWS' | 'COUNTS'

/** @returns the state of a live draw. @param balls null before the first answer */
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

/** @returns at which point of a draw its player's tickets are asked for: each of them once */
export function ownTicketsAt(phase: WatchPhase, data: WatchData | null): 'ON_SALE' | 'SEALED' | 'DRAWN' {
  if (data !== null && data.prizes !== false) return 'DRAWN'
  return phase === 'PLAY' ? 'ON_SALE' : 'SEALED'
}

/** @returns how many balls are shown; they are drawn in order */
export function countDrawn(balls: readonly ShownBall[]): number {
  return balls.filter((ball) => typeof ball === 'number').length
}

/**
 * @param balls null before the first answer
 * @returns the delay before the games are fetched again, in ms; false if only the end of the draw requires it, which
 *   all pages follow anyway
 */
export function gamesAfterMs(phase: WatchPhase, balls: readonly ShownBall[] | null): number | false {
  if (phase === 'PLAY' || phase === 'STARTS_SOON') return BEFORE_MS
  return phase === 'LIVE' && balls !== null && hasNotBegun(balls) ? NOT_BEGUN_MS : false
}

/**
 * @param canWatch whether the draw has not ended and starts within the hour
 * @returns whether the stream is followed: around the draw, until balls and prizes are known. Before the balls it only
 * sends the time
 */
export function isWorthStreaming(phase: WatchPhase, canWatch: boolean): boolean {
  return phase === 'STARTS_SOON' || phase === 'LIVE' || (phase === 'PLAY' && canWatch)
}

/**
 * @param isStreaming whether events arrive, which makes fetching a safeguard only
 * @returns the delay before the draw is fetched again, in ms; false while nothing changes
 */
export function fetchAfterMs(phase: WatchPhase, isStreaming: boolean): number | false {
  if (phase === 'PLAY' || phase === 'STARTS_SOON') return false
  return phase === 'LIVE' && !isStreaming ? LIVE_MS : SLOW_MS
}
