import { array, nullable, sql, t } from '../../db/sql.ts'

/** The subject area of a mail, which decides whether a player's preferences can hold it back. */
export const MAIL_CATEGORIES = [
  'account',
  'payment',
  'win',
  'results',
  'reminder',
  'news',
  'contact',
  'operator',
] as const
export type MailCategory = (typeof MAIL_CATEGORIES)[number]

export const insertMessage = sql({
  name: 'messages.insert',
  text: `insert into messages (player_id, created_at, title, content, action_label, action_path, key)
    select m.player_id, m.now, m.title, m.content, m.action_label, m.action_path, m.key from $each m
    on conflict (key) do nothing`,
  serves: 'each',
  params: {
    playerId: t.bigint,
    now: t.epochSeconds,
    title: t.text,
    content: t.text,
    actionLabel: nullable(t.text),
    actionPath: nullable(t.text),
    key: t.text,
  },
})

export const countMessages = sql({
  name: 'messages.count',
  text: 'select count(*) as count from messages where player_id = $1',
  params: [t.bigint],
  row: { count: t.whole },
})

export const listMessages = sql({
  name: 'messages.list',
  text: `select id, created_at, title, content, action_label, action_path, is_read from messages where player_id = $1
    order by id desc limit $2 offset $3`,
  params: [t.bigint, t.bigint, t.bigint],
  row: {
    id: t.bigint,
    createdAt: t.epochSeconds,
    title: t.text,
    content: t.text,
    actionLabel: nullable(t.text),
    actionPath: nullable(t.text),
    isRead: t.bool,
  },
})

export const markMessage = sql({
  name: 'messages.mark',
  text: 'update messages set is_read = $3 where id = $1 and player_id = $2',
  params: [t.bigint, t.bigint, t.bool],
})

export const markAllMessages = sql({
  name: 'messages.mark-all',
  text: 'update messages set is_read = true where player_id = $1 and not is_read',
  params: [t.bigint],
})

export const countUnread = sql({
  name: 'messages.count-unread',
  text: 'select count(*)::int as count from messages where player_id = $1 and not is_read',
  params: [t.bigint],
  row: { count: t.int },
})

export const exportMessages = sql({
  name: 'messages.export',
  text: `select created_at, title, content, is_read from messages where player_id = $1 order by id`,
  params: [t.bigint],
  row: { createdAt: t.epochSeconds, title: t.text, content: t.text, isRead: t.bool },
})

export const removeMessagesOfPlayer = sql({
  name: 'messages.remove-of-player',
  text: 'delete from messages where player_id = $1',
  params: [t.bigint],
})

export const insertMail = sql({
  name: 'messages.insert-mail',
  text: `with each_of as materialized (
      select m.* from $each m
    ), stored as (
      insert into mail_outbox (player_id, created_at, category, to_address, subject, text, html, links, sealed, key, address_id, destination_id, address_proof)
      select player_id, now, category, to_address, subject, '', '', '{}', sealed, key, address_id, destination_id, address_proof from each_of
      on conflict (key) do nothing returning id, key
    )
    select each_of.place, stored.id from stored join each_of using (key)`,
  serves: 'each',
  params: {
    playerId: nullable(t.bigint),
    now: t.epochSeconds,
    category: t.text,
    toAddress: t.text,
    subject: t.text,
    sealed: t.bytea,
    key: t.text,
    addressId: nullable(t.bigint),
    destinationId: nullable(t.bigint),
    addressProof: nullable(t.bytea),
  },
  row: { id: t.bigint },
})

/** Names the sender of a mail that is not to come from the sender in force. */
export const nameSender = sql({
  name: 'messages.name-sender',
  text: `update mail_outbox set from_name = $2, from_address = $3 where id = $1`,
  params: [t.bigint, t.text, t.text],
})

export const findUnsentMail = sql({
  name: 'messages.find-unsent-mail',
  text: `select created_at, category, to_address, subject, text, html, links, sealed, key, address_id, destination_id, from_name, from_address
    from mail_outbox
    where id = $1 and sent_at is null and refused_at is null`,
  serves: 'each',
  params: [t.bigint],
  row: {
    createdAt: t.epochSeconds,
    category: t.text,
    toAddress: t.text,
    subject: t.text,
    text: t.text,
    html: t.text,
    links: array(t.text),
    sealed: nullable(t.bytea),
    key: t.text,
    addressId: nullable(t.bigint),
    destinationId: nullable(t.bigint),
    fromName: nullable(t.text),
    fromAddress: nullable(t.text),
  },
})

/** Counts a failed try. A mail that leaves immediately has no count before: its row would be written twice. */
export const countFailedTry = sql({
  name: 'messages.count-failed-try',
  text: 'update mail_outbox set attempts = attempts + 1 where id = $1 and sent_at is null',
  params: [t.bigint],
})

export const markMailRefused = sql({
  name: 'messages.mark-mail-refused',
  text: `update mail_outbox set refused_at = $2, refusal = $3 where id = $1 and sent_at is null`,
  params: [t.bigint, t.epochSeconds, t.text],
})

export const countUnsentMail = sql({
  name: 'messages.count-unsent-mail',
  text: `select (count(*) filter (where refused_at is null and attempts = 0))::int as waiting,
      (count(*) filter (where refused_at is null and attempts > 0))::int as failing,
      (count(*) filter (where refused_at is not null))::int as refused
    from mail_outbox where sent_at is null`,
  row: { waiting: t.int, failing: t.int, refused: t.int },
})

export const markMailSent = sql({
  name: 'messages.mark-mail-sent',
  text: `update mail_outbox set sent_at = m.now,
      text = m.text, html = m.html, links = m.links, sealed = null, refused_at = null, refusal = null
    from $each m where mail_outbox.id = m.id and mail_outbox.sent_at is null returning m.place`,
  serves: 'each',
  params: {
    id: t.bigint,
    now: t.epochSeconds,
    text: t.text,
    html: t.text,
    links: array(t.text),
  },
})

export const listSealedMail = sql({
  name: 'messages.list-sealed-mail',
  text: 'select id, key, to_address, sealed from mail_outbox where sealed is not null order by id for update',
  row: { id: t.bigint, key: t.text, toAddress: t.text, sealed: t.bytea },
})

export const replaceSealedMail = sql({
  name: 'messages.replace-sealed-mail',
  text: `update mail_outbox m set sealed = fresh.sealed from unnest($1::bigint[], $2::bytea[]) as fresh (id, sealed) where m.id = fresh.id`,
  params: [array(t.bigint), array(t.bytea)],
})

export const listSentMail = sql({
  name: 'messages.list-sent-mail',
  text: `select to_address, subject, text, html, links, sent_at from mail_outbox
    where sent_at is not null and ($1::text is null or lower(to_address collate "C") = lower($1 collate "C"))
    order by id desc limit $2`,
  params: [nullable(t.text), t.bigint],
  row: {
    toAddress: t.text,
    subject: t.text,
    text: t.text,
    html: t.text,
    links: array(t.text),
    sentAt: nullable(t.epochSeconds),
  },
})

export const exportMail = sql({
  name: 'messages.export-mail',
  text: `select sent_at, to_address, subject from mail_outbox where player_id = $1 order by id`,
  params: [t.bigint],
  row: { sentAt: nullable(t.epochSeconds), toAddress: t.text, subject: t.text },
})

/** Mail that has not gone out yet is still sent, though without a player. */
export const detachUnsentMail = sql({
  name: 'messages.detach-unsent-mail',
  text: 'update mail_outbox set player_id = null where player_id = $1 and sent_at is null',
  params: [t.bigint],
})

/**
 * Whether a player may be invited to play: not one who takes a time-out, has excluded himself, or has closed the
 * account.
 */
export const isLeftAlone = sql({
  name: 'messages.is-left-alone',
  text: `select exists (select from players where id = $1 and closed_at is not null)
    or exists (select from responsible_play where player_id = $1 and (excluded_until > $2 or time_out_until > $2))
    as is_left_alone`,
  params: [t.bigint, t.epochSeconds],
  row: { isLeftAlone: t.bool },
})

export const removeMailOfPlayer = sql({
  name: 'messages.remove-mail-of-player',
  text: 'delete from mail_outbox where player_id = $1',
  params: [t.bigint],
})

export const removeOldMail = sql({
  name: 'messages.remove-old-mail',
  text: `delete from mail_outbox
    where coalesce(sent_at, refused_at) < case when player_id is null then $2::bigint else $1::bigint end`,
  params: [t.epochSeconds, t.epochSeconds],
})

export const readMailPreferences = sql({
  name: 'messages.read-mail-preferences',
  text: `select is_lottery_games_active, is_winners_and_good_causes_active from email_preferences where player_id = $1`,
  params: [t.bigint],
  row: { isLotteryGamesActive: t.bool, isWinnersAndGoodCausesActive: t.bool },
})

/** Touches no row of an account that is closed or being closed: what that erases must stay erased. */
export const saveMailPreferences = sql({
  name: 'messages.save-mail-preferences',
  text: `insert into email_preferences (player_id, is_lottery_games_active, is_winners_and_good_causes_active)
    select id, $2, $3 from players where id = $1 and closed_at is null for update on conflict (player_id) do update set
      is_lottery_games_active = excluded.is_lottery_games_active,
      is_winners_and_good_causes_active = excluded.is_winners_and_good_causes_active`,
  params: [t.bigint, t.bool, t.bool],
})

export const removeMailPreferences = sql({
  name: 'messages.remove-mail-preferences',
  text: 'delete from email_preferences where player_id = $1',
  params: [t.bigint],
})
