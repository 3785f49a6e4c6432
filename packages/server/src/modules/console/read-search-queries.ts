import { nullable, sql, t } from '../../db/sql.ts'

/** Maximum number of results of each kind. */
const MOST = 50
/** Beyond every sign: a text that begins with another stands before that one with this behind it. */
const END = `U&'\\+10FFFF'`

const playerRow = { id: t.bigint, username: t.text, email: nullable(t.text), createdAt: t.epochSeconds } as const

/** Players whose email address or name begins with a text, ASCII capitals folded as in their keys. */
export const findPlayersByName = sql({
  name: 'console.find-players-by-name',
  text: `select id, username, email, created_at from (
      (select id, username, email, created_at, email_key as found from console_players
        where email_key ~>=~ $1 and email_key ~<~ ($1 || ${END}) order by email_key using ~<~ limit ${MOST})
      union all
      (select id, username, email, created_at, username_key from console_players
        where username_key ~>=~ $1 and username_key ~<~ ($1 || ${END})
        order by username_key using ~<~ limit ${MOST})) x
    group by id, username, email, created_at order by bool_or(found = $1) desc, min(found), id limit ${MOST}`,
  params: [t.text],
  row: playerRow,
})

/** A player by the number that their page has. */
export const findPlayerById = sql({
  name: 'console.find-player-by-id',
  text: `select id, username, email, created_at from console_players where id = $1`,
  params: [t.bigint],
  row: playerRow,
})

/** Orders whose ids lie between two. */
export const findOrdersBetween = sql({
  name: 'console.find-orders-between',
  text: `select o.id, u.username, g.name, o.created_at from console_orders o
    join console_players u on u.id = o.player_id join console_games g on g.key = o.game_key
    where o.id between $1 and $2 order by o.id limit ${MOST}`,
  params: [t.uuid, t.uuid],
  row: { id: t.uuid, username: t.text, name: t.text, createdAt: t.epochSeconds },
})

/** Plays whose ids lie between two. */
export const findPlaysBetween = sql({
  name: 'console.find-plays-between',
  text: `select p.id, p.order_id, u.username, g.name, d.number, p.receipt_at from console_plays p
    join console_players u on u.id = p.player_id join console_draws d on d.id = p.draw_id
    join console_games g on g.key = d.game_key
    where p.id between $1 and $2 order by p.id limit ${MOST}`,
  params: [t.uuid, t.uuid],
  row: { id: t.uuid, orderId: t.uuid, username: t.text, name: t.text, number: t.int, receiptAt: t.epochSeconds },
})

/** Orders that are paid at an address. */
export const findOrdersAt = sql({
  name: 'console.find-orders-at',
  text: `select x.order_id, o.created_at from (
      select order_id from console_deposit_addresses where address = $1 and order_id is not null
      union (select order_id from console_invoices where address = $1 limit ${MOST})) x
    join console_orders o on o.id = x.order_id order by o.created_at desc limit ${MOST}`,
  params: [t.text],
  row: { orderId: t.uuid, createdAt: t.epochSeconds },
})

/** Players who saved an address to be paid there. */
export const findPlayersAt = sql({
  name: 'console.find-players-at',
  text: `select a.player_id as id, u.username, a.created_at from console_player_addresses a
    join console_players u on u.id = a.player_id where a.address = $1 order by a.id desc limit ${MOST}`,
  params: [t.text],
  row: { id: t.bigint, username: t.text, createdAt: t.epochSeconds },
})

/** Payouts that went, or are to go, to an address. */
export const findPayoutsTo = sql({
  name: 'console.find-payouts-to',
  text: `select p.id, p.batch_id, p.created_at from console_payouts p where p.address = $1 order by p.id desc limit ${MOST}`,
  params: [t.text],
  row: { id: t.bigint, batchId: nullable(t.bigint), createdAt: t.epochSeconds },
})

/** Payments of orders in a transaction, or over Lightning by their hash. */
export const findPaymentsIn = sql({
  name: 'console.find-payments-in',
  text: `select outpoint, order_id, seen_at from console_payments
      where network = 'ONCHAIN' and split_part(outpoint, ':', 1) = $1
    union all select 'ln:' || payment_hash, order_id, created_at from console_ln_invoices where payment_hash = $1
    order by 1 limit ${MOST}`,
  params: [t.text],
  row: { outpoint: t.text, orderId: t.uuid, seenAt: t.epochSeconds },
})

/** Batches and payouts over Lightning that a transaction, or a hash of a payment, is of. */
export const findPayoutsIn = sql({
  name: 'console.find-payouts-in',
  text: `select batch_id::text as batch, created_at from console_payout_txs where txid = $1
    union all select 'ln:' || payout_id, sent_at from console_ln_attempts where payment_hash = $1`,
  params: [t.text],
  row: { batch: t.text, createdAt: nullable(t.epochSeconds) },
})

/** What else is known of a transaction: deposits that pay no order, movements of the wallets, spends that are not ours. */
export const findOthersIn = sql({
  name: 'console.find-others-in',
  text: `select 'Deposit of no order ' || outpoint as label, seen_at as at from console_unknown_deposits
      where split_part(outpoint, ':', 1) = $1
    union all select 'Movement of our wallets ' || txid, found_at from console_movements where txid = $1
    union all select 'Spend that no batch ordered ' || txid, found_at from console_foreign_spends
      where txid = $1 and not is_payout
    order by 2, 1 limit ${MOST}`,
  params: [t.text],
  row: { label: t.text, at: t.epochSeconds },
})

/** A draw by its game's key, or an alias of it, and its number. */
export const findDrawOf = sql({
  name: 'console.find-draw-of',
  text: `select d.game_key, g.name, d.number, d.start_at from console_draws d join console_games g on g.key = d.game_key
    where d.game_key = coalesce((select a.game_key from console_game_aliases a where a.alias = $1), $1) and d.number = $2`,
  params: [t.text, t.int],
  row: { gameKey: t.text, name: t.text, number: t.int, startAt: t.epochSeconds },
})
