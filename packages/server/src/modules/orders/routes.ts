import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { route } from '../../http/route.ts'
import type { Payments } from '../payments/service.ts'
import type { Orders } from './service.ts'

/** Making an order; how far its payment is belongs to the payments module. */
export function ordersRoutes(
  app: FastifyInstance,
  deps: { orders: Orders; payments: Pick<Payments, 'openInvoice'> },
): void {
  route(app, calls.createPayment, async ({ player, body, headers }) => {
    const { orderId, made } = await deps.orders.create({
      playerId: player.id,
      gameKey: body.key,
      days: body.days,
      weeks: body.weeks,
      tickets: body.tickets,
      idempotencyKey: headers['idempotency-key'] ?? null,
    })
    const { checkoutUrl } = await deps.payments.openInvoice(orderId, made)
    return { checkout_url: checkoutUrl, transaction_id: orderId }
  })
}
