import type { RowOf } from '../../db/sql.ts'
import { Refused } from '../../kernel/errors.ts'
import { findCheck } from '../monitoring/service.ts'
import { actFor, type OperatorContext } from './action.ts'
import * as queries from './invariant-queries.ts'

// The operator's manual actions on broken invariants.

export type StandingViolation = RowOf<typeof queries.listStanding>

/** More than anyone reads at once. */
const MAX_LISTED = 1000n

/** The present findings, oldest first, including accepted ones. */
export async function listViolations(
  ctx: OperatorContext,
): Promise<{ checkedAt: number | null; standing: StandingViolation[] }> {
  const check = await ctx.db.maybeOne(findCheck, [])
  return { checkedAt: check?.checkedAt ?? null, standing: await ctx.db.run(queries.listStanding, [MAX_LISTED]) }
}

/**
 * Accepts a finding: it no longer holds up payouts. Another command lets them continue.
 *
 * @throws Refused
 */
export function acceptViolation(ctx: OperatorContext, number: bigint): Promise<string> {
  return actFor(ctx, 'invariants-accept', String(number), async (tx) => {
    const accepted = await tx.maybeOne(queries.acceptViolation, [number, ctx.runtime.clock.now()])
    if (accepted === null) throw new Refused(`Nothing that stands has the number ${number}.`)
    const detail = `${accepted.invariant}: ${accepted.problem}`
    return [`Accepted: ${detail}. payouts-retry all resumes payouts.`, detail]
  })
}
