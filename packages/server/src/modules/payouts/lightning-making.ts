import type { Tx } from '../../db/pool.ts'
import { inFlight, winnings } from '../ledger/accounts.ts'
import { postTransfer } from '../ledger/service.ts'
import { LARGE_PAYOUT } from './batch.ts'
import type { PayoutsContext } from './context.ts'
import { RETURNED_SECONDS } from './lightning-booking.ts'
import type { LightningLimits, LightningPayouts } from './lightning-context.ts'
import { lightningShare } from './lightning-fees.ts'
import * as lightningQueries from './lightning-queries.ts'
import { takeUp } from './making.ts'
import { returnLimitOf } from './returns-plan.ts'
import type { RowOf } from '../../db/sql.ts'

/** Players looked at together. */
const MOST_PLAYERS = 500
const DAY_SECONDS = 86_400
const MSAT = 1_000n
const MANY_RETURNS = 'more refunds and excess in a day than the limit'

type Owed = RowOf<typeof lightningQueries.findOwedOverLightning>

/** A planned payout over Lightning; amounts in sats. */
interface PlannedLightning {
  /** of refunds and excess; 0 if they wait */
  readonly returnSats: bigint
  readonly sats: bigint
  /** the part of it that its payment may cost */
  readonly shareSats: bigint
}

/** What decides whether a player's money goes over Lightning: sums in sats, the destination's limits in msat. */
type OwedSums = Pick<Owed, 'prizeSats' | 'returnSats' | 'minMsat' | 'maxMsat'>

/** The room of a node: what it can send, in msat. */
export interface LightningRoom {
  readonly sendableMsat: bigint
}

/**
 * Makes payouts over Lightning, in the transaction of `lockMaking`: for each player who is paid that way first, all
 * that is owed. What does not fit the destination or the limits is left to the chain.
 *
 * @param room what the node can send now; null while it is not fit: then nothing is made
 */
export async function makeLightning(ctx: PayoutsContext, tx: Tx, room: LightningRoom | null): Promise<void> {
  const { lightning } = ctx
  if (lightning === null || room === null) return
  const limits = lightning.limits()
  if (limits.maxSats === 0n) return
  const at = ctx.runtime.clock.now()
  for (let afterId: bigint | null = 0n; afterId !== null;) {
    const look = { at, returnedSince: at - RETURNED_SECONDS, afterId, most: BigInt(MOST_PLAYERS) }
    const rows: Owed[] = await tx.run(lightningQueries.findOwedOverLightning, look)
    for (const owed of rows) {
      const planned = planLightning(owed, limits)
      if (planned !== null) await addPlanned({ ...ctx, lightning }, tx, { ...planned, owed }, { at, room })
    }
    afterId = rows.length < MOST_PLAYERS ? null : (rows.at(-1)?.firstId ?? null)
  }
}

/**
 * What of a player's money goes over Lightning: all of it, or all prizes where refunds and excess are less than their
 * share; null if it fits neither the destination nor the limits.
 */
export function planLightning(owed: OwedSums, limits: Pick<LightningLimits, 'maxSats'>): PlannedLightning | null {
  const share = lightningShare(owed.returnSats)
  const hasReturns = owed.returnSats > share
  const returnSats = hasReturns ? owed.returnSats : 0n
  const sats = owed.prizeSats + returnSats
  const shareSats = hasReturns ? share : 0n
  const amountMsat = (sats - shareSats) * MSAT
  if (amountMsat <= 0n || sats > limits.maxSats) return null
  if (amountMsat < owed.minMsat || amountMsat > owed.maxMsat) return null
  return { returnSats, sats, shareSats }
}

/** One payout, or two: refunds and excess that a person has to approve hold up no prize. */
async function addPlanned(
  ctx: PayoutsContext & { readonly lightning: LightningPayouts },
  tx: Tx,
  planned: PlannedLightning & { readonly owed: Owed },
  { at, room }: { readonly at: number; readonly room: LightningRoom },
): Promise<void> {
  const { owed } = planned
  const reason = await reasonToWait(ctx, tx, planned, { at, room })
  const prizes = { ...owed, returnSats: 0n, returnIds: [] }
  const alone = reason === MANY_RETURNS ? planLightning(prizes, ctx.lightning.limits()) : null
  if (alone === null) return await addLightning(ctx, tx, { ...planned, owed, at, reason })
  await addLightning(ctx, tx, { ...alone, owed: prizes, at, reason: null })
  const returns = { ...owed, prizeSats: 0n, prizeIds: [] }
  const waiting = planLightning(returns, ctx.lightning.limits())
  if (waiting !== null) await addLightning(ctx, tx, { ...waiting, owed: returns, at, reason })
}

async function addLightning(
  ctx: PayoutsContext,
  tx: Tx,
  planned: PlannedLightning & { readonly owed: Owed; readonly at: number; readonly reason: string | null },
): Promise<void> {
  const { owed, sats, shareSats, returnSats, at, reason } = planned
  const payableIds = [...owed.prizeIds, ...(returnSats > 0n ? owed.returnIds : [])]
  const { playerId, value: address, destinationId } = owed
  const payout = { playerId, sats, feeShareSats: shareSats, at, address, destinationId, reason }
  const { id } = await tx.one(lightningQueries.insertLightningPayout, payout)
  await takeUp(tx, [{ id, payableIds }])
  const moves = [{ from: winnings(playerId), to: inFlight, sats }]
  await postTransfer(tx, { event: 'payout.made', subject: String(id), at, moves })
  if (reason === null) await addLightningStep(ctx, tx, id, at)
  else
    ctx.runtime.log.error(
      { payoutId: String(id), reason },
      'a payout over Lightning waits for approval: payouts-approve',
    )
}

/** Why a person has to approve a payout before it leaves; null if that is not needed. */
async function reasonToWait(
  ctx: PayoutsContext & { readonly lightning: LightningPayouts },
  tx: Tx,
  { sats, returnSats }: PlannedLightning,
  { at, room }: { readonly at: number; readonly room: LightningRoom },
): Promise<string | null> {
  const { approvalSats } = ctx.limits()
  if (approvalSats !== null && sats > approvalSats) return LARGE_PAYOUT
  // In the demo refunds leave at once, and without daily limits.
  if (returnSats === 0n || ctx.returnSeconds === 0) return null
  const { sats: returned } = await tx.one(lightningQueries.sumReturnedOverLightning, [at - DAY_SECONDS])
  const floatSats = ctx.lightning.limits().floatSats ?? room.sendableMsat / MSAT + returned
  return returned + returnSats > returnLimitOf(floatSats) ? MANY_RETURNS : null
}

/** Schedules the next step of a payout over Lightning. The key has the moment: a running step asks for the next one. */
export async function addLightningStep(
  ctx: Pick<PayoutsContext, 'jobs'>,
  tx: Tx,
  payoutId: bigint,
  runAt: number,
): Promise<void> {
  await ctx.jobs.add(
    tx,
    'lightning.step',
    { payoutId: String(payoutId) },
    { key: `lightning.step:${payoutId}:${runAt}`, runAt },
  )
}
