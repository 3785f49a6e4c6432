// Payments as the chain shows them: rows of the demo's chain, and the check of the order that a provider's message
// triggers.
import { randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { luckyMask, stakeOf, writeInvoices, writeLines } from './fill.ts'
import { rulesOfGame } from './players.ts'
import type { Draw } from './stage.ts'

/** Orders written with one round of statements. */
const ORDERS_A_STEP = 1000
const INVOICE_SECONDS = 900
const SATS_A_POUND = 1000

/**
 * Writes unpaid orders as `POST /payment` leaves them: order, lines, invoice, and the job that expires it.
 *
 * @returns their ids
 */
export async function writeOpenOrders(
  db: pg.Client,
  with_: {
    readonly orders: number
    readonly lines: number
    readonly draws: readonly Draw[]
    readonly playerIds: readonly string[]
    readonly at: number
  },
): Promise<string[]> {
  const { orders, lines, draws, playerIds, at } = with_
  const [first] = draws
  if (first === undefined) throw new Error('an order needs a draw')
  const game = rulesOfGame(first.game_key)
  const dueSats = lines * draws.length * stakeOf(first)
  const ids = Array.from({ length: orders }, () => randomUUID())
  for (let from = 0; from < orders; from += ORDERS_A_STEP) {
    const step = ids.slice(from, from + ORDERS_A_STEP)
    const owners = step.map((_, index) => playerIds[(from + index) % playerIds.length])
    await db.query('begin')
    await db.query(
      `insert into orders (id, player_id, created_at, expires_at, ticket_price_minor, price_minor, rate_sats, due_sats, draw_ids,
         line_count, entry_count, free_count, weeks, days, game_key, status, username, request_hash, secret)
       select o.id, o.player_id, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, 1, $12, $13, 'PENDING', p.username, '', o.secret
       from unnest($1::uuid[], $2::bigint[], $14::bytea[]) as o (id, player_id, secret) join players p on p.id = o.player_id`,
      [
        step,
        owners,
        at,
        at + INVOICE_SECONDS,
        game.priceMinor,
        game.priceMinor * lines * draws.length,
        SATS_A_POUND,
        dueSats,
        draws.map(({ id }) => id),
        lines,
        lines * draws.length,
        draws.map(({ weekday }) => weekday),
        first.game_key,
        step.map(() => randomBytes(32)),
      ],
    )
    await writeLines(db, step, lines, () => luckyMask(game))
    await writeInvoices(db, step, { dueSats, expiresAt: at + INVOICE_SECONDS })
    await db.query(
      `insert into jobs (kind, key, payload, run_at)
       select 'payments.refresh', 'payments.refresh:' || id || ':' || $2::bigint, jsonb_build_object('orderId', id), $2
       from unnest($1::uuid[]) as o (id)`,
      [step, at + INVOICE_SECONDS],
    )
    await db.query('commit')
  }
  await db.query('analyze')
  return ids
}

/**
 * Pays orders in full with a confirmation, and makes the check of each order due, in one transaction, as a message of
 * the provider does.
 *
 * @param at by the product's clock
 */
export async function payOrders(db: pg.Client, orderIds: readonly string[], at: number): Promise<void> {
  if (orderIds.length === 0) return
  await db.query(
    `with paid as (
       insert into test_wallet_txs (outpoint, txid, address, sats, at, mined_confirmations, direction)
       select 'paid-' || order_id || ':0', 'paid-' || order_id, address, amount_sats, $2::bigint, 1, 'in'
       from invoices where order_id = any($1::uuid[])
     )
     insert into jobs (kind, key, payload, run_at)
     select 'payments.refresh', 'payments.refresh:' || id || ':' || $2::bigint, jsonb_build_object('orderId', id), $2::bigint
     from unnest($1::uuid[]) as o (id) on conflict (key) do nothing`,
    [orderIds, at],
  )
}

/** Whether any work is due. Cheap enough to poll: counting all jobs would slow down what is measured. */
export async function isWorkDue(db: pg.Client, now: number): Promise<boolean> {
  const { rowCount } = await db.query('select from jobs where run_at <= $1 limit 1', [now])
  return rowCount !== 0
}

/** Number of PAID orders, and of due jobs. */
export async function standingOf(db: pg.Client, now: number): Promise<{ paid: number; due: number }> {
  const { rows } = await db.query<{ paid: number; due: number }>(
    `select (select count(*)::int from orders where status = 'PAID') as paid,
       (select count(*)::int from jobs where run_at <= $1) as due`,
    [now],
  )
  const [standing] = rows
  if (standing === undefined) throw new Error('the database returned nothing')
  return standing
}
