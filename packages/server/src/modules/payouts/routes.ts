import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { route } from '../../http/route.ts'
import { balanceOfPlayer, type PayoutsContext } from './service.ts'

/** The money of a player. */
export function payoutsRoutes(app: FastifyInstance, ctx: PayoutsContext): void {
  route(app, calls.getBalance, ({ player }) => balanceOfPlayer(ctx, player.id))
}
