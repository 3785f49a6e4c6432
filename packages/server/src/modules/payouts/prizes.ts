import type { Tx } from '../../db/pool.ts'
import { LARGE_PAYOUT, LEAST_DUST_SATS, type Owed, type PayoutLimits, planBatch } from './batch.ts'
import type { PayoutsContext } from './context.ts'
import { type LightningRoom, makeLightning } from './lightning-making.ts'
import { addBatch } from './making.ts'
import * as queries from './queries.ts'
import { scheduleReturns } from './returns.ts'
import { schedulePayouts } from './steps.ts'

/** The place before the first of them. */
const BEFORE_ALL = { addressFirstId: 0n, address: '', playerId: 0n }

/**
 * Makes the payouts over Lightning, and one batch of the prizes that are owed beside them and can be paid now, and
 * schedules returns if some wait; null if there is no such prize, or payouts are stopped.
 *
 * @param room what the Lightning node can send now; null for nothing
 */
export async function makePayouts(
  ctx: PayoutsContext,
  tx: Tx,
  room: LightningRoom | null = null,
): Promise<bigint | null> {
  // The second worker waits here and then reads what the first one has taken.
  await tx.run(queries.lockMaking, [])
  if ((await tx.maybeOne(queries.findStop, [])) !== null) return null
  await makeLightning(ctx, tx, room)
  await scheduleReturns(ctx, tx)
  const at = ctx.runtime.clock.now()
  const limits = ctx.limits()
  const { owed, isAll } = await findOwed(ctx, tx, at, limits)
  const { payouts, hasMore, needsApproval } = planBatch(owed, ctx.network, limits)
  if (payouts.length === 0) {
    await ctx.facts.record(tx, 'payouts.done', {})
    return null
  }
  const approvalReason = needsApproval ? LARGE_PAYOUT : null
  const batchId = await addBatch(ctx, tx, { at, class: 'prizes', payouts, feeRate: null, approvalReason })
  if (hasMore || !isAll) await schedulePayouts(ctx, tx)
  return batchId
}

/** The prizes owed at a moment, until some of them can be paid. */
export async function findOwed(
  ctx: PayoutsContext,
  tx: Tx,
  at: number,
  limits: PayoutLimits,
): Promise<{ owed: Owed[]; isAll: boolean }> {
  const most = BigInt(ctx.mostPlayers)
  let owed = await findOwedToPartners(ctx, tx)
  for (let last = BEFORE_ALL; ;) {
    const page = await tx.run(queries.findOwedToPlayers, {
      at,
      leastSats: LEAST_DUST_SATS,
      most,
      firstId: last.addressFirstId,
      address: last.address,
      playerId: last.playerId,
    })
    owed = [
      ...owed,
      ...page.map((row) => ({
        payee: { playerId: row.playerId },
        address: row.address,
        payableIds: row.payableIds,
        sats: row.sats,
      })),
    ]
    const end = page.at(-1)
    if (end === undefined || BigInt(page.length) < most) return { owed, isAll: true }
    if (planBatch(owed, ctx.network, limits).payouts.length > 0) return { owed, isAll: false }
    last = end
    // Others at this address may follow; the rest cannot be paid.
    owed = owed.filter(({ address }) => address === last.address)
  }
}

async function findOwedToPartners(ctx: PayoutsContext, tx: Tx): Promise<Owed[]> {
  const partners = await tx.run(queries.findOwedToPartners, [])
  const addresses = ctx.partnerAddresses()
  const aside = new Set(
    (await tx.run(queries.listSetAside, [])).flatMap((one) => (one.playerId === null ? [one.address] : [])),
  )
  return partners.flatMap(({ partnerId, payableIds, sats }) => {
    const address = addresses.get(partnerId)
    if (address === undefined || aside.has(address) || aside.has(address.toLowerCase())) return []
    return [{ payee: { partnerId }, address, payableIds, sats }]
  })
}

/**
 * Schedules the payment of what is owed to partners that have an address. One may have come with this start's content
 * file, or with a setting that is in force now: otherwise its share would wait for the next win.
 */
export async function beginPartners(ctx: PayoutsContext): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if ((await findOwedToPartners(ctx, tx)).length > 0) await schedulePayouts(ctx, tx)
  })
}
