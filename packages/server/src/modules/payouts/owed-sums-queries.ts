import { array, nullable, sql, t } from '../../db/sql.ts'
import { heldAt, notSetAside, usableAddressAt } from './queries.ts'

/**
 * Where the player of a row b is paid at a moment; no row without a verified email address and a usable, sealed address,
 * or if player or address is set aside or held. The limit has it read for one player after the other.
 */
const payableAt = (at: string): string =>
  `select a.address from players p cross join lateral (${usableAddressAt(at)}) a
        where p.id = b.player_id and p.email_verified_at is not null and ${notSetAside(at)}
          and not exists (select from payout_set_aside s where s.address in (a.address, lower(a.address))) limit 1`

/** The players other than the one of y that are owed prizes, and are paid at the address of y. */
const besideAt = (at: string): string =>
  `select distinct b.player_id, b.first_prize_id as first_id, b.changes, b.prize_sats, y.address from player_addresses f
      join owed_sums b on b.player_id = f.player_id and b.prizes > 0
      where f.address = y.address and f.player_id <> y.player_id and f.superseded_at is null and f.seal is not null
        and y.address = (${payableAt(at)}) offset 0`

/**
 * The next players who are owed prizes and were not passed over since their last change, longest waiting first, each with
 * the address to pay at, if there is one; and beside them all others who are paid at these addresses. What each is owed
 * is read from the payables: the kept sums only say whom to look at. Returns the $most after the place that is named.
 */
export const findOwedToPlayers = sql({
  name: 'payouts.find-owed-to-players',
  text: `with page as materialized (
      select player_id, first_prize_id as first_id, changes from owed_sums
      where prizes > 0 and passed_change is distinct from changes and (first_prize_id, player_id) > ($firstId, $playerId)
      order by first_prize_id, player_id limit $most
    ), payees as materialized (
      select b.player_id, b.first_id, b.changes, a.address from page b left join lateral (${payableAt('$at')}) a on true
    ), beside as materialized (
      select distinct f.player_id, f.first_id, f.changes, f.address from payees y cross join lateral (${besideAt('$at')}) f
      where y.address is not null and not exists (select from page where page.player_id = f.player_id)
    )
    select m.player_id, m.first_id, m.changes, m.is_next, m.address, coalesce(w.payable_ids, '{}') as payable_ids,
      coalesce(w.sats, 0)::bigint as sats
    from (
      select player_id, first_id, changes, address, true as is_next from payees
      union all select player_id, first_id, changes, address, false from beside
    ) m
    left join lateral (
      select array_agg(id order by id) as payable_ids, sum(sats) as sats from payables
      where m.address is not null and player_id = m.player_id and payout_id is null and kind = 'prize'
    ) w on true
    order by m.first_id, m.player_id`,
  params: { at: t.epochSeconds, most: t.bigint, firstId: t.bigint, playerId: t.bigint },
  row: {
    playerId: t.bigint,
    firstId: t.bigint,
    changes: t.bigint,
    isNext: t.bool,
    address: nullable(t.text),
    payableIds: array(t.bigint),
    sats: t.bigint,
  },
})

/**
 * Notes that the prizes of players $1 could not be paid at $3, each as of its change in $2. Left out is who waits for a
 * moment only: for an address to become usable, or a hold to end.
 */
export const passOver = sql({
  name: 'payouts.pass-over',
  text: `with passed as (
      insert into owed_changes (payee_id, passed_change)
      select o.player_id, o.change from unnest($1::bigint[], $2::bigint[]) as o (player_id, change)
      where not exists (select from player_addresses a where a.player_id = o.player_id and a.superseded_at is null
          and a.seal is not null and coalesce(a.paid_from, a.usable_from) > $3)
        and not ${heldAt('$3', 'o.player_id')}
    )
    select note_end_of_owed() is null as is_noted`,
  params: [array(t.bigint), array(t.bigint), t.epochSeconds],
  row: { isNoted: t.bool },
})

/** What prizes are owed at a player's address, by player; none if the player is not paid now. */
export const findPrizesBeside = sql({
  name: 'payouts.find-prizes-beside',
  text: `with payee as materialized (
      select b.player_id, b.prize_sats, a.address
      from (select player_id, prize_sats from owed_sums where player_id = $2 and prizes > 0) b cross join lateral (${payableAt('$1')}) a
    )
    select player_id, address, prize_sats as sats from payee
    union all select f.player_id, f.address, f.prize_sats from payee y cross join lateral (${besideAt('$1')}) f`,
  params: [t.epochSeconds, t.bigint],
  row: { playerId: t.bigint, address: t.text, sats: t.bigint },
})
