import { nullable, sql, t } from '../../db/sql.ts'

/** What decides on goodwill for an order beside the order itself. */
export const findGoodwill = sql({
  name: 'orders.find-goodwill',
  text: `select p.closed_at is not null as is_closed, g.sats as given_sats
    from orders o join players p on p.id = o.player_id left join order_goodwill g on g.order_id = o.id where o.id = $1`,
  params: [t.uuid],
  row: { isClosed: t.bool, givenSats: nullable(t.bigint) },
})

/**
 * Owes a player goodwill, and notes it at the order. What is owed names no order: it came with no payment of it, and
 * none that is undone takes it back.
 */
export const insertGoodwill = sql({
  name: 'orders.insert-goodwill',
  text: `with owed as (
      insert into payables (created_at, sats, player_id, kind, source)
      values ($now, $sats, $playerId, 'refund', 'goodwill:' || $orderId::uuid) returning id
    )
    insert into order_goodwill (order_id, sats, at, request_id, payable_id) select $orderId, $sats, $now, $requestId, id from owed`,
  params: { now: t.epochSeconds, sats: t.bigint, playerId: t.bigint, orderId: t.uuid, requestId: t.uuid },
})
