import { ROLES } from '@fairball/contract/console/roles'
import type { Db } from '../../db/pool.ts'
import { array, type ArgsOf, nullable, sql, t } from '../../db/sql.ts'

const insertChallenge = sql({
  name: 'console.insert-challenge',
  text: `insert into console_challenges (challenge, purpose, request_id, staff_id, text, expires_at)
    values ($challenge, $purpose, $requestId, $staffId, $text, $expiresAt)`,
  params: {
    challenge: t.bytea,
    purpose: t.oneOf(['sign-in', 'enrol', 'propose', 'approve']),
    requestId: nullable(t.uuid),
    staffId: nullable(t.bigint),
    text: nullable(t.text),
    expiresAt: t.epochSeconds,
  },
})

/** Keeps what a passkey is asked to sign. */
export async function keepChallenge(db: Db, challenge: ArgsOf<(typeof insertChallenge)['params']>): Promise<void> {
  await db.transaction((tx) => tx.execute(insertChallenge, challenge))
}

const challengeRow = {
  purpose: t.text,
  requestId: nullable(t.uuid),
  staffId: nullable(t.bigint),
  text: nullable(t.text),
  expiresAt: t.epochSeconds,
} as const

/** A challenge of ours, whatever its age. */
export const findChallenge = sql({
  name: 'console.find-challenge',
  text: `select purpose, request_id, staff_id, text, expires_at from console_challenges where challenge = $1`,
  params: [t.bytea],
  row: challengeRow,
})

/** The same, used up with its answer: of two callers one gets it. A worker's. */
export const takeChallenge = sql({
  name: 'console.take-challenge',
  text: `delete from console_challenges where challenge = $1 returning purpose, request_id, staff_id, text, expires_at`,
  params: [t.bytea],
  row: challengeRow,
})

export const insertSession = sql({
  name: 'console.insert-session',
  text: `insert into staff_sessions (hash, challenge, staff_id, key_id, device, created_at, seen_at, expires_at)
    values ($hash, $challenge, $staffId, $keyId, $device, $now, $now, $expiresAt)`,
  params: {
    hash: t.bytea,
    challenge: t.bytea,
    staffId: t.bigint,
    keyId: t.bigint,
    device: t.text,
    now: t.epochSeconds,
    expiresAt: t.epochSeconds,
  },
})

/** The session of a cookie's value, if it is alive; the function reads the hash. */
export const findSession = sql({
  name: 'console.find-session',
  text: `select x.id, x.staff_id, x.seen_at, x.expires_at, s.name, s.roles
    from staff_sessions x join staff s on s.id = x.staff_id join staff_keys k on k.id = x.key_id
    where x.id = console_session($1, $2) and s.disabled_at is null and k.revoked_at is null`,
  params: [t.text, t.epochSeconds],
  row: {
    id: t.bigint,
    staffId: t.bigint,
    seenAt: t.epochSeconds,
    expiresAt: t.epochSeconds,
    name: t.text,
    roles: array(t.oneOf(ROLES)),
  },
})

export const noteSeen = sql({
  name: 'console.note-seen',
  text: `update staff_sessions set seen_at = $2 where id = $1`,
  params: [t.bigint, t.epochSeconds],
})

export const endSession = sql({
  name: 'console.end-session',
  text: `update staff_sessions set revoked_at = $2 where id = $1`,
  params: [t.bigint, t.epochSeconds],
})

/** Removes what nobody can use any more, a day after its end; a worker's. */
export const removeEndedChallenges = sql({
  name: 'console.remove-ended-challenges',
  text: `delete from console_challenges where expires_at < $1`,
  params: [t.epochSeconds],
})
