import type { Db, Queries } from '../../db/pool.ts'
import { violationsOfTouched } from './changed.ts'
import * as queries from './queries.ts'
import { differencesOfSealedDraws } from './sealed-draws.ts'

export { checkNewPostings, lastLook } from './new-postings.ts'
export { continuePass, type PassKeeper, passStatus } from './pass.ts'
export { STATEMENT_IDS } from './queries.ts'

/** The invariants of trust.md section 3. */
export type InvariantId = keyof typeof queries.STATEMENTS | 'I8'

/** A violation of an invariant. */
interface Violation {
  readonly invariant: InvariantId
  /** the row it is about, and what is wrong with it; for the operator */
  readonly what: string
}

/** All violations that one statement each can find, in one snapshot: all invariants but I8. */
export async function findViolations(from: Queries): Promise<Violation[]> {
  return await from.run(queries.allViolations, [])
}

const NO_IDS = { postingId: 0n, transferId: 0n }
const ALL_IDS = { postingId: 2n ** 63n - 1n, transferId: 2n ** 63n - 1n }

/** The violations that a minute's check would find outside the ledger if all of it were new. */
export async function findViolationsOfNew(db: Db): Promise<Violation[]> {
  const range = { after: NO_IDS, to: ALL_IDS, verifiedPostingId: 0n, sinceAt: 0 }
  return await db.transaction((tx) => violationsOfTouched(tx, range), { isolation: 'repeatable read' })
}

/**
 * The violations of the sealed draws (I8), all recomputed from their entries.
 *
 * @param fromDrawId draws with a lower id are left out
 */
export async function findSealedViolations(db: Db, fromDrawId = 0n): Promise<Violation[]> {
  const options = { isolation: 'repeatable read', statementTimeoutMs: 600_000 } as const
  const differences = await db.transaction((tx) => differencesOfSealedDraws(tx, fromDrawId), options)
  return differences.map((what) => ({ invariant: 'I8', what }))
}
