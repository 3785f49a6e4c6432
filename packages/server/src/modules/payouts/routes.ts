import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { route } from '../../http/route.ts'
import { balanceOfPlayer, type PayoutsContext, waitingMoneyOf } from './service.ts'

/** The money of a player, and what waits to be paid. */
export function payoutsRoutes(app: FastifyInstance, ctx: PayoutsContext): void {
  route(app, calls.getBalance, ({ player }) => balanceOfPlayer(ctx, player.id))
  route(app, calls.getWaitingMoney, ({ player }) => waitingMoneyOf(ctx, player.id))
}
