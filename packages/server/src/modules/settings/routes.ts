import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { route } from '../../http/route.ts'
import { type LegalContext, readLegalText } from './legal.ts'

const SHORT = { cache: { seconds: 5 } }

/** The calls about what an operator changes while the product runs. */
export function settingsRoutes(app: FastifyInstance, ctx: LegalContext): void {
  route(app, calls.getLegalText, ({ params, query }) => readLegalText(ctx, params.name, query.version), SHORT)
}
