import { nullable, sql, t } from '../../db/sql.ts'
import { orderStatus } from '../payments/service.ts'

/**
 * The orders that an operator may mean: by their id, the provider's name of the invoice, its address, or a transaction.
 */
export const findNamedOrders = sql({
  name: 'payments.find-named-orders',
  text: `select o.id, o.player_id, o.game_key, o.status, o.created_at, o.expires_at, o.due_sats, o.needed_sats, o.lost_sats,
      i.provider, i.ref, i.address, i.words, i.words_at
    from orders o left join invoices i on i.order_id = o.id
    where o.id::text = $1 or i.ref = $1 or i.address = $1
      or exists (select from payments p where p.order_id = o.id and split_part(p.outpoint, ':', 1) = split_part($1, ':', 1))
    order by o.created_at limit 20`,
  params: [t.text],
  row: {
    id: t.uuid,
    playerId: t.bigint,
    gameKey: t.text,
    status: orderStatus,
    createdAt: t.epochSeconds,
    expiresAt: t.epochSeconds,
    dueSats: t.bigint,
    neededSats: nullable(t.bigint),
    lostSats: t.bigint,
    provider: nullable(t.text),
    ref: nullable(t.text),
    address: nullable(t.text),
    words: nullable(t.text),
    wordsAt: nullable(t.epochSeconds),
  },
})
