import { describe, expect, it } from 'vitest'
import { calls } from './calls.ts'
import type { Call } from './call.ts'
import { openApiDocument } from './openapi.ts'
import type { Json, Operation } from './openapi.ts'

const document = openApiDocument(calls, { serverUrl: 'https://lottery.example', version: '1.2.3' })
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([key]) => key !== 'servers')
    .map(([method, operation]) => ({ path, method, operation: operation as Operation })),
)

describe('the OpenAPI document', () => {
  it('the document has an operation for every call, with the call’s name as its id', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(ids.toSorted()).toEqual(Object.keys(calls).toSorted())
  })

  it('the document is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })

  it('every reference in the document resolves', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference)
    expect(references.length).toBeGreaterThan(100)
    for (const reference of new Set(references)) {
      const name = /^#\/components\/schemas\/(\w+)$/.exec(reference ?? '')?.[1] ?? ''
      expect(document.components.schemas, reference).toHaveProperty(name)
    }
    expect(JSON.stringify(document)).not.toContain('$defs')
  })

  it.each(operations.map((row) => [row.operation.operationId, row] as const))(
    '%s is described completely',
    (name, row) => {
      const call: Call = calls[name as keyof typeof calls]
      const { parameters, responses, requestBody, security } = row.operation
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)
      expect(inPath).toEqual([...row.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter))
      expect(requestBody !== undefined).toBe(call.body !== undefined)
      expect(Object.keys(responses)).toContain(String(call.status ?? 200))
      expect(Object.keys(responses)).toContain('500')
      expect('401' in responses).toBe(['player', 'optional', 'refresh'].includes(call.access))
      expect(JSON.stringify(security)).toBe(SECURITY[call.access])
      for (const schema of schemasIn(row.operation)) expect(schema, JSON.stringify(schema)).not.toEqual({})
    },
  )

  it('calls outside the base have the root as their server', () => {
    expect(document['servers']).toEqual([{ url: 'https://lottery.example/api/v1' }])
    expect(document.paths['/healthz']?.['servers']).toEqual([{ url: 'https://lottery.example' }])
    expect(document.paths['/games']?.['servers']).toBeUndefined()
  })

  it('every 429 has the seconds to wait', () => {
    for (const { operation } of operations) {
      if (operation.responses['429'] !== undefined)
        expect(operation.responses['429']['headers']).toHaveProperty('Retry-After')
    }
  })

  it('the document describes the input as sent, not as parsed', () => {
    const page = operations.find(({ operation }) => operation.operationId === 'getDraws')?.operation.parameters[1]
    expect(page).toMatchObject({ name: '_page', in: 'query', required: false, schema: { type: 'string' } })
  })
})

const SECURITY = {
  anyone: '[]',
  demo: '[]',
  optional: '[{},{"accessToken":[]}]',
  player: '[{"accessToken":[]}]',
  refresh: '[{"refreshToken":[]}]',
}

/** Every value under a key named `schema`. */
function schemasIn(value: Json): Json[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item: Json) => schemasIn(item))
  return Object.entries(value).flatMap(([key, item]) => (key === 'schema' ? [item] : schemasIn(item)))
}
