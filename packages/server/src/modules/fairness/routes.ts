import { Readable } from 'node:stream'
import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { LIMITS, type RateLimits } from '../../kernel/limits.ts'
import { type CachePolicy, OK, RawAnswer, route } from '../../http/route.ts'
import type { Fairness } from './service.ts'

/** What never changes again may be kept for good, what grows for a moment. */
const FOR_GOOD: CachePolicy = { seconds: 31_536_000, isImmutable: true }
const FOR_A_MOMENT: CachePolicy = { seconds: 1 }
const PUBLIC_FOR_GOOD = { cache: FOR_GOOD, isOpenToAllOrigins: true } as const
const PUBLIC_FOR_A_MOMENT = { cache: FOR_A_MOMENT, isOpenToAllOrigins: true } as const

/** The public log and the record of each draw, and a player's own proofs (fairness.md section 10). */
export function fairnessRoutes(
  app: FastifyInstance,
  { fairness, limits }: { readonly fairness: Fairness; readonly limits: RateLimits },
): void {
  route(app, calls.getReceipt, ({ params, player }) => fairness.receiptOf(params.play_id, player.id))
  route(
    app,
    calls.getFairnessLog,
    async ({ query, cacheFor }) => {
      const page = await fairness.logFrom(query.from)
      // Full, and something follows: neither a note nor `next` can change.
      if (page.next !== null) cacheFor(FOR_GOOD)
      return page
    },
    PUBLIC_FOR_A_MOMENT,
  )
  route(app, calls.getStatement, ({ params }) => fairness.statementOf(params.hash), PUBLIC_FOR_GOOD)
  route(app, calls.getRules, ({ params }) => fairness.rulesOf(params.hash), PUBLIC_FOR_GOOD)
  route(
    app,
    calls.getFairnessRecord,
    async ({ params, cacheFor }) => {
      const { record, isFinal } = await fairness.openedRecordOf(params.game, params.number)
      if (isFinal) cacheFor(FOR_GOOD)
      return record
    },
    PUBLIC_FOR_A_MOMENT,
  )
  route(
    app,
    calls.getFairnessEntries,
    async ({ params }) => {
      const { root, bytes, octets } = await fairness.entriesOf(params.game, params.number)
      const body = (): Readable => Readable.from(octets(), { objectMode: false })
      return new RawAnswer(body, 'application/octet-stream', { 'content-length': String(bytes), etag: `"${root}"` })
    },
    PUBLIC_FOR_GOOD,
  )
  route(
    app,
    calls.submitWitness,
    async ({ body, address }) => {
      await limits.take(LIMITS.witnessNotesOfAddress, address)
      await fairness.acceptWitness(body.note)
      return OK
    },
    { isOpenToAllOrigins: true, textField: 'note' },
  )
}
