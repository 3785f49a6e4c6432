import { columnList, nullable, sql, t } from '../../db/sql.ts'

const limitsRow = {
  weeklyLimitMinor: nullable(t.bigint),
  nextLimitMinor: nullable(t.bigint),
  nextLimitFrom: nullable(t.epochSeconds),
  timeOutUntil: nullable(t.epochSeconds),
  excludedUntil: nullable(t.epochSeconds),
  currencyId: t.int,
  reminderMinutes: nullable(t.int),
}
const LIMITS = columnList(limitsRow)

export const findLimits = sql({
  name: 'accounts.find-limits',
  text: `select ${LIMITS} from responsible_play where player_id = $1`,
  params: [t.bigint],
  row: limitsRow,
})

/**
 * The limits of a player who is about to play, all except the currency null if none were set, and whether the operator
 * keeps them from buying at $2, or they are of its staff; no row once the account is closed.
 */
export const findLimitsToPlay = sql({
  name: 'accounts.find-limits-to-play',
  text: `select l.weekly_limit_minor, l.next_limit_minor, l.next_limit_from, l.time_out_until, l.excluded_until,
      coalesce(l.currency_id, p.currency_id) as currency_id, l.reminder_minutes,
      is_staff_email(coalesce(p.email, '')) or exists (select from player_holds h where h.player_id = p.id and h.kind in ('buy', 'sign-in')
        and h.lifted_at is null and (h.until_at is null or h.until_at > $2)) as is_blocked
    from players p left join responsible_play l on l.player_id = p.id where p.id = $1 and p.closed_at is null`,
  params: [t.bigint, t.epochSeconds],
  row: { ...limitsRow, isBlocked: t.bool },
  serves: 'each',
})

export const saveLimits = sql({
  name: 'accounts.save-limits',
  text: `insert into responsible_play (player_id, ${LIMITS}) values ($playerId, $weeklyLimitMinor, $nextLimitMinor, $nextLimitFrom, $timeOutUntil, $excludedUntil, $currencyId, $reminderMinutes)
    on conflict (player_id) do update set weekly_limit_minor = $weeklyLimitMinor, next_limit_minor = $nextLimitMinor, next_limit_from = $nextLimitFrom,
      time_out_until = $timeOutUntil, excluded_until = $excludedUntil, currency_id = $currencyId, reminder_minutes = $reminderMinutes`,
  params: {
    playerId: t.bigint,
    weeklyLimitMinor: nullable(t.bigint),
    nextLimitMinor: nullable(t.bigint),
    nextLimitFrom: nullable(t.epochSeconds),
    timeOutUntil: nullable(t.epochSeconds),
    excludedUntil: nullable(t.epochSeconds),
    currencyId: t.int,
    reminderMinutes: nullable(t.int),
  },
})

export const removeLimits = sql({
  name: 'accounts.remove-limits',
  text: 'delete from responsible_play where player_id = $1',
  params: [t.bigint],
})

/** Counts a limit that was set or an exclusion that was begun on a day, for the operator's reports. */
export const countChange = sql({
  name: 'accounts.count-limits-change',
  text: `insert into safer_play_days as d (day, kind, changes) values ($1, $2, 1)
    on conflict (day, kind) do update set changes = d.changes + 1`,
  params: [t.epochSeconds, t.text],
})
