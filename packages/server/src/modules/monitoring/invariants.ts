import type { Db, Tx } from '../../db/pool.ts'
import {
  checkNewPostings,
  continuePass,
  findSealedViolations,
  findViolations,
  type InvariantId,
  type PassKeeper,
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
   * @param sinceAt epoch seconds: what has to be recomputed is checked, if it has changed since; null for everything
   */
  check(db: Db, sinceAt: number | null): Promise<Findings>
  /**
   * Looks each minute, whatever a check of everything takes, for violations in what is new; null if it is not time.
   *
   * @param nowAt epoch seconds
   */
  checkNew(db: Db, nowAt: number): Promise<NewFindings | null>
  /**
   * Checks the next piece of the pass over everything that statements can check, if one is under way or due.
   *
   * @returns whether there is another piece to check now
   */
  continuePass(db: Db, keeper: FindingsKeeper): Promise<boolean>
}

/** Keeps what a pass finds, in the transactions of its pieces. */
export interface FindingsKeeper {
  /** epoch seconds */
  readonly now: () => number
  readonly nowMs: () => number
  /** @returns the numbers of the findings, and whether there were more than are kept */
  readonly keep: (tx: Tx, violations: readonly Violation[]) => Promise<{ numbers: bigint[]; isCapped: boolean }>
  /** Ends findings about these invariants that are none of `found` and were not seen since `beganAt`. */
  readonly end: (
    tx: Tx,
    pass: { readonly found: readonly bigint[]; readonly beganAt: number; readonly whole: readonly string[] },
  ) => Promise<void>
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
    if (sinceAt !== null) {
      const fromDrawId = (await db.one(queries.findChangedDraw, [sinceAt])).id
      const sealed = fromDrawId === null ? [] : await findSealedViolations(db, fromDrawId)
      return { violations: sealed.map(told), whole: [] }
    }
    const found = await db.transaction((tx) => findViolations(tx), { statementTimeoutMs: SLOW_STATEMENT_MS })
    const sealed = await findSealedViolations(db)
    return { violations: [...found, ...sealed].map(told), whole: [...STATEMENT_IDS, SEALED] }
  },
  async checkNew(db, nowAt) {
    const found = await checkNewPostings(db, nowAt)
    return found === null ? null : { ...found, violations: found.violations.map(told) }
  },
  continuePass(db, { now, nowMs, keep, end }) {
    const keeper: PassKeeper = {
      now,
      nowMs,
      keep: (tx, violations) => keep(tx, violations.map(told)),
      end: (tx, found, beganAt) => end(tx, { found, beganAt, whole: STATEMENT_IDS }),
    }
    return continuePass(db, keeper)
  },
}

function told({ invariant, what }: { readonly invariant: InvariantId; readonly what: string }): Violation {
  return { id: invariant, problem: what }
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
    continuePass: (db, keeper) => invariants.continuePass(db, keeper),
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
