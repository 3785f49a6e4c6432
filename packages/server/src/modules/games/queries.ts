import { array, nullable, sql, t } from '../../db/sql.ts'
import type { StoredPartner, StoredTier } from '../draws/service.ts'

/** When a draw's show is over for certain: a late beacon moves the balls, and with them the end. */
const shownUntil = `greatest(d.end_at, coalesce(d.reveal_from_at, d.start_at) + d.end_at - d.start_at)`

/**
 * The present draws of a game: those that started after $1 and are not over at $2, and those ahead. A void draw is no
 * game's next one.
 */
export const findDrawsAround = sql({
  name: 'games.find-draws-around',
  text: `select d.id, d.game_key, d.number, d.status, d.start_at, d.scheduled_at, d.closes_at, d.end_at, d.reveal_from_at, d.pick,
      d.version, d.weekday, d.numbers, d.guaranteed_minor, d.rate_at, d.pot_sats, d.floor_sats, d.entries, d.tiers, d.partners
    from games g join draws d on d.game_key = g.key
    where d.start_at > $1 and d.status <> 'void' and (d.status <> 'settled' or ${shownUntil} > $2)
    order by g.position, d.start_at`,
  params: [t.epochSeconds, t.epochSeconds],
  row: {
    id: t.bigint,
    gameKey: t.text,
    number: t.int,
    status: t.oneOf(['open', 'closed', 'drawn', 'settled']),
    startAt: t.epochSeconds,
    scheduledAt: t.epochSeconds,
    closesAt: t.epochSeconds,
    endAt: t.epochSeconds,
    revealFromAt: nullable(t.epochSeconds),
    pick: t.smallint,
    version: t.int,
    weekday: t.smallint,
    numbers: nullable(array(t.smallint)),
    guaranteedMinor: t.bigint,
    rateAt: nullable(t.epochSeconds),
    potSats: nullable(t.bigint),
    floorSats: nullable(t.bigint),
    entries: nullable(t.int),
    tiers: nullable(t.json<readonly StoredTier[]>()),
    partners: nullable(t.json<readonly StoredPartner[]>()),
  },
})

/** When each game's newest settled draw started; games without one are missing. */
export const findLastDraws = sql({
  name: 'games.find-last-draws',
  text: `select g.key as game_key, last.start_at
    from games g cross join lateral (
      select d.start_at from draws d where d.game_key = g.key and d.status = 'settled' order by d.start_at desc limit 1
    ) last`,
  params: [],
  row: { gameKey: t.text, startAt: t.epochSeconds },
})

/** The first and the last draw of each version of a game that was opened. */
export const findFirstDraws = sql({
  name: 'games.find-first-draws',
  text: `select version, min(number) as first, max(number) as last, max(scheduled_at) as last_at from draws
    where game_key = $1 group by version order by version`,
  params: [t.text],
  row: { version: t.int, first: t.int, last: t.int, lastAt: t.epochSeconds },
})

/** The games that have played their last draw, newest first: retired when it ended, until everything is wound up. */
export const findRetired = sql({
  name: 'games.find-retired',
  text: `select g.key, g.name, g.accent, coalesce(g.retired_at, last.end_at, g.created_at) as retired_at, g.retires_into from games g
    left join lateral (select max(end_at) as end_at from draws d where d.game_key = g.key) last on true
    where g.state <> 'active' and not exists (
      select from draws d where d.game_key = g.key and d.status in ('open', 'closed', 'drawn'))
    order by 4 desc, g.key`,
  row: { key: t.text, name: t.text, accent: t.text, retiredAt: t.epochSeconds, retiresInto: t.text },
})

/**
 * The stakes in draws whose sales are open. What has leaves is added up already; only plays since the last batch are read, or
 * all of them where a payment left the chain and its leaf stands for nothing until the close.
 */
export const sumStakes = sql({
  name: 'games.sum-stakes',
  text: `select d.id as draw_id,
      (case when gone.is_any then old.stake_sats else d.leaf_stake_sats end + new.stake_sats)::bigint as stake_sats,
      (case when gone.is_any then old.entries else d.leaf_lines end + new.entries)::bigint as entries
    from draws d
    cross join lateral (select exists (select from plays_taken_back where draw_id = d.id) as is_any) gone
    cross join lateral (select coalesce(sum(stake_sats), 0) as stake_sats, coalesce(sum(line_count), 0) as entries
      from plays where draw_id = d.id and leaf_index is null) new
    cross join lateral (select coalesce(sum(stake_sats), 0) as stake_sats, coalesce(sum(line_count), 0) as entries
      from plays where gone.is_any and draw_id = d.id and leaf_index is not null) old
    where d.id = any($1)`,
  params: [array(t.bigint)],
  row: { drawId: t.bigint, stakeSats: t.bigint, entries: t.bigint },
})

/** Free tickets a player can still use, per game. */
export const findFreeTickets = sql({
  name: 'games.find-free-tickets',
  text: `select game_key, won - used - held - paid_out as available from free_tickets where player_id = $1`,
  params: [t.bigint],
  row: { gameKey: t.text, available: t.int },
})

export const findPlayedGames = sql({
  name: 'games.find-played',
  text: `select distinct game_key from orders where player_id = $1 and status = 'PAID'`,
  params: [t.bigint],
  row: { gameKey: t.text },
})

export const findSavedNumbers = sql({
  name: 'games.find-saved-numbers',
  text: `select masks from saved_numbers where player_id = $1 and game_key = $2`,
  params: [t.bigint, t.text],
  row: { masks: array(t.bigint) },
})

export const saveNumbers = sql({
  name: 'games.save-numbers',
  text: `insert into saved_numbers (player_id, game_key, masks) values ($1, $2, $3)
    on conflict (player_id, game_key) do update set masks = excluded.masks`,
  params: [t.bigint, t.text, array(t.bigint)],
})

export const deleteSavedNumbers = sql({
  name: 'games.delete-saved-numbers',
  text: `delete from saved_numbers where player_id = $1 and game_key = $2`,
  params: [t.bigint, t.text],
})

export const findLastPlayedNumbers = sql({
  name: 'games.find-last-played-numbers',
  text: `select masks from order_lines where order_id = (
      select id from orders where player_id = $1 and game_key = $2 and status = 'PAID'
      order by paid_at desc, created_at desc, id desc limit 1
    ) order by part`,
  params: [t.bigint, t.text],
  row: { masks: array(t.bigint) },
})

export const exportSavedNumbers = sql({
  name: 'games.export-saved-numbers',
  text: 'select game_key, masks from saved_numbers where player_id = $1 order by game_key',
  params: [t.bigint],
  row: { gameKey: t.text, masks: array(t.bigint) },
})

export const removeSavedNumbers = sql({
  name: 'games.remove-saved-numbers',
  text: 'delete from saved_numbers where player_id = $1',
  params: [t.bigint],
})
