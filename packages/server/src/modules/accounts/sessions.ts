import { LotteryError } from '@fairball/domain/errors'
import { IDLE_SECONDS, SESSION_SECONDS } from '@fairball/domain/periods'
import type { Db, Queries, Tx } from '../../db/pool.ts'
import type { SignedIn } from '../../http/auth-hook.ts'
import { Unauthorized } from '../../http/errors.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { AccessTokens } from './access-tokens.ts'
import type { Caller } from './caller.ts'
import { deviceName } from './device-name.ts'
import type { LoginAttempts } from './login-attempts.ts'
import { lockPlayer } from './queries.ts'
import type { Secrets } from './secrets.ts'
import type { PlaceOf } from './session-place.ts'
import * as queries from './session-queries.ts'
import { lockSignedIn } from './signed-in-player.ts'

/** So long after the password was shown a session may do what needs its player to be there. */
const RECENT_SECONDS = 1800

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The pair a login gives. */
export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

/** A session as it was opened: signing its access token is left to after the commit. */
export interface OpenedSession {
  readonly sessionId: string
  readonly refreshToken: string
  /** whether none of the player's sessions that are kept is from a device of this name in this country */
  readonly isNewDevice: boolean
  /** what the list of sessions shows: `Firefox on Linux, Ireland` */
  readonly device: string
}

export interface SessionsDeps {
  readonly db: Db
  readonly runtime: Runtime
  readonly secrets: Secrets
  readonly accessTokens: AccessTokens
  readonly loginAttempts: LoginAttempts
  readonly placeOf: PlaceOf
}

export type Sessions = ReturnType<typeof createSessions>

/** Sessions: opened by a login, kept by refreshing, ended by logging out, by time, or because a token was stolen. */
export function createSessions({ db, runtime, secrets, accessTokens, loginAttempts, placeOf }: SessionsDeps) {
  const now = (): number => runtime.clock.now()

  /**
   * Opens a session in the transaction of the login that earned it. Of the caller's address only the country stays with
   * the session, as text; the address itself is remembered as a keyed hash, for counting failed logins.
   */
  async function open(tx: Tx, playerId: bigint, caller: Caller): Promise<OpenedSession> {
    const place = await placeOf(caller.address)
    const device = deviceName(caller.userAgent) + (place === null ? '' : `, ${place}`)
    const { known } = await tx.one(queries.knowsDevice, [playerId, device])
    const sessionId = runtime.random.uuid()
    const endsAt = now() + SESSION_SECONDS
    await tx.execute(queries.insertSession, [sessionId, playerId, now(), endsAt, device])
    const refreshToken = await newRefreshToken(tx, sessionId, endsAt)
    await loginAttempts.rememberAddress(tx, playerId, caller.address)
    runtime.log.info({ playerId, sessionId }, 'a session was opened')
    return { sessionId, refreshToken, isNewDevice: !known, device }
  }

  async function newRefreshToken(tx: Tx, sessionId: string, sessionEndsAt: number): Promise<string> {
    const { key, hash } = secrets.newKey()
    const expiresAt = Math.min(now() + IDLE_SECONDS, sessionEndsAt)
    await tx.execute(queries.insertRefreshToken, [sessionId, now(), expiresAt, hash])
    return key
  }

  /** The tokens of an opened session. */
  function tokensOf({ sessionId, refreshToken }: OpenedSession): Tokens {
    return { access_token: accessTokens.sign(sessionId), refresh_token: refreshToken }
  }

  /**
   * Turns a refresh token into a new pair. A used one that comes again is in two hands, and nobody can tell which hand
   * is the player's: the whole session ends.
   *
   * @throws Unauthorized when the token is unknown, used, idle too long, or its session has ended
   */
  async function refresh(token: string): Promise<Tokens> {
    const hash = secrets.hashOfKey(token)
    const turned = await db.transaction(async (tx) => {
      const session = await tx.maybeOne(queries.useRefreshToken, [hash, now()])
      if (session === null) {
        // Committed with this transaction: the refusal below must not undo it.
        const stolen = await tx.maybeOne(queries.revokeSessionOfUsedToken, [hash, now()])
        if (stolen !== null) {
          await tx.execute(queries.dropProposalsOfEnded, [stolen.player_id])
          runtime.log.warn(
            { sessionId: stolen.id, playerId: stolen.player_id },
            'a used refresh token came again: session revoked',
          )
        }
        return null
      }
      await tx.execute(queries.markSessionSeen, [session.id, now()])
      return { sessionId: session.id, refreshToken: await newRefreshToken(tx, session.id, session.expires_at) }
    })
    if (turned === null) throw new Unauthorized()
    return { access_token: accessTokens.sign(turned.sessionId), refresh_token: turned.refreshToken }
  }

  /** Finds the player of an access token by its session's row; null when either is no longer good. */
  async function authenticate(accessToken: string): Promise<SignedIn | null> {
    const sessionId = accessTokens.sessionOf(accessToken)
    if (sessionId === null || !UUID.test(sessionId)) return null
    const row = await db.maybeOne(queries.findSignedIn, [sessionId, now()])
    if (row === null) return null
    return {
      id: row.id,
      sessionId: row.session_id,
      username: row.username,
      email: row.email,
      emailVerifiedAt: row.email_verified_at,
      currencyId: row.currency_id,
      timezoneId: row.timezone_id,
      isSocial: row.is_social,
    }
  }

  /** The sessions of a player that can still be used, newest first. */
  async function list(player: SignedIn) {
    const rows = await db.run(queries.listSessions, [player.id, now()])
    return rows.map(({ id, created_at, fingerprint }) => ({
      created_at,
      fingerprint,
      is_current_session: id === player.sessionId,
      access_token: id,
    }))
  }

  /**
   * Ends sessions by the handles of the list; one that has ended already is no error.
   * @throws LotteryError NOT_FOUND when a handle is not one of the player's, and then ends none
   * @throws Unauthorized when the caller's own session has ended meanwhile
   */
  async function revoke(player: SignedIn, handles: readonly string[]): Promise<void> {
    const ids = [...new Set(handles.map((handle) => handle.toLowerCase()))]
    if (!ids.every((id) => UUID.test(id))) throw noSuchSession()
    await db.transaction(async (tx) => {
      await lockSignedIn(tx, player)
      const { count } = await tx.one(queries.countOwnSessions, [player.id, ids])
      if (count !== ids.length) throw noSuchSession()
      await endThese(tx, player.id, ids)
    })
  }

  /** Ends a session: logging out. */
  async function end(player: SignedIn): Promise<void> {
    await db.transaction(async (tx) => {
      await tx.maybeOne(lockPlayer, [player.id])
      await endThese(tx, player.id, [player.sessionId])
    })
  }

  async function endThese(tx: Tx, playerId: bigint, ids: readonly string[]): Promise<void> {
    await tx.execute(queries.revokeSessions, [playerId, [...ids], now()])
    await tx.execute(queries.dropProposalsOfEnded, [playerId])
  }

  /** Ends every session of a player but one, or all. */
  async function endOthers(tx: Tx, playerId: bigint, keptSessionId: string | null): Promise<void> {
    const count = await tx.execute(queries.revokeOtherSessions, [playerId, keptSessionId, now()])
    await tx.execute(queries.dropProposalsOfEnded, [playerId])
    runtime.log.info({ playerId, count }, 'sessions were ended')
  }

  /** Notes that the player has just shown the password in this session. */
  async function markAuthenticated(player: SignedIn): Promise<void> {
    await db.execute(queries.markAuthenticated, [player.sessionId, now()])
  }

  /**
   * Lets pass a session whose player has shown who he is within half an hour, by logging in or by the password. Somebody
   * at a browser that was left open has not.
   *
   * @throws LotteryError ACCESS_DENIED
   */
  async function assertRecentlyAuthenticated(from: Queries, player: SignedIn): Promise<void> {
    const row = await from.maybeOne(queries.readAuthenticated, [player.sessionId])
    if (row === null || row.authenticated_at < now() - RECENT_SECONDS)
      throw new LotteryError('ACCESS_DENIED', 'Please enter your password first.')
  }

  /** What is kept about a player's sessions, for the export. */
  async function personalData(from: Queries, playerId: bigint) {
    return await from.run(queries.exportSessions, [playerId])
  }

  /** Removes every session of a closed account. */
  async function forgetPlayer(tx: Tx, playerId: bigint): Promise<void> {
    await tx.execute(queries.removeSessions, [playerId])
  }

  /** Removes sessions that have run out, with their tokens. */
  async function removeOld(tx: Tx): Promise<void> {
    await tx.execute(queries.removeOldSessions, [now()])
  }

  return {
    open,
    tokensOf,
    refresh,
    authenticate,
    list,
    revoke,
    end,
    endOthers,
    markAuthenticated,
    assertRecentlyAuthenticated,
    personalData,
    forgetPlayer,
    removeOld,
  }
}

function noSuchSession(): LotteryError {
  return new LotteryError('NOT_FOUND', 'No such session.')
}
