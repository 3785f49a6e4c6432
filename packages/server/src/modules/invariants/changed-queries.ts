import { array, sql, t } from '../../db/sql.ts'
import { creditsAreOutputs } from './order-rules.ts'
import { RULES, violationRow } from './queries.ts'
import { unionOf } from './rules.ts'
import { EVERYTHING, TOUCHED } from './scopes.ts'

/** Ids out of a transfer's key, that are null if it has none of the form. */
const KEYS = {
  order: `substring(key from '^order[.][a-z]+:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})')::uuid`,
  play: `substring(key from '^play[.]returned:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$')::uuid`,
  draw: `substring(key from '^draw[.][a-z-]+:([0-9]{1,18})')::bigint`,
  game: `substring(key from '^game[.][a-z-]+:([^:]+)')`,
  batch: `substring(key from '^payout[.](?:sent|fee|cancelled):([0-9]{1,18})')::bigint`,
  payout: `substring(key from '^payout[.](?:made:|cancelled:ln:|cancelled:[0-9]+:payout-)([0-9]{1,18})$')::bigint`,
  paymentHash: `substring(key from '^payout[.]sent:ln:([0-9a-f]{64})$')`,
}

const NUMBER = `'^[0-9]{1,18}$'`

/**
 * What transfers and postings after two ids, up to two others, touched: by the accounts they moved, and by what their
 * keys name. Besides, what moves without a posting: orders paid and statements made since a time, and payouts that are
 * not over. Rows are looked up one at a time, so that no plan reads a whole table.
 */
export const findTouched = sql({
  name: 'invariants.find-touched',
  text: `with moved as materialized (
      select distinct transfer_id, account_id from postings where id > $afterPostingId and id <= $uptoPostingId
    ), new_ids as (
      select transfer_id as id from moved union select id from transfers where id > $afterTransferId and id <= $uptoTransferId
    ), named as materialized (
      select t.id, t.key from new_ids n cross join lateral (select id, key from transfers where id = n.id offset 0) t
    ), touched_accounts as materialized (
      select a.id, a.kind, a.subject from (select distinct account_id as id from moved) m
      cross join lateral (select id, kind, subject from ledger_accounts where id = m.id offset 0) a
    ), outpoints as materialized (
      select o.outpoint from named cross join lateral (select substring(key from ':(.*)$') as rest) k
      cross join lateral (select rest union select regexp_replace(rest, ':[0-9]+$', '')) o (outpoint)
      where key ~ '^(payment|deposit)[.]'
    ), order_ids as materialized (
      select ${KEYS.order} as id from named
      union select p.order_id from outpoints o cross join lateral (select order_id from payments where outpoint = o.outpoint offset 0) p
      union select p.order_id from (select ${KEYS.play} as id from named) r
        cross join lateral (select order_id from plays where id = r.id offset 0) p
      union select id from orders where paid_at >= $sinceAt
    ), touched_orders as materialized (
      select o.id, o.player_id, o.game_key from order_ids i
      cross join lateral (select id, player_id, game_key from orders where id = i.id offset 0) o
    ), draw_ids as materialized (
      select ${KEYS.draw} as id from named
      union select subject::bigint from touched_accounts where kind in ('pot', 'reserve') and subject ~ ${NUMBER}
      union select d.id from (select distinct open_hash from log_leaves where at >= $sinceAt) l
        cross join lateral (select id from draws where open_hash = l.open_hash offset 0) d
    ), game_keys as materialized (
      select ${KEYS.game} as key from named
      union select subject from touched_accounts where kind in ('stakes_held', 'prize_pool', 'donation_pool', 'fee_reserve')
      union select game_key from touched_orders
      union select d.game_key from draw_ids i cross join lateral (select game_key from draws where id = i.id offset 0) d
    ), player_ids as materialized (
      select player_id as id from touched_orders
      union select subject::bigint from touched_accounts where kind = 'winnings' and subject ~ ${NUMBER}
    ), batch_ids as materialized (
      select ${KEYS.batch} as id from named
      union select id from payout_batches where state not in ('FINAL', 'CANCELLED')
    ), payout_ids as materialized (
      select ${KEYS.payout} as id from named
      union select a.payout_id from (select ${KEYS.paymentHash} as hash from named) h
        cross join lateral (select payout_id from ln_attempts where payment_hash = h.hash offset 0) a
      union select p.id from batch_ids b cross join lateral (select id from payouts where batch_id = b.id offset 0) p
      union select payout_id from ln_payouts where state not in ('PAID', 'RETURNED')
    ), account_names as (
      select kind, key as subject from game_keys, unnest(array['stakes_held', 'prize_pool', 'donation_pool', 'fee_reserve']) kind
      union all select kind, id::text from draw_ids, unnest(array['pot', 'reserve']) kind
      union all select 'winnings', id::text from player_ids
      union all select kind, '' from unnest(array['received', 'in_flight']) kind
    )
    select array(select id from named) as transfers,
      array(select outpoint from outpoints) as outpoints,
      array(select id from touched_orders) as orders,
      array(select id from draw_ids where id is not null) as draws,
      array(select key from game_keys where key is not null) as games,
      array(select id from player_ids) as players,
      array(select subject from touched_accounts where kind = 'partner') as partners,
      array(select id from batch_ids where id is not null) as batches,
      array(select id from payout_ids where id is not null) as payouts,
      array(select id from touched_accounts union select a.id from account_names n
        cross join lateral (select id from ledger_accounts where kind = n.kind and subject = n.subject offset 0) a) as accounts`,
  params: {
    afterPostingId: t.bigint,
    uptoPostingId: t.bigint,
    afterTransferId: t.bigint,
    uptoTransferId: t.bigint,
    sinceAt: t.epochSeconds,
  },
  row: {
    transfers: array(t.bigint),
    outpoints: array(t.text),
    orders: array(t.uuid),
    draws: array(t.bigint),
    games: array(t.text),
    players: array(t.bigint),
    partners: array(t.text),
    batches: array(t.bigint),
    payouts: array(t.bigint),
    accounts: array(t.bigint),
  },
})

/** What breaks a rule about what was touched. Balances are the sums at the watermark and what came after it. */
export const changedViolations = sql({
  name: 'invariants.changed-violations',
  text: unionOf([...RULES.filter(({ minute }) => minute === true), creditsAreOutputs], TOUCHED),
  params: {
    ...findTouched.row,
    sinceAt: t.epochSeconds,
    verifiedPostingId: t.bigint,
  },
  row: violationRow,
})

const SUSPECT = RULES.filter(({ minute }) => minute === 'suspect')

/** What may break a rule, if what was not touched is as it should be. */
export const suspicions = sql({
  name: 'invariants.suspicions',
  text: unionOf(SUSPECT, TOUCHED),
  params: { orders: array(t.uuid), accounts: array(t.bigint), verifiedPostingId: t.bigint },
  row: violationRow,
})

/** The same over everything, in one snapshot. */
export const confirmedSuspicions = sql({
  name: 'invariants.confirmed-suspicions',
  text: unionOf(SUSPECT, EVERYTHING),
  row: violationRow,
})
