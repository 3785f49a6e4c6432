import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { route } from '../../http/route.ts'
import { solvency, type TreasuryContext } from './service.ts'

const CACHE_SECONDS = 5

/** What the operator holds and owes. */
export function treasuryRoutes(app: FastifyInstance, ctx: TreasuryContext): void {
  route(app, calls.getSolvency, () => solvency(ctx), { cache: { seconds: CACHE_SECONDS } })
}
