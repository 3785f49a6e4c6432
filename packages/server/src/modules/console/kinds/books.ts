import { acceptViolation, actFor } from '../../operator/service.ts'
import { lockMonth } from '../../reports/service.ts'
import { type RequestKind, said, withoutFacts } from './kind.ts'

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
