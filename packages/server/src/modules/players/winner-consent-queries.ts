import { nullable, sql, t } from '../../db/sql.ts'

export const hasConsent = sql({
  name: 'accounts.has-winner-consent',
  text: `select exists (select from winner_consents where player_id = $1 and ended_at is null) as is_shown`,
  params: [t.bigint],
  row: { isShown: t.bool },
})

/** One consent is in force at a time; giving it again changes nothing. */
export const giveConsent = sql({
  name: 'accounts.give-winner-consent',
  text: `insert into winner_consents (tag, player_id, given_at) values ($1, $2, $3)
    on conflict (player_id) where ended_at is null do nothing`,
  params: [t.uuid, t.bigint, t.epochSeconds],
})

export const endConsent = sql({
  name: 'accounts.end-winner-consent',
  text: 'update winner_consents set ended_at = $2 where player_id = $1 and ended_at is null',
  params: [t.bigint, t.epochSeconds],
})

export const exportConsents = sql({
  name: 'accounts.export-winner-consents',
  text: 'select given_at, ended_at from winner_consents where player_id = $1 order by given_at, ended_at',
  params: [t.bigint],
  row: { givenAt: t.epochSeconds, endedAt: nullable(t.epochSeconds) },
})
