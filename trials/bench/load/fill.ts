// Draws with many entries, written by SQL as the product's sales would have left them: orders, lines, invoices,
// payments on the demo's chain, both transfers, and plays. These benches do not measure the sale of a million tickets.
// Every invariant holds afterwards.
import { randomBytes, randomUUID } from 'node:crypto'
import { fromHex } from '@fairball/domain/protocol/bytes'
import { ownerTag, playId, playSecret } from '@fairball/domain/protocol/plays'
import type pg from 'pg'
import { rulesOfGame } from './players.ts'
import type { Draw } from './stage.ts'

/** Pence to sats at the demo's rate: 1 GBP is 1,000 sats. */
const SATS_A_PENNY = 10
const LINES_A_ROW = 200
/** Delay before plays are appended to the tree of their draw, in seconds, as sales schedule it. */
export const APPENDED_AFTER_SECONDS = 300
/** Lines written with one round of statements. */
const LINES_A_STEP = 10_000
/** Plays in one transaction. Each play's payment stays locked until it ends, and PostgreSQL has some thousand locks. */
const PLAYS_A_STEP = 2000

interface FillSettings {
  readonly draw: Draw
  /** a multiple of `linesAPlay` */
  readonly entries: number
  /** lines per order; each order is for this draw only */
  readonly linesAPlay: number
  /** the owners of the orders, in turn */
  readonly playerIds: readonly string[]
  /** when the orders were made and paid, in epoch seconds */
  readonly at: number
}

/** Fills a draw. @returns the ids of the plays, and the total stake */
export async function fillDraw(
  db: pg.Client,
  settings: FillSettings,
): Promise<{ playIds: string[]; stakeSats: number }> {
  const { draw, entries, linesAPlay, playerIds } = settings
  if (entries % linesAPlay !== 0) throw new Error(`the number of entries must be a multiple of ${linesAPlay}`)
  const plays = entries / linesAPlay
  const playsAStep = Math.min(PLAYS_A_STEP, Math.max(1, Math.floor(LINES_A_STEP / linesAPlay)))
  const playIds: string[] = []
  await db.query(
    `insert into ledger_accounts (kind, subject) values ('wallet', ''), ('received', ''), ('stakes_held', $1)
     on conflict (kind, subject) do nothing`,
    [draw.game_key],
  )
  for (let from = 0; from < plays; from += playsAStep) {
    const count = Math.min(playsAStep, plays - from)
    const owners = Array.from({ length: count }, (_, index) => playerIds[(from + index) % playerIds.length] ?? '')
    await db.query('begin')
    playIds.push(...(await writePlays(db, settings, owners)))
    await db.query('commit')
  }
  await db.query(
    `insert into jobs (kind, key, payload, run_at) values ('draws.append', 'draws.append:' || $1, jsonb_build_object('drawId', $1), $2)
     on conflict (key) do nothing`,
    [String(draw.id), settings.at + APPENDED_AFTER_SECONDS],
  )
  await db.query('analyze')
  return { playIds, stakeSats: entries * stakeOf(draw) }
}

/** Price of one entry in a draw, in sats. */
export function stakeOf(draw: Pick<Draw, 'game_key'>): number {
  return rulesOfGame(draw.game_key).priceMinor * SATS_A_PENNY
}

async function writePlays(db: pg.Client, settings: FillSettings, owners: readonly string[]): Promise<string[]> {
  const { draw, linesAPlay, at } = settings
  const game = rulesOfGame(draw.game_key)
  const orderIds = owners.map(() => randomUUID())
  const playIds = owners.map(() => randomUUID())
  const secrets = owners.map(() => randomBytes(32))
  const dueSats = linesAPlay * stakeOf(draw)
  await db.query(
    `insert into orders (id, player_id, created_at, expires_at, paid_at, ticket_price_minor, price_minor, rate_sats,
       due_sats, draw_ids, line_count, entry_count, free_count, weeks, days, game_key, status, username, request_hash, secret)
     select o.id, o.player_id, $3, $3::bigint + 900, $3, $4, $4::bigint * $5::int, $6, $7, array[$8::bigint], $5, $5, 0, 1,
       array[$9::smallint], $10, 'PAID', p.username, '', o.secret
     from unnest($1::uuid[], $2::bigint[], $11::bytea[]) as o (id, player_id, secret) join players p on p.id = o.player_id`,
    [
      orderIds,
      owners,
      at,
      game.priceMinor,
      linesAPlay,
      100 * SATS_A_PENNY,
      dueSats,
      draw.id,
      draw.weekday,
      draw.game_key,
      secrets,
    ],
  )
  await writeLines(db, orderIds, linesAPlay, () => luckyMask(game))
  const tags = await tagsOf(db, draw, owners, secrets)
  await db.query(
    `insert into plays (id, order_id, player_id, draw_id, stake_sats, rate_sats, receipt_at, place, free_count, line_count, play_id, owner_tag)
     select p.id, p.order_id, p.player_id, $6, $7, $8, $9, 0, 0, $10, p.play_id, p.owner_tag
     from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bytea[], $5::bytea[]) as p (id, order_id, player_id, play_id, owner_tag)`,
    [
      playIds,
      orderIds,
      owners,
      tags.map((tag) => tag.playId),
      tags.map((tag) => tag.ownerTag),
      draw.id,
      dueSats,
      100 * SATS_A_PENNY,
      at,
      linesAPlay,
    ],
  )
  await writeInvoices(db, orderIds, { dueSats, expiresAt: at + 900 })
  await writePayments(db, orderIds, { dueSats, at, gameKey: draw.game_key })
  return playIds
}

/** Id and owner's tag of each play, derived from the order's secret by the protocol. */
async function tagsOf(db: pg.Client, draw: Draw, owners: readonly string[], secrets: readonly Uint8Array[]) {
  const { rows } = await db.query<{ id: string; username: string }>(
    'select id, username from players where id = any($1::bigint[])',
    [owners],
  )
  const names = new Map(rows.map(({ id, username }) => [String(id), username]))
  const open = fromHex(draw.open_hash)
  return secrets.map((secret, place) => {
    const own = playSecret(secret, open)
    return {
      playId: Buffer.from(playId(own)),
      ownerTag: Buffer.from(ownerTag(own, open, names.get(String(owners[place])) ?? '')),
    }
  })
}

/** Writes the lines of orders, 200 a row, as the product does. */
export async function writeLines(
  db: pg.Client,
  orderIds: readonly string[],
  linesAnOrder: number,
  nextMask: () => string,
): Promise<void> {
  const places = orderIds.flatMap((_, order) => Array.from({ length: linesAnOrder }, (__, line) => ({ order, line })))
  await db.query(
    `insert into order_lines (order_id, part, masks)
     select ($1::uuid[])[l.place + 1], l.part, array_agg(l.mask order by l.nr)
     from unnest($2::int[], $3::smallint[], $4::bigint[]) with ordinality as l (place, part, mask, nr) group by 1, 2`,
    [
      orderIds,
      places.map(({ order }) => order),
      places.map(({ line }) => Math.floor(line / LINES_A_ROW)),
      places.map(() => nextMask()),
    ],
  )
}

/** Invoices of the demo's wallet, each at its own address. */
export async function writeInvoices(
  db: pg.Client,
  orderIds: readonly string[],
  with_: { readonly dueSats: number; readonly expiresAt: number },
): Promise<void> {
  await db.query(
    `insert into invoices (order_id, expires_at, amount_sats, provider, ref, address, checkout_url)
     select id, $2, $3, 'test', 'bench-' || id, 'bench-' || id, 'http://localhost/checkout/' || id
     from unnest($1::uuid[]) as o (id)`,
    [orderIds, with_.expiresAt, with_.dueSats],
  )
}

/**
 * Writes their payments, long final: on the chain, as rows, and in the ledger, from the wallet through the received
 * account to the stakes.
 */
async function writePayments(
  db: pg.Client,
  orderIds: readonly string[],
  with_: { readonly dueSats: number; readonly at: number; readonly gameKey: string },
): Promise<void> {
  const { dueSats, at, gameKey } = with_
  await db.query(
    `insert into test_wallet_txs (outpoint, txid, address, sats, at, mined_confirmations, direction)
     select 'bench-' || id || ':0', 'bench-' || id, 'bench-' || id, $2, $3, 6, 'in' from unnest($1::uuid[]) as o (id)`,
    [orderIds, dueSats, at],
  )
  await db.query(
    `insert into payments (outpoint, order_id, sats, seen_at, confirmed_at, final_at, network)
     select 'bench-' || id || ':0', id, $2, $3, $3, $3, 'ONCHAIN' from unnest($1::uuid[]) as o (id)`,
    [orderIds, dueSats, at],
  )
  for (const [event, subject, from, to] of [
    ['payment.confirmed', `'bench-' || id || ':0'`, `('wallet', '')`, `('received', '')`],
    ['order.paid', 'id', `('received', '')`, `('stakes_held', $4)`],
  ] as const)
    await db.query(
      `with made as (
         insert into transfers (event, key, at) select '${event}', '${event}:' || ${subject}, $2 from unnest($1::uuid[]) as o (id)
         returning id
       )
       insert into postings (transfer_id, account_id, amount_sats)
       select made.id, a.id, case when (a.kind, a.subject) = ${from} then -$3::bigint else $3::bigint end
       from made, ledger_accounts a where (a.kind, a.subject) in (${from}, ${to}) and $4::text is not null`,
      [orderIds, at, dueSats, gameKey],
    )
}

/** A line in PostgreSQL's form: 64 bits as a signed decimal number. */
export function luckyMask({ pick, pool }: { readonly pick: number; readonly pool: number }): string {
  // Uses two halves of 32 bits, because this runs ten million times.
  let [low, high] = [0, 0]
  for (let picked = 0; picked < pick;) {
    const place = Math.floor(Math.random() * pool)
    const bit = 1 << (place & 31)
    if (((place < 32 ? low : high) & bit) !== 0) continue
    if (place < 32) low |= bit
    else high |= bit
    picked += 1
  }
  return ((BigInt(high) << 32n) | BigInt(low >>> 0)).toString()
}
