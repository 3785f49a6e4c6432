import type { Queries, Tx } from '../../db/pool.ts'
import { Refused } from '../../kernel/errors.ts'
import { exported } from '../../kernel/personal-data.ts'
import { endOtherSessions, type IdentityContext, lockPlayer } from '../identity/service.ts'
import { schedulePayoutsAt } from '../payouts/service.ts'
import type { SaferPlayContext } from '../safer-play/service.ts'
import * as queries from './hold-queries.ts'

// What the operator keeps a player from, for a time. Who holds asks with one signature, who ends it early with two; so no
// hold replaces another: several last until the last of them ends.

const LONGEST_PAYOUTS_SECONDS = 30 * 86_400
const BLOCKS = ['buy', 'sign-in']

/** What holding a player needs. */
export type HoldsContext = IdentityContext & Pick<SaferPlayContext, 'endUncovered'>

/** A hold that is asked for. */
interface Wanted {
  readonly playerId: bigint
  readonly reason: string
  /** the request of the staff that asks for it */
  readonly requestId: string
}

/**
 * Keeps a player from buying, or from buying and logging in. Orders that no payment covers end at once, and what arrives
 * for them is refunded. Paid plays stay in their draws, and wins are paid.
 *
 * @param wanted.until epoch seconds; null until it is lifted
 * @returns the player's name
 * @throws Refused
 */
export async function blockPlayer(
  ctx: HoldsContext,
  tx: Tx,
  wanted: Wanted & { readonly what: 'buy' | 'sign-in'; readonly until: number | null },
): Promise<string> {
  const { playerId, what, until, reason, requestId } = wanted
  const { username } = await openAccount(tx, playerId)
  const now = ctx.runtime.clock.now()
  assertAhead(until, now)
  await tx.one(queries.insertHold, { playerId, kind: what, now, until, reason, requestId, isTold: true })
  await ctx.endUncovered(tx, playerId, { because: 'BLOCKED' }, now)
  if (what === 'sign-in') await endOtherSessions(ctx, tx, playerId, null)
  return username
}

/** Ends the blocks of a player. @returns the player's name @throws Refused if there is none */
export async function unblockPlayer(
  { runtime }: Pick<HoldsContext, 'runtime'>,
  tx: Tx,
  { playerId, requestId }: Pick<Wanted, 'playerId' | 'requestId'>,
): Promise<string> {
  const { username } = await openAccount(tx, playerId)
  if ((await tx.execute(queries.liftHolds, [playerId, BLOCKS, runtime.clock.now(), requestId])) === 0)
    throw new Refused('This player is not blocked.')
  return username
}

/**
 * Keeps what is owed to a player out of payouts, for 30 days at most. It stays owed, and in the statement of solvency.
 *
 * @param wanted.isTold whether the player gets a message
 * @returns the player's name
 * @throws Refused
 */
export async function holdPayoutsOf(
  ctx: HoldsContext,
  tx: Tx,
  wanted: Wanted & { readonly until: number; readonly isTold: boolean },
): Promise<string> {
  const { playerId, until, reason, requestId, isTold } = wanted
  const { username } = await openAccount(tx, playerId)
  const now = ctx.runtime.clock.now()
  assertAhead(until, now)
  if (until > now + LONGEST_PAYOUTS_SECONDS) throw new Refused('Payouts are held for 30 days at most, at a time.')
  const { id } = await tx.one(queries.insertHold, { playerId, kind: 'payouts', now, until, reason, requestId, isTold })
  await schedulePayoutsAt(ctx, tx, { at: until, name: `hold-${id}` })
  if (isTold) await ctx.facts.record(tx, 'payouts.held', { playerId, holdId: id, until })
  return username
}

/** Ends the hold of a player's payouts. @returns the player's name @throws Refused if there is none */
export async function releasePayoutsOf(
  { runtime, facts }: Pick<HoldsContext, 'runtime' | 'facts'>,
  tx: Tx,
  { playerId, requestId }: Pick<Wanted, 'playerId' | 'requestId'>,
): Promise<string> {
  const { username } = await openAccount(tx, playerId)
  if ((await tx.execute(queries.liftHolds, [playerId, ['payouts'], runtime.clock.now(), requestId])) === 0)
    throw new Refused('The payouts of this player are not held.')
  await facts.record(tx, 'money.payable', { playerId })
  return username
}

/** The holds that a player knows of, for the export of personal data. */
export async function holdsOf(from: Queries, playerId: bigint) {
  return { holds: (await from.run(queries.exportHolds, [playerId])).map(exported) }
}

/** Locks a player. @throws Refused if the account is closed, or there is none */
async function openAccount(tx: Tx, playerId: bigint) {
  const player = await tx.maybeOne(lockPlayer, [playerId])
  if (player === null) throw new Refused(`There is no open account ${playerId}.`)
  return player
}

function assertAhead(until: number | null, now: number): void {
  if (until !== null && until <= now) throw new Refused('The end has to be in the future.')
}
