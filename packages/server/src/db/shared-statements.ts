import { atMostOneRow, oneRow, UnexpectedRowCount } from './database-errors.ts'
import { LOCK_ORDER } from './lock-order.ts'
import type { Queries, Tx } from './pool.ts'
import { type Row, rowsOfAll } from './shared-reads.ts'
import { type Args, encodeArgs, isWriting, type Statement } from './sql.ts'

/** A step locks what other members of its transaction would share, or takes care itself that there are none. */
export class MustBeAlone extends Error {}

/** What a member of a transaction has done so far. */
interface MemberState {
  /** something that a refusal would have to undo */
  hasWritten: boolean
  /** the database refused a statement, and with it the transaction */
  hasFailed: boolean
  /** what it asks now would be done although it was refused */
  isOver: boolean
}

const membersOfOthers = new WeakSet<Tx>()

/**
 * For a step that excludes all others by a lock: in a transaction that others share it would not.
 *
 * @throws MustBeAlone, which makes the step run again in a transaction of its own
 */
export function assertAlone(tx: Tx): void {
  if (membersOfOthers.has(tx)) throw new MustBeAlone('other steps share this transaction')
}

const LOCKING = new Set<string>(LOCK_ORDER.flatMap(({ statements }) => statements))

/** A statement that a member wants to run. */
interface Request {
  readonly statement: Statement
  readonly args: Args
  /** runs it alone */
  alone(): Promise<unknown>
  /** makes the answer of the rows that a shared run found for it. @throws UnexpectedRowCount */
  answerOf(rows: readonly Row[]): unknown
  resolve(answer: unknown): void
  reject(error: unknown): void
}

/**
 * Sends the statements of several members together, in one round trip for all that they ask in one moment. Statements
 * that serve many run once for all members that ask them; each member's own run in the order of its requests.
 */
export class SharedStatements {
  readonly #inner: Queries
  /** of members that ask something now */
  readonly #queues = new Set<Request[]>()
  #isGathering = false

  /** @param inner the transaction that the members share */
  constructor(inner: Queries) {
    this.#inner = inner
  }

  /** What one member runs its statements with, and what it has done by them. After `end` it can ask no more. */
  member(): { readonly tx: Tx; readonly state: Readonly<MemberState>; end(): void } {
    const queue: Request[] = []
    const state = { hasWritten: false, hasFailed: false, isOver: false }
    const tx = requestsInto(this.#inner, state, (request) => {
      queue.push(request)
      this.#queues.add(queue)
      this.#gather()
    })
    membersOfOthers.add(tx)
    return { tx, state, end: () => void (state.isOver = true) }
  }

  /** Waits until all members have asked what they ask now: none has to wait for anything else but the database. */
  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    queueMicrotask(() =>
      process.nextTick(() => {
        this.#isGathering = false
        this.#send()
      }),
    )
  }

  #send(): void {
    const queues = [...this.#queues].map((queue) => queue.splice(0))
    this.#queues.clear()
    while (queues.some((queue) => queue.length > 0)) {
      const next = nextStatement(queues)
      const group = queues.flatMap((queue) => (queue[0]?.statement === next ? (queue.shift() ?? []) : []))
      if (next.serves === 'each' && group.length > 1) void this.#runForEach(next, group)
      else for (const same of next.serves === 'same' ? equals(group) : group.map((one) => [one])) void runOnce(same)
    }
  }

  async #runForEach(statement: Statement, group: readonly Request[]): Promise<void> {
    try {
      const args = group.map((request) => request.args)
      const found = await rowsOfAll(this.#inner, statement, args)
      for (const [index, request] of group.entries()) answer(request, found[index] ?? [])
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
}

/** A statement that a queue has at its front, and that no other queue has further back. */
function nextStatement(queues: readonly (readonly Request[])[]): Statement {
  const fronts = queues.flatMap(([front]) => front?.statement ?? [])
  const waits = (statement: Statement): boolean =>
    queues.some(
      ([front, ...behind]) => front?.statement !== statement && behind.some((one) => one.statement === statement),
    )
  const next = [...new Set(fronts)].find((statement) => !waits(statement)) ?? fronts[0]
  if (next === undefined) throw new Error('nothing is asked')
  return next
}

/** Requests by their arguments. */
function equals(group: readonly Request[]): Request[][] {
  const argsOf = (request: Request): unknown => {
    try {
      return JSON.stringify(encodeArgs(request.statement, request.args))
    } catch {
      return request // its own run says what is wrong with them
    }
  }
  return [...Map.groupBy(group, argsOf).values()]
}

/** Runs a statement for all who ask it with the same arguments. */
async function runOnce(same: readonly Request[]): Promise<void> {
  try {
    const found = await same[0]?.alone()
    for (const { resolve } of same) resolve(found)
  } catch (error) {
    for (const { reject } of same) reject(error)
  }
}

function answer(request: Request, rows: readonly Row[]): void {
  try {
    request.resolve(request.answerOf(rows))
  } catch (error) {
    request.reject(error)
  }
}

function assertOpen({ isOver }: Readonly<MemberState>): void {
  if (isOver) throw new Error('a shared transaction was used by a member that had ended')
}

/** The queries of a member, each of them a request. */
function requestsInto(inner: Queries, state: MemberState, add: (request: Request) => void): Tx {
  const asking =
    (call: 'run' | 'one' | 'maybeOne' | 'execute', answerOf: (rows: readonly Row[], name: string) => unknown) =>
    (statement: Statement, args: Args): Promise<never> =>
      new Promise((resolve, reject) => {
        assertOpen(state)
        if (LOCKING.has(statement.name) && statement.serves !== 'each')
          throw new MustBeAlone(`${statement.name} locks what members of one transaction would share`)
        if (isWriting(statement)) state.hasWritten = true
        const alone = inner[call] as (statement: Statement, args: Args) => Promise<unknown>
        add({
          statement,
          args,
          alone: () => alone(statement, args),
          answerOf: (rows) => answerOf(rows, statement.name),
          resolve,
          reject(error) {
            if (!(error instanceof UnexpectedRowCount)) state.hasFailed = true
            reject(error)
          },
        })
      })
  return {
    run: asking('run', (rows) => rows),
    one: asking('one', (rows, name) => oneRow(name, rows)),
    maybeOne: asking('maybeOne', (rows, name) => atMostOneRow(name, rows)),
    execute: asking('execute', (rows) => rows.length),
    async notify(channel, payload) {
      assertOpen(state)
      state.hasWritten = true
      await inner.notify(channel, payload)
    },
    stream() {
      throw new Error('a shared transaction reads nothing that is too large for memory')
    },
  } as Tx
}
