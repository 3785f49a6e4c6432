import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { LIVE_CACHE, route } from '../../http/route.ts'
import type { FairnessContext } from './context.ts'
import { fileRoutes } from './file-routes.ts'
import { drawHint, logPage } from './log-pages.ts'

/** For what grows. */
const LIVE = { cache: LIVE_CACHE, isOpenToAllOrigins: true } as const

/** The log for pages and makers of bundles, and its files under `/fairball/` (docs/fairness.md, sections 3 and 17). */
export function fairnessRoutes(app: FastifyInstance, fairness: FairnessContext): void {
  route(app, calls.getFairnessLog, ({ query }) => logPage(fairness, query.from), LIVE)
  route(app, calls.getFairnessDraw, ({ params }) => drawHint(fairness, params.game, params.number), LIVE)
  fileRoutes(app, fairness.db)
}
