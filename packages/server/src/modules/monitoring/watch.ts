import type { Db, Tx } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Findings, Invariants } from './invariants.ts'
import * as queries from './queries.ts'

/** No check follows another sooner, however many processes ask. */
const LEAST_SECONDS = 50n
/** A check that took long is followed by a pause of so many times as long: at most a twentieth of the time goes into checking. */
const PAUSES = 20n
/** What changed so long before the last check is looked at again: a transaction may commit after a check that it began before. */
const OVERLAP_SECONDS = 600
/** The first check looks so far back at what is dear; `invariants-check` looks at everything. */
const FIRST_SECONDS = 86_400
/** More would be one fault many times over. */
const MOST_KEPT = 100
const LONGEST_PROBLEM = 500

export type InvariantWatch = ReturnType<typeof createInvariantWatch>

export interface InvariantWatchDeps {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'steady' | 'log'>
  readonly invariants: Invariants
  /** Stops all payouts when the transaction commits. */
  readonly stopPayouts: (tx: Tx, reason: string) => Promise<void>
}

/**
 * Watches the invariants. What is found, and the stop of all payouts, are one transaction; while something found stands
 * that the operator has not accepted, payouts stay stopped whoever lifts what (see `payouts.find-stop`).
 */
export function createInvariantWatch({ db, runtime, invariants, stopPayouts }: InvariantWatchDeps) {
  const now = (): number => runtime.clock.now()

  async function keep({ violations, whole }: Findings, tookMs: bigint | null): Promise<void> {
    const at = now()
    const kept = violations.slice(0, MOST_KEPT)
    const newOnes = await db.transaction(async (tx) => {
      const problems = [...new Map(kept.map((one) => [`${one.id} ${shortened(one.problem)}`, one])).values()]
      const rows = await tx.run(queries.keepViolations, [
        problems.map((one) => one.id),
        problems.map((one) => shortened(one.problem)),
        at,
      ])
      const numbers = rows.map((row) => row.number)
      // Of more than are kept nobody knows which are gone.
      if (violations.length <= MOST_KEPT) await tx.run(queries.endViolations, [at, numbers, [...whole]])
      await tx.run(queries.storeCheck, [at, tookMs])
      const broken = [...new Set(kept.map((one) => one.id))]
      if (rows.some((row) => !row.is_accepted)) await stopPayouts(tx, `an invariant is broken: ${broken.join(' ')}`)
      return rows.filter((row) => row.is_new && !row.is_accepted).length
    })
    if (newOnes === 0) return
    const told = kept.map(({ id, problem }) => `${id}: ${shortened(problem)}`)
    runtime.log.error({ violations: told, found: violations.length }, 'invariants are broken: payouts are stopped')
  }

  /** Looks, and keeps what was found. */
  async function look(sinceAt: number | null): Promise<Findings> {
    const sinceMs = runtime.steady.nowMs()
    const findings = await invariants.check(db, sinceAt)
    await keep(findings, sinceAt === null ? null : BigInt(Math.round(runtime.steady.nowMs() - sinceMs)))
    return findings
  }

  return {
    /**
     * Checks what has changed since the last time, unless another process just did, or the last check took so long that it
     * is too soon.
     *
     * @returns whether it was checked
     */
    async check(): Promise<boolean> {
      const claimed = await db.maybeOne(queries.claimCheck, [now(), LEAST_SECONDS, PAUSES])
      if (claimed === null) return false
      await look(claimed.checked_at === null ? now() - FIRST_SECONDS : claimed.checked_at - OVERLAP_SECONDS)
      return true
    },

    /** Checks everything, now. */
    checkAll: (): Promise<Findings> => look(null),

    /** How it stands: by invariant what stands that is not accepted and what is; when it was looked at last. */
    async status() {
      const check = await db.maybeOne(queries.findCheck, [])
      const rows = new Map((await db.run(queries.countStanding, [])).map((row) => [row.invariant, row]))
      return {
        checkedAt: check?.checked_at ?? null,
        tookSeconds: check === null ? null : Number(check.took_ms) / 1000,
        byId: new Map(
          [...new Set([...invariants.ids, ...rows.keys()])].map((id) => {
            const { standing = 0, accepted = 0 } = rows.get(id) ?? {}
            return [id, { standing, accepted }] as const
          }),
        ),
      }
    },
  }
}

function shortened(problem: string): string {
  return problem.length > LONGEST_PROBLEM ? `${problem.slice(0, LONGEST_PROBLEM)}…` : problem
}
