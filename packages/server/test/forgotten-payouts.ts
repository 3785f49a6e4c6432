import pg from 'pg'

/** Turns a database into a backup made before its payouts: they are owed, and still to be made. */
export async function forgetPayouts(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('begin')
    // A backup does not know the triggers that keep the ledger append-only.
    await client.query('set local session_replication_role = replica')
    await client.query(
      `delete from postings using transfers where transfer_id = transfers.id and event like 'payout.%'`,
    )
    await client.query(`delete from transfers where event like 'payout.%'`)
    // It knows the sums of what was owed then: these triggers work.
    await client.query('set local session_replication_role = origin')
    await client.query('update payables set payout_id = null')
    await client.query('set local session_replication_role = replica')
    for (const table of ['ln_attempts', 'ln_payouts', 'payout_txs', 'payout_inputs', 'payouts', 'payout_batches'])
      await client.query(`delete from ${table}`)
    await client.query(`delete from system_state where key like 'payouts.%'`)
    await client.query(`delete from jobs where kind like 'payouts.%' or kind = 'lightning.step'`)
    await client.query(
      `insert into jobs (kind, key, payload, run_at) values ('payouts.make', 'payouts.make', '{}'::jsonb, 0)`,
    )
    await client.query('commit')
  } finally {
    await client.end()
  }
}
