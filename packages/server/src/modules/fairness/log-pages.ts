import type { DrawHint, LogStatementAnswer } from '@fairball/contract/schemas/fairness'
import { LotteryError } from '@fairball/domain/errors'
import { toHex } from '@fairball/domain/protocol/bytes'
import type { Logged } from '@fairball/domain/protocol/known-log'
import { chooseStatements } from '@fairball/domain/protocol/make-bundle'
import { type LogStatement, readLogStatement } from '@fairball/domain/protocol/statements'
import type { Queries } from '../../db/pool.ts'
import type { LogContext } from './context.ts'
import * as queries from './queries.ts'

/** The log as pages show it, and where a draw is in it. A verifier trusts none of it. */

const STATEMENTS_A_PAGE = 100

/**
 * Up to 100 statements, newest first.
 *
 * @param from the index of the first; default: the newest
 */
export async function logPage({ db, origin, keys }: LogContext, from?: number) {
  const head = await db.maybeOne(queries.findHead, [])
  const size = head === null ? 0 : head.index + 1
  const first = Math.min(from ?? size - 1, size - 1)
  const statements = await db.run(queries.listNewest, [first, BigInt(STATEMENTS_A_PAGE)])
  const last = statements.at(-1)?.index ?? 0
  const { publicKey } = await keys.inForce(db)
  return { origin, public_key: toHex(publicKey), size, statements, next: last === 0 ? null : last - 1 }
}

/** The statements about a draw, in order, without those about single batches of plays. */
export async function statementsOfDraw(from: Queries, openHash: string): Promise<LogStatementAnswer[]> {
  return await from.run(queries.listOfDraw, [openHash])
}

/** Where the statements about a draw are (docs/fairness.md, section 12). @throws LotteryError NOT_FOUND */
export async function drawHint({ db, origin }: LogContext, gameKey: string, number: number): Promise<DrawHint> {
  const draw = await db.maybeOne(queries.findDrawIdentity, [gameKey, number])
  if (draw === null) throw new LotteryError('NOT_FOUND', 'No such draw.')
  const { gameKey: game, openHash: open } = draw
  const own = (await statementsOfDraw(db, open)).map(asLogged)
  const final = own.find(({ statement: { type } }) => type === 'result' || type === 'void')
  const sealed = own.findLast(({ statement: { type } }) => type === 'close' || type === 'postpone')
  const close = sealed?.statement.type === 'close' ? sealed.hash : null
  return {
    origin,
    open,
    statements: chooseStatements(await statementsAround(db, own, { open, game }), [open]),
    seal: close ?? (final?.statement.type === 'void' ? final.hash : null),
    postpones: own.flatMap(({ hash, statement }) => (statement.type === 'postpone' ? [hash] : [])),
    result: final?.index ?? null,
    state: stateOf(final, close),
  }
}

function stateOf(final: Logged | undefined, close: string | null): DrawHint['state'] {
  if (final !== undefined) return final.statement.type === 'void' ? 'void' : 'settled'
  return close === null ? 'open' : 'sealed'
}

/** What `chooseStatements` may choose for a draw: its own statements and those that these name. */
async function statementsAround(
  from: Queries,
  own: readonly Logged[],
  { open, game }: { readonly open: string; readonly game: string },
): Promise<Logged[]> {
  const known = new Map(own.map((logged) => [logged.hash, logged]))
  const add = (rows: readonly StatementRow[]): Logged[] => {
    const found = rows.map(asLogged)
    for (const logged of found) known.set(logged.hash, logged)
    return found
  }
  add(await from.run(queries.listAroundDraw, [open, game]))
  let named = own.flatMap(({ statement }) => [
    ...('last' in statement ? [statement.last] : []),
    ...(statement.type === 'close' ? [statement.sold] : []),
  ])
  while (named.length > 0) {
    const missing = [...new Set(named)].filter((hash) => !known.has(hash))
    named = add(await from.run(queries.listByHash, [missing])).flatMap(({ statement }) => tellsGame(statement))
  }
  return [...known.values()].toSorted((one, other) => one.index - other.index)
}

/** The statement that tells which game another one belongs to. */
function tellsGame(statement: LogStatement): string[] {
  if (statement.type === 'result') return [statement.close]
  return statement.type === 'close' || statement.type === 'void' ? [statement.open] : []
}

interface StatementRow {
  readonly index: number
  readonly hash: string
  readonly text: string
}

function asLogged({ index, hash, text }: StatementRow): Logged {
  return { index, hash, text, statement: readLogStatement(text) }
}
