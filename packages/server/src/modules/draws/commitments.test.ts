import { expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { holdCommitments, listSales } from './queries.ts'

it('whether games are committed is looked up by indexes, however many orders and plays there are', async () => {
  const { connect } = await testDatabase()
  const client = await connect()
  // What nothing reads here is left out.
  await client.query(`set session_replication_role = replica;
    insert into orders (id, player_id, game_key, status, username, created_at, expires_at, days, weeks, draw_ids, line_count, entry_count,
        free_count, ticket_price_minor, price_minor, rate_sats, due_sats, request_hash, secret)
      select gen_random_uuid(), 1, 'treasure', case n % 3 when 0 then 'PAID' when 1 then 'EXPIRED' else 'PENDING' end, '', n, n, '{1}', 1, '{1}', 1, 1,
        0, 100, 100, 1000, 1000, '', sha256(n::text::bytea) from generate_series(1, 3000) n;
    insert into payments (outpoint, order_id, sats, seen_at, network) select id, id, 1000, 1, 'ONCHAIN' from orders;
    insert into plays (id, order_id, player_id, draw_id, stake_sats, rate_sats, receipt_at, place, free_count, line_count, play_id, owner_tag)
      select id, id, 1, 1, 1000, 1000, 1, 0, 0, 1, substr(secret, 1, 16), secret from orders;
    analyze orders, payments, plays`)
  for (const { text } of [listSales, holdCommitments]) {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${text}`)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).not.toMatch(/hash|Seq Scan on (?:orders|payments|plays)/iu)
  }
})
