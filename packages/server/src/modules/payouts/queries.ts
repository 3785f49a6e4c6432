import { array, nullable, sql, t } from '../../db/sql.ts'
import { isInUseAt } from './address-queries.ts'

/** Batches are made one after the other; the lock ends with the transaction. The number only has to be unique. */
export const lockMaking = sql({
  name: 'payouts.lock-making',
  text: `select pg_advisory_xact_lock(7061796) is null as is_locked`,
  row: { isLocked: t.bool },
})

/**
 * Where a player is paid now: the newest sealed address that may be used at a moment (see the comments on
 * player_addresses).
 */
export const usableAddressAt = (at: string, columns = 'address'): string =>
  `select ${columns} from player_addresses
        where player_id = p.id and superseded_at is null and seal is not null and ${isInUseAt(at)} order by id desc limit 1`

/** Whether payouts to a player are held at a moment. */
export const heldAt = (at: string, player: string): string =>
  `exists (select from player_holds k where k.player_id = ${player} and k.kind = 'payouts' and k.lifted_at is null and k.until_at > ${at})`

/** For what is owed in rows b: whether its player is paid at a moment, see the tables. */
export const notSetAside = (at: string): string =>
  `not exists (select from payout_players_set_aside h where h.player_id = b.player_id) and not ${heldAt(at, 'b.player_id')}`

/** What waits to be paid to partners, whether or not the content file has an address for them. */
export const findOwedToPartners = sql({
  name: 'payouts.find-owed-to-partners',
  text: `select partner_id, array_agg(id order by id) as payable_ids, sum(sats)::bigint as sats
    from payables where payout_id is null and partner_id is not null group by partner_id order by partner_id`,
  row: { partnerId: t.text, payableIds: array(t.bigint), sats: t.bigint },
})

/** What a batch pays: prizes (of players and partners), or returns (refunds and excess). */
const payoutClass = t.oneOf(['prizes', 'returns'])

/** A batch to be signed; or, if $4 gives a reason, one that waits for a person first. */
export const insertBatch = sql({
  name: 'payouts.insert-batch',
  text: `insert into payout_batches (created_at, class, fee_rate, reason, needs_approval, state)
    values ($1, $2, $3, $4::text, $4::text is not null, case when $4::text is null then 'BATCHED' else 'WAITING_APPROVAL' end) returning id`,
  params: [t.epochSeconds, payoutClass, nullable(t.bigint), nullable(t.text)],
  row: { id: t.bigint },
})

/** The payouts of a batch, in the order given: each for a player, or if that is 0 for a partner. */
export const insertPayouts = sql({
  name: 'payouts.insert-payouts',
  text: `insert into payouts (batch_id, created_at, player_id, partner_id, sats, fee_share_sats, address)
    select $batchId, $createdAt, nullif(player_id, 0), nullif(partner_id, ''), sats, fee_share_sats, address
    from unnest($playerIds::bigint[], $partnerIds::text[], $sats::bigint[], $feeShareSats::bigint[], $addresses::text[])
      with ordinality as one (player_id, partner_id, sats, fee_share_sats, address, place)
    order by place returning id`,
  params: {
    batchId: t.bigint,
    createdAt: t.epochSeconds,
    playerIds: array(t.bigint),
    partnerIds: array(t.text),
    sats: array(t.bigint),
    feeShareSats: array(t.bigint),
    addresses: array(t.text),
  },
  row: { id: t.bigint },
})

/**
 * Takes up each payable of $2 by the payout at its place in $1. Each is taken once: the caller compares the number of
 * rows with what it expected.
 */
export const takeUpPayables = sql({
  name: 'payouts.take-up-payables',
  text: `update payables set payout_id = one.payout_id from unnest($1::bigint[], $2::bigint[]) as one (payout_id, payable_id)
    where id = one.payable_id and id = any($2) and payables.payout_id is null`,
  params: [array(t.bigint), array(t.bigint)],
})

/** The states of a batch (docs/decisions/0026). */
export const batchState = t.oneOf([
  'WAITING_APPROVAL',
  'WAITING_FUNDS',
  'BATCHED',
  'SIGNED',
  'SENT',
  'CONFIRMED',
  'FINAL',
  'HALTED',
  'CANCELLING',
  'CANCELLED',
])

const batchRow = {
  id: t.bigint,
  state: batchState,
  haltedFrom: nullable(batchState),
  sentAt: nullable(t.epochSeconds),
  version: nullable(t.int),
  bookedFeeSats: t.bigint,
  feeMoves: t.int,
  class: nullable(payoutClass),
  needsApproval: t.bool,
  feeRate: nullable(t.bigint),
}
const batchColumns =
  'id, state, halted_from, sent_at, version, booked_fee_sats, fee_moves, class, needs_approval, fee_rate'

export const findBatch = sql({
  name: 'payouts.find-batch',
  text: `select ${batchColumns} from payout_batches where id = $1`,
  params: [t.bigint],
  row: batchRow,
})

/** The batch, locked until the transaction ends. */
export const lockBatch = sql({
  name: 'payouts.lock-batch',
  text: `select ${batchColumns} from payout_batches where id = $1 for update`,
  params: [t.bigint],
  row: batchRow,
})

/** What a batch pays, one row per address: a transaction names each address once. */
export const findOutputs = sql({
  name: 'payouts.find-outputs',
  text: `select address, sum(sats - fee_share_sats)::bigint as sats from payouts
    where batch_id = $1 and cancelled_at is null group by address order by address`,
  params: [t.bigint],
  row: { address: t.text, sats: t.bigint },
})

/**
 * Moves a batch from one of $2 to $3; touches no row if another worker was first. If the state stays, so does a reason.
 */
export const moveBatch = sql({
  name: 'payouts.move-batch',
  text: `update payout_batches set state = $3, halted_from = null,
      reason = case when $4::text is null and state = $3 then reason else $4 end
    where id = $1 and state = any($2)`,
  params: [t.bigint, array(batchState), batchState, nullable(t.text)],
})

/** Stores why a batch waits in its state; touches no row if that is known. */
export const noteReason = sql({
  name: 'payouts.note-reason',
  text: `update payout_batches set reason = $3 where id = $1 and state = any($2) and reason is distinct from $3`,
  params: [t.bigint, array(batchState), t.text],
})

/** The draws until $1 whose prizes are not owed yet. */
export const findComingDraws = sql({
  name: 'payouts.find-coming-draws',
  text: `select id, game_key, number from draws where status in ('open', 'closed', 'drawn') and start_at <= $1
    order by start_at, id`,
  params: [t.epochSeconds],
  row: { id: t.bigint, gameKey: t.text, number: t.int },
})

/** Stops a batch in its state. */
export const haltBatch = sql({
  name: 'payouts.halt-batch',
  text: `update payout_batches set state = 'HALTED', halted_from = state, reason = $3 where id = $1 and state = any($2)`,
  params: [t.bigint, array(batchState), t.text],
})

export const markBatchSent = sql({
  name: 'payouts.mark-batch-sent',
  text: `update payout_batches set sent_at = $2 where id = $1`,
  params: [t.bigint, t.epochSeconds],
})

/** Stores which version is in force, and that its fee is the booked one. */
export const setVersion = sql({
  name: 'payouts.set-version',
  text: `update payout_batches set version = $2, booked_fee_sats = $3, fee_moves = fee_moves + 1 where id = $1`,
  params: [t.bigint, t.int, t.bigint],
})

/** Stores a version; touches no row if another worker stored one of this number. */
export const insertTx = sql({
  name: 'payouts.insert-tx',
  text: `insert into payout_txs (batch_id, version, kind, txid, raw, fee_sats, inputs, created_at, outputs_seal)
    values ($batchId, $version, $kind, $txid, $raw, $feeSats, $inputs, $createdAt, $outputsSeal) on conflict (batch_id, version) do nothing`,
  params: {
    batchId: t.bigint,
    version: t.int,
    kind: t.oneOf(['pay', 'cancel']),
    txid: t.text,
    raw: t.text,
    feeSats: t.bigint,
    inputs: array(t.text),
    createdAt: t.epochSeconds,
    outputsSeal: nullable(t.bytea),
  },
})

/** Reserves coins for a batch. @throws PostgreSQL's unique violation if another batch has one of them */
export const insertInputs = sql({
  name: 'payouts.insert-inputs',
  text: `insert into payout_inputs (batch_id, outpoint) select $1, unnest($2::text[])
    on conflict (batch_id, outpoint) do nothing`,
  params: [t.bigint, array(t.text)],
})

export const closeInputs = sql({
  name: 'payouts.close-inputs',
  text: `update payout_inputs set is_open = false where batch_id = $1 and is_open`,
  params: [t.bigint],
})

/** The coins that batches other than $1 have reserved; with 0 those of all. */
export const findReserved = sql({
  name: 'payouts.find-reserved',
  text: `select outpoint from payout_inputs where is_open and batch_id <> $1 order by outpoint`,
  params: [t.bigint],
  row: { outpoint: t.text },
})

/** The versions of a batch's transaction, oldest first. */
export const findVersions = sql({
  name: 'payouts.find-versions',
  text: `select version, kind, txid, raw, fee_sats, inputs, created_at, outputs_seal from payout_txs where batch_id = $1
    order by version`,
  params: [t.bigint],
  row: {
    version: t.int,
    kind: t.oneOf(['pay', 'cancel']),
    txid: t.text,
    raw: t.text,
    feeSats: t.bigint,
    inputs: array(t.text),
    createdAt: t.epochSeconds,
    outputsSeal: nullable(t.bytea),
  },
})

export const markSent = sql({
  name: 'payouts.mark-sent',
  text: `update payouts set sent_at = $2 where batch_id = $1 and sent_at is null and cancelled_at is null
    returning id, player_id, address, sats, fee_share_sats`,
  params: [t.bigint, t.epochSeconds],
  row: { id: t.bigint, playerId: nullable(t.bigint), address: t.text, sats: t.bigint, feeShareSats: t.bigint },
})

/** Gives up what a batch would have paid; it is owed again. */
export const cancelPayouts = sql({
  name: 'payouts.cancel-payouts',
  text: `with released as (
      update payables set payout_id = null where payout_id in (select id from payouts where batch_id = $1)
    )
    update payouts set cancelled_at = $2 where batch_id = $1 and cancelled_at is null
    returning id, player_id, partner_id, sats, fee_share_sats`,
  params: [t.bigint, t.epochSeconds],
  row: {
    id: t.bigint,
    playerId: nullable(t.bigint),
    partnerId: nullable(t.text),
    sats: t.bigint,
    feeShareSats: t.bigint,
  },
})

/** Takes payouts out of a batch that was never signed; they are owed again. */
export const takeOut = sql({
  name: 'payouts.take-out',
  text: `with chosen as (
      select id from payouts where batch_id = $1 and id = any($2) and cancelled_at is null
    ), released as (
      update payables set payout_id = null where payout_id in (select id from chosen)
    )
    update payouts set cancelled_at = $3 where id in (select id from chosen)
    returning id, player_id, partner_id, sats, fee_share_sats`,
  params: [t.bigint, array(t.bigint), t.epochSeconds],
  row: {
    id: t.bigint,
    playerId: nullable(t.bigint),
    partnerId: nullable(t.text),
    sats: t.bigint,
    feeShareSats: t.bigint,
  },
})

export const setAside = sql({
  name: 'payouts.set-aside',
  text: `insert into payout_set_aside (address, reason, txids, at) values ($1, $2, $3, $4)
    on conflict (address) do update set reason = excluded.reason, txids = excluded.txids`,
  params: [t.text, t.text, array(t.text), t.epochSeconds],
})

/** The addresses that are not paid for now. */
export const listAddressesAside = sql({
  name: 'payouts.list-addresses-aside',
  text: 'select address from payout_set_aside order by address',
  row: { address: t.text },
})

/** Blocks all payments to a player until the operator has looked; $2 is where a payout was to go. */
export const setPlayerAside = sql({
  name: 'payouts.set-player-aside',
  text: `insert into payout_players_set_aside (player_id, address, reason, at) values ($1, $2, $3, $4)
    on conflict (player_id) do update set address = excluded.address, reason = excluded.reason`,
  params: [t.bigint, t.text, t.text, t.epochSeconds],
})

/**
 * The addresses that are not paid for now, and what is owed there; and the players, each with the address a payout was
 * to go to.
 */
export const listSetAside = sql({
  name: 'payouts.list-set-aside',
  text: `select s.address, null::bigint as player_id, s.reason, s.at, coalesce(sum(b.sats), 0)::bigint as sats from payout_set_aside s
    left join player_addresses a on lower(a.address) = lower(s.address) and a.superseded_at is null
    left join payables b on b.player_id = a.player_id and b.payout_id is null
    group by s.address
    union all select h.address, h.player_id, h.reason, h.at, coalesce(sum(b.sats), 0)::bigint from payout_players_set_aside h
    left join payables b on b.player_id = h.player_id and b.payout_id is null
    group by h.player_id order by at, address, player_id`,
  row: { address: t.text, playerId: nullable(t.bigint), reason: t.text, at: t.epochSeconds, sats: t.bigint },
})

/**
 * Whether what is owed to a player waits at $2 because player or address is set aside or held, or because its notice has
 * not left yet.
 */
export const isSetAside = sql({
  name: 'payouts.is-set-aside',
  text: `select exists (select from player_addresses a join payout_set_aside s on s.address in (a.address, lower(a.address))
      where a.player_id = $1 and a.superseded_at is null)
    or exists (select from payout_players_set_aside where player_id = $1)
    or ${heldAt('$2', '$1')}
    or exists (select from player_addresses where player_id = $1 and superseded_at is null and seal is null) as is_set_aside`,
  params: [t.bigint, t.epochSeconds],
  row: { isSetAside: t.bool },
})

/** Those of $1 that are no batch's transaction and that the operator has not accepted. */
export const findUnknownTxs = sql({
  name: 'payouts.find-unknown-txs',
  text: `select one.txid from unnest($1::text[]) as one (txid)
    where not exists (select from payout_txs x where x.txid = one.txid)
      and not exists (select from payout_foreign_txs f where f.txid = one.txid and f.accepted_at is not null)`,
  params: [array(t.text)],
  row: { txid: t.text },
})

/** Coins of $1 that can never exist: change of a version of a payout, after another version is six blocks deep. */
export const findLostCoins = sql({
  name: 'payouts.find-lost-coins',
  text: `select coin.outpoint from unnest($1::text[]) as coin (outpoint)
    join payout_txs x on x.txid = split_part(coin.outpoint, ':', 1)
    join payout_batches b on b.id = x.batch_id
    where (b.state = 'FINAL' and b.version <> x.version) or (b.state = 'CANCELLED' and x.kind = 'pay')`,
  params: [array(t.text)],
  row: { outpoint: t.text },
})

export const insertForeignTxs = sql({
  name: 'payouts.insert-foreign-txs',
  text: `insert into payout_foreign_txs (txid, found_at) select unnest($1::text[]), $2 on conflict (txid) do nothing`,
  params: [array(t.text), t.epochSeconds],
})

/**
 * Accepted transactions that may be payouts forgotten by the database, because it was not new when they were found.
 * Excluded are those that are now a batch's, those that the operator said are none, and those booked as the operator's
 * own.
 */
export const findForgottenTxs = sql({
  name: 'payouts.find-forgotten-txs',
  text: `select f.txid from payout_foreign_txs f where f.accepted_at is not null and f.may_be_payout and f.txid not like 'ln:%'
      and not exists (select from payout_txs x where x.txid = f.txid)
      and not exists (select from treasury_movements m where m.txid = f.txid and m.state = 'BOOKED')
      and (exists (select from orders o where o.created_at <= f.found_at)
        or exists (select from payables p where p.created_at <= f.found_at))
    order by f.txid`,
  row: { txid: t.text },
})

export const STOPPED = `'payouts.stopped'`
const CURSOR = `'payouts.wallet-cursor'`

/** Stops all payouts; the first reason stays. */
export const stopPayouts = sql({
  name: 'payouts.stop',
  text: `insert into system_state (key, value) values (${STOPPED}, $1) on conflict (key) do nothing`,
  params: [t.text],
})

/**
 * Why all payouts are stopped. Unaccepted foreign spends are always named, whatever else stopped payouts, and so are
 * broken invariants (that table belongs to monitoring).
 */
export const findStop = sql({
  name: 'payouts.find-stop',
  text: `with broken as (
      select 'an invariant is broken: ' || string_agg(distinct v.invariant, ' ' order by v.invariant) as value
      from invariant_violations v where v.gone_at is null and v.accepted_at is null and v.invariant <> 'I12' -- halts by address
        and not exists (select from system_state where key = ${STOPPED} and position('an invariant is broken' in value) > 0)
    ), stopped as (select value from system_state where key = ${STOPPED}), foreign_spends as (
      select 'the wallet spent coins in transactions that are not ours: ' || string_agg(f.txid, ' ' order by f.txid) as value
      from payout_foreign_txs f where f.accepted_at is null
        and not exists (select from payout_txs x where x.txid = f.txid)
        and not exists (select from stopped s where position(f.txid in s.value) > 0)
    )
    select concat_ws('; ', (select value from stopped), (select value from foreign_spends), (select value from broken)) as value
    where exists (select from stopped) or (select value from foreign_spends) is not null
      or (select value from broken) is not null`,
  row: { value: t.text },
})

export const findCursor = sql({
  name: 'payouts.find-cursor',
  text: `select value from system_state where key = ${CURSOR}`,
  row: { value: t.text },
})

export const saveCursor = sql({
  name: 'payouts.save-cursor',
  text: `insert into system_state (key, value) values (${CURSOR}, $1)
    on conflict (key) do update set value = excluded.value`,
  params: [t.text],
})

/**
 * How many batches are in each state, and since when the longest waits for its block: signed, sent, or taken back for
 * longer than the $1 seconds that six blocks may take.
 */
export const countStates = sql({
  name: 'payouts.count-states',
  text: `select b.state, count(*)::int as batches, min(case b.state
        when 'SIGNED' then (select min(created_at) from payout_txs x where x.batch_id = b.id)
        when 'SENT' then b.sent_at
        when 'CANCELLING' then (select max(created_at) from payout_txs x where x.batch_id = b.id) + $1::bigint
      end) as oldest_at
    from payout_batches b where b.state not in ('FINAL', 'CANCELLED') group by b.state`,
  params: [t.epochSeconds],
  row: { state: batchState, batches: t.int, oldestAt: nullable(t.epochSeconds) },
})

/** The batches that are not done, oldest first. */
export const listOpenBatches = sql({
  name: 'payouts.list-open-batches',
  text: `select b.id, b.state, b.class, b.reason, b.created_at, b.sent_at, count(p.id)::int as payouts,
      coalesce(sum(p.sats - p.fee_share_sats), 0)::bigint as sats,
      (select txid from payout_txs x where x.batch_id = b.id order by version desc limit 1) as txid
    from payout_batches b left join payouts p on p.batch_id = b.id and p.cancelled_at is null
    where b.state not in ('FINAL', 'CANCELLED') group by b.id order by b.id`,
  row: {
    id: t.bigint,
    state: batchState,
    class: nullable(payoutClass),
    reason: nullable(t.text),
    createdAt: t.epochSeconds,
    sentAt: nullable(t.epochSeconds),
    payouts: t.int,
    sats: t.bigint,
    txid: nullable(t.text),
  },
})

/**
 * The state of a player's money. Amounts of less than $2 sats in total are ignored: they cannot be sent.
 * An order undecided for as long as payments are checked ($3) is given up. One that expired unpaid can still be paid
 * late until $4.
 */
export const readOpenMoney = sql({
  name: 'payouts.read-open-money',
  text: `select
      (select coalesce(sum(sats), 0) >= $2::bigint from payables where player_id = $1 and payout_id is null) as waits,
      exists (select from payouts where player_id = $1 and sent_at is null and cancelled_at is null) as leaves,
      exists (select from orders o where o.player_id = $1 and o.expires_at > $3 and (
          o.status in ('PENDING', 'PROCESSING', 'UNDERPAID')
          or exists (select from payments p where p.order_id = o.id and p.confirmed_at is null)))
        or exists (select from plays p join draws d on d.id = p.draw_id
          where p.player_id = $1 and d.status in ('open', 'closed', 'drawn')) as comes,
      exists (select from orders where player_id = $1 and status = 'EXPIRED' and expires_at > $4) as late`,
  params: [t.bigint, t.bigint, t.epochSeconds, t.epochSeconds],
  row: { waits: t.bool, leaves: t.bool, comes: t.bool, late: t.bool },
})

export const exportPayouts = sql({
  name: 'payouts.export',
  text: `select o.id, o.sats, o.fee_share_sats, o.created_at, o.sent_at, o.address, a.payment_hash, a.preimage, a.invoice
    from payouts o left join ln_attempts a on a.payout_id = o.id and a.outcome = 'complete' where o.player_id = $1 order by o.id`,
  params: [t.bigint],
  row: {
    id: t.bigint,
    sats: t.bigint,
    feeShareSats: t.bigint,
    createdAt: t.epochSeconds,
    sentAt: nullable(t.epochSeconds),
    address: t.text,
    paymentHash: nullable(t.text),
    preimage: nullable(t.text),
    invoice: nullable(t.text),
  },
})

/** What was and is owed to a player: prizes, refunds, excess. */
export const exportPayables = sql({
  name: 'payouts.export-payables',
  text: `select kind, sats, created_at, order_id, draw_id, payout_id from payables where player_id = $1 order by id`,
  params: [t.bigint],
  row: {
    kind: t.text,
    sats: t.bigint,
    createdAt: t.epochSeconds,
    orderId: nullable(t.uuid),
    drawId: nullable(t.bigint),
    payoutId: nullable(t.bigint),
  },
})

/** How deep the network knows transactions of ours to be; -1 for one that it does not know. */
export const keepConfirmations = sql({
  name: 'payouts.keep-confirmations',
  text: `update payout_txs x set confirmations = nullif(s.depth, -1) from unnest($1::text[], $2::bigint[]) as s (txid, depth)
    where x.txid = s.txid and x.confirmations is distinct from nullif(s.depth, -1)`,
  params: [array(t.text), array(t.whole)],
})
