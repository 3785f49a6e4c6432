import { nullable, sql, t } from '../../db/sql.ts'

export const insertContactMessage = sql({
  name: 'content.insert-contact-message',
  text: `insert into contact_messages (created_at, player_id, country_id, name, email, message)
    values ($now, $playerId, $countryId, $name, $email, $message) returning id`,
  params: {
    now: t.epochSeconds,
    playerId: nullable(t.bigint),
    countryId: t.int,
    name: t.text,
    email: t.text,
    message: t.text,
  },
  row: { id: t.bigint },
})

export const exportContactMessages = sql({
  name: 'content.export-contact-messages',
  text: `select created_at, name, email, country_id, message from contact_messages where player_id = $1 order by id`,
  params: [t.bigint],
  row: { createdAt: t.epochSeconds, name: t.text, email: t.text, countryId: t.int, message: t.text },
})

export const removeContactMessages = sql({
  name: 'content.remove-contact-messages',
  text: 'delete from contact_messages where player_id = $1',
  params: [t.bigint],
})
