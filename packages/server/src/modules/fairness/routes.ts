import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { route } from '../../http/route.ts'
import type { FairnessContext } from './context.ts'
import { fileRoutes } from './file-routes.ts'
import { drawHint, logPage } from './log-pages.ts'

/** Cache lifetime of what grows, as for the head of the log. */
const FOR_A_MOMENT = { cache: { seconds: 1 }, isOpenToAllOrigins: true } as const

/** The log for pages and makers of bundles, and its files under `/fairball/` (docs/fairness.md, sections 3 and 17). */
export function fairnessRoutes(app: FastifyInstance, fairness: FairnessContext): void {
  route(app, calls.getFairnessLog, ({ query }) => logPage(fairness, query.from), FOR_A_MOMENT)
  route(app, calls.getFairnessDraw, ({ params }) => drawHint(fairness, params.game, params.number), FOR_A_MOMENT)
  fileRoutes(app, fairness.db)
}
