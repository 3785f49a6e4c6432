import { isSameAddress, parseBtcAddress } from '@fairball/domain/btc-address'
import { LotteryError } from '@fairball/domain/errors'
import { CHANGED_ADDRESS_WAITS_SECONDS } from '@fairball/domain/periods'
import type { Queries, Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { LIMITS } from '../../kernel/limits.ts'
import {
  type Caller,
  endOtherSessions,
  issueKey,
  type LockedPlayer,
  lockPlayer,
  lookUpKey,
  mailAddressChanged,
  mailAddressChangeStopped,
  mailPayoutChangesStopped,
  noticeRecipients,
  revokeKeys,
  useKey,
} from '../identity/service.ts'
import type { PlayersContext } from './context.ts'
import { supersedeWaitingDestinations, supersedeWaitingPayFirst } from './destination-queries.ts'
import { revokeIdleKeys } from './payout-destination.ts'
import * as queries from './settings-queries.ts'

// The bitcoin address a player's winnings go to.

/** The address last saved, even while it waits; null before one is saved. */
export async function latestAddress(ctx: PlayersContext, playerId: bigint): Promise<string | null> {
  return (await ctx.db.maybeOne(queries.findLatestAddress, [playerId]))?.address ?? null
}

/** The address payouts go to at `at`; null while there is none. */
export async function usableAddress(from: Queries, playerId: bigint, at: number): Promise<string | null> {
  return (await from.maybeOne(queries.findUsableAddress, [playerId, at]))?.address ?? null
}

/** @throws LotteryError INVALID_BTC_ADDRESS */
export function assertAddress({ network }: Pick<PlayersContext, 'network'>, address: string): void {
  if (parseBtcAddress(address, network) === null) throw new LotteryError('INVALID_BTC_ADDRESS')
}

/**
 * Stores an address, with the player's row locked. The first one is used immediately, a changed one 24 hours after its
 * notice was handed over; until then payouts go to the one before. Another change in that time replaces the waiting one,
 * which is then never used; saving the address still in use cancels a change.
 *
 * An address at which we take payments is refused: what is paid to it would come in again.
 *
 * @throws LotteryError INVALID_BTC_ADDRESS
 */
export async function storeAddress(ctx: PlayersContext, tx: Tx, player: LockedPlayer, address: string): Promise<void> {
  if (await ctx.isOperatorAddress(tx, address)) throw new LotteryError('INVALID_BTC_ADDRESS')
  const nowAt = ctx.runtime.clock.now()
  const before = await tx.maybeOne(queries.findLatestAddress, [player.id])
  if (before !== null && isSameAddress(before.address, address)) return
  await tx.execute(queries.supersedeWaitingAddresses, [player.id, nowAt])
  await revokeIdleKeys(tx, player.id, nowAt)
  const inUse = await usableAddress(tx, player.id, nowAt)
  const usableFrom = inUse === null ? nowAt : nowAt + CHANGED_ADDRESS_WAITS_SECONDS
  if (inUse === null || !isSameAddress(inUse, address)) {
    await tellOfAddress(ctx, tx, player, await tx.one(queries.insertAddress, [player.id, nowAt, usableFrom, address]))
    return
  }
  for (const to of await noticeRecipients(tx, player, nowAt))
    await mailAddressChanged(ctx, tx, to, { address, stopKey: null })
}

/** Notifies about an address that was saved. It is used once this has been handed over: see `AddressSeals`. */
async function tellOfAddress(
  ctx: PlayersContext,
  tx: Tx,
  player: LockedPlayer,
  saved: RowOf<typeof queries.insertAddress>,
): Promise<void> {
  const { id: addressId, address } = saved
  const isWaiting = saved.usableFrom > saved.createdAt
  // Each has a link of its own; using one revokes the others' keys.
  for (const to of await noticeRecipients(tx, player, ctx.runtime.clock.now())) {
    const stopKey = isWaiting ? await issueKey(ctx, tx, 'stop_address_change', player.id, to.email) : null
    const proof = ctx.proofOfNotice(saved, to.email)
    await mailAddressChanged(ctx, tx, to, { address, stopKey, tellsOf: { addressId, proof } })
  }
}

/** Notifies about addresses without a mail so far: a never-verified mailbox has a daily limit. */
export async function tellOfUntoldAddresses(ctx: PlayersContext, tx: Tx, playerId: bigint): Promise<void> {
  const untold = await tx.run(queries.listUntoldAddresses, [playerId])
  const player = untold.length === 0 ? null : await tx.maybeOne(lockPlayer, [playerId])
  if (player !== null) for (const saved of untold) await tellOfAddress(ctx, tx, player, saved)
}

/** What waits is then never used, and no link has anything to stop. @returns how many of each waited: one or none */
async function takeBackWaiting(tx: Tx, playerId: bigint, nowAt: number) {
  await revokeKeys(tx, playerId, 'stop_address_change')
  const addresses = await tx.execute(queries.supersedeWaitingAddresses, [playerId, nowAt])
  const destinations = await tx.execute(supersedeWaitingDestinations, [playerId, nowAt])
  const others = destinations + (await tx.execute(supersedeWaitingPayFirst, [playerId, nowAt]))
  return { addresses, others }
}

/**
 * Cancels every change of how a player is paid that waits, with the key from the mail about one of them. The person who
 * made it may still be logged in, so every session ends.
 *
 * @throws LotteryError INVALID_KEY if the key is unknown or used, or the address is in use by now or was changed again;
 *   TOO_MANY_REQUESTS
 */
export async function stopAddressChange(ctx: PlayersContext, key: string, caller: Caller): Promise<void> {
  await ctx.rateLimits.check(LIMITS.wrongKeysOfAddress, caller.address)
  await ctx.db
    .transaction((tx) => stopWith(ctx, tx, key))
    .catch(async (error: unknown) => {
      if (error instanceof LotteryError && error.code === 'INVALID_KEY')
        await ctx.rateLimits.count(LIMITS.wrongKeysOfAddress, caller.address)
      throw error
    })
}

async function stopWith(ctx: PlayersContext, tx: Tx, key: string): Promise<void> {
  const { playerId } = await lookUpKey(ctx, tx, 'stop_address_change', key)
  const player = await tx.maybeOne(lockPlayer, [playerId])
  // Checked again under the lock: another change, or the same link, may have come first.
  await useKey(ctx, tx, 'stop_address_change', key)
  const waited = player === null ? null : await takeBackWaiting(tx, playerId, ctx.runtime.clock.now())
  if (player === null || waited === null || waited.addresses + waited.others === 0)
    throw new LotteryError('INVALID_KEY')
  await endOtherSessions(ctx, tx, playerId, null)
  await revokeKeys(tx, playerId, 'login_secure')
  const address = await usableAddress(tx, playerId, ctx.runtime.clock.now())
  for (const to of await noticeRecipients(tx, player, ctx.runtime.clock.now()))
    if (address !== null && waited.others === 0) await mailAddressChangeStopped(ctx, tx, to, address)
    else await mailPayoutChangesStopped(ctx, tx, to)
}

/** Deletes every address: the next one is a first one again, and used immediately. @returns how many there were */
export async function forgetAddresses(tx: Tx, playerId: bigint): Promise<number> {
  await revokeKeys(tx, playerId, 'stop_address_change')
  return (await tx.one(queries.removeAddresses, [playerId, 0n])).forgotten
}

/** Deletes, for a closed account, the addresses after the payout address; those before it are part of its seal. */
export async function forgetWaitingAddresses(ctx: PlayersContext, tx: Tx, playerId: bigint): Promise<void> {
  const inUse = await tx.maybeOne(queries.findUsableAddress, [playerId, ctx.runtime.clock.now()])
  await tx.one(queries.removeAddresses, [playerId, inUse?.id ?? 0n])
}
