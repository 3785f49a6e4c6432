import { nullable, sql, t } from '../../db/sql.ts'

const playerRow = {
  id: t.bigint,
  username: t.text,
  email: nullable(t.text),
  emailVerifiedAt: nullable(t.epochSeconds),
  timezoneId: t.int,
  currencyId: t.int,
  passwordHash: nullable(t.text),
  firstVerifiedAt: nullable(t.epochSeconds),
}
const PLAYER = 'id, username, email, email_verified_at, timezone_id, currency_id, password_hash, first_verified_at'

export const insertPlayer = sql({
  name: 'accounts.insert-player',
  text: `insert into players (created_at, username, email, email_verified_at, first_verified_at, password_hash)
    values ($createdAt, $username, $email, $verifiedAt, $verifiedAt, $passwordHash) on conflict do nothing returning id`,
  params: {
    createdAt: t.epochSeconds,
    username: t.text,
    email: nullable(t.text),
    verifiedAt: nullable(t.epochSeconds),
    passwordHash: nullable(t.text),
  },
  row: { id: t.bigint },
})

export const findPlayer = sql({
  name: 'accounts.find-player',
  text: `select ${PLAYER} from players where id = $1 and closed_at is null`,
  params: [t.bigint],
  row: playerRow,
})

export const lockPlayer = sql({
  name: 'accounts.lock-player',
  text: `select ${PLAYER} from players where id = $1 and closed_at is null for no key update`,
  params: [t.bigint],
  row: playerRow,
})

/** Whether the operator keeps a player from logging in. */
export const isBlocked = sql({
  name: 'accounts.is-blocked',
  text: `select exists (select from player_holds where player_id = $1 and kind = 'sign-in' and lifted_at is null
    and (until_at is null or until_at > $2)) as is_blocked`,
  params: [t.bigint, t.epochSeconds],
  row: { isBlocked: t.bool },
})

export const findPlayerByEmail = sql({
  name: 'accounts.find-player-by-email',
  text: `select ${PLAYER} from players where email_key = lower($1 collate "C") and closed_at is null`,
  params: [t.text],
  row: playerRow,
})

export const findPlayerByUsername = sql({
  name: 'accounts.find-player-by-username',
  text: `select ${PLAYER} from players where username_key = lower($1 collate "C") and closed_at is null`,
  params: [t.text],
  row: playerRow,
})

export const isUsernameTaken = sql({
  name: 'accounts.is-username-taken',
  text: `select exists (select from players where username_key = lower($1 collate "C") and id <> $2) as taken`,
  params: [t.text, t.bigint],
  row: { taken: t.bool },
})

export const isEmailTaken = sql({
  name: 'accounts.is-email-taken',
  text: `select exists (select from players where email_key = lower($1 collate "C") and id <> $2) as taken`,
  params: [t.text, t.bigint],
  row: { taken: t.bool },
})

export const updatePassword = sql({
  name: 'accounts.update-password',
  text: 'update players set password_hash = $2 where id = $1 and closed_at is null',
  params: [t.bigint, t.text],
})

export const replaceOutdatedHash = sql({
  name: 'accounts.replace-outdated-hash',
  text: 'update players set password_hash = $3 where id = $1 and password_hash = $2',
  params: [t.bigint, t.text, t.text],
})

export const updateDetails = sql({
  name: 'accounts.update-details',
  text: `update players set username = $username, email = $email, email_verified_at = $emailVerifiedAt, timezone_id = $timezoneId, currency_id = $currencyId
    where id = $playerId`,
  params: {
    playerId: t.bigint,
    username: t.text,
    email: nullable(t.text),
    emailVerifiedAt: nullable(t.epochSeconds),
    timezoneId: t.int,
    currencyId: t.int,
  },
})

export const markEmailVerified = sql({
  name: 'accounts.mark-email-verified',
  text: `update players
    set email_verified_at = coalesce(email_verified_at, $3), first_verified_at = coalesce(first_verified_at, $3)
    where id = $1 and email_key = lower($2 collate "C") and closed_at is null`,
  params: [t.bigint, t.text, t.epochSeconds],
})

export const findIdentity = sql({
  name: 'accounts.find-identity',
  text: `select i.player_id, p.closed_at is not null as is_closed
    from social_identities i join players p on p.id = i.player_id where i.provider = $1 and i.subject = $2`,
  params: [t.text, t.text],
  row: { playerId: t.bigint, isClosed: t.bool },
})

export const insertIdentity = sql({
  name: 'accounts.insert-identity',
  text: `insert into social_identities (player_id, created_at, provider, subject) values ($1, $2, $3, $4)
    on conflict do nothing`,
  params: [t.bigint, t.epochSeconds, t.text, t.text],
})

export const listIdentities = sql({
  name: 'accounts.list-identities',
  text: 'select provider, subject, created_at from social_identities where player_id = $1 order by provider',
  params: [t.bigint],
  row: { provider: t.text, subject: t.text, createdAt: t.epochSeconds },
})

export const removeIdentities = sql({
  name: 'accounts.remove-identities',
  text: 'delete from social_identities where player_id = $1',
  params: [t.bigint],
})

export const readRegistration = sql({
  name: 'accounts.read-registration',
  text: 'select created_at, first_verified_at from players where id = $1',
  params: [t.bigint],
  row: { createdAt: t.epochSeconds, firstVerifiedAt: nullable(t.epochSeconds) },
})
