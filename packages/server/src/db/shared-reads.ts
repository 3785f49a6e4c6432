import { AsyncResource } from 'node:async_hooks'
import { atMostOneRow, oneRow, sqlState } from './database-errors.ts'
import type { Queries } from './pool.ts'
import { type Args, argsOfMany, encodeArgs, forMany, isWriting, type Statement } from './sql.ts'

/** Runs of one statement at once: while the database works on one, this process works on the other. */
const RUNS_AT_ONCE = 2
/** Maximum number of callers of a run. */
const MOST_CALLERS = 32

export type Row = Record<string, unknown>

/** Who waits for the rows of a statement. */
interface Reader {
  readonly args: Args
  resolve(rows: readonly Row[]): void
  reject(error: unknown): void
}

/**
 * Queries outside of a transaction whose reads share their runs: those of a statement that serves many (see `sql`) and
 * are asked for in one moment, or while earlier ones run. Nothing waits for company, and each run begins after all its
 * callers have asked, so it sees what they would see alone.
 */
export function withSharedReads(queries: Queries): Queries {
  const shared = new WeakMap<Statement, SharedRead>()
  // not in the context of whichever reader came first
  const outside = AsyncResource.bind((begin: () => void) => begin())
  const rowsOf = async (statement: Statement, args: Args): Promise<never[]> => {
    let read = shared.get(statement)
    if (read === undefined) shared.set(statement, (read = new SharedRead(queries, statement, outside)))
    return (await read.rowsFor(args)) as never[] // as the statement declares them
  }
  const isShared = (statement: Statement): boolean => statement.serves !== undefined && !isWriting(statement)
  const general = (statement: unknown): Statement => statement as Statement // a statement of any types is a Statement
  return {
    ...queries,
    run: (statement, args) =>
      isShared(general(statement)) ? rowsOf(general(statement), args) : queries.run(statement, args),
    one: async (statement, args) =>
      isShared(general(statement))
        ? oneRow(statement.name, await rowsOf(general(statement), args))
        : await queries.one(statement, args),
    maybeOne: async (statement, args) =>
      isShared(general(statement))
        ? atMostOneRow(statement.name, await rowsOf(general(statement), args))
        : await queries.maybeOne(statement, args),
  }
}

/** The readers of one statement. */
class SharedRead {
  readonly #queries: Queries
  readonly #statement: Statement
  readonly #outside: (begin: () => void) => void
  #waiting: Reader[] = []
  #running = 0

  /** @param outside calls a function outside of the context of any reader */
  constructor(queries: Queries, statement: Statement, outside: (begin: () => void) => void) {
    this.#queries = queries
    this.#statement = statement
    this.#outside = outside
  }

  rowsFor(args: Args): Promise<readonly Row[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ args, resolve, reject })
      if (this.#waiting.length === 1) queueMicrotask(() => process.nextTick(() => this.#begin()))
    })
  }

  #begin(): void {
    this.#outside(() => this.#beginRuns())
  }

  #beginRuns(): void {
    while (this.#waiting.length > 0 && this.#running < RUNS_AT_ONCE) {
      const readers = this.#waiting.splice(0, MOST_CALLERS)
      this.#running += 1
      void this.#runFor(readers).finally(() => {
        this.#running -= 1
        this.#begin()
      })
    }
  }

  async #runFor(readers: readonly Reader[]): Promise<void> {
    try {
      const found = await rowsOfAll(
        this.#queries,
        this.#statement,
        readers.map(({ args }) => args),
      )
      for (const [index, { resolve }] of readers.entries()) resolve(found[index] ?? [])
    } catch (error) {
      if (readers.length > 1 && isOfOneArgument(error))
        await Promise.all(readers.map((reader) => this.#runFor([reader])))
      else for (const { reject } of readers) reject(error)
    }
  }
}

/** Whether a run may have failed by what one of its callers gave it. */
function isOfOneArgument(error: unknown): boolean {
  return error instanceof TypeError || sqlState(error)?.startsWith('22') === true
}

/** The rows of a statement that serves many for each of its callers, in as few runs as it can be. */
export async function rowsOfAll(
  from: Pick<Queries, 'run'>,
  statement: Statement,
  callers: readonly Args[],
): Promise<(readonly Row[])[]> {
  if (callers.length > 1 && statement.serves === 'each') {
    const rows = await from.run(forMany(statement), argsOfMany(statement, callers))
    const found: Row[][] = callers.map(() => [])
    for (const { place, ...row } of rows) found[Number(place) - 1]?.push(row)
    return found
  }
  const runs = new Map<string, Promise<readonly Row[]>>()
  return await Promise.all(
    callers.map((args) => {
      const same = callers.length === 1 ? '' : JSON.stringify(encodeArgs(statement, args))
      let run = runs.get(same)
      if (run === undefined) runs.set(same, (run = from.run(statement, args)))
      return run
    }),
  )
}
