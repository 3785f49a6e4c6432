import type { Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import type { Tracked } from '../../ports/lightning/lightning-node.ts'
import { inFlight, lightning, networkFees, operatorFee, winnings } from '../ledger/accounts.ts'
import { type Move, postTransfer } from '../ledger/service.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { PayoutsContext } from './context.ts'
import { feeSats } from './lightning-fees.ts'
import * as queries from './lightning-queries.ts'
import { schedulePayouts } from './steps.ts'

// What the ledger says about payouts over Lightning (lightning.md, section 6). The caller has locked the payout.

export type LightningPayout = RowOf<typeof queries.lockLightningPayout>
export type OpenAttempt = RowOf<typeof queries.findOpenAttempt>

/** Books that an attempt paid: once, whichever process finds it. */
export async function bookPaid(
  ctx: Pick<PayoutsContext, 'runtime' | 'facts'>,
  tx: Tx,
  payout: LightningPayout,
  attempt: OpenAttempt,
  word: Extract<Tracked, { is: 'complete' }>,
): Promise<void> {
  const at = ctx.runtime.clock.now()
  const { preimage, sentMsat } = word
  const ended = {
    payoutId: payout.id,
    attempt: attempt.attempt,
    outcome: 'complete',
    now: at,
    preimage,
    sentMsat,
  } as const
  if ((await tx.execute(queries.endAttempt, ended)) === 0) return
  if ((await tx.execute(queries.markLightningSent, [payout.id, at])) === 0)
    throw new Error(`payout ${payout.id} was paid over Lightning, and is over`)
  await tx.execute(queries.moveLightning, { id: payout.id, from: [payout.state], to: 'PAID', nextAt: at, reason: null })
  const moves = [
    { from: inFlight, to: lightning, sats: payout.sats },
    feeMove(feeSats(sentMsat, attempt.amountMsat) - payout.feeShareSats),
  ]
  await postTransfer(tx, { event: 'payout.sent', subject: `ln:${attempt.paymentHash}`, at, moves })
  const { id: payoutId, playerId, address, sats, feeShareSats } = payout
  const way = { kind: 'lightning', hash: attempt.paymentHash } as const
  await ctx.facts.record(tx, 'payout.sent', { payoutId, playerId, address, sats: sats - feeShareSats, way })
  await ctx.facts.record(tx, 'payouts.done', {})
}

/**
 * Gives a payout up: what it would have paid is owed again, and goes another way or waits a day.
 *
 * @param reason for the operator
 */
export async function bookReturned(
  ctx: Pick<PayoutsContext, 'jobs'> & { readonly runtime: Pick<Runtime, 'clock'> },
  tx: Tx,
  payout: LightningPayout,
  reason: string,
): Promise<void> {
  const at = ctx.runtime.clock.now()
  if (
    (await tx.execute(queries.moveLightning, {
      id: payout.id,
      from: [payout.state],
      to: 'RETURNED',
      nextAt: at,
      reason,
    })) === 0
  )
    return
  await tx.execute(queries.cancelLightning, [payout.id, at])
  const moves = [{ from: inFlight, to: winnings(payout.playerId), sats: payout.sats }]
  await postTransfer(tx, { event: 'payout.cancelled', subject: `ln:${payout.id}`, at, moves })
  await schedulePayouts(ctx, tx)
  const runAt = at + RETURNED_SECONDS
  await ctx.jobs.add(tx, 'payouts.make', {}, { key: `payouts.make:${runAt}`, runAt })
}

/** How long a destination is left out after a payout to it was given up. */
export const RETURNED_SECONDS = 86_400

/** What a share leaves of itself is the operator's: network fees never turn into income (I2). */
function feeMove(sats: bigint): Move {
  return sats >= 0n ? { from: networkFees, to: lightning, sats } : { from: lightning, to: operatorFee, sats: -sats }
}
