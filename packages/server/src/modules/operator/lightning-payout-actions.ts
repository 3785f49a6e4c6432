import type { Tx } from '../../db/pool.ts'
import { Refused } from '../../kernel/errors.ts'
import {
  addLightningStep,
  bookReturned,
  endAttempt,
  findOpenAttempt,
  type LightningPayout,
  lockLightningPayout,
  moveLightning,
  startLightning,
} from '../payouts/service.ts'
import { act, type OperatorContext } from './action.ts'

// The operator's manual actions on payouts over Lightning. Like those on batches they only change a state.

async function payoutOf(tx: Tx, payoutId: bigint): Promise<LightningPayout> {
  const payout = await tx.maybeOne(lockLightningPayout, [payoutId])
  if (payout === null) throw new Refused(`There is no payout ${payoutId} over Lightning.`)
  return payout
}

/** Lets a large payout over Lightning leave. @throws Refused */
export function approveLightning(ctx: OperatorContext, payoutId: bigint): Promise<string> {
  return act(ctx, 'payouts-approve', `ln:${payoutId}`, async (tx) => {
    const { state } = await payoutOf(tx, payoutId)
    if (state !== 'WAITING_APPROVAL') throw new Refused(`Payout ln:${payoutId} is ${state}: it waits for no approval.`)
    const now = ctx.runtime.clock.now()
    await tx.execute(startLightning, [payoutId, now])
    await addLightningStep(ctx, tx, payoutId, now)
    return `Payout ln:${payoutId} is approved.`
  })
}

/** Resumes a halted payout where it was, or immediately checks one that waits. @throws Refused */
export function retryLightning(ctx: OperatorContext, payoutId: bigint): Promise<string> {
  return act(ctx, 'payouts-retry', `ln:${payoutId}`, async (tx) => {
    const { state, haltedFrom } = await payoutOf(tx, payoutId)
    if (state === 'WAITING_APPROVAL') throw new Refused(`Payout ln:${payoutId} waits for approval.`)
    if (state === 'PAID' || state === 'RETURNED') throw new Refused(`Payout ln:${payoutId} is ${state}.`)
    const now = ctx.runtime.clock.now()
    const next = haltedFrom ?? state
    await tx.execute(moveLightning, { id: payoutId, from: [state], to: next, nextAt: now, reason: null })
    await addLightningStep(ctx, tx, payoutId, now)
    return `Payout ln:${payoutId} continues as ${next}.`
  })
}

/**
 * Gives a payout up by the operator's word alone, for a node that will never answer again: the money is owed again, and
 * leaves another way. If the payment arrives after all, it was made twice.
 *
 * @throws Refused
 */
export function giveUpLightning(ctx: OperatorContext, payoutId: bigint): Promise<string> {
  return act(ctx, 'lightning-give-up', String(payoutId), async (tx) => {
    const payout = await payoutOf(tx, payoutId)
    if (payout.state === 'PAID' || payout.state === 'RETURNED')
      throw new Refused(`Payout ln:${payoutId} is ${payout.state}.`)
    const attempt = await tx.maybeOne(findOpenAttempt, [payoutId])
    const now = ctx.runtime.clock.now()
    if (attempt !== null) {
      const ended = { outcome: 'none', now, preimage: null, sentMsat: null } as const
      await tx.execute(endAttempt, { payoutId, attempt: attempt.attempt, ...ended })
    }
    await bookReturned(ctx, tx, payout, 'given up by the operator')
    const hash = attempt === null ? '' : ` Its invoice had the hash ${attempt.paymentHash}.`
    return `Payout ln:${payoutId} is given up: what it held is owed again.${hash}`
  })
}
