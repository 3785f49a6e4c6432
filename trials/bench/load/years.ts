// The books of two busy years, written by SQL: players, their orders with plays and payments, prizes that were paid out in
// batches, and ten postings for each order. These benches measure how long people of the staff wait for what they read.
import type pg from 'pg'

/** The time between the first and the last of them. */
export const YEARS_SECONDS = 2 * 365 * 86_400
/** Orders of one round of statements. */
const STEP = 50_000
/** Pence to sats at the demo's rate. */
const SATS_A_PENNY = 10
/** What the operator puts in and takes out for each order, in sats: what is left of it pays the prizes. */
const [PUT_IN, TAKEN_OUT, TAKEN_AGAIN] = [2000, 1000, 500]
/** Every tenth order won a prize; a batch pays a hundred of them. */
const ORDERS_A_PRIZE = 10
const PRIZES_A_BATCH = 100
const PRIZE_SATS = 5000

/** The n-th of many rows: its id follows from its number, so that no statement looks one up. */
const idOf = (kind: string, n = 'n'): string => `md5('${kind} ' || ${n})::uuid`
const outpointOf = (n = 'n'): string => `encode(sha256(('pays ' || ${n})::bytea), 'hex') || ':0'`

/** How much is written. */
interface Years {
  readonly players: number
  readonly orders: number
  /** epoch seconds: the end of the two years */
  readonly now: number
}

/** What can be looked up afterwards. */
export interface Filled {
  readonly firstPlayer: number
  readonly firstBatch: number
  readonly batches: number
}

/** Fills the books. The database's own checks of each row would take most of the time: they are off meanwhile. */
export async function fillYears(db: pg.Client, years: Years): Promise<Filled> {
  const { players, orders, now } = years
  if (orders % (ORDERS_A_PRIZE * PRIZES_A_BATCH) !== 0) throw new Error('the number of orders has to fill the batches')
  await db.query('set session_replication_role = replica')
  const { rows } = await db.query<{ id: string }>(
    `with made as (
       insert into players (created_at, email_verified_at, first_verified_at, username, email)
       select $1, $1, $1, 'year-' || n, 'year.' || n || '@example.org'
       from generate_series(1, $2::int) n returning id)
     select min(id) as id from made`,
    [now - YEARS_SECONDS, players],
  )
  const firstPlayer = Number(rows[0]?.id)
  await db.query(
    `insert into ledger_accounts (kind, subject) select 'winnings', n::text from generate_series($1::bigint, $2::bigint) n
     union all select kind, '' from unnest(array['wallet', 'received', 'in_flight', 'bankroll']) kind
     union all select kind, key from games, unnest(array['stakes_held', 'prize_pool']) kind
     on conflict (kind, subject) do nothing`,
    [firstPlayer, firstPlayer + players - 1],
  )
  const { rows: next } = await db.query<{ payout: string; batch: string }>(
    `select (select coalesce(max(id), 0) + 1 from payouts) as payout, (select coalesce(max(id), 0) + 1 from payout_batches) as batch`,
  )
  const [firstPayout, firstBatch] = [Number(next[0]?.payout), Number(next[0]?.batch)]
  const batches = orders / ORDERS_A_PRIZE / PRIZES_A_BATCH
  for (let from = 1; from <= orders; from += STEP) {
    const step = { from, to: Math.min(orders, from + STEP - 1), firstPlayer, players, now, firstPayout, firstBatch }
    await db.query('begin')
    await addOrders(db, step)
    await addPostings(db, step)
    await addPrizes(db, step)
    await db.query('commit')
    process.stdout.write(`\r${step.to.toLocaleString('en')} orders`)
  }
  process.stdout.write('\n')
  // As batches of plays add them up.
  await db.query(`update draws d set leaves = p.leaves, leaf_lines = p.leaves, leaf_stake_sats = p.sats
    from (select draw_id, count(*) as leaves, sum(stake_sats) as sats from plays where leaf_index is not null group by draw_id) p
    where p.draw_id = d.id`)
  // As the ledger sums its accounts up from time to time.
  await db.query(`insert into ledger_checkpoints (account_id, upto_posting_id, balance_sats)
    select account_id, max(id), sum(amount_sats) from postings group by account_id having count(*) > 1000`)
  for (const [table, next] of [
    ['payouts', firstPayout + orders / ORDERS_A_PRIZE],
    ['payout_batches', firstBatch + batches],
  ] as const)
    await db.query(`select setval(pg_get_serial_sequence('${table}', 'id'), $1::bigint, false)`, [next])
  await db.query('set session_replication_role = origin')
  await db.query('vacuum analyze')
  return { firstPlayer, firstBatch, batches }
}

interface Step {
  readonly from: number
  readonly to: number
  readonly firstPlayer: number
  readonly players: number
  readonly now: number
  readonly firstPayout: number
  readonly firstBatch: number
}

/** The numbers of a step's orders, each with its player, time and draw. */
function numbered({ from, to, firstPlayer, players, now }: Step): string {
  return `numbered as materialized (
    select n, ${firstPlayer} + n % ${players} as player_id, ${now} - (n::bigint * 7919) % ${YEARS_SECONDS} as at, d.id as draw_id,
      d.game_key, d.weekday, d.price_minor, d.price_minor * ${SATS_A_PENNY} as due
    from generate_series(${from}, ${to}) n
    join (select *, row_number() over (order by id) - 1 as place, count(*) over () as many from draws) d on d.place = n % d.many)`
}

async function addOrders(db: pg.Client, step: Step): Promise<void> {
  const { firstPlayer, players } = step
  await db.query(
    `with ${numbered(step)}
     insert into orders (id, player_id, created_at, expires_at, paid_at, ticket_price_minor, price_minor, rate_sats, due_sats, draw_ids,
       line_count, entry_count, free_count, weeks, days, game_key, status, username, request_hash, secret)
     select ${idOf('order')}, player_id, at, at + 900, at + 60, price_minor, price_minor, 1000, due, array[draw_id], 1, 1, 0, 1, array[weekday],
       game_key, 'PAID', 'year-' || (player_id - ${firstPlayer} + 1), '', sha256(('secret ' || n)::bytea) from numbered`,
  )
  await db.query(
    `with ${numbered(step)}, lines as (insert into order_lines (order_id, part, masks) select ${idOf('order')}, 0, array[31] from numbered),
     sold as (
       insert into plays (id, order_id, player_id, draw_id, stake_sats, rate_sats, receipt_at, place, free_count, line_count, leaf_index, play_id, owner_tag)
       select ${idOf('play')}, ${idOf('order')}, player_id, draw_id, due, 1000, at + 60, 0, 0, 1, n,
         substr(sha256(('play ' || n)::bytea), 1, 16), sha256(('owner ' || n)::bytea) from numbered),
     asked as (
       insert into invoices (order_id, expires_at, amount_sats, provider, ref, address, checkout_url)
       select ${idOf('order')}, at + 900, due, 'test', 'year-' || n, 'year-' || n, 'http://localhost/' from numbered)
     insert into payments (outpoint, order_id, sats, seen_at, confirmed_at, final_at, network)
     select ${outpointOf()}, ${idOf('order')}, due, at + 30, at + 60, at + 60, 'ONCHAIN' from numbered`,
  )
  // What stood in the messages of a player for each order.
  await db.query(
    `insert into messages (player_id, created_at, title, content, key)
     select ${firstPlayer} + n % ${players}, ${step.now}, 'Your order', 'Thank you.', 'year-' || n from generate_series(${step.from}, ${step.to}) n`,
  )
}

/** Five transfers for each order: its money comes in and is staked, and the operator's goes in and out. */
async function addPostings(db: pg.Client, step: Step): Promise<void> {
  await db.query(`create temp table sold on commit drop as with ${numbered(step)} select * from numbered`)
  for (const [event, subject, from, to, sats] of [
    ['payment.confirmed', outpointOf(), account('wallet'), account('received'), 'due'],
    ['order.paid', idOf('order'), account('received'), account('stakes_held', 'game_key'), 'due'],
    ['operator.deposit', `'year-' || n`, account('wallet'), account('bankroll'), PUT_IN],
    ['operator.withdrawal', `'year-a-' || n`, account('bankroll'), account('wallet'), TAKEN_OUT],
    ['operator.withdrawal', `'year-b-' || n`, account('bankroll'), account('wallet'), TAKEN_AGAIN],
  ] as const)
    await db.query(transfersOf({ rows: 'sold', at: 'at + 60', event, subject, from, to, sats }))
  // What the demo's wallet holds of it: what came in less what the operator took and players were paid.
  await db.query(
    `insert into test_wallet_txs (outpoint, txid, address, sats, at, mined_confirmations, direction)
     select 'year-' || $1 || ':0', 'year-' || $1, 'year-' || $1, sum(due), $2, 6, 'in' from sold`,
    [step.from, step.now - YEARS_SECONDS],
  )
}

/** Prizes that were paid out long ago: each is posted, owed, and in a batch that left. */
async function addPrizes(db: pg.Client, step: Step): Promise<void> {
  const place = `n / ${ORDERS_A_PRIZE} - 1`
  const payout = `${step.firstPayout} + ${place}`
  const batch = `${step.firstBatch} + (${place}) / ${PRIZES_A_BATCH}`
  await db.query(
    `create temp table won on commit drop as with ${numbered(step)}
     select *, ${payout} as payout_id, ${batch} as batch_id from numbered where n % ${ORDERS_A_PRIZE} = 0`,
  )
  await db.query(
    `with wins as (
       insert into wins (draw_id, player_id, amount_sats, play_id, line_no, matches, win_type)
       select draw_id, player_id, ${PRIZE_SATS}, ${idOf('play')}, 0, 3, 'PRIZE' from won),
     batched as (
       insert into payout_batches (id, created_at, state, sent_at, version, class) overriding system value
       select batch_id, max(at) + 86400, 'FINAL', max(at) + 86400, 1, 'prizes' from won group by batch_id),
     sent as (
       insert into payouts (id, batch_id, player_id, sats, created_at, sent_at, address) overriding system value
       select payout_id, batch_id, player_id, ${PRIZE_SATS}, at + 86400, at + 86400, 'year-' || player_id from won)
     insert into payables (created_at, sats, player_id, draw_id, payout_id, kind, source, play_id, line_no)
     select at + 86400, ${PRIZE_SATS}, player_id, draw_id, payout_id, 'prize', 'year-' || n, ${idOf('play')}, 0 from won`,
  )
  const ofPlayer = `(select id from ledger_accounts where kind = 'winnings' and subject = player_id::text)`
  for (const [event, subject, from, to] of [
    ['draw.fixed-prizes', `draw_id || ':' || n`, account('bankroll'), ofPlayer],
    ['payout.made', 'payout_id', ofPlayer, account('in_flight')],
  ] as const)
    await db.query(transfersOf({ rows: 'won', at: 'at + 86400', event, subject, from, to, sats: PRIZE_SATS }))
  await db.query(
    `with made as (
       insert into transfers (event, key, at) select 'payout.sent', 'payout.sent:' || batch_id, max(at) + 86400 from won group by batch_id
       returning id)
     insert into postings (transfer_id, account_id, amount_sats)
     select made.id, side.account_id, side.sats from made,
       lateral (values (${account('in_flight')}, -${PRIZES_A_BATCH * PRIZE_SATS}::bigint), (${account('wallet')}, ${PRIZES_A_BATCH * PRIZE_SATS}::bigint)) side (account_id, sats)`,
  )
}

function account(kind: string, subject = `''`): string {
  return `(select id from ledger_accounts where kind = '${kind}' and subject = ${subject})`
}

/** One transfer with two postings for each of some rows. */
function transfersOf(moved: {
  readonly rows: string
  readonly at: string
  readonly event: string
  readonly subject: string
  readonly from: string
  readonly to: string
  /** an amount in sats, or its column */
  readonly sats: number | string
}): string {
  const { rows, at, event, subject, from, to, sats } = moved
  return `with made as (
      insert into transfers (event, key, at) select '${event}', '${event}:' || ${subject}, ${at} from ${rows} order by n returning id, key),
    known as (select '${event}:' || ${subject} as key, ${from} as from_id, ${to} as to_id, (${sats})::bigint as sats from ${rows})
    insert into postings (transfer_id, account_id, amount_sats)
    select made.id, side.account_id, side.sats from made join known using (key),
      lateral (values (known.from_id, -known.sats), (known.to_id, known.sats)) side (account_id, sats)`
}
