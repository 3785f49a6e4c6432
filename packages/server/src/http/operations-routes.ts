import { calls } from '@fairball/contract/calls'
import { openApiDocument } from '@fairball/contract/openapi'
import { API_BASE, pathOf } from '@fairball/contract/paths'
import { referencePage } from '@fairball/contract/reference-page'
import type { FastifyInstance } from 'fastify'
import type { Readiness } from './readiness.ts'
import { OK, RawAnswer, route } from './route.ts'

/** The reference page is markup and one style sheet of this site. */
const REFERENCE_POLICY =
  "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
const REFERENCE_CACHE_SECONDS = 300

/** The calls a monitor makes: whether the process lives, and whether it can do its work. */
export function healthRoutes(app: FastifyInstance, readiness: Pick<Readiness, 'assertReady'>): void {
  const answerReady = async (): Promise<{ ok: true }> => {
    await readiness.assertReady()
    return OK
  }
  route(app, calls.getHealth, () => OK)
  route(app, calls.getReadiness, answerReady)
  // Monitors are often set up with "base /api/v1" in mind: both addresses answer.
  app.get(API_BASE + pathOf(calls.getHealth), () => OK)
  app.get(API_BASE + pathOf(calls.getReadiness), answerReady)
}

/**
 * The calls a developer makes: the OpenAPI document and its readable page, which are made at the first request.
 *
 * @param deps.version the version of the product
 */
export function referenceRoutes(app: FastifyInstance, deps: { publicUrl: string; version: string }): void {
  const reference = once(() => {
    const document = openApiDocument(calls, { serverUrl: deps.publicUrl, version: deps.version })
    return { openApiText: JSON.stringify(document), page: referencePage(document) }
  })
  const cache = { seconds: REFERENCE_CACHE_SECONDS }

  route(app, calls.getOpenApi, () => new RawAnswer(reference().openApiText, 'application/json; charset=utf-8'), {
    cache,
    isOpenToAllOrigins: true,
  })
  const pageHeaders = { 'content-security-policy': REFERENCE_POLICY }
  route(
    app,
    calls.getReferencePage,
    () => new RawAnswer(reference().page.html, 'text/html; charset=utf-8', pageHeaders),
    { cache },
  )
  route(app, calls.getReferenceStyle, () => new RawAnswer(reference().page.css, 'text/css; charset=utf-8'), { cache })
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => (made ??= { value: make() }).value
}
