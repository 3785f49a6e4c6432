import { nullable, sql, t } from '../../db/sql.ts'

const playerRow = {
  id: t.bigint,
  username: t.text,
  email: nullable(t.text),
  email_verified_at: nullable(t.epochSeconds),
  timezone_id: t.int,
  currency_id: t.int,
  password_hash: nullable(t.text),
  first_verified_at: nullable(t.epochSeconds),
}
const PLAYER = 'id, username, email, email_verified_at, timezone_id, currency_id, password_hash, first_verified_at'

export const insertPlayer = sql({
  name: 'accounts.insert-player',
  text: `insert into players (created_at, username, email, email_verified_at, first_verified_at, password_hash)
    values ($1, $2, $3, $4, $4, $5) on conflict do nothing returning id`,
  params: [t.epochSeconds, t.text, nullable(t.text), nullable(t.epochSeconds), nullable(t.text)],
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
  text: `update players set username = $2, email = $3, email_verified_at = $4, timezone_id = $5, currency_id = $6
    where id = $1`,
  params: [t.bigint, t.text, nullable(t.text), nullable(t.epochSeconds), t.int, t.int],
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
  row: { player_id: t.bigint, is_closed: t.bool },
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
  row: { provider: t.text, subject: t.text, created_at: t.epochSeconds },
})

export const removeIdentities = sql({
  name: 'accounts.remove-identities',
  text: 'delete from social_identities where player_id = $1',
  params: [t.bigint],
})

export const excludeEmail = sql({
  name: 'accounts.exclude-email',
  text: `insert into excluded_emails (until, hash) values ($1, $2)
    on conflict (hash) do update set until = greatest(excluded_emails.until, excluded.until)`,
  params: [t.epochSeconds, t.bytea],
})

export const isEmailExcluded = sql({
  name: 'accounts.is-email-excluded',
  text: 'select exists (select from excluded_emails where hash = $1 and until > $2) as excluded',
  params: [t.bytea, t.epochSeconds],
  row: { excluded: t.bool },
})

export const removeOldExclusions = sql({
  name: 'accounts.remove-old-exclusions',
  text: 'delete from excluded_emails where until <= $1',
  params: [t.epochSeconds],
})

export const readRegistration = sql({
  name: 'accounts.read-registration',
  text: 'select created_at, first_verified_at from players where id = $1',
  params: [t.bigint],
  row: { created_at: t.epochSeconds, first_verified_at: nullable(t.epochSeconds) },
})
