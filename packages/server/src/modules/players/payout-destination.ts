import { LotteryError } from '@fairball/domain/errors'
import { type LightningDestination, parseLightningDestination } from '@fairball/domain/lightning-destination'
import { CHANGED_ADDRESS_WAITS_SECONDS } from '@fairball/domain/periods'
import type { Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import type { PayeeLimits } from '../../ports/lightning/payee.ts'
import {
  issueKey,
  type LockedPlayer,
  lockPlayer,
  mailDestinationChanged,
  mailDestinationRemoved,
  mailPayFirstChanged,
  noticeRecipients,
  revokeKeys,
} from '../identity/service.ts'
import type { PlayersContext } from './context.ts'
import { limitsOf } from './destination-check.ts'
import * as queries from './destination-queries.ts'

// Where a player's winnings go over Lightning, and which way they go first.

/** A destination, with what it takes; `limits` is null for the one that was saved last, which is not looked at again. */
export interface CheckedDestination extends LightningDestination {
  readonly limits: PayeeLimits | null
}

/** @throws LotteryError INVALID_LIGHTNING_DESTINATION for a text that is no destination, or one that cannot be paid here */
export function readDestination(ctx: PlayersContext, text: string): LightningDestination {
  const refused = (reason: string): LotteryError => new LotteryError('INVALID_LIGHTNING_DESTINATION', reason)
  if (ctx.payees === null) throw refused('Winnings are not paid over Lightning here.')
  const destination = parseLightningDestination(text, ctx.ownHost)
  if (destination === null)
    throw refused('This is no Lightning address. It looks like an email address: name@wallet.com.')
  if (destination.kind === 'OFFER' && !ctx.payees.takesOffers)
    throw refused('Offers cannot be paid here. Please save a Lightning address.')
  return destination
}

/** Has a worker look at a destination that is not the one saved last. @throws as `limitsOf` */
export async function checked(
  ctx: PlayersContext,
  playerId: bigint,
  destination: LightningDestination,
): Promise<CheckedDestination> {
  const latest = await ctx.db.maybeOne(queries.findLatestDestination, [playerId])
  const limits = isSame(latest, destination) ? null : await limitsOf(ctx, playerId, destination)
  return { ...destination, limits }
}

/**
 * Stores a destination, with the player's row locked. The first one is used at once, any other 24 hours after its
 * notice was handed over; a removed one is no longer used, nor any before it, and the next is no first one.
 */
export async function storeDestination(
  ctx: PlayersContext,
  tx: Tx,
  player: LockedPlayer,
  destination: CheckedDestination,
): Promise<void> {
  const nowAt = ctx.runtime.clock.now()
  const before = await tx.maybeOne(queries.findLatestDestination, [player.id])
  if (isSame(before, destination)) return
  await tx.execute(queries.supersedeWaitingDestinations, [player.id, nowAt])
  await revokeIdleKeys(tx, player.id, nowAt)
  const inUse = await tx.maybeOne(queries.findUsableDestination, [player.id, nowAt])
  if (isSame(inUse, destination)) {
    for (const to of await noticeRecipients(tx, player, nowAt))
      await mailDestinationChanged(ctx, tx, to, { value: destination.value, stopKey: null })
    return
  }
  // It was the one saved last when it was looked at, and was removed since.
  if (destination.limits === null)
    throw new LotteryError('INVALID_LIGHTNING_DESTINATION', 'It was changed elsewhere. Please try again.')
  const { hadOne } = await tx.one(queries.hadDestination, [player.id])
  const { kind, value, limits } = destination
  const usableFrom = hadOne ? nowAt + CHANGED_ADDRESS_WAITS_SECONDS : nowAt
  const row = { playerId: player.id, createdAt: nowAt, usableFrom, ...limits, kind, value }
  await tellOfDestination(ctx, tx, player, await tx.one(queries.insertDestination, row))
}

/** Removes what was saved, also what waits, from now on. */
export async function removeDestination(ctx: PlayersContext, tx: Tx, player: LockedPlayer): Promise<void> {
  const nowAt = ctx.runtime.clock.now()
  const before = await tx.maybeOne(queries.findLatestDestination, [player.id])
  if (before === null) return
  await tx.execute(queries.supersedeDestinations, [player.id, nowAt])
  await revokeIdleKeys(tx, player.id, nowAt)
  for (const to of await noticeRecipients(tx, player, nowAt)) await mailDestinationRemoved(ctx, tx, to, before.value)
}

/** Stores which way a player is paid first. The first choice counts at once, a changed one after 24 hours. */
export async function storePayFirst(
  ctx: PlayersContext,
  tx: Tx,
  player: LockedPlayer,
  payFirst: 'LIGHTNING' | 'ONCHAIN',
): Promise<void> {
  const nowAt = ctx.runtime.clock.now()
  const before = await tx.maybeOne(queries.findLatestPayFirst, [player.id])
  if (before?.payFirst === payFirst) return
  await tx.execute(queries.supersedeWaitingPayFirst, [player.id, nowAt])
  await revokeIdleKeys(tx, player.id, nowAt)
  const inForce = await tx.maybeOne(queries.findLatestPayFirst, [player.id])
  const waits = inForce !== null && inForce.payFirst !== payFirst
  if (inForce?.payFirst !== payFirst) {
    const usableFrom = waits ? nowAt + CHANGED_ADDRESS_WAITS_SECONDS : nowAt
    await tx.execute(queries.insertPayFirst, [player.id, nowAt, usableFrom, payFirst])
  }
  for (const to of await noticeRecipients(tx, player, nowAt)) {
    const stopKey = waits ? await issueKey(ctx, tx, 'stop_address_change', player.id, to.email) : null
    await mailPayFirstChanged(ctx, tx, to, { payFirst, stopKey })
  }
}

/** Links that stop a change end with the last change that waits. */
export async function revokeIdleKeys(tx: Tx, playerId: bigint, nowAt: number): Promise<void> {
  const { hasOne } = await tx.one(queries.hasWaitingChange, [playerId, nowAt])
  if (!hasOne) await revokeKeys(tx, playerId, 'stop_address_change')
}

/** Notifies about a destination that was saved. It is used once this has been handed over: see `SealChain`. */
async function tellOfDestination(
  ctx: PlayersContext,
  tx: Tx,
  player: LockedPlayer,
  saved: RowOf<typeof queries.insertDestination>,
): Promise<void> {
  const { id: destinationId, value } = saved
  const isWaiting = saved.usableFrom > saved.createdAt
  for (const to of await noticeRecipients(tx, player, ctx.runtime.clock.now())) {
    const stopKey = isWaiting ? await issueKey(ctx, tx, 'stop_address_change', player.id, to.email) : null
    const proof = ctx.proofOfDestinationNotice(saved, to.email)
    await mailDestinationChanged(ctx, tx, to, { value, stopKey, tellsOf: { destinationId, proof } })
  }
}

/** Notifies about destinations without a mail so far: a never-verified mailbox has a daily limit. */
export async function tellOfUntoldDestinations(ctx: PlayersContext, tx: Tx, playerId: bigint): Promise<void> {
  const untold = await tx.run(queries.listUntoldDestinations, [playerId])
  const player = untold.length === 0 ? null : await tx.maybeOne(lockPlayer, [playerId])
  if (player !== null) for (const saved of untold) await tellOfDestination(ctx, tx, player, saved)
}

/** Deletes every destination and choice: the next ones are first ones again. @returns how many destinations there were */
export async function forgetDestinations(tx: Tx, playerId: bigint): Promise<number> {
  await tx.execute(queries.removePayFirst, [playerId, -1])
  return (await tx.one(queries.removeDestinations, [playerId, 0n])).forgotten
}

/** Deletes, for a closed account, what waits; what is in use is needed for what is still owed. */
export async function forgetWaitingDestinations(ctx: PlayersContext, tx: Tx, playerId: bigint): Promise<void> {
  const nowAt = ctx.runtime.clock.now()
  const inUse = await tx.maybeOne(queries.findUsableDestination, [playerId, nowAt])
  await tx.one(queries.removeDestinations, [playerId, inUse?.id ?? 0n])
  await tx.execute(queries.removePayFirst, [playerId, nowAt])
}

function isSame(one: LightningDestination | null, other: LightningDestination): boolean {
  return one !== null && one.kind === other.kind && one.value === other.value
}
