import type pg from 'pg'
import { playerAddress } from './addresses.ts'
import type { Player } from './players.ts'
import { REAL_LIMIT_MS, Stuck } from './scheduler.ts'

// Queries and changes of a simulation's database that are not made by the program. None of them is a step.

/** Number of statements that wait for another transaction, according to the database. */
export async function countBlocked(observer: pg.Client): Promise<number> {
  const { rows } = await observer.query<{ blocked: number }>({
    name: 'count-blocked',
    text: `select count(*)::int as blocked from pg_stat_activity
      where datname = current_database() and state = 'active' and pid <> pg_backend_pid() and cardinality(pg_blocking_pids(pid)) > 0`,
  })
  return rows[0]?.blocked ?? 0
}

/** Cuts these connections, and waits until the database has rolled their work back. @throws Stuck */
export async function terminate(observer: pg.Client, connections: readonly number[]): Promise<void> {
  if (connections.length === 0) return
  // A connection disappears from the list after its rollback. The function's own timeout only checks every 100 ms.
  const text = `select pg_terminate_backend(pid) from pg_stat_activity where pid = any($1)`
  const begunMs = performance.now()
  while (((await observer.query({ name: 'terminate', text, values: [connections] })).rowCount ?? 0) > 0)
    if (performance.now() - begunMs > REAL_LIMIT_MS)
      throw new Stuck(`the connections ${connections.join(', ')} are still open`)
}

/** Registers players, each with a verified email address and a bitcoin address. @param at epoch seconds */
export async function insertPlayers(observer: pg.Client, count: number, at: number): Promise<Player[]> {
  const players: Player[] = []
  for (let number = 1; number <= count; number += 1) {
    const name = `player-${number}`
    const { rows } = await observer.query<{ id: bigint }>(
      `insert into players (username, email, created_at, email_verified_at) values ($1, $2, $3, $3) returning id`,
      [name, `${name}@example.org`, at],
    )
    const id = rows[0]?.id ?? 0n
    await observer.query(
      `insert into player_addresses (player_id, address, usable_from, created_at) values ($1, $2, $3, $3)`,
      [id, playerAddress(number), at],
    )
    players.push({ id, name, address: playerAddress(number) })
  }
  return players
}

/** The close of the first draw, epoch seconds. */
export async function firstCloseAt(observer: pg.Client): Promise<number> {
  const { rows } = await observer.query<{ closes_at: bigint }>(
    `select closes_at from draws where game_key = 'bitcoin-hero' and status = 'open' order by closes_at limit 1`,
  )
  return Number(rows[0]?.closes_at ?? 0)
}

/** The job that is due first, with its due time in epoch seconds. */
export async function firstJob(
  observer: pg.Client,
  isMoneyHeld: boolean,
): Promise<{ at: number; kind: string } | null> {
  const { rows } = await observer.query<{ run_at: bigint; kind: string }>({
    name: 'next-job',
    text: `select run_at, kind from jobs where not ($1 and kind ~ '^(payouts|payments)[.]') order by run_at, id limit 1`,
    values: [isMoneyHeld],
  })
  const [job] = rows
  return job === undefined ? null : { at: Number(job.run_at), kind: job.kind }
}

/** Makes batches due that wait for more plays. @param at epoch seconds */
export async function hastenBatches(observer: pg.Client, at: number): Promise<void> {
  await observer.query({
    name: 'hasten-batches',
    text: `update jobs set run_at = $1 where id in (
      select id from jobs where kind = 'draws.append' and run_at > $1 order by id for update skip locked)`,
    values: [at],
  })
}

/** Whether a play of an order has its place in a draw that is still open. */
export async function hasPlace(observer: pg.Client, orderId: string): Promise<boolean> {
  const { rowCount } = await observer.query({
    name: 'has-place',
    text: `select from plays p join draws d on d.id = p.draw_id where p.order_id = $1 and p.leaf_index is not null and d.status = 'open'`,
    values: [orderId],
  })
  return (rowCount ?? 0) > 0
}

/** The published seeds, read from the close statements. */
export async function publishedSeeds(observer: pg.Client): Promise<string[]> {
  const { rows } = await observer.query<{ seed: string | null }>(
    `select substring(text from '\\nseed ([0-9a-f]{64})\\n') as seed from log_leaves where type = 'close'`,
  )
  return rows.flatMap(({ seed }) => seed ?? [])
}

/** Number of PAID orders and of drawn draws. */
export async function countDone(observer: pg.Client): Promise<{ paid: number; drawn: number }> {
  const { rows } = await observer.query<{ paid: number; drawn: number }>(`
    select (select count(*)::int from orders where status = 'PAID') as paid,
      (select count(*)::int from draws where status in ('drawn', 'settled')) as drawn`)
  return rows[0] ?? { paid: 0, drawn: 0 }
}

/** What happened in a seed, and how often. */
export async function countFacts(observer: pg.Client): Promise<readonly { what: string; times: number }[]> {
  const { rows } = await observer.query<{ what: string; times: number | null }>(`
    select 'orders ' || status as what, count(*)::int as times from orders group by status
    union all select 'draws ' || status, count(*)::int from draws where status <> 'open' group by status
    union all select 'plays', count(*)::int from plays
    union all select 'plays moved: ' || move_reason, count(*)::int from plays where move_reason is not null group by move_reason
    union all select 'plays revoked', count(*)::int from play_leaves where is_revocation
    union all select 'batches', count(*)::int from sold_batches
    union all select 'receipts', count(*)::int from receipts
    union all select 'draws put off', count(*)::int from log_leaves where type = 'postpone'
    union all select 'free tickets used', sum(free_count)::int from plays
    union all select 'wins', count(*)::int from wins where amount_sats is not null
    union all select 'payouts over Lightning ' || state, count(*)::int from ln_payouts group by state
    union all select 'requests ' || kind || ' ' || state, count(*)::int from operator_requests group by kind, state
    union all select 'orders paid over Lightning', count(*)::int from ln_invoices where paid_at is not null
    union all select 'payout batches ' || state, count(*)::int from payout_batches group by state
    union all select 'reversed payments', count(*)::int from payments where times_reversed > 0
    union all select 'sessions', count(*)::int from sessions`)
  return rows.flatMap(({ what, times }) => (times === null || times === 0 ? [] : [{ what, times }]))
}
