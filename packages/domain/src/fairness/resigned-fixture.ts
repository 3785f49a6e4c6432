import { signNote } from './signed-note.ts'
import { type LoggedStatement, NO_HASH, parseStatement, statementHash, statementText } from './statements.ts'

/** The text of a note. */
export function textOf(note: string): string {
  return note.slice(0, note.lastIndexOf('\n\n') + 1)
}

/**
 * The log of a dishonest operator, who changes statements afterwards and signs everything after them anew: chained and signed
 * as it should be, and each statement names the new hash of what it named before.
 *
 * @param change gives the statement in its place; called in the order of the log, after the hashes it names were renewed
 */
export function resigned(
  notes: readonly string[],
  { name, keySeed }: { readonly name: string; readonly keySeed: Uint8Array },
  change: (statement: LoggedStatement, before: readonly LoggedStatement[]) => LoggedStatement,
): string[] {
  const renewedHashes = new Map<string, string>()
  const statements: LoggedStatement[] = []
  const signed: string[] = []
  let isChanged = false
  let prev = NO_HASH
  for (const note of notes) {
    const text = textOf(note)
    // The notes are the fixture's own: all of them are statements of a log.
    const old = parseStatement(text) as LoggedStatement
    const statement = change({ ...renamed(old, renewedHashes), prev }, statements)
    const renewed = statementText(statement)
    isChanged ||= renewed !== text
    prev = statementHash(renewed)
    renewedHashes.set(statementHash(text), prev)
    statements.push(statement)
    signed.push(isChanged ? signNote(renewed, { name, secretSeed: keySeed }) : note)
  }
  return signed
}

function renamed(statement: LoggedStatement, hashes: ReadonlyMap<string, string>): LoggedStatement {
  if ('open' in statement) return { ...statement, open: hashes.get(statement.open) ?? statement.open }
  if (statement.type === 'result') return { ...statement, close: hashes.get(statement.close) ?? statement.close }
  return statement
}
