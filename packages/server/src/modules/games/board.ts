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

/** A draw as it stands, with all that is known of it: also what must not be told yet. */
export type BoardDraw = RowOf<typeof findDrawsAround>

/** What one game is at. */
export interface GameBoard {
  readonly gameKey: string
  /** the draw the game's pages show; null when none is known */
  readonly nextDraw: BoardDraw | null
  /** the draw whose sales have closed and whose last ball has not been shown; the earliest of several */
  readonly sealedDraw: BoardDraw | null
  /** the first draw whose sales have not closed */
  readonly openDraw: BoardDraw | null
  /** the next draws that an order made now can be for, two at most; a draw that should have closed is none of them */
  readonly onSale: readonly BoardDraw[]
}

/** A draw is void when its beacon has said nothing for a week; whatever started earlier is over. */
const LONGEST_DRAW_SECONDS = 8 * 86_400

/** How many draws on sale are told: when the first one closes, a page already knows the next. */
const SHOWN_ON_SALE = 2

/** Reads what every game is at. Games without any draw are missing. */
export async function readBoard(db: Queries, nowAt: number): Promise<Map<string, GameBoard>> {
  const rows = await db.run(findDrawsAround, [nowAt - LONGEST_DRAW_SECONDS, nowAt - STAYS_AFTER_END_SECONDS])
  const byGame = Map.groupBy(rows, (row) => row.gameKey)
  return new Map(Array.from(byGame, ([gameKey, draws]) => [gameKey, boardOf(gameKey, draws, nowAt)]))
}

/** @param draws of one game, by their start */
function boardOf(gameKey: string, draws: readonly BoardDraw[], nowAt: number): GameBoard {
  const times = draws.map((draw) => ({ draw, endAt: shownUntil(draw) }))
  return {
    gameKey,
    nextDraw: nextDrawOf(times, nowAt)?.draw ?? null,
    sealedDraw: draws.find((draw) => draw.status === 'closed' || draw.status === 'drawn') ?? null,
    openDraw: draws.find((draw) => draw.status === 'open') ?? null,
    onSale: draws.filter((draw) => draw.status === 'open' && isOpenForSale(draw, nowAt)).slice(0, SHOWN_ON_SALE),
  }
}

/**
 * When a draw's show ends, in epoch seconds: at its end, and later when the beacon was late and the balls with it
 * (fairness section 9).
 */
export function shownUntil(draw: Pick<BoardDraw, 'startAt' | 'endAt' | 'pick' | 'revealFromAt'>): number {
  return revealEndAt(draw) + SECONDS_AFTER_LAST_BALL
}
