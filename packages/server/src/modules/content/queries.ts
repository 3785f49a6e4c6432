import { nullable, sql, t } from '../../db/sql.ts'

export const insertContactMessage = sql({
  name: 'content.insert-contact-message',
  text: `insert into contact_messages (created_at, player_id, country_id, name, email, message)
    values ($1, $2, $3, $4, $5, $6) returning id`,
  params: [t.epochSeconds, nullable(t.bigint), t.int, t.text, t.text, t.text],
  row: { id: t.bigint },
})
