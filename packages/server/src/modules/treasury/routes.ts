import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { route } from '../../http/route.ts'
import type { Treasury } from './service.ts'

const CACHE_SECONDS = 5

/** What the operator holds and owes. */
export function treasuryRoutes(app: FastifyInstance, { treasury }: { treasury: Pick<Treasury, 'solvency'> }): void {
  route(app, calls.getSolvency, () => treasury.solvency(), { cache: { seconds: CACHE_SECONDS } })
}
