import { nullable, sql, t } from '../../db/sql.ts'

/** The address last saved, which may not be usable yet. */
export const findLatestAddress = sql({
  name: 'accounts.find-latest-address',
  text: `select id, address, usable_from from player_addresses
    where player_id = $1 and superseded_at is null order by id desc limit 1`,
  params: [t.bigint],
  row: { id: t.bigint, address: t.text, usable_from: t.epochSeconds },
})

/** The address payouts go to. */
export const findUsableAddress = sql({
  name: 'accounts.find-usable-address',
  text: `select address from player_addresses
    where player_id = $1 and superseded_at is null and usable_from <= $2 order by id desc limit 1`,
  params: [t.bigint, t.epochSeconds],
  row: { address: t.text },
})

/** An address that was still waiting when another is saved never becomes usable. */
export const supersedeWaitingAddresses = sql({
  name: 'accounts.supersede-waiting-addresses',
  text: `update player_addresses set superseded_at = $2
    where player_id = $1 and superseded_at is null and usable_from > $2`,
  params: [t.bigint, t.epochSeconds],
})

export const insertAddress = sql({
  name: 'accounts.insert-address',
  text: 'insert into player_addresses (player_id, created_at, usable_from, address) values ($1, $2, $3, $4)',
  params: [t.bigint, t.epochSeconds, t.epochSeconds, t.text],
})

export const listAddresses = sql({
  name: 'accounts.list-addresses',
  text: 'select address, created_at, usable_from, superseded_at from player_addresses where player_id = $1 order by id',
  params: [t.bigint],
  row: {
    address: t.text,
    created_at: t.epochSeconds,
    usable_from: t.epochSeconds,
    superseded_at: nullable(t.epochSeconds),
  },
})

/** All but the one payouts go to: the ones before, and one that still waits. */
export const removeOtherAddresses = sql({
  name: 'accounts.remove-other-addresses',
  text: `delete from player_addresses where player_id = $1 and id not in (
      select id from player_addresses where player_id = $1 and superseded_at is null and usable_from <= $2
      order by id desc limit 1)`,
  params: [t.bigint, t.epochSeconds],
})

export const removeAddresses = sql({
  name: 'accounts.remove-addresses',
  text: 'delete from player_addresses where player_id = $1',
  params: [t.bigint],
})

const limitsRow = {
  weekly_limit_minor: nullable(t.bigint),
  next_limit_minor: nullable(t.bigint),
  next_limit_from: nullable(t.epochSeconds),
  time_out_until: nullable(t.epochSeconds),
  excluded_until: nullable(t.epochSeconds),
  currency_id: t.int,
  reminder_minutes: nullable(t.int),
}
const LIMITS =
  'weekly_limit_minor, next_limit_minor, next_limit_from, time_out_until, excluded_until, currency_id, reminder_minutes'

export const findLimits = sql({
  name: 'accounts.find-limits',
  text: `select ${LIMITS} from responsible_play where player_id = $1`,
  params: [t.bigint],
  row: limitsRow,
})

/** The limits of a player who is about to play, all but the currency null where none were set; no row once the account is closed. */
export const findLimitsToPlay = sql({
  name: 'accounts.find-limits-to-play',
  text: `select l.weekly_limit_minor, l.next_limit_minor, l.next_limit_from, l.time_out_until, l.excluded_until,
      coalesce(l.currency_id, p.currency_id) as currency_id, l.reminder_minutes
    from players p left join responsible_play l on l.player_id = p.id where p.id = $1 and p.closed_at is null`,
  params: [t.bigint],
  row: limitsRow,
})

export const saveLimits = sql({
  name: 'accounts.save-limits',
  text: `insert into responsible_play (player_id, ${LIMITS}) values ($1, $2, $3, $4, $5, $6, $7, $8)
    on conflict (player_id) do update set weekly_limit_minor = $2, next_limit_minor = $3, next_limit_from = $4,
      time_out_until = $5, excluded_until = $6, currency_id = $7, reminder_minutes = $8`,
  params: [
    t.bigint,
    nullable(t.bigint),
    nullable(t.bigint),
    nullable(t.epochSeconds),
    nullable(t.epochSeconds),
    nullable(t.epochSeconds),
    t.int,
    nullable(t.int),
  ],
})

export const removeLimits = sql({
  name: 'accounts.remove-limits',
  text: 'delete from responsible_play where player_id = $1',
  params: [t.bigint],
})
