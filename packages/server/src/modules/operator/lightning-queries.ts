import { array, sql, t } from '../../db/sql.ts'

export const findNode = sql({
  name: 'operator.find-lightning-node',
  text: `select node_id from lightning_node for update`,
  row: { nodeId: t.text },
})

export const acceptNode = sql({
  name: 'operator.accept-lightning-node',
  text: `insert into lightning_node (node_id, accepted_at) values ($1, $2)
    on conflict (id) do update set node_id = excluded.node_id, accepted_at = excluded.accepted_at,
      routed_msat = null, chain_fee_msat = null`,
  params: [t.text, t.epochSeconds],
})

/** What was received over Lightning from $1 on. */
export const sumReceived = sql({
  name: 'operator.sum-over-lightning',
  text: `select coalesce(sum(received_msat / 1000), 0)::bigint as sats from ln_invoices where paid_at >= $1`,
  params: [t.epochSeconds],
  row: { sats: t.bigint },
})

/** The payouts that the node may still pay, or has paid without our knowing it yet. */
export const listUndecided = sql({
  name: 'operator.list-undecided-lightning',
  text: `select coalesce(array_agg(payout_id order by payout_id), '{}') as payout_ids from ln_attempts where outcome is null`,
  row: { payoutIds: array(t.bigint) },
})
