import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { route } from '../../http/route.ts'
import type { Fairness } from './service.ts'

/** What never changes again may be kept for good, what grows for a moment. */
const FOR_GOOD = { cache: { seconds: 31_536_000, isImmutable: true }, isOpenToAllOrigins: true } as const
const FOR_A_MOMENT = { cache: { seconds: 1 }, isOpenToAllOrigins: true } as const

/** The public log and the record of each draw, and a player's own proofs. */
export function fairnessRoutes(app: FastifyInstance, { fairness }: { fairness: Fairness }): void {
  route(app, calls.getReceipt, ({ params, player }) => fairness.receiptOf(params.play_id, player.id))
  route(app, calls.getFairnessLog, ({ query }) => fairness.logFrom(query.from), FOR_A_MOMENT)
  route(app, calls.getStatement, ({ params }) => fairness.statementOf(params.hash), FOR_GOOD)
  route(app, calls.getRules, ({ params }) => fairness.rulesOf(params.hash), FOR_GOOD)
  route(app, calls.getFairnessRecord, ({ params }) => fairness.openedRecordOf(params.game, params.number), FOR_A_MOMENT)
}
