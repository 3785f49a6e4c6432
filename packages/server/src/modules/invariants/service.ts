import type { Db, Queries } from '../../db/pool.ts'
import * as queries from './queries.ts'
import { differencesOfSealedDraws } from './sealed-draws.ts'

export { checkNewPostings } from './new-postings.ts'
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
