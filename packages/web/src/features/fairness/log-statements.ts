import { readLogged } from '@fairball/domain/fairness/log'
import { isLogged, parseStatement } from '@fairball/domain/fairness/statements'
import type { LoggedStatement } from '@fairball/domain/fairness/statements'

/** How many statements a page of the log has. */
export const NOTES_A_PAGE = 100

/** A statement of the log as a row of a list. Nothing of it is verified. */
export interface LogRow {
  readonly seq: number
  readonly hash: string
  readonly statement: LoggedStatement
  /** The draw it is about; null where it is about none, or that one was opened long before. */
  readonly draw: { readonly game: string; readonly number: number } | null
}

/** Gives the notes of the log from a seq on, 100 at most. */
export type ReadLog = (from: number) => Promise<{ readonly notes: readonly string[]; readonly next: number | null }>

/**
 * Finds the end of a log that can only be read from its beginning: by doubling, then by halving.
 *
 * @returns the seq of its last page's first statement
 */
export async function lastPageOf(read: ReadLog): Promise<number> {
  const hasMore = async (page: number) => (await read(page * NOTES_A_PAGE)).next !== null
  let [last, beyond] = [0, 1]
  if (!(await hasMore(0))) return 0
  while (await hasMore(beyond)) [last, beyond] = [beyond, 2 * beyond]
  // The page after `last` exists; `beyond` has nothing after it.
  while (last + 1 < beyond) {
    const middle = Math.floor((last + beyond) / 2)
    if (await hasMore(middle)) last = middle
    else beyond = middle
  }
  return (last + 1) * NOTES_A_PAGE
}

/**
 * The statements of a piece of the log as rows, newest first. Those that name their draw by a hash get it from an earlier statement of the piece, or
 * from `textOf`, which is asked for the text of a hash.
 */
export async function rowsOf(notes: readonly string[], textOf: (hash: string) => Promise<string>): Promise<LogRow[]> {
  const logged = notes.map((note) => readLogged(note)).filter((note) => typeof note !== 'string')
  const known = new Map<string, LoggedStatement>(logged.map(({ hash, statement }) => [hash, statement]))
  const statementOf = async (hash: string): Promise<LoggedStatement | null> => {
    const found = known.get(hash)
    if (found !== undefined) return found
    const statement = parseStatement(await textOf(hash))
    if (!isLogged(statement)) return null
    known.set(hash, statement)
    return statement
  }
  const drawOf = async (statement: LoggedStatement | null): Promise<LogRow['draw']> => {
    switch (statement?.type) {
      case 'open':
        return { game: statement.game, number: statement.draw }
      case 'close':
      case 'postpone':
      case 'void':
        return drawOf(await statementOf(statement.open))
      case 'result':
        return drawOf(await statementOf(statement.close))
      case 'log':
      case 'key':
      case 'chain':
      case undefined:
        return null
    }
  }
  const rows: LogRow[] = []
  // One after another: an opening that was fetched once is known to those that follow.
  for (const { hash, statement } of logged)
    rows.push({ seq: statement.seq, hash, statement, draw: await drawOf(statement) })
  return rows.toReversed()
}
