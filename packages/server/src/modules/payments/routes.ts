import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { route } from '../../http/route.ts'
import { checkoutAddressOf, checkoutOf, historyOf, papersOf, paymentOf, type PaymentsContext } from './service.ts'
import { webhookRoute } from './webhook-route.ts'

/**
 * The status of an order's payment, the page where it is paid, the papers of its plays, a player's transaction history,
 * and the provider's messages.
 */
export function paymentsRoutes(app: FastifyInstance, ctx: PaymentsContext): void {
  route(app, calls.getPayment, ({ query, player }) => paymentOf(ctx, query.transaction_id, player.id))
  route(app, calls.getCheckout, ({ params }) => checkoutOf(ctx, params.transaction_id))
  route(app, calls.getCheckoutAddress, ({ params, player }) => checkoutAddressOf(ctx, params.transaction_id, player.id))
  route(app, calls.getTransactions, ({ query, player }) => historyOf(ctx, player.id, query._page))
  route(app, calls.getReceipt, ({ params, player }) => papersOf(ctx, params.play_id, player.id))
  webhookRoute(app, ctx)
}
