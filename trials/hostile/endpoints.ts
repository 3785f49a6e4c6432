import type { JsonObject, OpenApiDocument, Parameter } from '@fairball/contract/openapi'

/** An endpoint as its document describes it: everything the attack knows. */
export interface Endpoint {
  readonly name: string
  readonly method: string
  /** With the base path, and `{name}` for each parameter. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: JsonObject | null
  readonly access: 'anyone' | 'optional' | 'player' | 'refresh'
  /** The media type of a good answer. */
  readonly produces: string
  /** Each status in the document with its error codes; a good status has none. */
  readonly answers: ReadonlyMap<number, ReadonlySet<string>>
}

/**
 * The files of the log (docs/fairness.md, section 3). No document describes them, and other paths are refused with a
 * sentence.
 */
export const LOG_FILES: Endpoint = {
  name: 'logFiles',
  method: 'GET',
  path: '/fairball/{file}',
  parameters: [{ name: 'file', in: 'path', required: true, schema: { type: 'string' } }],
  body: null,
  access: 'anyone',
  produces: '',
  answers: new Map([
    [200, new Set<string>()],
    [404, new Set<string>()],
  ]),
}

/** The parts of a document's path that are read. */
interface PathItem {
  readonly servers?: readonly { readonly url: string }[]
}

interface DocumentOperation {
  readonly operationId: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonObject }>> }
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, { schema: JsonObject }>> }>>
}

const METHODS = ['get', 'post', 'put', 'delete'] as const

/** The endpoints of a document, in its order. */
export function endpointsOf(document: OpenApiDocument): Endpoint[] {
  const [server] = document['servers'] as unknown as readonly { url: string }[]
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const { servers = [server] } = item as PathItem
    const base = new URL(servers[0]?.url ?? '').pathname.replace(/\/$/, '')
    return METHODS.filter((method) => item[method] !== undefined).map((method) =>
      endpointOf(method, base + path, item[method] as unknown as DocumentOperation),
    )
  })
}

function endpointOf(method: string, path: string, operation: DocumentOperation): Endpoint {
  const { operationId, parameters, requestBody, responses } = operation
  const good = Object.entries(responses).find(([status]) => status.startsWith('2'))
  return {
    name: operationId,
    method: method.toUpperCase(),
    path,
    parameters,
    body: requestBody?.content['application/json']?.schema ?? null,
    access: accessOf(operation),
    produces: Object.keys(good?.[1].content ?? {})[0] ?? '',
    answers: new Map(
      Object.entries(responses).map(([status, { content }]) => [
        Number(status),
        codesOf(content['application/json']?.schema),
      ]),
    ),
  }
}

function accessOf({ security }: DocumentOperation): Endpoint['access'] {
  if (security.length === 0) return 'anyone'
  if (security.some((one) => 'refreshToken' in one)) return 'refresh'
  return security.some((one) => Object.keys(one).length === 0) ? 'optional' : 'player'
}

/** The codes that an error's schema lists; empty for other schemas. */
function codesOf(schema: JsonObject | undefined): Set<string> {
  const { allOf = [] } = (schema ?? {}) as {
    allOf?: readonly { properties?: { error?: { properties: { code: { enum: readonly string[] } } } } }[]
  }
  return new Set(allOf.flatMap(({ properties }) => properties?.error?.properties.code.enum ?? []))
}
