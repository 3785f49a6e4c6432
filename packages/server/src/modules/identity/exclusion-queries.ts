import { sql, t } from '../../db/sql.ts'

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

/** Never-verified addresses of excluded players, as far as they are still known; the players stay locked. */
export const lockUnverifiedExcluded = sql({
  name: 'accounts.lock-unverified-excluded',
  text: `select a.email, r.excluded_until as until
    from players p join responsible_play r on r.player_id = p.id
    cross join lateral (
      select p.email where p.email_verified_at is null and not exists (
        select from former_emails f where f.player_id = p.id and f.email_key = p.email_key)
      union
      select m.to_address from mail_outbox m where m.player_id = p.id and p.first_verified_at is null
    ) a (email)
    where r.excluded_until > $1 and a.email is not null order by p.id for no key update of p`,
  params: [t.epochSeconds],
  row: { email: t.text, until: t.epochSeconds },
})

/** One that is kept until another time also belongs to another player. */
export const releaseEmail = sql({
  name: 'accounts.release-email',
  text: 'delete from excluded_emails where hash = $1 and until = $2',
  params: [t.bytea, t.epochSeconds],
})
