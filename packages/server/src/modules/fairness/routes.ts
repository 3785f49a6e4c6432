import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { route } from '../../http/route.ts'
import type { Fairness } from './service.ts'

/** A player's proofs. */
export function fairnessRoutes(app: FastifyInstance, deps: { fairness: Fairness }): void {
  route(app, calls.getReceipt, ({ params, player }) => deps.fairness.receiptOf(params.play_id, player.id))
}
