import { sql, t } from '../../db/sql.ts'

export const findAccepted = sql({
  name: 'lightning.find-accepted',
  text: `select node_id from lightning_node`,
  row: { nodeId: t.text },
})

/** The first node is accepted as it is; touches no other. */
export const acceptFirst = sql({
  name: 'lightning.accept-first',
  text: `insert into lightning_node (node_id, accepted_at) values ($1, $2) on conflict do nothing`,
  params: [t.text, t.epochSeconds],
})
