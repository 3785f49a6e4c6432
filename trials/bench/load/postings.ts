// A ledger with many postings, written by SQL: transfers between the wallet and the players' accounts.
import type pg from 'pg'

/** Accounts of players among which the transfers are divided. */
const ACCOUNTS = 20_000
/** Transfers of one statement. */
const STEP = 250_000

/**
 * Adds transfers with two postings each, from the wallet to one player's winnings after the other.
 *
 * @param postings an even number
 */
export async function fillLedger(db: pg.Client, postings: number): Promise<void> {
  await db.query(`insert into ledger_accounts (kind, subject) select 'wallet', '' union all
    select 'winnings', 'bench-' || n from generate_series(1, ${ACCOUNTS}) n on conflict (kind, subject) do nothing`)
  // The database's own checks of each row would take most of the time; what is written balances.
  await db.query('set session_replication_role = replica')
  for (let left = postings / 2; left > 0; left -= STEP)
    await db.query(
      `with made as (
          insert into transfers (event, key, at) select 'bench.moved', 'bench.moved:' || gen_random_uuid(), 1
          from generate_series(1, $1) returning id
        ), numbered as (select id, row_number() over () as n from made),
        players as materialized (select id, row_number() over () as n from ledger_accounts where subject like 'bench-%')
        insert into postings (transfer_id, account_id, amount_sats)
        select m.id, (select id from ledger_accounts where kind = 'wallet'), -100 from numbered m
        union all select m.id, p.id, 100 from numbered m join players p on p.n = 1 + m.n % ${ACCOUNTS}`,
      [Math.min(left, STEP)],
    )
  await db.query('set session_replication_role = origin')
  if (postings >= STEP) await db.query('analyze transfers, postings, ledger_accounts')
}
