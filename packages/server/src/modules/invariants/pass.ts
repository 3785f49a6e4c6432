import type { Db, Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import * as queries from './pass-queries.ts'
import type { violationRow } from './queries.ts'

// The pass over everything, once a night, in pieces of one statement each: what a piece compares is one snapshot. A piece,
// what it found and where the next one begins are one transaction, so that a pass that was interrupted continues there.

/** The time of day at which a pass is due, in seconds after midnight, UTC. */
const DUE_SECONDS = 2 * 3600
const DAY_SECONDS = 86_400
/** Limit of one statement, in ms: what cannot be cut reads a whole table. */
const STATEMENT_MS = 600_000

type Violation = RowOf<{ name: string; text: string; params: []; row: typeof violationRow }>
type Pass = RowOf<typeof queries.lockPass>

/** What keeps the findings of a piece, and ends those that a pass did not find. */
export interface PassKeeper {
  /** epoch seconds */
  readonly now: () => number
  readonly nowMs: () => number
  /** Keeps them in the transaction of the piece. @returns their numbers, and whether there were more than are kept */
  readonly keep: (tx: Tx, violations: readonly Violation[]) => Promise<{ numbers: bigint[]; isCapped: boolean }>
  /** Called at the end of a pass that began at a time and found these. */
  readonly end: (tx: Tx, found: readonly bigint[], beganAt: number) => Promise<void>
}

/**
 * Checks the next piece of the pass over everything, if one is under way or due.
 *
 * @returns whether there is another piece to check now
 */
export async function continuePass(db: Db, keeper: PassKeeper): Promise<boolean> {
  await db.execute(queries.beginPasses, [])
  return await db.transaction((tx) => checkPiece(tx, keeper), { statementTimeoutMs: STATEMENT_MS })
}

async function checkPiece(tx: Tx, keeper: PassKeeper): Promise<boolean> {
  const pass = await tx.maybeOne(queries.lockPass, [])
  if (pass === null) return false
  const place = queries.STEPS.findIndex(({ name }) => name === pass.step)
  const step = queries.STEPS[place]
  if (step === undefined) return await beginPass(tx, pass, keeper.now())
  const sinceMs = keeper.nowMs()
  let violations: readonly Violation[]
  let toId: string | null = null
  if (step.whole !== null) violations = await tx.run(step.whole, [])
  else {
    const [least, most] = step.ends
    const from = pass.afterId ?? least
    toId = (await tx.one(step.next, [from])).id
    violations = await tx.run(step.statement, { from, to: toId ?? most })
  }
  const { numbers, isCapped } =
    violations.length === 0 ? { numbers: [], isCapped: false } : await keeper.keep(tx, violations)
  const next = toId === null ? (queries.STEPS[place + 1]?.name ?? null) : step.name
  const tookMs = BigInt(Math.round(keeper.nowMs() - sinceMs))
  await tx.execute(queries.movePass, { step: next, afterId: toId, found: numbers, isCapped, tookMs })
  // Beyond the cap we cannot tell which were missed.
  if (next === null && !pass.isCapped && !isCapped) await keeper.end(tx, [...pass.found, ...numbers], pass.beganAt)
  return next !== null
}

/** Begins a pass if none began since it was due last. A clock that was set back delays none. */
async function beginPass(tx: Tx, { beganAt, step }: Pass, now: number): Promise<boolean> {
  const dueAt = now - ((now - DUE_SECONDS) % DAY_SECONDS)
  // A step that this release does not have any more begins a pass too.
  if (step === null && beganAt >= dueAt && beganAt <= now) return false
  const [first] = queries.STEPS
  if (first !== undefined) await tx.execute(queries.beginPass, [now, first.name])
  return first !== undefined
}

/** From when the last whole pass says how everything is, and how long the longest piece of the newest one took. */
export async function passStatus(db: Db): Promise<{ checkedAt: number | null; longestMs: bigint } | null> {
  return await db.maybeOne(queries.findPass, [])
}
