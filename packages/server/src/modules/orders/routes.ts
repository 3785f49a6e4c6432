import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { route } from '../../http/route.ts'
import { openInvoice, type PaymentsContext } from '../payments/service.ts'
import { createOrder, type OrdersContext } from './service.ts'

/** Making an order; how far its payment is belongs to the payments module. */
export function ordersRoutes(app: FastifyInstance, deps: { orders: OrdersContext; payments: PaymentsContext }): void {
  route(app, calls.createPayment, async ({ player, body, headers }) => {
    const { orderId, made } = await createOrder(deps.orders, {
      playerId: player.id,
      gameKey: body.key,
      days: body.days,
      weeks: body.weeks,
      tickets: body.tickets,
      idempotencyKey: headers['idempotency-key'] ?? null,
    })
    const { checkoutUrl } = await openInvoice(deps.payments, orderId, made)
    return { checkout_url: checkoutUrl, transaction_id: orderId }
  })
}
