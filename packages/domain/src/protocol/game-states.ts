import type { KnownLog, Logged } from './known-log.ts'
import { FIRST_STATE } from './money.ts'
import { type GameState, NO_HASH } from './statement-codecs.ts'
import type { StateStatement } from './statements.ts'
import { isLogged } from './timeline.ts'

/** The chain of a game's states along a log (section 9). */

/** The state that a statement continues, or the reason for none. */
type StateBefore =
  | { readonly state: GameState }
  /** the bundle lacks something that the statement names */
  | { readonly missing: string }
  /** the statement does not continue the newest state of its game */
  | { readonly wrong: string }

/**
 * Finds the state that a statement continues.
 *
 * @param draw the statement's draw: hash of its `open`, and its game
 */
export function stateBefore(
  log: KnownLog,
  statement: Logged<StateStatement>,
  draw: { readonly open: string; readonly game: string },
): StateBefore {
  const named = statement.statement.last
  const before = named === NO_HASH ? null : log.named(named)
  if (named !== NO_HASH && before === null) return { missing: 'the statement that it continues is not here' }
  if (before !== null && !isState(before)) return { wrong: 'it continues a statement without a state' }
  const game = before === null ? draw.game : gameOf(log, before)
  if (game === null) return { missing: 'the game of the statement that it continues is not here' }
  const from = before?.index ?? -1
  if (game !== draw.game || from >= statement.index) return { wrong: 'it continues another game' }
  if (isSkipped(log, statement, from, draw)) return { wrong: 'it leaves out a statement of its game' }
  return { state: before?.statement.state ?? FIRST_STATE }
}

/**
 * Whether the statement skips a newer state of the game. A close of the same draw does not count: it was postponed, or
 * it is one too many, which `seal.once` reports. A postponed close of another draw is followed by a further close or a
 * void before any other statement of the game.
 */
function isSkipped(
  log: KnownLog,
  statement: Logged<StateStatement>,
  from: number,
  { open, game }: { readonly open: string; readonly game: string },
): boolean {
  return statesOf(log).some(
    (other) =>
      other.index > from &&
      other.index < statement.index &&
      !(other.statement.type === 'close' && other.statement.open === open) &&
      gameOf(log, other) === game,
  )
}

function statesOf(log: KnownLog): Logged<StateStatement>[] {
  return [...log.all('close'), ...log.all('result'), ...log.all('void')]
}

function isState(logged: Logged): logged is Logged<StateStatement> {
  return isLogged('close', logged) || isLogged('result', logged) || isLogged('void', logged)
}

/** The game of a statement with a state, by its draw; null if the draw is unknown. */
function gameOf(log: KnownLog, { statement }: Logged<StateStatement>): string | null {
  const openHash = statement.type === 'result' ? log.find('close', statement.close)?.statement.open : statement.open
  return openHash === undefined ? null : (log.find('open', openHash)?.statement.game ?? null)
}
