import { array, nullable, sql, t } from '../../db/sql.ts'

/** Wallets that a source no longer names are forgotten with the next statement. */
export const storeReadings = sql({
  name: 'treasury.store-readings',
  text: `insert into wallet_readings (source, wallet, sats, read_at)
    select $1, r.wallet, r.sats, $4 from unnest($2::text[], $3::bigint[]) as r (wallet, sats)
    on conflict (source, wallet) do update set sats = excluded.sats, read_at = excluded.read_at`,
  params: [t.text, array(t.text), array(t.bigint), t.epochSeconds],
})

export const forgetReadings = sql({
  name: 'treasury.forget-readings',
  text: `delete from wallet_readings where source = $1 and wallet <> all($2)`,
  params: [t.text, array(t.text)],
})

export const findReadings = sql({
  name: 'treasury.find-readings',
  text: `select wallet, sats, read_at from wallet_readings where source = $1 order by wallet`,
  params: [t.text],
  row: { wallet: t.text, sats: t.bigint, readAt: t.epochSeconds },
})

export const listReadings = sql({
  name: 'treasury.list-readings',
  text: `select wallet, sats, read_at from wallet_readings order by wallet, source`,
  row: { wallet: t.text, sats: t.bigint, readAt: t.epochSeconds },
})

export const storeCheck = sql({
  name: 'treasury.store-check',
  text: `insert into treasury_checks (checked_at, ledger_sats, held_sats, pending_sats, lightning_ledger_sats, lightning_held_sats)
    values ($now, $ledgerSats, $heldSats, $pendingSats, $lightningLedgerSats, $lightningHeldSats)
    on conflict (id) do update set checked_at = excluded.checked_at, ledger_sats = excluded.ledger_sats,
      held_sats = excluded.held_sats, pending_sats = excluded.pending_sats,
      lightning_ledger_sats = excluded.lightning_ledger_sats, lightning_held_sats = excluded.lightning_held_sats`,
  params: {
    now: t.epochSeconds,
    ledgerSats: t.bigint,
    heldSats: t.bigint,
    pendingSats: nullable(t.bigint),
    lightningLedgerSats: nullable(t.bigint),
    lightningHeldSats: nullable(t.bigint),
  },
})

export const findCheck = sql({
  name: 'treasury.find-check',
  text: `select checked_at, ledger_sats, held_sats, pending_sats, lightning_ledger_sats, lightning_held_sats from treasury_checks`,
  row: {
    checkedAt: t.epochSeconds,
    ledgerSats: t.bigint,
    heldSats: t.bigint,
    pendingSats: nullable(t.bigint),
    lightningLedgerSats: nullable(t.bigint),
    lightningHeldSats: nullable(t.bigint),
  },
})

/** What all games carry to their next draws, as their states say. */
export const sumPots = sql({
  name: 'treasury.sum-pots',
  text: `select coalesce(sum(pot_sats), 0)::bigint as sats from games`,
  row: { sats: t.bigint },
})

const COINS = `'treasury.deposit-coins'`

/** Keeps the latest summary of the deposits' coins. */
export const storeCoins = sql({
  name: 'treasury.store-coins',
  text: `insert into system_state (key, value) values (${COINS}, $1)
    on conflict (key) do update set value = excluded.value`,
  params: [t.text],
})

export const findCoins = sql({
  name: 'treasury.find-coins',
  text: `select value from system_state where key = ${COINS}`,
  row: { value: t.text },
})

/** Processes that book its fees at the same time do so one after the other. */
export const lockLightningNode = sql({
  name: 'treasury.lock-lightning-node',
  text: `select node_id, routed_msat, chain_fee_msat, bookings, rounded_until from lightning_node for update`,
  row: {
    nodeId: t.text,
    routedMsat: nullable(t.bigint),
    chainFeeMsat: nullable(t.bigint),
    bookings: t.int,
    roundedUntil: t.epochSeconds,
  },
})

/**
 * What payments over Lightning from $1 until $2 left in thousandths of a satoshi: received is rounded down, and what a
 * payout cost is rounded up.
 */
export const sumLightningRemainders = sql({
  name: 'treasury.sum-lightning-remainders',
  text: `select (coalesce((select sum(received_msat % 1000) from ln_invoices where paid_at >= $1 and paid_at < $2), 0)
      + coalesce((select sum((1000 - (sent_msat - amount_msat) % 1000) % 1000) from ln_attempts
          where outcome = 'complete' and ended_at >= $1 and ended_at < $2), 0))::bigint as msat`,
  params: [t.epochSeconds, t.epochSeconds],
  row: { msat: t.bigint },
})

export const keepRounded = sql({
  name: 'treasury.keep-rounded',
  text: `update lightning_node set rounded_until = $1`,
  params: [t.epochSeconds],
})

export const keepLightningFees = sql({
  name: 'treasury.keep-lightning-fees',
  text: `update lightning_node set routed_msat = $1, chain_fee_msat = $2, bookings = bookings + 1`,
  params: [t.bigint, t.bigint],
})

const CURSOR = `'treasury.cursor'`

export const findCursor = sql({
  name: 'treasury.find-cursor',
  text: `select value from system_state where key = ${CURSOR}`,
  row: { value: t.text },
})

export const storeCursor = sql({
  name: 'treasury.store-cursor',
  text: `insert into system_state (key, value) values (${CURSOR}, $1)
    on conflict (key) do update set value = excluded.value`,
  params: [t.text],
})

/** Processes that follow at the same time book one after the other. The number only has to be unique. */
export const lockFollowing = sql({
  name: 'treasury.lock-following',
  text: `select pg_advisory_xact_lock(7061797) is null as is_locked`,
  row: { isLocked: t.bool },
})

/** Those of $1 that are payouts, in any version, or that were dealt with. */
export const findKnown = sql({
  name: 'treasury.find-known',
  text: `select one.txid from unnest($1::text[]) as one (txid)
    where exists (select from payout_txs p where p.txid = one.txid)
      or exists (select from treasury_movements m where m.txid = one.txid)`,
  params: [array(t.text)],
  row: { txid: t.text },
})

/** Those of $1 that are payouts, in any version. */
export const findPayoutTxs = sql({
  name: 'treasury.find-payout-txs',
  text: `select distinct txid from payout_txs where txid = any($1)`,
  params: [array(t.text)],
  row: { txid: t.text },
})

/**
 * Payouts that may have left and whose cost to our wallets the ledger lacks, and how much that is: all of it if the
 * process crashed between sending and booking; the difference in fees if another version was booked. Below zero for a
 * self-spend in place of a booked payment. Covers $1 and every unfinished batch: the wallets do not list payouts that
 * are six blocks deep.
 */
export const findUnbookedPayouts = sql({
  name: 'treasury.find-unbooked-payouts',
  text: `with asked as (
      select txid from payout_txs where txid = any($1)
      union select x.txid from payout_batches b join payout_txs x on x.batch_id = b.id where b.state not in ('FINAL', 'CANCELLED'))
    select txid, sats from (
      select x.txid, x.fee_sats + case when x.kind = 'pay' then paid.sats else 0 end
        - case when b.sent_at is null then 0 else paid.sats + b.booked_fee_sats end as sats
      from asked join payout_txs x using (txid) join payout_batches b on b.id = x.batch_id, lateral (
        select coalesce(sum(sats - fee_share_sats), 0)::bigint as sats from payouts where batch_id = b.id and cancelled_at is null) paid
      where b.state <> 'CANCELLED') unbooked
    where sats <> 0`,
  params: [array(t.text)],
  row: { txid: t.text, sats: t.bigint },
})

/**
 * Outputs of $1, with their addresses, that were or will be booked as incoming money: payments of orders, and amounts
 * in suspense. What comes to an address of the operator is ours. Also how much of it is in the ledger. Without
 * addresses: what spends our coins pays no order.
 */
export const findBookedElsewhere = sql({
  name: 'treasury.find-booked-elsewhere',
  text: `select o.outpoint, coalesce(p.sats, u.sats, 0)::bigint as booked_sats
    from unnest($1::text[], $2::text[]) as o (outpoint, address)
    left join lateral (select sats from payments where outpoint = o.outpoint and confirmed_at is not null) p on true
    left join lateral (select sats from unknown_deposits where outpoint = o.outpoint and confirmed_at is not null) u on true
    where p.sats is not null or u.sats is not null
      or exists (select from payments where outpoint = o.outpoint)
      or exists (select from unknown_deposits where outpoint = o.outpoint)
      or exists (select from deposit_addresses where address = o.address and order_id is not null)`,
  params: [array(t.text), array(t.text)],
  row: { outpoint: t.text, bookedSats: t.bigint },
})

export const movementKind = t.oneOf(['deposit', 'transfer', 'spend'])
export const movementState = t.oneOf(['IMMATURE', 'UNBOOKED', 'BOOKED', 'GONE'])

/** False for one that was noted before. */
export const insertMovement = sql({
  name: 'treasury.insert-movement',
  text: `insert into treasury_movements (txid, found_at, booked_at, paid_sats, fee_sats, kind, state)
    values ($txid, $foundAt, case when $state = 'BOOKED' then $foundAt::bigint end, $paidSats, $feeSats, $kind, $state)
    on conflict (txid) do nothing returning txid`,
  params: {
    txid: t.text,
    foundAt: t.epochSeconds,
    paidSats: t.bigint,
    feeSats: t.bigint,
    kind: movementKind,
    state: movementState,
  },
  row: { txid: t.text },
})

/** Touches no row where another process was first. */
export const moveMovement = sql({
  name: 'treasury.move-movement',
  text: `update treasury_movements set state = $to, booked_at = case when $to = 'BOOKED' then $at::bigint end, paid_from = $paidFrom
    where txid = $txid and state = $from`,
  params: { txid: t.text, from: movementState, to: movementState, at: t.epochSeconds, paidFrom: nullable(t.text) },
})

export const listImmature = sql({
  name: 'treasury.list-immature',
  text: `select txid from treasury_movements where state = 'IMMATURE' order by found_at, txid limit $1`,
  params: [t.bigint],
  row: { txid: t.text },
})

/** Spends that are neither the operator's own by their word nor a payout, which has its own booking. */
export const isUnbooked = `m.state = 'UNBOOKED' and not exists (select from payout_txs x where x.txid = m.txid)`

export const sumUnbooked = sql({
  name: 'treasury.sum-unbooked',
  text: `select count(*)::int as movements, coalesce(sum(paid_sats + fee_sats), 0)::bigint as sats
    from treasury_movements m where ${isUnbooked}`,
  row: { movements: t.int, sats: t.bigint },
  serves: 'same',
})
