import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import type { Queries } from '../../db/pool.ts'
import { route } from '../../http/route.ts'
import { publishedOperations } from './operations.ts'

const CACHE_SECONDS = 60

/** What the site says of the people who run it. */
export function operationsRoutes(app: FastifyInstance, { db }: { readonly db: Queries }): void {
  const options = { cache: { seconds: CACHE_SECONDS }, isOpenToAllOrigins: true }
  route(app, calls.getOperations, () => publishedOperations(db), options)
}
