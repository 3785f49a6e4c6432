import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { route } from '../../http/route.ts'
import type { Payments } from './service.ts'
import { webhookRoute } from './webhook-route.ts'

/** How an order's payment stands, the page where it is paid, the history of a player's money, and the provider's messages. */
export function paymentsRoutes(app: FastifyInstance, deps: { payments: Payments }): void {
  const { payments } = deps
  route(app, calls.getPayment, ({ query, player }) => payments.paymentOf(query.transaction_id, player.id))
  route(app, calls.getCheckout, ({ params }) => payments.checkoutOf(params.transaction_id))
  route(app, calls.getCheckoutAddress, ({ params, player }) =>
    payments.checkoutAddressOf(params.transaction_id, player.id),
  )
  route(app, calls.getTransactions, ({ query, player }) => payments.historyOf(player.id, query._page))
  webhookRoute(app, { payments })
}
