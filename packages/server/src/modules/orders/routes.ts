import { calls } from '@fairball/contract/calls'
import { fromHex, toHex } from '@fairball/domain/protocol/bytes'
import type { FastifyInstance } from 'fastify'
import { route } from '../../http/route.ts'
import type { RateLimit, RateLimits } from '../../kernel/limits.ts'
import { amountOf, currentRates, drawRefOf, openInvoice, type PaymentsContext } from '../payments/service.ts'
import { createOrder, type OrdersContext, quoteOrder } from './service.ts'

/** A quote follows each change of an order, by anybody. */
const QUOTES_OF_ADDRESS = { name: 'quotes', most: 600, seconds: 900 } as const satisfies RateLimit

interface OrdersRoutes {
  readonly orders: OrdersContext
  readonly payments: PaymentsContext
  readonly limits: Pick<RateLimits, 'take'>
}

/** Quoting and making an order; the status of its payment belongs to the payments module. */
export function ordersRoutes(app: FastifyInstance, deps: OrdersRoutes): void {
  route(app, calls.quotePayment, async ({ player, body, address }) => {
    await deps.limits.take(QUOTES_OF_ADDRESS, address)
    const wanted = { gameKey: body.key, days: body.days, weeks: body.weeks, tickets: body.tickets }
    const quoted = await quoteOrder(deps.orders, wanted, player?.id ?? null)
    const rates = await currentRates(deps.payments.db, deps.payments.runtime.clock.now())
    return {
      draws: quoted.draws.map(drawRefOf),
      entries: quoted.entries,
      free_tickets_used: quoted.freeTicketsUsed,
      price: amountOf(quoted.dueSats, rates.set(quoted.currency, quoted.rateSats)),
    }
  })
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
