import { sql, t } from '../../db/sql.ts'

/** Addresses left after $2, without the player's present one ($3). */
export const listFormerEmails = sql({
  name: 'accounts.list-former-emails',
  text: `select email from former_emails where player_id = $1 and left_at > $2 and email_key <> lower($3 collate "C")
    order by left_at, email_key`,
  params: [t.bigint, t.epochSeconds, t.text],
  row: { email: t.text },
})

export const rememberFormerEmail = sql({
  name: 'accounts.remember-former-email',
  text: `insert into former_emails (player_id, left_at, email) values ($1, $2, $3)
    on conflict (player_id, email_key) do update set left_at = excluded.left_at, email = excluded.email`,
  params: [t.bigint, t.epochSeconds, t.text],
})

export const exportFormerEmails = sql({
  name: 'accounts.export-former-emails',
  text: 'select email, left_at from former_emails where player_id = $1 order by left_at, email_key',
  params: [t.bigint],
  row: { email: t.text, leftAt: t.epochSeconds },
})

export const removeFormerEmails = sql({
  name: 'accounts.remove-former-emails',
  text: 'delete from former_emails where player_id = $1',
  params: [t.bigint],
})

export const removeOldFormerEmails = sql({
  name: 'accounts.remove-old-former-emails',
  text: 'delete from former_emails where left_at <= $1',
  params: [t.epochSeconds],
})
