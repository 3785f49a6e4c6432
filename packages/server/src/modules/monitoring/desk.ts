import type { Db } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import * as queries from './queries.ts'

/** What the operator asked for cannot be done now. The message says why. */
export class MonitoringRefusal extends Error {
  override readonly name = 'MonitoringRefusal'
}

export type StandingViolation = RowOf<typeof queries.listStanding>

/** More than anybody reads at once. */
const MOST_LISTED = 1000n

/** What an operator does by hand about broken invariants. */
export function createMonitoringDesk(deps: { db: Db; runtime: Pick<Runtime, 'clock'>; actor: string }) {
  const { db, runtime } = deps

  return {
    /** What stands, the oldest first, what was accepted with it. */
    async list(): Promise<{ checkedAt: number | null; standing: StandingViolation[] }> {
      const check = await db.maybeOne(queries.findCheck, [])
      return { checkedAt: check?.checked_at ?? null, standing: await db.run(queries.listStanding, [MOST_LISTED]) }
    },

    /**
     * Takes one for known: it holds up payouts no more. Whether they go on is another command.
     *
     * @throws MonitoringRefusal
     */
    async accept(number: bigint): Promise<string> {
      return await db.transaction(async (tx) => {
        const accepted = await tx.maybeOne(queries.acceptViolation, [number, runtime.clock.now()])
        if (accepted === null) throw new MonitoringRefusal(`Nothing that stands has the number ${number}.`)
        const detail = `${accepted.invariant}: ${accepted.problem}`
        await tx.run(queries.insertAction, [
          runtime.clock.now(),
          deps.actor,
          'invariants-accept',
          String(number),
          detail,
        ])
        return `Accepted: ${detail}. payouts-retry all lets payouts go on.`
      })
    },
  }
}
