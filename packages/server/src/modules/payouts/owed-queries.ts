import { array, nullable, sql, t } from '../../db/sql.ts'
import { isInUseAt } from './address-queries.ts'
import { payFirstAt, usableDestinationAt } from './destination-queries.ts'
import { lightningState } from './lightning-queries.ts'
import { usableAddressAt } from './queries.ts'

/** A sum owed to a player, with the draw or order that it comes from and the payout that takes it up. */
const owedRow = {
  kind: t.oneOf(['prize', 'refund', 'excess']),
  sats: t.bigint,
  createdAt: t.epochSeconds,
  playId: nullable(t.uuid),
  orderId: nullable(t.uuid),
  gameKey: nullable(t.text),
  number: nullable(t.int),
  startAt: nullable(t.epochSeconds),
  closesAt: nullable(t.epochSeconds),
  sentAt: nullable(t.epochSeconds),
  address: nullable(t.text),
  state: nullable(t.text),
  txid: nullable(t.text),
  destination: nullable(t.text),
  lightning: nullable(lightningState),
  nextAt: nullable(t.epochSeconds),
  paymentHash: nullable(t.text),
  preimage: nullable(t.text),
  invoice: nullable(t.text),
}
/** The sums of payables b, in groups that one page shows as one: of a play, or of an order. */
const owed = (where: string): string =>
  `select b.kind, sum(b.sats)::bigint as sats, min(b.created_at) as created_at, b.play_id, coalesce(b.order_id, w.order_id) as order_id,
      coalesce(d.game_key, r.game_key, min(split_part(b.source, ':', 2)) filter (where b.source like 'free-tickets:%')) as game_key, d.number, d.start_at, d.closes_at,
      o.sent_at, case when o.kind = 'chain' then o.address end as address, x.state, v.txid,
      case when o.kind = 'lightning' then o.address end as destination, l.state as lightning, l.next_at,
      a.payment_hash, a.preimage, a.invoice
    from payables b
    left join draws d on d.id = b.draw_id
    left join order_goodwill w on w.payable_id = b.id
    left join orders r on r.id = coalesce(b.order_id, w.order_id)
    left join payouts o on o.id = b.payout_id
    left join payout_batches x on x.id = o.batch_id
    left join payout_txs v on v.batch_id = x.id and v.version = x.version
    left join ln_payouts l on l.payout_id = o.id
    left join ln_attempts a on a.payout_id = o.id and a.outcome = 'complete'
    where b.player_id = $1 and ${where}
    group by b.kind, b.play_id, b.order_id, w.order_id, d.id, r.id, o.id, x.id, v.txid, l.payout_id, a.payout_id, a.attempt
    order by min(b.id)`

/** What is owed to a player and has not left. */
export const findOwedNow = sql({
  name: 'payouts.find-owed-now',
  text: owed('o.sent_at is null'),
  params: [t.bigint],
  row: owedRow,
})

/** The prizes of some plays. */
export const findPrizesOfPlays = sql({
  name: 'payouts.find-prizes-of-plays',
  text: owed(`b.kind = 'prize' and b.play_id = any($2)`),
  params: [t.bigint, array(t.uuid)],
  row: owedRow,
})

/** What decides at $1 whether and where player $2 is paid, and what waits for it in no payout. */
export const findPayee = sql({
  name: 'payouts.find-payee',
  text: `select p.email_verified_at as verified_at, a.address, a.usable_at, n.usable_at as next_usable_at,
      exists (select from payout_set_aside s where s.address in (a.address, lower(a.address)))
        or exists (select from payout_players_set_aside h where h.player_id = p.id)
        or exists (select from player_holds k where k.player_id = p.id and k.kind = 'payouts'
          and k.lifted_at is null and k.until_at > $1 and k.is_told) as is_set_aside,
      w.prize_sats, w.return_sats, ${payFirstAt('$1')} as pay_first, e.value as destination, e.min_msat, e.max_msat,
      e.usable_at as destination_usable_at, m.usable_at as next_destination_at,
      (select max(u.next_at) from ln_payouts u where u.destination_id = e.id and u.state = 'RETURNED') as returned_at
    from players p
    left join lateral (${usableAddressAt('$1', 'address, coalesce(paid_from, usable_from) as usable_at')}) a on true
    left join lateral (
      select coalesce(paid_from, usable_from) as usable_at from player_addresses
      where player_id = p.id and superseded_at is null and not (${isInUseAt('$1')}) order by id desc limit 1
    ) n on true
    left join lateral (${usableDestinationAt('$1', 'id, value, min_msat, max_msat, coalesce(paid_from, usable_from) as usable_at')}) e on true
    left join lateral (
      select coalesce(paid_from, usable_from) as usable_at from player_destinations
      where player_id = p.id and superseded_at is null and not (${isInUseAt('$1')}) order by id desc limit 1
    ) m on true
    cross join lateral (
      select coalesce(sum(sats) filter (where kind = 'prize'), 0)::bigint as prize_sats,
        coalesce(sum(sats) filter (where kind <> 'prize'), 0)::bigint as return_sats
      from payables where player_id = p.id and payout_id is null
    ) w
    where p.id = $2`,
  params: [t.epochSeconds, t.bigint],
  row: {
    verifiedAt: nullable(t.epochSeconds),
    address: nullable(t.text),
    usableAt: nullable(t.epochSeconds),
    nextUsableAt: nullable(t.epochSeconds),
    isSetAside: t.bool,
    prizeSats: t.bigint,
    returnSats: t.bigint,
    payFirst: t.oneOf(['LIGHTNING', 'ONCHAIN']),
    destination: nullable(t.text),
    minMsat: nullable(t.bigint),
    maxMsat: nullable(t.bigint),
    destinationUsableAt: nullable(t.epochSeconds),
    nextDestinationAt: nullable(t.epochSeconds),
    returnedAt: nullable(t.epochSeconds),
  },
})

/** What a player was paid in all, by sums that left, and when the last one did. */
export const sumPaid = sql({
  name: 'payouts.sum-paid',
  text: `select coalesce(sum(b.sats), 0)::bigint as sats, max(o.sent_at) as last_at
    from payables b join payouts o on o.id = b.payout_id where b.player_id = $1 and o.sent_at is not null`,
  params: [t.bigint],
  row: { sats: t.bigint, lastAt: nullable(t.epochSeconds) },
})

/** A player's free tickets that no order holds, by game. */
export const listFreeTickets = sql({
  name: 'payouts.list-free-tickets',
  text: `select game_key, won - used - held - paid_out as count from free_tickets
    where player_id = $1 and won - used - held - paid_out > 0 order by game_key`,
  params: [t.bigint],
  row: { gameKey: t.text, count: t.int },
})
