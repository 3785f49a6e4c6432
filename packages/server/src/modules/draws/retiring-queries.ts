import { UNDECIDED } from './queries.ts'
import { nullable, sql, t } from '../../db/sql.ts'

// The end of a game, and who is told of it and of other changes.

/** From now on a game opens no draw that its last version does not have. */
export const markRetiring = sql({
  name: 'draws.mark-retiring',
  text: `update games set state = 'retiring', retires_into = $2 where key = $1`,
  params: [t.text, t.text],
})

/** The moment from which a game that retires has no draw, and whether one is unfinished or an order undecided. */
export const findRetiring = sql({
  name: 'draws.find-retiring',
  text: `select g.retires_into, v.from_at,
      exists (select from draws d where d.game_key = g.key and d.status in ('open', 'closed', 'drawn')) as has_draws,
      exists (select from orders o where o.game_key = g.key and o.status in ${UNDECIDED}) as has_orders
    from games g join lateral (
      select from_at from game_versions where game_key = g.key order by version desc limit 1) v on true
    where g.key = $1 and g.state = 'retiring'`,
  params: [t.text],
  row: { retiresInto: nullable(t.text), fromAt: t.epochSeconds, hasDraws: t.bool, hasOrders: t.bool },
})

/** The games that have played their last draw by $2, and whose pools go to game $1. */
export const findEndedInto = sql({
  name: 'draws.find-ended-into',
  text: `select g.key from games g where g.state = 'retiring' and g.retires_into = $1
      and not exists (select from draws d where d.game_key = g.key and d.status in ('open', 'closed', 'drawn'))
      and (select from_at from game_versions where game_key = g.key order by version desc limit 1) <= $2
    order by g.key`,
  params: [t.text, t.epochSeconds],
  row: { key: t.text },
})

/** Free tickets that nobody can use any more, by player. */
export const findFreeTicketsLeft = sql({
  name: 'draws.find-free-tickets-left',
  text: `select player_id, won - used - held - paid_out as tickets from free_tickets
    where game_key = $1 and won > used + held + paid_out order by player_id limit $2 for update`,
  params: [t.text, t.bigint],
  row: { playerId: t.bigint, tickets: t.int },
})

export const payFreeTickets = sql({
  name: 'draws.pay-free-tickets',
  text: `with paid as (
      update free_tickets set paid_out = paid_out + $tickets where player_id = $playerId and game_key = $gameKey
    )
    insert into payables (created_at, sats, player_id, kind, source) values ($now, $sats, $playerId, 'prize', $source)`,
  params: {
    gameKey: t.text,
    playerId: t.bigint,
    tickets: t.int,
    sats: t.bigint,
    now: t.epochSeconds,
    source: t.text,
  },
})

/** Players who paid for an order of a game since a moment, or have a free ticket of it, by their ids. */
export const findPlayersOfGame = sql({
  name: 'draws.find-players-of-game',
  text: `with recent as (
      select player_id from orders where game_key = $gameKey and paid_at >= $since
      union select player_id from free_tickets where game_key = $gameKey and won > used + held + paid_out
    )
    select r.player_id, coalesce(f.won - f.used - f.held - f.paid_out, 0) as free_tickets
    from recent r left join free_tickets f on f.player_id = r.player_id and f.game_key = $gameKey
    where r.player_id > $afterId order by r.player_id limit $most`,
  params: { gameKey: t.text, since: t.epochSeconds, afterId: t.bigint, most: t.bigint },
  row: { playerId: t.bigint, freeTickets: t.int },
})

export const markRetired = sql({
  name: 'draws.mark-retired',
  text: `update games set state = 'retired', retired_at = $2 where key = $1`,
  params: [t.text, t.epochSeconds],
})
