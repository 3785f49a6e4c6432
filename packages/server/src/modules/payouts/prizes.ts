import type { Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { isEnough, LARGE_PAYOUT, type Owed, payableTo, type PayoutLimits, planBatch } from './batch.ts'
import type { PayoutsContext } from './context.ts'
import { type LightningRoom, makeLightning } from './lightning-making.ts'
import { addBatch } from './making.ts'
import * as sums from './owed-sums-queries.ts'
import * as queries from './queries.ts'
import { scheduleReturns } from './returns.ts'
import { schedulePayouts } from './steps.ts'

/** The place before the first of them. */
const BEFORE_ALL = { firstId: 0n, playerId: 0n }

/** What is owed and can be paid now. */
interface Payable {
  /** partners first, then the addresses that have waited longest */
  readonly owed: readonly Owed[]
  /** whether nobody else was left to look at */
  readonly isAll: boolean
}

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

/**
 * The prizes that can be paid at a moment, until they are enough for a batch. Players whose prizes cannot be paid are
 * passed over until something about them changes.
 */
async function findOwed(ctx: PayoutsContext, tx: Tx, at: number, limits: PayoutLimits): Promise<Payable> {
  const most = BigInt(ctx.mostPlayers)
  const partners = await findOwedToPartners(ctx, tx)
  const players = new Map<bigint, Owed>()
  for (let last = BEFORE_ALL; ;) {
    const rows = await tx.run(sums.findOwedToPlayers, {
      at,
      most,
      firstId: last.firstId,
      playerId: last.playerId,
    })
    for (const one of byAddress(rows)) players.set(one.payee.playerId, one)
    const owed = [...partners, ...players.values()]
    const payable = payableTo(owed, ctx.network)
    const next = rows.filter((row) => row.isNext)
    const passed = next.filter(
      ({ playerId, sats, address }) => !payable.has(playerId) && (address === null || sats > 0n),
    )
    if (passed.length > 0)
      await tx.run(sums.passOver, [passed.map(({ playerId }) => playerId), passed.map(({ changes }) => changes), at])
    for (const { playerId } of passed) players.delete(playerId)
    const end = next.at(-1)
    if (end === undefined || BigInt(next.length) < most) return { owed, isAll: true }
    if (isEnough(owed, ctx.network, limits)) return { owed, isAll: false }
    last = end
  }
}

/** What is owed to players, all at one address together, the address first at which somebody has waited longest. */
function byAddress(rows: readonly RowOf<typeof sums.findOwedToPlayers>[]) {
  const owed = rows.flatMap(({ playerId, address, payableIds, sats }) =>
    address === null || sats === 0n ? [] : [{ payee: { playerId }, address, payableIds, sats }],
  )
  // The rows are in the order of their oldest payables, so the groups are too.
  return [...Map.groupBy(owed, ({ address }) => address).values()].flatMap((group) =>
    group.toSorted((one, other) => (one.payee.playerId < other.payee.playerId ? -1 : 1)),
  )
}

async function findOwedToPartners(ctx: PayoutsContext, tx: Tx): Promise<Owed[]> {
  const partners = await tx.run(queries.findOwedToPartners, [])
  const addresses = ctx.partnerAddresses()
  const aside = new Set((await tx.run(queries.listAddressesAside, [])).map(({ address }) => address))
  return partners.flatMap(({ partnerId, payableIds, sats }) => {
    const address = addresses.get(partnerId)
    if (address === undefined || aside.has(address) || aside.has(address.toLowerCase())) return []
    return [{ payee: { partnerId }, address, payableIds, sats }]
  })
}

/** Whether a player's prizes will be paid, by the next batch or a later one. */
export async function canPrizesBePaid(ctx: PayoutsContext, tx: Tx, playerId: bigint): Promise<boolean> {
  const rows = await tx.run(sums.findPrizesBeside, [ctx.runtime.clock.now(), playerId])
  const players = rows.map((row) => ({
    payee: { playerId: row.playerId },
    address: row.address,
    payableIds: [],
    sats: row.sats,
  }))
  const partners = players.length === 0 ? [] : await findOwedToPartners(ctx, tx)
  return payableTo([...partners, ...players], ctx.network).has(playerId)
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
