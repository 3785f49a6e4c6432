import { acceptViolation, act, actFor } from '../../operator/service.ts'
import { lockMonth } from '../../reports/service.ts'
import { type RequestKind, said, withoutFacts } from './kind.ts'

/** The kind of the job that checks every invariant. */
export const CHECK_INVARIANTS = 'health.check-invariants'

export const lockPeriod: RequestKind<'periods.lock'> = {
  facts: withoutFacts,
  async carryOut({ ctx, operator, requestId }, { month }) {
    const { journal_hash: hash } = await actFor(operator, 'periods-lock', month, async (tx) => {
      const lock = await lockMonth(ctx.runtime, tx, month, requestId)
      return [lock, `${month} is locked; its journal has the hash ${lock.journal_hash}.`] as const
    })
    return { text: `${month} is locked.`, journal_hash: hash }
  },
}

export const acceptFinding: RequestKind<'invariants.accept'> = {
  facts: withoutFacts,
  carryOut: ({ operator }, { number }) => said(acceptViolation(operator, BigInt(number))),
}

/** Looks at everything in a job of its own, since it takes as long as the books are. */
export const checkInvariantsNow: RequestKind<'invariants.check'> = {
  facts: withoutFacts,
  carryOut: ({ ctx, operator }) =>
    said(
      act(operator, 'invariants-check', 'all', async (tx) => {
        await ctx.jobs.add(tx, CHECK_INVARIANTS, {}, { key: CHECK_INVARIANTS })
        return 'Every invariant is being checked on everything. What breaks one becomes an alarm.'
      }),
    ),
}

/** Somebody has seen an alarm; it stays as long as its cause does. */
export const acknowledgeAlarm: RequestKind<'alarms.acknowledge'> = {
  facts: withoutFacts,
  carryOut: ({ operator }, { alarm }) =>
    said(act(operator, 'alarms-acknowledge', alarm, async () => `The alarm ${alarm} was seen.`)),
}
