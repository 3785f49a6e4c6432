import { array, nullable, sql, t } from '../../db/sql.ts'

/** Batches are made one after the other; the lock ends with the transaction. The number only has to be nobody else's. */
export const lockMaking = sql({
  name: 'payouts.lock-making',
  text: `select pg_advisory_xact_lock(7061796) is null as is_locked`,
  row: { is_locked: t.bool },
})

/**
 * What waits to be paid, per player with a verified e-mail address and a usable bitcoin address (see the comments on
 * player_addresses), the longest waiting first. What comes to less than $2 sats at its address is left out.
 */
export const findOwedToPlayers = sql({
  name: 'payouts.find-owed-to-players',
  text: `with owed as (
      select player_id, min(id) as first_id, array_agg(id order by id) as payable_ids, sum(sats)::bigint as sats,
        coalesce(sum(sats) filter (where kind in ('refund', 'excess')), 0)::bigint as returned_sats
      from payables where payout_id is null and player_id is not null group by player_id
    ), addressed as (
      select owed.*, a.address, (sum(owed.sats) over (partition by a.address))::bigint as address_sats,
        min(owed.first_id) over (partition by a.address) as address_first_id
      from owed
      join players p on p.id = owed.player_id and p.email_verified_at is not null
      cross join lateral (
        select address from player_addresses
        where player_id = owed.player_id and superseded_at is null and usable_from <= $1
        order by id desc limit 1
      ) a
    )
    select player_id, address, payable_ids, sats, returned_sats from addressed where address_sats >= $2
    order by address_first_id, address, player_id limit $3`,
  params: [t.epochSeconds, t.bigint, t.bigint],
  row: {
    player_id: t.bigint,
    address: t.text,
    payable_ids: array(t.bigint),
    sats: t.bigint,
    returned_sats: t.bigint,
  },
})

export const findOwedToPartners = sql({
  name: 'payouts.find-owed-to-partners',
  text: `select partner_id, array_agg(id order by id) as payable_ids, sum(sats)::bigint as sats
    from payables where payout_id is null and partner_id is not null group by partner_id order by partner_id`,
  row: { partner_id: t.text, payable_ids: array(t.bigint), sats: t.bigint },
})

export const insertBatch = sql({
  name: 'payouts.insert-batch',
  text: `insert into payout_batches (created_at, state) values ($1, 'BATCHED') returning id`,
  params: [t.epochSeconds],
  row: { id: t.bigint },
})

export const insertPayout = sql({
  name: 'payouts.insert-payout',
  text: `insert into payouts (batch_id, player_id, partner_id, sats, fee_share_sats, created_at, address)
    values ($1, $2, $3, $4, $5, $6, $7) returning id`,
  params: [t.bigint, nullable(t.bigint), nullable(t.text), t.bigint, t.bigint, t.epochSeconds, t.text],
  row: { id: t.bigint },
})

/** Each payable is taken up once: the caller compares the number of rows with what it wanted. */
export const takeUpPayables = sql({
  name: 'payouts.take-up-payables',
  text: `update payables set payout_id = $1 where id = any($2) and payout_id is null`,
  params: [t.bigint, array(t.bigint)],
})

const batchState = t.oneOf(['BATCHED', 'SIGNED', 'SENT', 'FINAL', 'HALTED'])

export const findBatch = sql({
  name: 'payouts.find-batch',
  text: `select state from payout_batches where id = $1`,
  params: [t.bigint],
  row: { state: batchState },
})

/** What a batch pays, one row an address: a transaction names each address once. */
export const findOutputs = sql({
  name: 'payouts.find-outputs',
  text: `select address, sum(sats - fee_share_sats)::bigint as sats from payouts where batch_id = $1
    group by address order by address`,
  params: [t.bigint],
  row: { address: t.text, sats: t.bigint },
})

/** Moves a batch from $2 to $3; touches no row where another worker was first. */
export const moveBatch = sql({
  name: 'payouts.move-batch',
  text: `update payout_batches set state = $3 where id = $1 and state = $2`,
  params: [t.bigint, batchState, batchState],
})

export const insertTx = sql({
  name: 'payouts.insert-tx',
  text: `insert into payout_txs (batch_id, version, txid, raw, fee_sats) values ($1, 1, $2, $3, $4)`,
  params: [t.bigint, t.text, t.text, t.bigint],
})

export const findTx = sql({
  name: 'payouts.find-tx',
  text: `select txid, raw, fee_sats from payout_txs where batch_id = $1 order by version desc limit 1`,
  params: [t.bigint],
  row: { txid: t.text, raw: t.text, fee_sats: t.bigint },
})

export const markSent = sql({
  name: 'payouts.mark-sent',
  text: `update payouts set sent_at = $2 where batch_id = $1 and sent_at is null
    returning id, player_id, sats, fee_share_sats`,
  params: [t.bigint, t.epochSeconds],
  row: { id: t.bigint, player_id: nullable(t.bigint), sats: t.bigint, fee_share_sats: t.bigint },
})

/**
 * How the money of a player stands. What comes to less than $2 sats together waits for nobody: it can be sent to no
 * address. An order undecided for as long as payments are looked for ($3) is given up. One that ran out unpaid can still
 * be paid late until $4 is past.
 */
export const readOpenMoney = sql({
  name: 'payouts.read-open-money',
  text: `select
      (select coalesce(sum(sats), 0) >= $2::bigint from payables where player_id = $1 and payout_id is null) as waits,
      exists (select from payouts where player_id = $1 and sent_at is null) as leaves,
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
  text: `select id, sats, fee_share_sats, created_at, sent_at, address from payouts where player_id = $1 order by id`,
  params: [t.bigint],
  row: {
    id: t.bigint,
    sats: t.bigint,
    fee_share_sats: t.bigint,
    created_at: t.epochSeconds,
    sent_at: nullable(t.epochSeconds),
    address: t.text,
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
    created_at: t.epochSeconds,
    order_id: nullable(t.uuid),
    draw_id: nullable(t.bigint),
    payout_id: nullable(t.bigint),
  },
})
