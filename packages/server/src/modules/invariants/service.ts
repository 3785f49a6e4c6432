import type { Db, Queries } from '../../db/pool.ts'
import * as queries from './queries.ts'
import { differencesOfSealedDraws } from './sealed-draws.ts'

/** The invariants of trust.md section 3. */
export type InvariantId = keyof typeof queries.STATEMENTS | 'I8'

/** Something that must never be. */
interface Violation {
  readonly invariant: InvariantId
  /** which row it is about, and what is wrong with it; for the operator */
  readonly what: string
}

/** What is broken of everything a statement can tell, in one snapshot: all but I8. */
export async function findViolations(from: Queries): Promise<Violation[]> {
  return await from.run(queries.allViolations, [])
}

/**
 * What is broken of the sealed draws (I8), all computed again from their entries.
 *
 * @param fromDrawId draws with a lower id are left out
 */
export async function findSealedViolations(db: Db, fromDrawId = 0n): Promise<Violation[]> {
  const options = { isolation: 'repeatable read', statementTimeoutMs: 600_000 } as const
  const differences = await db.transaction((tx) => differencesOfSealedDraws(tx, fromDrawId), options)
  return differences.map((what) => ({ invariant: 'I8', what }))
}
