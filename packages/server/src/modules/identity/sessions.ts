import { LotteryError } from '@fairball/domain/errors'
import { IDLE_SECONDS, SESSION_SECONDS } from '@fairball/domain/periods'
import type { Queries, Tx } from '../../db/pool.ts'
import type { SignedIn } from '../../kernel/caller.ts'
import { Unauthorized } from '../../kernel/errors.ts'
import { tooMany } from '../../kernel/limits.ts'
import { exported } from '../../kernel/personal-data.ts'
import type { Caller } from './caller.ts'
import type { IdentityContext } from './context.ts'
import { deviceName } from './device-name.ts'
import { lockPlayer } from './queries.ts'
import { hashOfKey } from './secrets.ts'
import * as queries from './session-queries.ts'
import { lockSignedIn } from './signed-in-player.ts'

// Sessions: opened by a login, kept by refreshing, ended by logging out, by time, or because a token was stolen.

/** Time after entering the password in which a session may do what needs its player to be present. */
const RECENT_SECONDS = 1800

/** Maximum number of usable sessions per player, and of ended ones that are still listed. */
const MAX_SESSIONS = 50n
/**
 * Maximum number of refreshes of a session in the period that its first refresh begins: each leaves a row for 30 days.
 */
const MAX_REFRESHES = 60
const REFRESH_SECONDS = 3600

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The pair a login gives. */
export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

/** A new session: its access token is signed only after the commit. */
export interface OpenedSession {
  readonly sessionId: string
  readonly refreshToken: string
  /** whether none of the player's stored sessions is from a device of this name in this country */
  readonly isNewDevice: boolean
  /** what the list of sessions shows: `Firefox on Linux, Ireland` */
  readonly device: string
}

/**
 * Opens a session in the transaction of its login. Of the caller's address the session keeps only the country, as text;
 * login-attempts.ts remembers the rest.
 */
export async function openSession(
  ctx: IdentityContext,
  tx: Tx,
  playerId: bigint,
  caller: Caller,
): Promise<OpenedSession> {
  const place = await ctx.places.of(caller.address)
  const device = deviceName(caller.userAgent) + (place === null ? '' : `, ${place}`)
  const { known } = await tx.one(queries.knowsDevice, [playerId, device])
  const sessionId = ctx.runtime.random.uuid()
  const endsAt = ctx.runtime.clock.now() + SESSION_SECONDS
  await tx.execute(queries.insertSession, {
    sessionId,
    playerId,
    now: ctx.runtime.clock.now(),
    expiresAt: endsAt,
    fingerprint: device,
  })
  await endSurplus(ctx, tx, playerId, sessionId)
  const refreshToken = await newRefreshToken(ctx, tx, sessionId, endsAt)
  ctx.runtime.log.info({ playerId, sessionId }, 'a session was opened')
  return { sessionId, refreshToken, isNewDevice: !known, device }
}

/** Ends the least used session if there are too many, and forgets the oldest of those that have ended. */
async function endSurplus(ctx: IdentityContext, tx: Tx, playerId: bigint, sessionId: string): Promise<void> {
  if (
    (await tx.execute(queries.revokeSurplusSessions, [playerId, ctx.runtime.clock.now(), MAX_SESSIONS, sessionId])) > 0
  )
    await tx.execute(queries.dropProposalsOfEnded, [playerId])
  await tx.execute(queries.removeSurplusSessions, [playerId, MAX_SESSIONS])
}

async function newRefreshToken(
  ctx: IdentityContext,
  tx: Tx,
  sessionId: string,
  sessionEndsAt: number,
): Promise<string> {
  const { key, hash } = ctx.secrets.newKey()
  const expiresAt = Math.min(ctx.runtime.clock.now() + IDLE_SECONDS, sessionEndsAt)
  await tx.execute(queries.insertRefreshToken, [sessionId, ctx.runtime.clock.now(), expiresAt, hash])
  return key
}

/** The tokens of an opened session. */
export function tokensOf(ctx: IdentityContext, { sessionId, refreshToken }: OpenedSession): Tokens {
  return { access_token: ctx.accessTokens.sign(sessionId), refresh_token: refreshToken }
}

/**
 * Turns a refresh token into a new pair. A used one that comes again is in two hands, and which of them is the player's
 * is unknown: the whole session ends.
 *
 * @throws Unauthorized if the token is unknown, used, idle too long, or its session has ended
 * @throws LotteryError TOO_MANY_REQUESTS if the session was refreshed too often; its token stays valid
 */
export async function refreshSession(ctx: IdentityContext, token: string): Promise<Tokens> {
  const hash = hashOfKey(token)
  const turned = await ctx.db.transaction(async (tx) => {
    const session = await tx.maybeOne(queries.useRefreshToken, [hash, ctx.runtime.clock.now()])
    if (session === null) {
      // Committed with this transaction: the refusal below must not undo it.
      const stolen = await tx.maybeOne(queries.revokeSessionOfUsedToken, [hash, ctx.runtime.clock.now()])
      if (stolen !== null) {
        await tx.execute(queries.dropProposalsOfEnded, [stolen.playerId])
        ctx.runtime.log.warn(
          { sessionId: stolen.id, playerId: stolen.playerId },
          'a used refresh token came again: session revoked',
        )
      }
      return null
    }
    const counted = await tx.one(queries.countRefresh, [
      session.id,
      ctx.runtime.clock.now(),
      ctx.runtime.clock.now() - REFRESH_SECONDS,
    ])
    if (counted.refreshes > MAX_REFRESHES)
      throw tooMany(counted.refreshesFrom + REFRESH_SECONDS - ctx.runtime.clock.now())
    return { sessionId: session.id, refreshToken: await newRefreshToken(ctx, tx, session.id, session.expiresAt) }
  })
  if (turned === null) throw new Unauthorized()
  return { access_token: ctx.accessTokens.sign(turned.sessionId), refresh_token: turned.refreshToken }
}

/** Finds the player of an access token by its session's row; null if either is no longer valid. */
export async function authenticate(ctx: IdentityContext, accessToken: string): Promise<SignedIn | null> {
  const sessionId = ctx.accessTokens.sessionOf(accessToken)
  if (sessionId === null || !UUID.test(sessionId)) return null
  return await ctx.db.maybeOne(queries.findSignedIn, [sessionId, ctx.runtime.clock.now()])
}

/** The sessions of a player that can still be used, newest first. */
export async function listSessions(ctx: IdentityContext, player: SignedIn) {
  const rows = await ctx.db.run(queries.listSessions, [player.id, ctx.runtime.clock.now()])
  return rows.map(({ id, createdAt, fingerprint }) => ({
    created_at: createdAt,
    fingerprint,
    is_current_session: id === player.sessionId,
    access_token: id,
  }))
}

/**
 * Ends sessions by the handles of the list; one that has already ended is no error.
 *
 * @throws LotteryError NOT_FOUND if a handle is not one of the player's, and then ends none
 * @throws Unauthorized if the caller's own session has ended meanwhile
 */
export async function revokeSessions(
  ctx: IdentityContext,
  player: SignedIn,
  handles: readonly string[],
): Promise<void> {
  const ids = [...new Set(handles.map((handle) => handle.toLowerCase()))]
  if (!ids.every((id) => UUID.test(id))) throw noSuchSession()
  await ctx.db.transaction(async (tx) => {
    await lockSignedIn(tx, player)
    const { count } = await tx.one(queries.countOwnSessions, [player.id, ids])
    if (count !== ids.length) throw noSuchSession()
    await endThese(ctx, tx, player.id, ids)
  })
}

/** Ends a session: logging out. */
export async function endSession(ctx: IdentityContext, player: SignedIn): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await tx.maybeOne(lockPlayer, [player.id])
    await endThese(ctx, tx, player.id, [player.sessionId])
  })
}

async function endThese(ctx: IdentityContext, tx: Tx, playerId: bigint, ids: readonly string[]): Promise<void> {
  await tx.execute(queries.revokeSessions, [playerId, [...ids], ctx.runtime.clock.now()])
  await tx.execute(queries.dropProposalsOfEnded, [playerId])
}

/** Ends every session of a player except one, or all. */
export async function endOtherSessions(
  ctx: IdentityContext,
  tx: Tx,
  playerId: bigint,
  keptSessionId: string | null,
): Promise<void> {
  const count = await tx.execute(queries.revokeOtherSessions, [playerId, keptSessionId, ctx.runtime.clock.now()])
  await tx.execute(queries.dropProposalsOfEnded, [playerId])
  ctx.runtime.log.info({ playerId, count }, 'sessions were ended')
}

/** Notes that the player has just entered the password in this session. */
export async function markAuthenticated(ctx: IdentityContext, player: SignedIn): Promise<void> {
  await ctx.db.execute(queries.markAuthenticated, [player.sessionId, ctx.runtime.clock.now()])
}

/**
 * Admits a session whose player has authenticated within half an hour, by logging in or by the password. Someone at a
 * browser that was left open has not.
 *
 * @throws LotteryError ACCESS_DENIED
 * @throws Unauthorized if the session is gone
 */
export async function assertRecentlyAuthenticated(
  ctx: IdentityContext,
  from: Queries,
  player: SignedIn,
): Promise<void> {
  const row = await from.maybeOne(queries.readAuthenticated, [player.sessionId])
  if (row === null) throw new Unauthorized()
  if (row.authenticatedAt < ctx.runtime.clock.now() - RECENT_SECONDS)
    throw new LotteryError(
      'ACCESS_DENIED',
      player.isSocial ? 'Please log out and log in again first.' : 'Please enter your password first.',
    )
}

/** What is stored about a player's sessions, for the export. */
export async function sessionsOf(from: Queries, playerId: bigint) {
  return (await from.run(queries.exportSessions, [playerId])).map(exported)
}

/** Removes every session of a closed account. */
export async function forgetSessionsOf(tx: Tx, playerId: bigint): Promise<void> {
  await tx.execute(queries.removeSessions, [playerId])
}

/** Removes expired sessions, with their tokens. */
export async function removeOldSessions(ctx: IdentityContext, tx: Tx): Promise<void> {
  await tx.execute(queries.removeOldSessions, [ctx.runtime.clock.now()])
}

function noSuchSession(): LotteryError {
  return new LotteryError('NOT_FOUND', 'No such session.')
}
