import type { RowOf } from '../../db/sql.ts'
import { Refused } from '../../kernel/errors.ts'
import { findCheck } from '../monitoring/service.ts'
import { actFor, type OperatorContext } from './action.ts'
import * as queries from './invariant-queries.ts'

// What an operator does by hand about broken invariants.

export type StandingViolation = RowOf<typeof queries.listStanding>

/** More than anybody reads at once. */
const MAX_LISTED = 1000n

/** What stands, the oldest first, what was accepted with it. */
export async function listViolations(
  ctx: OperatorContext,
): Promise<{ checkedAt: number | null; standing: StandingViolation[] }> {
  const check = await ctx.db.maybeOne(findCheck, [])
  return { checkedAt: check?.checkedAt ?? null, standing: await ctx.db.run(queries.listStanding, [MAX_LISTED]) }
}

/**
 * Takes one for known: it holds up payouts no more. Whether they go on is another command.
 *
 * @throws Refused
 */
export function acceptViolation(ctx: OperatorContext, number: bigint): Promise<string> {
  return actFor(ctx, 'invariants-accept', String(number), async (tx) => {
    const accepted = await tx.maybeOne(queries.acceptViolation, [number, ctx.runtime.clock.now()])
    if (accepted === null) throw new Refused(`Nothing that stands has the number ${number}.`)
    const detail = `${accepted.invariant}: ${accepted.problem}`
    return [`Accepted: ${detail}. payouts-retry all lets payouts go on.`, detail]
  })
}
