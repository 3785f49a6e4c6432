import { isSameAddress } from '@fairball/domain/btc-address'
import { listBatchPayees } from './address-queries.ts'
import type { Refusal } from './address-seals.ts'
import type { PayoutsContext } from './context.ts'

/** A payout that must not be signed as planned, and the reason. */
interface RefusedPayout extends Refusal {
  readonly payoutId: bigint
  /** null for a partner's */
  readonly playerId: bigint | null
  readonly address: string
}

/**
 * The payouts of a batch that must not be signed as planned: a player's address must have the seals of the notices to
 * the player, a partner's must be the one in force. Two statements per batch.
 */
export async function refusedPayouts(ctx: PayoutsContext, batchId: bigint): Promise<RefusedPayout[]> {
  const nowAt = ctx.runtime.clock.now()
  const payees = await ctx.db.run(listBatchPayees, [batchId])
  const toPlayers = payees.flatMap(({ id, playerId, address, createdAt: madeAt }) =>
    playerId === null ? [] : [{ payoutId: id, playerId, address, at: Math.min(madeAt, nowAt) }],
  )
  const refusals = await ctx.addressSeals.refused(ctx.db, toPlayers)
  const refusalOf = ({ id, playerId, partnerId, address }: (typeof payees)[number]): Refusal | null => {
    if (playerId !== null) return refusals.get(id) ?? null
    const wanted = partnerId === null ? undefined : ctx.partnerAddresses().get(partnerId)
    const isWanted = wanted !== undefined && isSameAddress(wanted, address)
    if (isWanted) return null
    return { isTampered: false, reason: `is not the address in force of partner ${partnerId}` }
  }
  return payees.flatMap((payee) => {
    const refusal = refusalOf(payee)
    if (refusal === null) return []
    return [{ ...refusal, payoutId: payee.id, playerId: payee.playerId, address: payee.address }]
  })
}
