import { array, nullable, sql, t } from '../../db/sql.ts'

export const insertSession = sql({
  name: 'accounts.insert-session',
  text: `insert into sessions (id, player_id, created_at, expires_at, seen_at, authenticated_at, fingerprint)
    values ($sessionId, $playerId, $now, $expiresAt, $now, $now, $fingerprint)`,
  params: {
    sessionId: t.uuid,
    playerId: t.bigint,
    now: t.epochSeconds,
    expiresAt: t.epochSeconds,
    fingerprint: t.text,
  },
})

export const insertRefreshToken = sql({
  name: 'accounts.insert-refresh-token',
  text: `insert into refresh_tokens (session_id, created_at, expires_at, hash) values ($1, $2, $3, $4)`,
  params: [t.uuid, t.epochSeconds, t.epochSeconds, t.bytea],
})

/** One query for each call with a bearer token: the session has to live, and it names the player. */
export const findSignedIn = sql({
  name: 'accounts.find-signed-in',
  text: `select s.id as session_id, p.id, p.username, p.email, p.email_verified_at, p.currency_id, p.timezone_id,
      p.password_hash is null as is_social
    from sessions s join players p on p.id = s.player_id
    where s.id = $1 and s.revoked_at is null and s.expires_at > $2 and p.closed_at is null`,
  params: [t.uuid, t.epochSeconds],
  row: {
    sessionId: t.uuid,
    id: t.bigint,
    username: t.text,
    email: nullable(t.text),
    emailVerifiedAt: nullable(t.epochSeconds),
    currencyId: t.int,
    timezoneId: t.int,
    isSocial: t.bool,
  },
  serves: 'each',
})

/** The one place where a refresh token is used: of two at the same time, one gets the row. */
export const useRefreshToken = sql({
  name: 'accounts.use-refresh-token',
  text: `update refresh_tokens r set used_at = $2 from sessions s
    where r.hash = $1 and r.used_at is null and r.expires_at > $2
      and s.id = r.session_id and s.revoked_at is null and s.expires_at > $2
    returning s.id, s.expires_at`,
  params: [t.bytea, t.epochSeconds],
  row: { id: t.uuid, expiresAt: t.epochSeconds },
})

export const revokeSessionOfUsedToken = sql({
  name: 'accounts.revoke-session-of-used-token',
  text: `update sessions s set revoked_at = $2 from refresh_tokens r
    where r.hash = $1 and r.used_at is not null and s.id = r.session_id and s.revoked_at is null
    returning s.id, s.player_id`,
  params: [t.bytea, t.epochSeconds],
  row: { id: t.uuid, playerId: t.bigint },
})

/** Counts a refresh of a session in the hour that began after $3, or begins another hour. */
export const countRefresh = sql({
  name: 'accounts.count-refresh',
  text: `update sessions set seen_at = $2,
      refreshes = case when refreshes_from > $3 then refreshes + 1 else 1 end,
      refreshes_from = case when refreshes_from > $3 then refreshes_from else $2 end
    where id = $1 returning refreshes, refreshes_from`,
  params: [t.uuid, t.epochSeconds, t.epochSeconds],
  row: { refreshes: t.int, refreshesFrom: t.epochSeconds },
})

/** Ends the sessions of a player beyond the $3 used last; the one that is being opened stays. */
export const revokeSurplusSessions = sql({
  name: 'accounts.revoke-surplus-sessions',
  text: `update sessions set revoked_at = $2 where id in
    (select id from sessions where player_id = $1 and revoked_at is null and expires_at > $2
      order by id = $4 desc, seen_at desc, created_at desc, id offset $3)`,
  params: [t.bigint, t.epochSeconds, t.bigint, t.uuid],
})

/** Removes the ended sessions of a player beyond the $2 that ended last. */
export const removeSurplusSessions = sql({
  name: 'accounts.remove-surplus-sessions',
  text: `delete from sessions where id in
    (select id from sessions where player_id = $1 and revoked_at is not null order by revoked_at desc, created_at desc, id offset $2)`,
  params: [t.bigint, t.bigint],
})

/** Sessions that can still be used: not ended, not expired, and not idle past their refresh token. */
export const listSessions = sql({
  name: 'accounts.list-sessions',
  text: `select s.id, s.created_at, s.fingerprint from sessions s
    join refresh_tokens r on r.session_id = s.id and r.used_at is null and r.expires_at > $2
    where s.player_id = $1 and s.revoked_at is null and s.expires_at > $2
    order by s.created_at desc, s.id`,
  params: [t.bigint, t.epochSeconds],
  row: { id: t.uuid, createdAt: t.epochSeconds, fingerprint: t.text },
})

export const countOwnSessions = sql({
  name: 'accounts.count-own-sessions',
  text: 'select count(*) as count from sessions where player_id = $1 and id = any($2)',
  params: [t.bigint, array(t.uuid)],
  row: { count: t.whole },
})

export const revokeSessions = sql({
  name: 'accounts.revoke-sessions',
  text: 'update sessions set revoked_at = $3 where player_id = $1 and id = any($2) and revoked_at is null',
  params: [t.bigint, array(t.uuid), t.epochSeconds],
})

export const revokeOtherSessions = sql({
  name: 'accounts.revoke-other-sessions',
  text: `update sessions set revoked_at = $3
    where player_id = $1 and revoked_at is null and ($2::uuid is null or id <> $2)`,
  params: [t.bigint, nullable(t.uuid), t.epochSeconds],
})

/** Whether a session that admitted a request is still valid once the request has its turn. */
export const isSessionLive = sql({
  name: 'accounts.is-session-live',
  text: 'select exists (select from sessions where id = $1 and player_id = $2 and revoked_at is null) as is_live',
  params: [t.uuid, t.bigint],
  row: { isLive: t.bool },
})

export const markAuthenticated = sql({
  name: 'accounts.mark-authenticated',
  text: 'update sessions set authenticated_at = $2 where id = $1',
  params: [t.uuid, t.epochSeconds],
})

export const readAuthenticated = sql({
  name: 'accounts.read-authenticated',
  text: 'select authenticated_at from sessions where id = $1',
  params: [t.uuid],
  row: { authenticatedAt: t.epochSeconds },
})

/** A two-factor secret that was shown in a session and not confirmed is removed when the session ends. */
export const dropProposalsOfEnded = sql({
  name: 'accounts.drop-proposals-of-ended',
  text: `delete from twofa using sessions s
    where twofa.player_id = $1 and twofa.confirmed_at is null and s.id = twofa.session_id and s.revoked_at is not null`,
  params: [t.bigint],
})

export const knowsDevice = sql({
  name: 'accounts.knows-device',
  text: 'select exists (select from sessions where player_id = $1 and fingerprint = $2) as known',
  params: [t.bigint, t.text],
  row: { known: t.bool },
})

export const exportSessions = sql({
  name: 'accounts.export-sessions',
  text: `select created_at, seen_at, authenticated_at, revoked_at, fingerprint from sessions where player_id = $1
    order by created_at, id`,
  params: [t.bigint],
  row: {
    createdAt: t.epochSeconds,
    seenAt: t.epochSeconds,
    authenticatedAt: t.epochSeconds,
    revokedAt: nullable(t.epochSeconds),
    fingerprint: t.text,
  },
})

export const removeSessions = sql({
  name: 'accounts.remove-sessions',
  text: 'delete from sessions where player_id = $1',
  params: [t.bigint],
})

export const removeOldSessions = sql({
  name: 'accounts.remove-old-sessions',
  text: 'delete from sessions where expires_at <= $1',
  params: [t.epochSeconds],
})
