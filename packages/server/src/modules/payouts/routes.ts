import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { route } from '../../http/route.ts'
import { type PayoutsContext, waitingMoneyOf } from './service.ts'

/** The money that waits to be paid to a player. */
export function payoutsRoutes(app: FastifyInstance, ctx: PayoutsContext): void {
  route(app, calls.getWaitingMoney, ({ player }) => waitingMoneyOf(ctx, player.id))
}
