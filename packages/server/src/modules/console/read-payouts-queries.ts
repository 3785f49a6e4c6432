import { array, nullable, sql, t } from '../../db/sql.ts'

/** Lists are counted up to here, so that no page waits for the count of everything. */
export const MOST_COUNTED = 10_000
/** Maximum number of a player's wins in money that are added up. */
const MOST_WINS = 1000

/** A page of batches and of payouts over Lightning in some states, newest first. */
export const listBatches = sql({
  name: 'console.list-batches',
  text: `with found as (
      select b.id, b.created_at, b.state, b.reason, false as is_lightning from unnest($states::text[]) as s (state)
      cross join lateral (select id, created_at, state, reason from console_payout_batches where state = s.state
        order by id desc limit $limit::bigint + $offset::bigint) b
      union all
      select l.payout_id, p.created_at, l.state, l.reason, true from unnest($lightningStates::text[]) as s (state)
      cross join lateral (select payout_id, state, reason from console_ln_payouts where state = s.state
        order by payout_id desc limit $limit::bigint + $offset::bigint) l
      join console_payouts p on p.id = l.payout_id)
    select id, created_at, state, reason, is_lightning from found order by created_at desc, is_lightning, id desc
    limit $limit offset $offset`,
  params: { states: array(t.text), lightningStates: array(t.text), limit: t.whole, offset: t.whole },
  row: {
    id: t.bigint,
    createdAt: t.epochSeconds,
    state: t.text,
    reason: nullable(t.text),
    isLightning: t.bool,
  },
})

/** How many there are, of each state no more than are counted. */
export const countBatches = sql({
  name: 'console.count-batches',
  text: `select (select count(*) from unnest($1::text[]) as s (state)
        cross join lateral (select from console_payout_batches where state = s.state limit ${MOST_COUNTED}) b)
      + (select count(*) from unnest($2::text[]) as s (state)
        cross join lateral (select from console_ln_payouts where state = s.state limit ${MOST_COUNTED}) l) as rows`,
  params: [array(t.text), array(t.text)],
  row: { rows: t.whole },
})

/** A batch. */
export const findBatch = sql({
  name: 'console.find-batch',
  text: `select id, created_at, state, reason, false as is_lightning from console_payout_batches where id = $1`,
  params: [t.bigint],
  row: { id: t.bigint, createdAt: t.epochSeconds, state: t.text, reason: nullable(t.text), isLightning: t.bool },
})

/** A payout over Lightning. */
export const findLightningPayout = sql({
  name: 'console.find-lightning-payout',
  text: `select l.payout_id as id, p.created_at, l.state, l.reason, true as is_lightning
    from console_ln_payouts l join console_payouts p on p.id = l.payout_id where l.payout_id = $1`,
  params: [t.bigint],
  row: { id: t.bigint, createdAt: t.epochSeconds, state: t.text, reason: nullable(t.text), isLightning: t.bool },
})

/**
 * The payouts of some batches, and some over Lightning: payee, where since when, from which draws, and what else the
 * payee won.
 */
export const listPayoutsOf = sql({
  name: 'console.list-payouts-of',
  text: `select p.id, p.batch_id, p.player_id, p.partner_id, p.address, p.sats, p.cancelled_at, u.username, u.created_at as player_since,
      case when p.kind = 'chain'
        then (select max(a.created_at) from console_player_addresses a where a.player_id = p.player_id and a.address = p.address)
        else (select max(d.created_at) from console_player_destinations d where d.player_id = p.player_id and d.value = p.address)
      end as address_since,
      array(select distinct d.game_key || ' ' || d.number from console_payables w join console_draws d on d.id = w.draw_id
        where w.payout_id = p.id order by 1) as draws,
      own.wins as own_wins, own.sats as own_sats, won.wins, won.sats as won_sats
    from console_payouts p left join console_players u on u.id = p.player_id
    cross join lateral (select count(*) as wins, coalesce(sum(w.sats), 0)::bigint as sats from console_payables w
      where w.payout_id = p.id and w.kind = 'prize') own
    cross join lateral (select count(*) as wins, coalesce(sum(x.amount_sats), 0)::bigint as sats from (
      select amount_sats from console_wins where player_id = p.player_id and amount_sats is not null
      order by draw_id desc limit ${MOST_WINS}) x) won
    where p.id = any(array(select id from console_payouts where batch_id = any($1) union all select unnest($2::bigint[])))
    order by p.id`,
  params: [array(t.bigint), array(t.bigint)],
  row: {
    id: t.bigint,
    batchId: nullable(t.bigint),
    playerId: nullable(t.bigint),
    partnerId: nullable(t.text),
    address: t.text,
    sats: t.bigint,
    cancelledAt: nullable(t.epochSeconds),
    username: nullable(t.text),
    playerSince: nullable(t.epochSeconds),
    addressSince: nullable(t.epochSeconds),
    draws: array(t.text),
    ownWins: t.whole,
    ownSats: t.bigint,
    wins: t.whole,
    wonSats: t.bigint,
  },
})

/** Who of these is not paid for now, and which of these addresses; the holds of payouts that are in force at $3. */
export const listSetAsideOf = sql({
  name: 'console.list-set-aside-of',
  text: `select player_id, address, reason, null::bigint as until_at from console_players_set_aside where player_id = any($1)
    union all select null, address, reason, null from console_set_aside where address = any($2) or address = any(array(
      select lower(one) from unnest($2::text[]) as one))
    union all select player_id, '', reason, until_at from console_player_holds
      where player_id = any($1) and kind = 'payouts' and lifted_at is null and until_at > $3`,
  params: [array(t.bigint), array(t.text), t.epochSeconds],
  row: { playerId: nullable(t.bigint), address: t.text, reason: t.text, untilAt: nullable(t.epochSeconds) },
})

/** Why all payouts are stopped; no row while they are not. */
export const findStop = sql({
  name: 'console.find-stop',
  text: `select value from console_state where key = 'payouts.stopped'`,
  row: { value: t.text },
})

/** The invariants that are broken and stop payouts. */
export const listBroken = sql({
  name: 'console.list-broken',
  text: `select distinct invariant from console_violations
    where gone_at is null and accepted_at is null and invariant <> 'I12' order by invariant`,
  row: { invariant: t.text },
})

/** Spends of the payouts' wallet that nobody has accepted, oldest first. */
export const listUnaccepted = sql({
  name: 'console.list-unaccepted',
  text: `select txid, found_at from console_foreign_spends where accepted_at is null and not is_payout
    order by found_at, txid limit 100`,
  row: { txid: t.text, foundAt: t.epochSeconds },
})

/** The transactions of a batch, the newest last. */
export const listTxsOf = sql({
  name: 'console.list-txs-of',
  text: `select txid, fee_sats, confirmations from console_payout_txs where batch_id = $1 order by version`,
  params: [t.bigint],
  row: { txid: t.text, feeSats: t.bigint, confirmations: nullable(t.whole) },
})

/** What a payout over Lightning was tried with and has left by; a part of a satoshi counts as a whole one. */
export const listAttemptsOf = sql({
  name: 'console.list-attempts-of',
  text: `select payment_hash as txid, ceil(coalesce(sent_msat - amount_msat, 0) / 1000.0)::bigint as fee_sats,
      null::bigint as confirmations
    from console_ln_attempts where payout_id = $1 and sent_at is not null order by attempt`,
  params: [t.bigint],
  row: { txid: t.text, feeSats: t.bigint, confirmations: nullable(t.whole) },
})
