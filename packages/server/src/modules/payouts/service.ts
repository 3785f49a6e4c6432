import type { Tx } from '../../db/pool.ts'
import { hasSeals, noteSealed } from './address-queries.ts'
import type { PayoutsContext } from './context.ts'
import * as queries from './queries.ts'
import { schedulePayouts } from './steps.ts'

export { bookCancelled } from './booking.ts'
export { batchState } from './queries.ts'
export { sumWaiting } from './returns-queries.ts'
export type { BatchState } from './steps.ts'
export { addStepAt } from './steps.ts'
export { stepFrom } from './steps.ts'

// Payouts: what is owed leaves for the addresses of players and partners, each satoshi once whatever crashes
// (payments.md section 5). Every step is a job that follows from the commit of the one before:
//
// make (what is owed is bound to a batch) → sign (the bytes are stored) → send (those bytes, as often as it takes) →
// confirm, until it is six blocks deep.

export { isInUseAt } from './address-queries.ts'
export { payFirstAt, usableDestinationAt } from './destination-queries.ts'
export { AddressSeals } from './address-seals.ts'
export type { DestinationSeals } from './destination-seals.ts'
export { type PayoutsContext, payoutsContext } from './context.ts'
export { payoutJobs } from './jobs.ts'
export { beginPartners, makePayouts } from './prizes.ts'
export { canBePaid, openMoney, type OpenMoney, payoutsOf, payoutsStatus } from './status.ts'
export { schedulePayouts, schedulePayoutsAt } from './steps.ts'
export { cancelBatch } from './cancelling.ts'
export { confirmBatch, sendBatch } from './sending.ts'
export { signBatch } from './signing.ts'
export { balanceOfPlayer, type OwedContext, type OwedItem, prizesOfPlays } from './owed.ts'
export { beginReconciling, reconcileWallet } from './wallet-checks.ts'
export type { LightningPayouts } from './lightning-context.ts'
export { bookReturned, type LightningPayout } from './lightning-booking.ts'
export { addLightningStep } from './lightning-making.ts'
export {
  endAttempt,
  findOpenAttempt,
  listOpenLightning,
  lockLightningPayout,
  moveLightning,
  startLightning,
} from './lightning-queries.ts'
export { beginLightningPayouts } from './lightning-watching.ts'

/**
 * Stops all payouts when this transaction commits. From then on nothing is made, signed or sent, in any process and
 * after any restart, until the operator allows it. An existing stop keeps its reason.
 */
export async function stopAll(tx: Tx, reason: string): Promise<void> {
  await tx.execute(queries.stopPayouts, [reason])
}

/** A notice about an address was handed over, or permanently refused: what waits for its seal may leave now. */
export async function sealToldAddress(ctx: PayoutsContext, tx: Tx, addressId: bigint): Promise<void> {
  if (await ctx.addressSeals.sealTold(tx, addressId, ctx.runtime)) await schedulePayouts(ctx, tx)
}

/** The same about a destination over Lightning. */
export async function sealToldDestination(ctx: PayoutsContext, tx: Tx, destinationId: bigint): Promise<void> {
  if (await ctx.addressSeals.destinations.sealTold(tx, destinationId, ctx.runtime)) await schedulePayouts(ctx, tx)
}

/** Seals, once, the addresses that were saved before there were seals. The older program notified their players. */
export async function beginSeals(ctx: PayoutsContext): Promise<void> {
  const sealed = await ctx.db.transaction(async (tx) => {
    const { hasSeals: hadSeals } = await tx.one(hasSeals, [])
    if ((await tx.execute(noteSealed, [String(ctx.runtime.clock.now())])) === 0) return 0
    if (!hadSeals) return await ctx.addressSeals.sealAll(tx)
    ctx.runtime.log.error('the note that payout addresses are sealed was taken away: none is sealed again')
    return 0
  })
  if (sealed > 0) ctx.runtime.log.info({ sealed }, 'payout addresses from before there were seals are sealed')
}
export {
  findOwedToPartners,
  findStop,
  haltBatch,
  listOpenBatches,
  listSetAside,
  lockBatch,
  moveBatch,
  STOPPED,
  stopPayouts,
} from './queries.ts'
