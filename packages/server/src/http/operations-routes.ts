import { calls } from '@fairball/contract/calls'
import { openApiDocument } from '@fairball/contract/openapi'
import { API_BASE, pathOf } from '@fairball/contract/paths'
import { referencePage } from '@fairball/contract/reference-page'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/pool.ts'
import { pingDatabase } from './queries.ts'
import { OK, RawAnswer, route } from './route.ts'

/** The reference page is markup and one style sheet of this site. */
const REFERENCE_POLICY =
  "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
const REFERENCE_CACHE_SECONDS = 300

/** What the operations' routes need. */
export interface OperationsDeps {
  readonly db: Db
  readonly publicUrl: string
  /** The version of the product, for the OpenAPI document. */
  readonly version: string
  /** Throws while the process should get no traffic, as before its start is done or while it stops. */
  readonly assertReady?: () => void | Promise<void>
}

/** The calls a monitor and a developer make: health, readiness, OpenAPI and its readable page. */
export function operationsRoutes(app: FastifyInstance, deps: OperationsDeps): void {
  const document = openApiDocument(calls, { serverUrl: deps.publicUrl, version: deps.version })
  const page = referencePage(document)
  const openApiText = JSON.stringify(document)
  const cache = { seconds: REFERENCE_CACHE_SECONDS }

  const answerReady = async (): Promise<{ ok: true }> => {
    await deps.assertReady?.()
    await deps.db.one(pingDatabase, [])
    return OK
  }
  route(app, calls.getHealth, () => OK)
  route(app, calls.getReadiness, answerReady)
  // Monitors are set up by people who read "base /api/v1" first: both addresses answer.
  app.get(API_BASE + pathOf(calls.getHealth), () => OK)
  app.get(API_BASE + pathOf(calls.getReadiness), answerReady)

  route(app, calls.getOpenApi, () => new RawAnswer(openApiText, 'application/json; charset=utf-8'), {
    cache,
    isOpenToAllOrigins: true,
  })
  const pageHeaders = { 'content-security-policy': REFERENCE_POLICY }
  route(app, calls.getReferencePage, () => new RawAnswer(page.html, 'text/html; charset=utf-8', pageHeaders), { cache })
  route(app, calls.getReferenceStyle, () => new RawAnswer(page.css, 'text/css; charset=utf-8'), { cache })
}
