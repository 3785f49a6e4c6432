import type { LogStatementAnswer } from '@fairball/contract/schemas/fairness'
import type { WatchData } from '@fairball/contract/schemas/game'
import type { Db } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { RecentWin } from '../content/service.ts'
import type { BoardDraw, GameBoard, GamesContext } from '../games/service.ts'
import type { OwedContext } from '../payouts/service.ts'

/** The watch page's data as a visitor sees it, and its draw. */
export interface WatchedDraw {
  readonly data: WatchData
  /** null while the game has no draw */
  readonly draw: BoardDraw | null
}

/** The last data shown of a game: valid while the board and the second are the same. */
interface KeptWatch {
  readonly board: GameBoard | null
  readonly nowAt: number
  readonly value: Promise<WatchedDraw>
}

/**
 * What reading the results of draws, plays and lines needs. Nothing of a draw is revealed before its balls are shown.
 */
export interface ResultsContext {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'monotonic'>
  readonly games: GamesContext
  /** for the way of money that was won */
  readonly payouts: OwedContext
  /** The log's statements about a draw, without its batches, by the hash that names it: the fairness module's. */
  readonly statementsOf: (openHash: string) => Promise<LogStatementAnswer[]>
  /** what visitors are shown of each game's draw, by its key */
  readonly watched: Map<string, KeptWatch>
  /** wins that are being read: many visitors at the same time cost one query */
  readonly wins: { reading: Promise<readonly RecentWin[]> | null }
}

/** The context of one process. */
export function resultsContext(options: Omit<ResultsContext, 'watched' | 'wins'>): ResultsContext {
  return { ...options, watched: new Map(), wins: { reading: null } }
}
