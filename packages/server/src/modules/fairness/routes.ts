import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { route } from '../../http/route.ts'
import type { FairnessContext } from './context.ts'
import { fileRoutes } from './file-routes.ts'
import { drawHint, logPage } from './log-pages.ts'

/** What grows is asked for again after this, as the head of the log is. */
const FOR_A_MOMENT = { cache: { seconds: 1 }, isOpenToAllOrigins: true } as const

/** The log as pages and makers of bundles ask for it, and its files under `/fairball/` (docs/fairness.md, sections 3 and 17). */
export function fairnessRoutes(app: FastifyInstance, fairness: FairnessContext): void {
  route(app, calls.getFairnessLog, ({ query }) => logPage(fairness, query.from), FOR_A_MOMENT)
  route(app, calls.getFairnessDraw, ({ params }) => drawHint(fairness, params.game, params.number), FOR_A_MOMENT)
  fileRoutes(app, fairness.db)
}
