import { ROLES } from '@fairball/contract/console/roles'
import { array, nullable, type RowOf, sql, t } from '../../db/sql.ts'

const roles = array(t.oneOf(ROLES))

/** A person of the staff, with the passkeys that count. */
export const findPerson = sql({
  name: 'console.find-person',
  text: `select s.id, s.name, s.email, s.roles, s.disabled_at,
      (select count(*) from staff_keys k where k.staff_id = s.id and k.revoked_at is null) as keys
    from staff s where s.id = $1`,
  params: [t.bigint],
  row: { id: t.bigint, name: t.text, email: t.text, roles, disabledAt: nullable(t.epochSeconds), keys: t.whole },
})

/** A person of the staff. */
export type Person = RowOf<typeof findPerson>

/** Everybody, oldest first. */
export const listPeople = sql({
  name: 'console.list-people',
  text: `select s.id, s.name, s.email, s.roles, s.disabled_at,
      (select count(*) from staff_keys k where k.staff_id = s.id and k.revoked_at is null) as keys,
      (select max(x.seen_at) from staff_sessions x where x.staff_id = s.id) as last_seen_at
    from staff s order by s.id`,
  row: {
    id: t.bigint,
    name: t.text,
    email: t.text,
    roles,
    disabledAt: nullable(t.epochSeconds),
    keys: t.whole,
    lastSeenAt: nullable(t.epochSeconds),
  },
})

/** Keeps the people as they are until the transaction ends: what is decided by their number and roles holds then. */
export const lockPeople = sql({
  name: 'console.lock-people',
  text: `select pg_advisory_xact_lock(hashtextextended('staff', 0)) is null as locked`,
  row: { locked: t.bool },
})

const keyRow = {
  id: t.bigint,
  staffId: t.bigint,
  credentialId: t.text,
  publicKey: t.bytea,
  signCount: t.whole,
  transports: array(t.text),
} as const

/** A passkey that counts, by its credential. */
export const findKey = sql({
  name: 'console.find-key',
  text: `select k.id, k.staff_id, k.credential_id, k.public_key, k.sign_count, k.transports from staff_keys k
    join staff s on s.id = k.staff_id
    where k.credential_id = $1 and k.revoked_at is null and s.disabled_at is null`,
  params: [t.text],
  row: keyRow,
})

/** A passkey by its id, though it may be revoked by now. */
export const findKeyById = sql({
  name: 'console.find-key-by-id',
  text: `select id, staff_id, credential_id, public_key, sign_count, transports, signed_count, signed_id, revoked_at from staff_keys
    where id = $1`,
  params: [t.bigint],
  row: { ...keyRow, signedCount: t.whole, signedId: t.bigint, revokedAt: nullable(t.epochSeconds) },
})

/** Every passkey that was ever registered. */
export const listAllKeys = sql({
  name: 'console.list-all-keys',
  text: `select id, staff_id, credential_id, public_key, sign_count, transports from staff_keys`,
  row: keyRow,
})

/** Notes the count of a signature that a worker accepted, if none that was given later was accepted before. */
export const noteSigned = sql({
  name: 'console.note-signed',
  text: `update staff_keys set signed_count = $2, signed_id = $3 where id = $1 and signed_id < $3`,
  params: [t.bigint, t.whole, t.bigint],
})

/** A person's passkeys that count. */
export const listKeys = sql({
  name: 'console.list-keys',
  text: `select id, staff_id, credential_id, public_key, sign_count, transports from staff_keys
    where staff_id = $1 and revoked_at is null order by id`,
  params: [t.bigint],
  row: keyRow,
})

/** Notes that a passkey was used; its count of signatures only grows. */
export const noteKeyUsed = sql({
  name: 'console.note-key-used',
  text: `update staff_keys set sign_count = greatest(sign_count, $2), last_used_at = $3 where id = $1`,
  params: [t.bigint, t.whole, t.epochSeconds],
})

export const insertPerson = sql({
  name: 'console.insert-person',
  text: `insert into staff (name, email, roles, created_at) values ($1, $2, $3, $4) returning id`,
  params: [t.text, t.text, array(t.text), t.epochSeconds],
  row: { id: t.bigint },
})

/** The person with an address of mail who is not disabled. */
export const findPersonByEmail = sql({
  name: 'console.find-person-by-email',
  text: `select id from staff where lower(email) = lower($1) and disabled_at is null`,
  params: [t.text],
  row: { id: t.bigint },
})

export const changeRoles = sql({
  name: 'console.change-roles',
  text: `update staff set roles = $2 where id = $1`,
  params: [t.bigint, array(t.text)],
})

export const disablePerson = sql({
  name: 'console.disable-person',
  text: `update staff set disabled_at = $2 where id = $1 and disabled_at is null`,
  params: [t.bigint, t.epochSeconds],
})

/** Ends every session of a person. */
export const endSessionsOf = sql({
  name: 'console.end-sessions-of',
  text: `update staff_sessions set revoked_at = $2 where staff_id = $1 and revoked_at is null`,
  params: [t.bigint, t.epochSeconds],
})

/** Has no passkey of a person count any longer. */
export const revokeKeysOf = sql({
  name: 'console.revoke-keys-of',
  text: `update staff_keys set revoked_at = $2 where staff_id = $1 and revoked_at is null`,
  params: [t.bigint, t.epochSeconds],
})

export const insertKey = sql({
  name: 'console.insert-key',
  text: `insert into staff_keys (staff_id, credential_id, public_key, sign_count, transports, backed_up, label, created_at)
    values ($staffId, $credentialId, $publicKey, $signCount, $transports, $isBackedUp, $label, $now)
    on conflict (credential_id) do nothing returning id`,
  params: {
    staffId: t.bigint,
    credentialId: t.text,
    publicKey: t.bytea,
    signCount: t.whole,
    transports: array(t.text),
    isBackedUp: t.bool,
    label: t.text,
    now: t.epochSeconds,
  },
  row: { id: t.bigint },
})

/** Ends the links that were open for a person. */
export const closeInvitesOf = sql({
  name: 'console.close-invites-of',
  text: `update staff_invites set used_at = $2 where staff_id = $1 and used_at is null`,
  params: [t.bigint, t.epochSeconds],
})

export const insertInvite = sql({
  name: 'console.insert-invite',
  text: `insert into staff_invites (hash, staff_id, expires_at) values ($1, $2, $3)`,
  params: [t.bytea, t.bigint, t.epochSeconds],
})

/** The person of an open link, by the SHA-256 of its token. The function reads what the console's login may not. */
export const findInvited = sql({
  name: 'console.find-invited',
  text: `select staff_id, keys from console_invited($1, $2)`,
  params: [t.text, t.epochSeconds],
  row: { staffId: t.bigint, keys: t.int },
})

/** Keeps an open link for the transaction. */
export const lockInvite = sql({
  name: 'console.lock-invite',
  text: `select staff_id, keys from staff_invites where hash = $1 and used_at is null and expires_at > $2 for update`,
  params: [t.bytea, t.epochSeconds],
  row: { staffId: t.bigint, keys: t.int },
})

/** Counts a passkey that was registered over a link; $2 is when the link closes with it, null for not yet. */
export const countInviteKey = sql({
  name: 'console.count-invite-key',
  text: `update staff_invites set keys = keys + 1, used_at = $2 where hash = $1`,
  params: [t.bytea, nullable(t.epochSeconds)],
})

/** Whether one person alone may give both signatures, `allowed` or `ended`; missing as long as nobody has decided. */
export const findAlone = sql({
  name: 'console.find-alone',
  text: `select value from console_state where key = 'staff-alone'`,
  row: { value: t.text },
})

export const saveAlone = sql({
  name: 'console.save-alone',
  text: `insert into system_state (key, value) values ('staff-alone', $1)
    on conflict (key) do update set value = excluded.value`,
  params: [t.oneOf(['allowed', 'ended'])],
})
