import type { GameState } from '@fairball/domain/protocol/statement-codecs'
import { NO_HASH } from '@fairball/domain/protocol/statement-codecs'
import type { Tx } from '../../db/pool.ts'
import type { GameRow } from './queries.ts'
import * as queries from './queries.ts'

/** The state of a game (fairness section 9), and the statement that states it. */
interface KnownState {
  readonly state: GameState
  /** hash of the statement, 64 zeros before the first */
  readonly last: string
}

/** The state of a game that the caller holds. */
export function stateOf(game: GameRow): KnownState {
  return {
    state: {
      closed: game.closed,
      settled: game.settled,
      pot: game.potSats,
      won: game.freeWon,
      used: game.freeUsed,
      carried: game.carried,
    },
    last: game.stateHash ?? NO_HASH,
  }
}

/** Keeps the state of a statement, in the transaction that appends it. @param hash of the statement */
export async function keepState(
  tx: Tx,
  gameKey: string,
  { pot: potSats, ...state }: GameState,
  hash: string,
): Promise<void> {
  await tx.execute(queries.keepState, { gameKey, ...state, potSats, hash })
}
