import {
  isOpenForSale,
  nextDrawOf,
  revealEndAt,
  SECONDS_AFTER_LAST_BALL,
  STAYS_AFTER_END_SECONDS,
} from '@fairball/domain/draw-phase'
import type { Queries } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { findDrawsAround } from './queries.ts'

/** A draw with all that is known of it, including what must not be revealed yet. */
export type BoardDraw = RowOf<typeof findDrawsAround>

/** The present state of one game. */
export interface GameBoard {
  readonly gameKey: string
  /** the draw the game's pages show; null if none is known */
  readonly nextDraw: BoardDraw | null
  /** the draw whose sales have closed and whose last ball has not been shown; the earliest of several */
  readonly sealedDraw: BoardDraw | null
  /** the first draw whose sales have not closed */
  readonly openDraw: BoardDraw | null
  /** the next draws that an order made now can be for, at most two; excludes a draw that should have closed */
  readonly onSale: readonly BoardDraw[]
  /** every draw that an order made now can be for, by its start */
  readonly forSale: readonly BoardDraw[]
}

/** A draw without its beacon round after a week is void; whatever started earlier is over. */
const LONGEST_DRAW_SECONDS = 8 * 86_400

/** Number of draws on sale in an answer: when the first one closes, a page already knows the next. */
const SHOWN_ON_SALE = 2

/** Reads the state of every game. Games without any draw are missing. */
export async function readBoard(db: Queries, nowAt: number): Promise<Map<string, GameBoard>> {
  const rows = await db.run(findDrawsAround, [nowAt - LONGEST_DRAW_SECONDS, nowAt - STAYS_AFTER_END_SECONDS])
  const byGame = Map.groupBy(rows, (row) => row.gameKey)
  return new Map(Array.from(byGame, ([gameKey, draws]) => [gameKey, boardOf(gameKey, draws, nowAt)]))
}

/** @param draws of one game, by their start */
function boardOf(gameKey: string, draws: readonly BoardDraw[], nowAt: number): GameBoard {
  const forSale = draws.filter((draw) => draw.status === 'open' && isOpenForSale(draw, nowAt))
  const times = draws.map((draw) => ({ draw, endAt: shownUntil(draw) }))
  return {
    gameKey,
    nextDraw: nextDrawOf(times, nowAt)?.draw ?? null,
    sealedDraw: draws.find((draw) => draw.status === 'closed' || draw.status === 'drawn') ?? null,
    openDraw: draws.find((draw) => draw.status === 'open') ?? null,
    onSale: forSale.slice(0, SHOWN_ON_SALE),
    forSale,
  }
}

/**
 * When a draw's show ends, in epoch seconds: at its end, or later if the beacon was late and the balls with it
 * (fairness section 9).
 */
export function shownUntil(draw: Pick<BoardDraw, 'startAt' | 'endAt' | 'pick' | 'revealFromAt'>): number {
  return revealEndAt(draw) + SECONDS_AFTER_LAST_BALL
}
