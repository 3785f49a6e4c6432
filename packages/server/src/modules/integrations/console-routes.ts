import { readCalls } from '@fairball/contract/console/read'
import { checkValue } from '@fairball/contract/check-input'
import { LotteryError } from '@fairball/domain/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { pageRange, totalPages } from '../../kernel/paging.ts'
import { listKeys } from './api-key-queries.ts'
import * as queries from './webhook-queries.ts'

/** What the console reads of integrations. */
interface IntegrationsContext {
  readonly db: Db
  /** Lets a person of the operator read. @throws CodedRefusal SIGN_IN_NEEDED, or LotteryError ACCESS_DENIED */
  readonly requireStaff: (request: FastifyRequest) => unknown
}

const BASE = '/console/api/v1'

/** The console's reading calls about webhooks and keys. */
export function integrationRoutes(app: FastifyInstance, ctx: IntegrationsContext): void {
  app.get(`${BASE}/webhooks`, async (request) => {
    await ctx.requireStaff(request)
    return (await ctx.db.run(queries.listWebhooks, [])).map(webhookOnWire)
  })
  app.get<{ Params: { id: string } }>(`${BASE}/webhooks/:id/deliveries`, async (request) => {
    await ctx.requireStaff(request)
    const { id } = request.params
    if (!/^[1-9]\d{0,17}$/u.test(id)) throw new LotteryError('NOT_FOUND')
    return await listDeliveries(ctx, BigInt(id), pageOf(request.query))
  })
  app.get(`${BASE}/api-keys`, async (request) => {
    await ctx.requireStaff(request)
    return (await ctx.db.run(listKeys, [])).map((key) => ({
      id: String(key.id),
      name: key.name,
      scopes: key.scopes,
      created_at: key.createdAt,
      expires_at: key.expiresAt,
      revoked_at: key.revokedAt,
    }))
  })
}

async function listDeliveries({ db }: IntegrationsContext, webhookId: bigint, page: number) {
  if ((await db.maybeOne(queries.findWebhook, [webhookId])) === null) throw new LotteryError('NOT_FOUND')
  const { limit, offset } = pageRange(page)
  const [{ deliveries }, rows] = await Promise.all([
    db.one(queries.countDeliveries, [webhookId]),
    db.run(queries.listDeliveries, [webhookId, limit, offset]),
  ])
  return {
    results: rows.map((row) => ({
      id: String(row.id),
      event: row.eventId,
      type: row.type,
      at: row.at,
      state: row.state,
      attempts: row.attempts,
      next_at: row.nextAt,
      tried_at: row.triedAt,
      status: row.status,
      problem: row.problem,
    })),
    total_pages: totalPages(deliveries),
  }
}

function webhookOnWire(row: RowOf<typeof queries.listWebhooks>) {
  return {
    id: String(row.id),
    url: row.url,
    types: row.types,
    created_at: row.createdAt,
    state: stateOf(row),
    failing_since: row.failingSince,
    disabled_at: row.disabledAt,
    disabled_because: row.disabledBecause,
    revoked_at: row.revokedAt,
    both_sign_until: row.earlierUntil,
  }
}

function stateOf(row: RowOf<typeof queries.listWebhooks>): 'active' | 'failing' | 'disabled' | 'revoked' {
  if (row.revokedAt !== null) return 'revoked'
  if (row.disabledAt !== null) return 'disabled'
  return row.failingSince === null ? 'active' : 'failing'
}

function pageOf(query: unknown): number {
  const checked = checkValue(readCalls.listDeliveries.query, query, 'query')
  if (!checked.ok) throw new LotteryError('INVALID_PAYLOAD', undefined, { fields: checked.fields })
  return checked.value._page
}
