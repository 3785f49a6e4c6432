import { sql, t } from '../../../db/sql.ts'

/** An order as goodwill for it is about it. */
export const findOrderFacts = sql({
  name: 'console.find-order-facts',
  text: `select player_id, username, game_key, status, due_sats, goodwill_sats from console_order_money where id = $1`,
  params: [t.uuid],
  row: {
    playerId: t.bigint,
    username: t.text,
    gameKey: t.text,
    status: t.text,
    dueSats: t.bigint,
    goodwillSats: t.bigint,
  },
})
