import type { Db } from '../../db/pool.ts'
import {
  checkNewPostings,
  findSealedViolations,
  findViolations,
  type InvariantId,
  STATEMENT_IDS,
} from '../invariants/service.ts'
import type { AddressSeals } from '../payouts/service.ts'
import * as queries from './queries.ts'

/** A violation of an invariant. */
export interface Violation {
  /** such as I14 */
  readonly id: string
  /** the row it is about, and what is wrong with it; for the operator */
  readonly problem: string
}

/** The findings of one check. */
export interface Findings {
  readonly violations: readonly Violation[]
  /** the invariants that were checked completely: an earlier finding that is missing now is resolved */
  readonly whole: readonly string[]
}

/** The invariants that are watched. */
export interface Invariants {
  readonly ids: readonly string[]
  /**
   * Looks for violations.
   *
   * @param sinceAt epoch seconds: what is expensive to recompute is checked only if it has changed since; null for all
   */
  check(db: Db, sinceAt: number | null): Promise<Findings>
  /**
   * Looks each minute, whatever a check of everything takes, for violations in what is new; null if it is not time.
   *
   * @param nowAt epoch seconds
   */
  checkNew(db: Db, nowAt: number): Promise<NewFindings | null>
}

/** Violations in what is new. */
interface NewFindings {
  readonly violations: readonly Violation[]
  /** Called once they are stored: what was right is not looked at again. */
  readonly done: () => Promise<void>
}

const SEALED: InvariantId = 'I8'
const SLOW_STATEMENT_MS = 600_000

/** Those of the lottery. Sealed draws (I8) are recomputed from their leaves: all of them, or those that changed. */
export const lotteryInvariants: Invariants = {
  ids: [...STATEMENT_IDS, SEALED],
  async check(db, sinceAt) {
    const told = await db.transaction((tx) => findViolations(tx), { statementTimeoutMs: SLOW_STATEMENT_MS })
    const fromDrawId = sinceAt === null ? 0n : (await db.one(queries.findChangedDraw, [sinceAt])).id
    const sealed = fromDrawId === null ? [] : await findSealedViolations(db, fromDrawId)
    return {
      violations: [...told, ...sealed].map(({ invariant, what }) => ({ id: invariant, problem: what })),
      whole: sinceAt === null ? [...STATEMENT_IDS, SEALED] : STATEMENT_IDS,
    }
  },
  async checkNew(db, nowAt) {
    const found = await checkNewPostings(db, nowAt)
    if (found === null) return null
    return { ...found, violations: found.violations.map(({ invariant, what }) => ({ id: invariant, problem: what })) }
  },
}

/** An invariant that halts only the payouts it is about. */
export const HALTS_ALONE = 'I12'

/**
 * The same, and that no payout address was changed behind the program's back (I12): a statement cannot check that,
 * since it has no key.
 */
export function withSealedAddresses(invariants: Invariants, addressSeals: Pick<AddressSeals, 'breaches'>): Invariants {
  return {
    ids: [...invariants.ids, HALTS_ALONE],
    checkNew: (db, nowAt) => invariants.checkNew(db, nowAt),
    async check(db, sinceAt) {
      const { violations, whole } = await invariants.check(db, sinceAt)
      const breaches = await addressSeals.breaches(db)
      return {
        violations: [...violations, ...breaches.map((problem) => ({ id: HALTS_ALONE, problem }))],
        whole: [...whole, HALTS_ALONE],
      }
    },
  }
}
