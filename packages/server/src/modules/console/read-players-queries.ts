import { nullable, sql, t } from '../../db/sql.ts'

/** Of each list so much is shown, the newest. */
const MOST = 50

/** A player without secrets: what they are, when they were last here, what is owed to them by the ledger. */
export const findPlayer = sql({
  name: 'console.find-player',
  text: `select u.id, u.username, u.email, u.email_verified_at, u.created_at, u.closed_at, u.erased_at, u.currency_id,
      (select max(seen_at) from console_sessions s where s.player_id = u.id) as last_seen_at,
      exists (select from console_two_factor f where f.player_id = u.id and f.confirmed_at is not null) as has_two_factor,
      coalesce((select c.balance_sats from console_ledger_accounts a cross join lateral (select balance_sats from console_checkpoints
          where account_id = a.id order by upto_posting_id desc limit 1) c
        where a.kind = 'winnings' and a.subject = u.id::text), 0)
      + coalesce((select sum(p.amount_sats)::bigint from console_ledger_accounts a join console_postings p on p.account_id = a.id
          and p.id > coalesce((select max(upto_posting_id) from console_checkpoints where account_id = a.id), 0)
        where a.kind = 'winnings' and a.subject = u.id::text), 0) as owed_sats
    from console_players u where u.id = $1`,
  params: [t.bigint],
  row: {
    id: t.bigint,
    username: t.text,
    email: nullable(t.text),
    emailVerifiedAt: nullable(t.epochSeconds),
    createdAt: t.epochSeconds,
    closedAt: nullable(t.epochSeconds),
    erasedAt: nullable(t.epochSeconds),
    currencyId: t.int,
    lastSeenAt: nullable(t.epochSeconds),
    hasTwoFactor: t.bool,
    owedSats: t.bigint,
  },
})

/** What a player has set to play safely. */
export const findLimits = sql({
  name: 'console.find-limits',
  text: `select weekly_limit_minor, next_limit_minor, next_limit_from, time_out_until, excluded_until, currency_id, reminder_minutes
    from console_limits where player_id = $1`,
  params: [t.bigint],
  row: {
    weeklyLimitMinor: nullable(t.bigint),
    nextLimitMinor: nullable(t.bigint),
    nextLimitFrom: nullable(t.epochSeconds),
    timeOutUntil: nullable(t.epochSeconds),
    excludedUntil: nullable(t.epochSeconds),
    currencyId: t.int,
    reminderMinutes: nullable(t.int),
  },
})

/** Who of the staff excluded a player until a time, if somebody did. */
export const findExcluder = sql({
  name: 'console.find-excluder',
  text: `select s.name from console_audit a join staff s on s.id = a.staff_id
    where a.subject = $1 and a.kind = 'players.exclude' and a.args ->> 'until' = $2::bigint::text order by a.id desc limit 1`,
  params: [t.text, t.epochSeconds],
  row: { name: t.text },
})

/** Where a player is logged in. */
export const listSessions = sql({
  name: 'console.list-sessions',
  text: `select id, device, created_at, seen_at from console_sessions
    where player_id = $1 and revoked_at is null and expires_at > $2 order by created_at desc, id limit ${MOST}`,
  params: [t.bigint, t.epochSeconds],
  row: { id: t.uuid, device: t.text, createdAt: t.epochSeconds, seenAt: t.epochSeconds },
})

/** Where a player wants to be paid: addresses of the chain and of Lightning, the newest first. */
export const listAddresses = sql({
  name: 'console.list-addresses',
  text: `select address, created_at, superseded_at, case when is_announced then coalesce(paid_from, usable_from) end as paid_from
      from console_player_addresses where player_id = $1
    union all select value, created_at, superseded_at, case when is_announced then coalesce(paid_from, usable_from) end
      from console_player_destinations where player_id = $1
    order by created_at desc, address limit ${MOST}`,
  params: [t.bigint],
  row: {
    address: t.text,
    createdAt: t.epochSeconds,
    supersededAt: nullable(t.epochSeconds),
    paidFrom: nullable(t.epochSeconds),
  },
})

/** Why a player is not paid for now. */
export const listSetAside = sql({
  name: 'console.list-player-set-aside',
  text: `select at, reason from console_players_set_aside where player_id = $1
    union all select s.at, s.reason from console_player_addresses a
      join console_set_aside s on s.address in (a.address, lower(a.address))
      where a.player_id = $1 and a.superseded_at is null order by at`,
  params: [t.bigint],
  row: { at: t.epochSeconds, reason: t.text },
})

/** What a signed request keeps a player from now, oldest first. */
export const listHolds = sql({
  name: 'console.list-holds',
  text: `select kind, from_at, until_at, reason, request_id from console_player_holds
    where player_id = $1 and lifted_at is null and (until_at is null or until_at > $2) order by id`,
  params: [t.bigint, t.epochSeconds],
  row: { kind: t.text, fromAt: t.epochSeconds, untilAt: nullable(t.epochSeconds), reason: t.text, requestId: t.uuid },
})

/** A player's newest orders. */
export const listOrdersOf = sql({
  name: 'console.list-orders-of',
  text: `select id, created_at, status, due_sats, line_count, game_key from console_orders where player_id = $1
    order by created_at desc limit ${MOST}`,
  params: [t.bigint],
  row: {
    id: t.uuid,
    createdAt: t.epochSeconds,
    status: t.text,
    dueSats: t.bigint,
    lineCount: t.int,
    gameKey: t.text,
  },
})

/** A player's newest plays, those of the newest draws among what was entered at once first. */
export const listPlaysOf = sql({
  name: 'console.list-plays-of',
  text: `select p.id, p.order_id, p.line_count, p.stake_sats, p.receipt_at, p.returned_at, d.game_key, d.number, d.status
    from (select id, order_id, draw_id, line_count, stake_sats, receipt_at, returned_at from console_plays
      where player_id = $1 order by draw_id desc limit 1000) p
    join console_draws d on d.id = p.draw_id order by p.receipt_at desc, p.draw_id desc, p.id limit ${MOST}`,
  params: [t.bigint],
  row: {
    id: t.uuid,
    orderId: t.uuid,
    lineCount: t.int,
    stakeSats: t.bigint,
    receiptAt: t.epochSeconds,
    returnedAt: nullable(t.epochSeconds),
    gameKey: t.text,
    number: t.int,
    status: t.text,
  },
})

/** A player's newest wins in draws whose last ball was shown, those of a kind in a draw together. */
export const listWinsOf = sql({
  name: 'console.list-wins-of',
  text: `select d.game_key, d.number, d.end_at, w.win_type, w.matches, count(*) as lines, coalesce(sum(w.amount_sats), 0)::bigint as sats
    from (select draw_id, win_type, matches, amount_sats from console_wins where player_id = $1 order by draw_id desc limit 1000) w
    join console_draws d on d.id = w.draw_id where d.end_at <= $2
    group by d.id, d.game_key, d.number, d.end_at, w.win_type, w.matches order by d.end_at desc, d.id desc, w.matches desc limit ${MOST}`,
  params: [t.bigint, t.epochSeconds],
  row: {
    gameKey: t.text,
    number: t.int,
    endAt: t.epochSeconds,
    winType: t.text,
    matches: t.smallint,
    lines: t.whole,
    sats: t.bigint,
  },
})

/** A player's newest payouts. */
export const listPayoutsOfPlayer = sql({
  name: 'console.list-payouts-of-player',
  text: `select p.id, p.batch_id, p.sats, p.address, p.created_at,
      coalesce(l.state, case when p.cancelled_at is null then b.state else 'CANCELLED' end) as state
    from console_payouts p left join console_payout_batches b on b.id = p.batch_id left join console_ln_payouts l on l.payout_id = p.id
    where p.player_id = $1 order by p.id desc limit ${MOST}`,
  params: [t.bigint],
  row: {
    id: t.bigint,
    batchId: nullable(t.bigint),
    sats: t.bigint,
    address: t.text,
    createdAt: t.epochSeconds,
    state: t.text,
  },
})

/** The newest notes of the staff about a player. */
export const listNotesOf = sql({
  name: 'console.list-notes-of',
  text: `select a.at, a.staff_id, s.name as staff_name, a.detail from console_audit a join staff s on s.id = a.staff_id
    where a.subject = $1 and a.kind = 'players.note' order by a.id desc limit ${MOST}`,
  params: [t.text],
  row: { at: t.epochSeconds, staffId: t.bigint, staffName: t.text, detail: t.text },
})

/** The newest messages to a player. */
export const listMessagesOf = sql({
  name: 'console.list-messages-of',
  text: `select id, title, created_at, is_read from console_messages where player_id = $1 order by id desc limit ${MOST}`,
  params: [t.bigint],
  row: { id: t.bigint, title: t.text, createdAt: t.epochSeconds, isRead: t.bool },
})
