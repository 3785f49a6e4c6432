import { array, nullable, sql, t } from '../../db/sql.ts'
import { batchState, STOPPED } from '../payouts/service.ts'

/** Lets a halted batch continue where it was; returns why it was halted. */
export const resumeBatch = sql({
  name: 'payouts.resume-batch',
  text: `with halted as (select id, reason from payout_batches where id = $1 and state = 'HALTED' for update)
    update payout_batches b set state = b.halted_from, halted_from = null, reason = null
    from halted where b.id = halted.id returning b.state, halted.reason`,
  params: [t.bigint],
  row: { state: batchState, reason: nullable(t.text) },
})

/** Lets an address be paid again. */
export const dropSetAside = sql({
  name: 'payouts.drop-set-aside',
  text: `delete from payout_set_aside where address in ($1, lower($1))`,
  params: [t.text],
})

/** Lets players be paid again who were set aside for a payout to an address. */
export const dropPlayersSetAside = sql({
  name: 'payouts.drop-players-set-aside',
  text: `delete from payout_players_set_aside where address in ($1, lower($1))`,
  params: [t.text],
})

/**
 * Lets players and addresses be paid again that were set aside for transactions which are all known not to be payouts.
 */
export const dropClearedSetAside = sql({
  name: 'payouts.drop-cleared-set-aside',
  text: `delete from payout_set_aside s where s.txids <> '{}' and not exists (
      select from payout_foreign_txs f where f.txid = any(s.txids) and f.may_be_payout)`,
})

/** The same for players. */
export const dropClearedPlayersSetAside = sql({
  name: 'payouts.drop-cleared-players-set-aside',
  text: `delete from payout_players_set_aside s where s.txids <> '{}' and not exists (
      select from payout_foreign_txs f where f.txid = any(s.txids) and f.may_be_payout)`,
})

/**
 * Sets players aside whom those of $1 that went over Lightning may have paid: the players with that destination, and all
 * with one over Lightning where the node does not say which. A player who is set aside for another reason stays so.
 */
export const setPayeesAside = sql({
  name: 'payouts.set-payees-aside',
  text: `insert into payout_players_set_aside as aside (player_id, address, reason, txids, at)
    select d.player_id, (array_agg(d.value order by d.id desc))[1],
      'may have been paid already by ' || string_agg(distinct f.txid, ' '), array_agg(distinct f.txid), $2
    from payout_foreign_txs f
    join player_destinations d on coalesce(f.payee_hash = sha256(convert_to(left(d.value, 100), 'UTF8')), true)
    where f.txid = any($1) and f.txid like 'ln:%' and d.seal is not null
    group by d.player_id
    on conflict (player_id) do update set reason = aside.reason || ', ' || excluded.reason, txids = aside.txids || excluded.txids
      where aside.txids <> '{}' and not aside.txids @> excluded.txids`,
  params: [array(t.text), t.epochSeconds],
})

/** Foreign spends that the operator has not accepted, oldest first: they stop all payouts. */
export const findUnaccepted = sql({
  name: 'payouts.find-unaccepted',
  text: `select f.txid from payout_foreign_txs f where f.accepted_at is null
      and not exists (select from payout_txs x where x.txid = f.txid)
    order by f.found_at, f.txid`,
  row: { txid: t.text },
})

/** Accepts those of $1 that were found; $3 says whether they may be payouts. A second call changes only that. */
export const acceptForeignTxs = sql({
  name: 'payouts.accept-foreign-txs',
  text: `update payout_foreign_txs set accepted_at = coalesce(accepted_at, $2), may_be_payout = $3
    where txid = any($1) returning txid`,
  params: [array(t.text), t.epochSeconds, t.bool],
  row: { txid: t.text },
})

export const resumePayouts = sql({
  name: 'payouts.resume',
  text: `delete from system_state where key = ${STOPPED}`,
})

/** Unaccepted violations of invariants that stop all payouts; I12 halts players. */
export const findBroken = sql({
  name: 'payouts.find-broken',
  text: `select distinct invariant from invariant_violations where gone_at is null and accepted_at is null
    and invariant <> 'I12' order by invariant`,
  row: { invariant: t.text },
})

/** Every payout ever made, with the transaction in force. */
export const listAllPayouts = sql({
  name: 'payouts.list-all',
  text: `select p.id, p.batch_id, coalesce(l.state, case when p.cancelled_at is null then b.state else 'CANCELLED' end) as state, p.player_id, p.partner_id, p.address, p.sats, p.fee_share_sats, p.created_at,
      p.sent_at, p.cancelled_at, coalesce(x.txid, 'ln:' || a.payment_hash) as txid
    from payouts p left join payout_batches b on b.id = p.batch_id
    left join ln_payouts l on l.payout_id = p.id
    left join ln_attempts a on a.payout_id = p.id and a.outcome = 'complete'
    left join payout_txs x on x.batch_id = b.id and x.version = b.version
      and (p.cancelled_at is null or p.sent_at is not null)
    order by p.id`,
  row: {
    id: t.bigint,
    batchId: nullable(t.bigint),
    state: t.text,
    playerId: nullable(t.bigint),
    partnerId: nullable(t.text),
    address: t.text,
    sats: t.bigint,
    feeShareSats: t.bigint,
    createdAt: t.epochSeconds,
    sentAt: nullable(t.epochSeconds),
    cancelledAt: nullable(t.epochSeconds),
    txid: nullable(t.text),
  },
})
