// A history of many sold orders, written by SQL: each paid once, with one play in a draw of long ago. They are orders of a
// game of their own, which no new order touches.
import type pg from 'pg'

/** Orders of one round of statements. */
const STEP = 50_000
const DRAWS = 100
const GAME = 'bench-history'
const STATE_HASH = 'ab'.repeat(32)
/** Of the draw with the lowest id that is open, at the rate of 1,000 sats. */
const DUE_SATS = 2000
/** Postings of each order. */
export const POSTINGS_AN_ORDER = 4

const idOf = (kind: string): string => `md5('${kind} ' || n)::uuid`
const outpoint = `encode(sha256(('history ' || n)::bytea), 'hex') || ':0'`

/**
 * Adds the orders numbered from `from` to `to`, dated `at` (epoch seconds), of the players in turn. What the database
 * checks of each row is off meanwhile.
 */
export async function fillSales(
  db: pg.Client,
  sales: { readonly from: number; readonly to: number; readonly at: number },
): Promise<void> {
  await db.query('set session_replication_role = replica')
  await db.query(
    `insert into log_leaves (index, at, hash, type, text) values (1000000, $1, $2, 'close', $3) on conflict do nothing`,
    [sales.at, STATE_HASH, `history\nstate ${DRAWS} ${DRAWS} 0 0 0 0\n`],
  )
  await db.query(
    `insert into games (key, position, closed, settled, state_hash) values ($1, 99, $2, $2, $3) on conflict (key) do nothing`,
    [GAME, DRAWS, STATE_HASH],
  )
  // Draws of long ago, like one that is open now.
  await db.query(
    `create temp table if not exists old_draws as select d.* from draws d where status = 'open' order by id limit 1`,
  )
  await db.query(
    `insert into draws (scheduled_at, start_at, closes_at, end_at, round, guaranteed_minor, cover_minor, closed_at, settled_at, stake_sats, pot_sats,
       number, pick, pool, weekday, version, price_minor, currency, most_entries, game_key, status, chain_hash, rules_hash, open_hash, seed_hash, seed_sealed)
     select scheduled_at, start_at, closes_at, end_at, round, guaranteed_minor, cover_minor, $2::bigint, $2::bigint, 0, 0, n, pick, pool, weekday, version,
       price_minor, currency, most_entries, $1, 'settled', chain_hash, rules_hash, encode(sha256(('open ' || n)::bytea), 'hex'),
       encode(sha256(('seed ' || n)::bytea), 'hex'), seed_sealed
     from old_draws cross join generate_series(1, ${DRAWS}) n on conflict do nothing`,
    [GAME, sales.at],
  )
  await db.query(
    `insert into ledger_accounts (kind, subject) values ('wallet', ''), ('received', ''), ('bankroll', '') on conflict (kind, subject) do nothing`,
  )
  for (let from = sales.from; from <= sales.to; from += STEP)
    await addOrders(db, { from, to: Math.min(sales.to, from + STEP - 1), at: sales.at })
  await db.query('set session_replication_role = origin')
  await db.query('vacuum analyze')
}

async function addOrders(db: pg.Client, step: { from: number; to: number; at: number }): Promise<void> {
  const values = [step.from, step.to, step.at, GAME, DUE_SATS]
  await db.query('begin')
  await db.query(`create temp table sold on commit drop as
    select n, p.id as player_id, d.id as draw_id, d.weekday from generate_series(${step.from}, ${step.to}) n
    join (select id, row_number() over (order by id) - 1 as place, count(*) over () as many from players) p on p.place = n % p.many
    join (select id, weekday, row_number() over (order by id) - 1 as place from draws where game_key = '${GAME}') d on d.place = n % ${DRAWS}`)
  await db.query(
    `with numbers as (select $1::int as first, $2::int as last), made as (
       insert into orders (id, player_id, created_at, expires_at, paid_at, ticket_price_minor, price_minor, rate_sats, due_sats, draw_ids,
         line_count, entry_count, free_count, weeks, days, game_key, status, username, request_hash, secret)
       select ${idOf('history order')}, player_id, $3::bigint, $3 + 900, $3, 200, 200, 1000, $5::bigint, array[draw_id], 1, 1, 0, 1, array[weekday],
         $4, 'PAID', 'history', '', sha256(('history ' || n)::bytea) from sold),
     lines as (insert into order_lines (order_id, part, masks) select ${idOf('history order')}, 0, array[31] from sold),
     plays as (
       insert into plays (id, order_id, player_id, draw_id, stake_sats, rate_sats, receipt_at, place, free_count, line_count, leaf_index, play_id, owner_tag)
       select ${idOf('history play')}, ${idOf('history order')}, player_id, draw_id, $5, 1000, $3, 0, 0, 1, n, substr(sha256(('p' || n)::bytea), 1, 16),
         sha256(('o' || n)::bytea) from sold)
     insert into payments (outpoint, order_id, sats, seen_at, confirmed_at, final_at, network)
     select ${outpoint}, ${idOf('history order')}, $5, $3, $3, $3, 'ONCHAIN' from sold, numbers`,
    values,
  )
  for (const [event, subject, from, to] of [
    ['payment.confirmed', outpoint, `('wallet', '')`, `('received', '')`],
    ['order.paid', idOf('history order'), `('received', '')`, `('bankroll', '')`],
  ])
    await db.query(
      `with made as (insert into transfers (event, key, at) select '${event}', '${event}:' || ${subject}, ${step.at} from sold returning id)
       insert into postings (transfer_id, account_id, amount_sats)
       select made.id, a.id, case when (a.kind, a.subject) = ${to} then ${DUE_SATS} else -${DUE_SATS} end
       from made cross join ledger_accounts a where (a.kind, a.subject) in (${from}, ${to})`,
    )
  await db.query('commit')
}
