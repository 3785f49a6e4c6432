import type { Schema } from '@fairball/contract/calls'
import fastJson from 'fast-json-stringify'
import { z } from 'zod'

type JsonSchema = Record<string, unknown>

type Writer = (answer: unknown) => string

/**
 * Making the writers of all calls takes half of a program's start, and tests start it hundreds of times in one process.
 */
const writers = new WeakMap<Schema, Writer>()

/**
 * The writer of a call's answers, made from its schema once per process.
 *
 * It writes what the schema declares and drops everything else, so an extra column in a query never reaches the client.
 * It does not check: tests run the schema over every answer. It is five times as fast as `safeEncode`.
 */
export function answerWriter(schema: Schema): Writer {
  const known = writers.get(schema)
  if (known !== undefined) return known
  const writer = makeWriter(schema)
  writers.set(schema, writer)
  return writer
}

function makeWriter(schema: Schema): Writer {
  const jsonSchema = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' }) as JsonSchema
  delete jsonSchema['$schema'] // the writer knows one draft, and looks this name up as a reference
  return fastJson(withNullable(jsonSchema) as Parameters<typeof fastJson>[0])
}

/** `anyOf: [X, null]` as `X, nullable`: the same text without validating every value to choose its branch. */
function withNullable(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNullable)
  if (typeof node !== 'object' || node === null) return node
  const schema = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, withNullable(value)]))
  const branches = schema['anyOf']
  if (!Array.isArray(branches) || branches.length !== 2) return schema
  const isNull = (branch: unknown): boolean => (branch as JsonSchema)['type'] === 'null'
  const other: unknown = branches.find((branch) => !isNull(branch))
  const canBeNullable = branches.some(isNull) && typeof (other as JsonSchema | undefined)?.['type'] === 'string'
  return canBeNullable ? { ...(other as JsonSchema), nullable: true } : schema
}
