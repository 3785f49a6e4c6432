import type { ShownBall, WatchPhase } from '@fairball/domain/draw-phase'
import type { WatchData, WatchPrize } from '@fairball/contract/schemas/game'

/** How often a draw is fetched while its balls or prizes are pending and nothing streams, in ms (specification, section 4). */
const LIVE_MS = 1_000
/** And as a safeguard while it streams, and after its end, in ms. */
const SLOW_MS = 10_000

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

/** @returns how many balls are shown; they are drawn in order */
export function countDrawn(balls: readonly ShownBall[]): number {
  return balls.filter((ball) => typeof ball === 'number').length
}

/** @returns whether there is anything a stream could tell: from the close of sales until balls and prizes are there */
export function isWorthStreaming(phase: WatchPhase): boolean {
  return phase === 'STARTS_SOON' || phase === 'LIVE'
}

/**
 * @param isStreaming whether the stream is open, which makes fetching a safeguard only
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
