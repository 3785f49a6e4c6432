import { calls } from '@fairball/contract/calls'
import { fromHex, toHex } from '@fairball/domain/protocol/bytes'
import type { FastifyInstance } from 'fastify'
import { route } from '../../http/route.ts'
import { openInvoice, type PaymentsContext } from '../payments/service.ts'
import { createOrder, type OrdersContext } from './service.ts'

/** Making an order; the status of its payment belongs to the payments module. */
export function ordersRoutes(app: FastifyInstance, deps: { orders: OrdersContext; payments: PaymentsContext }): void {
  route(app, calls.createPayment, async ({ player, body, headers }) => {
    const { orderId, made } = await createOrder(deps.orders, {
      playerId: player.id,
      gameKey: body.key,
      days: body.days,
      weeks: body.weeks,
      tickets: body.tickets,
      idempotencyKey: headers['idempotency-key'] ?? null,
      ...(body.secret === undefined ? {} : { secret: fromHex(body.secret, 32) }),
    })
    const { checkoutUrl, promise, secret } = await openInvoice(deps.payments, orderId, made)
    const answer = { checkout_url: checkoutUrl, transaction_id: orderId, promise }
    return body.secret === undefined ? { ...answer, secret: toHex(secret) } : answer
  })
}
