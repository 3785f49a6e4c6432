import { createHash } from 'node:crypto'
import type { Parameter } from '@fairball/contract/openapi'
import fc from 'fast-check'
import { encoded, headerText, plainText, setParameter } from './draft.ts'
import type { Bearer, Change, Draft } from './draft.ts'
import type { Endpoint } from './endpoints.ts'
import { flawOf } from './flaws.ts'
import { hostileText, jsonOf, JsonText, Members } from './hostile-values.ts'
import type { JsonValue } from './hostile-values.ts'
import type { SchemaValues } from './schema-values.ts'

/** One hostile request, without its token. */
export interface HostileCase {
  readonly endpoint: Endpoint
  readonly index: number
  /** Its flaws in words; empty for a correct request. */
  readonly flaws: readonly string[]
  readonly bearer: Bearer
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array | null
  /** It may reach another endpoint, or none, so this endpoint's document does not bind the answer. */
  readonly isAstray: boolean
  readonly isUnfinished: boolean
}

/**
 * The cases of a seed and an endpoint, identical on every call. The first ones are the request without a flaw and the
 * limits of every field.
 */
export function casesOf(endpoint: Endpoint, values: SchemaValues, seed: number, count: number): HostileCase[] {
  const arbitrary = caseOf(endpoint, values)
  const drafts = fc.sample(arbitrary, { seed: seedOf(seed, endpoint.name), numRuns: count })
  const edges = edgeChanges(endpoint, values)
  return drafts.map(({ draft, changes, edge }, index) => {
    // Each limit comes once, as far as the number of cases allows, in a request without another flaw.
    const change = index >= 1 && index <= edges.length ? edges[index - 1] : undefined
    if (index > edges.length) for (const one of changes) one(draft)
    else change?.(draft)
    if (change === undefined && edge && index > edges.length) edges[index % Math.max(1, edges.length)]?.(draft)
    return finished(endpoint, draft, index)
  })
}

function seedOf(seed: number, name: string): number {
  return createHash('sha256').update(`${seed} ${name}`).digest().readInt32LE()
}

function caseOf(
  endpoint: Endpoint,
  values: SchemaValues,
): fc.Arbitrary<{ draft: Draft; changes: Change[]; edge: boolean }> {
  return fc.record({
    draft: draftOf(endpoint, values),
    changes: fc.oneof(
      { weight: 1, arbitrary: fc.constant<Change[]>([]) },
      { weight: 8, arbitrary: flawOf(endpoint).map((one) => [one]) },
      { weight: 3, arbitrary: fc.array(flawOf(endpoint), { minLength: 2, maxLength: 3 }) },
    ),
    edge: fc.integer({ min: 0, max: 19 }).map((one) => one === 0),
  })
}

function draftOf(endpoint: Endpoint, values: SchemaValues): fc.Arbitrary<Draft> {
  const of = (place: Parameter['in']): fc.Arbitrary<Record<string, JsonValue>> => {
    const parameters = endpoint.parameters.filter((one) => one.in === place)
    const requiredKeys = parameters.filter(({ required }) => required).map(({ name }) => name)
    const entries = parameters.map(({ name, schema }) => [name, values.of(schema, `${endpoint.name}.${name}`)])
    return fc.record(Object.fromEntries(entries) as Record<string, fc.Arbitrary<JsonValue>>, { requiredKeys })
  }
  const body = endpoint.body === null ? fc.constant(undefined) : values.of(endpoint.body, endpoint.name)
  return fc
    .record({ params: of('path'), query: of('query'), headers: of('header'), body, bearer: bearerOf(endpoint) })
    .map(({ params, query, headers, body: json, bearer }) => ({
      bearer,
      method: endpoint.method,
      params: texts(params),
      query: Object.entries(texts(query)),
      rawQuery: [],
      headers: Object.entries(texts(headers)),
      contentType: json === undefined ? null : 'application/json',
      json,
      text: null,
      retarget: null,
      isAstray: false,
      isUnfinished: false,
      flaws: [],
    }))
}

function texts(values: Record<string, JsonValue>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plainText(value)]))
}

function bearerOf({ access }: Endpoint): fc.Arbitrary<Bearer> {
  const as = (of: Bearer['of']): fc.Arbitrary<Bearer> => fc.constant({ of, change: null })
  const tampered = (of: Bearer['of']): fc.Arbitrary<Bearer> => changedToken.map((change) => ({ of, change }))
  const weighted = (nobody: number, good: number, bad: number, of: Bearer['of']): fc.Arbitrary<Bearer> =>
    fc.oneof(
      { weight: nobody, arbitrary: as('nobody') },
      { weight: good, arbitrary: as(of) },
      { weight: bad, arbitrary: tampered(of) },
    )
  switch (access) {
    case 'player':
      return weighted(1, 14, 2, 'player')
    case 'optional':
      return weighted(6, 6, 2, 'player')
    case 'refresh':
      return weighted(1, 2, 14, 'refresh')
    case 'anyone':
      return weighted(14, 2, 1, 'player')
  }
}

/** Changes that turn a good token into another. None of the results may be valid. */
const changedToken: fc.Arbitrary<(token: string) => string> = fc.oneof(
  fc.nat().map((at) => (token: string) => flipped(token, at)),
  fc.nat().map((at) => (token: string) => token.slice(0, at % (token.length - 1))),
  fc.constantFrom(
    (token: string) => `${token}.`,
    (token: string) => token.split('.').toReversed().join('.'),
    (token: string) => token.replace(/^[^.]*/, Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')),
    (token: string) =>
      token.replace(/\.[^.]*\./, `.${Buffer.from('{"sub":"1","exp":9e9}').toString('base64url')}.`) + 'A',
    (token: string) => token.replace(/\.[^.]*$/, '.'),
    (token: string) => `${token}${'A'.repeat(6000)}`,
    () => 'null',
    () => 'undefined',
    () => '..',
    () => 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
    () => `' or 1=1 --`,
  ),
  hostileText.map((text) => () => headerText(text).trim() || '-'),
)

function flipped(token: string, at: number): string {
  const bytes = Buffer.from(token, 'latin1')
  const index = at % bytes.length
  const letter = String.fromCharCode(bytes[index] ?? 0)
  // The last letter of a part may carry unused bits, so two neighbouring letters are changed.
  return `${token.slice(0, index)}${letter === 'A' ? 'B' : 'A'}${letter === 'x' ? 'y' : 'x'}${token.slice(index + 1)}`
}

/** The limits of every field of the endpoint, each as one change. */
function edgeChanges(endpoint: Endpoint, values: SchemaValues): Change[] {
  const ofParameters = endpoint.parameters.flatMap(({ name, in: place, schema }) =>
    values.edgesOf(schema, `${endpoint.name}.${name}`).map((value): Change => (draft) => {
      setParameter(draft, place, name, plainText(value))
      draft.flaws.push(`${place} ${name} at an end`)
    }),
  )
  const ofFields = values.fieldsOf(endpoint.body ?? {}).flatMap(([name, schema]) =>
    values.edgesOf(schema, `${endpoint.name}.${name}`).map((value): Change => (draft) => {
      draft.json = { ...membersOf(draft.json), [name]: value }
      draft.flaws.push(`${name} at an end`)
    }),
  )
  return [...ofParameters, ...ofFields]
}

function membersOf(json: Draft['json']): { [name: string]: JsonValue } {
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json)
  return isObject && !(json instanceof Members) && !(json instanceof JsonText) ? json : {}
}

function finished(endpoint: Endpoint, draft: Draft, index: number): HostileCase {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(draft.params[name] ?? ''))
  const query = [...draft.query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`), ...draft.rawQuery]
  const target = query.length === 0 ? path : `${path}?${query.join('&')}`
  const body = draft.text ?? (draft.json === undefined ? null : Buffer.from(jsonOf(draft.json)))
  const names = new Set(draft.headers.map(([name]) => name))
  const headers: [string, string][] = [
    ...(names.has('host') || names.has('host!') ? [] : [['host', 'localhost:3000'] as [string, string]]),
    ...(draft.contentType === null ? [] : [['content-type', draft.contentType] as [string, string]]),
    ...draft.headers.filter(([name]) => name !== 'host!'),
  ]
  return {
    endpoint,
    index,
    flaws: draft.flaws,
    bearer: draft.bearer,
    method: draft.method,
    target: draft.retarget?.(target) ?? target,
    headers,
    body,
    // A target above the limit of a request's head or of a parameter never arrives.
    isAstray: draft.isAstray || target.length > 8000,
    isUnfinished: draft.isUnfinished,
  }
}
