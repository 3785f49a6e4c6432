/** Checks a request against a call's schemas, with one sentence for each wrong field. */
import { LotteryError } from '@fairball/domain/errors'
import * as z from 'zod/mini'
import type { Call, Schema } from './call.ts'
import type { BodyOf, HeadersOf, ParamsOf, QueryOf } from './calls.ts'

/** Maximum number of fields in an error; a longer list would not help. */
export const FIELDS_MAX = 50
/** Maximum number of characters of a field's name in an error: the sender chooses the names of unknown keys. */
const FIELD_NAME_MAX = 100

/** The four parts of a request as received. */
export interface SentInput {
  readonly params?: unknown
  readonly query?: unknown
  readonly headers?: unknown
  readonly body?: unknown
}

/** The four parts of a request after checking; undefined if the call has no such part. */
export interface CheckedInput<C extends Call> {
  readonly params: ParamsOf<C>
  readonly query: QueryOf<C>
  readonly headers: HeadersOf<C>
  readonly body: BodyOf<C>
}

/** A checked value, or its problems: dotted field name to message. */
type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly fields: Record<string, string> }

/**
 * Checks the parts of a request.
 *
 * @throws LotteryError INVALID_PAYLOAD with `fields` if a part does not have the shape of the call
 */
export function checkInput<C extends Call>(call: C, sent: SentInput): CheckedInput<C> {
  const fields = new Map<string, string>()
  const part = (name: keyof SentInput): unknown => {
    const schema = call[name]
    if (schema === undefined) return undefined
    const result = checkValue(schema, sent[name], name)
    if (result.ok) return result.value
    for (const [field, message] of Object.entries(result.fields)) if (!fields.has(field)) fields.set(field, message)
    return undefined
  }
  const input = { params: part('params'), query: part('query'), headers: part('headers'), body: part('body') }
  if (fields.size > 0) throw new LotteryError('INVALID_PAYLOAD', undefined, { fields: Object.fromEntries(fields) })
  // Each part has just been parsed by the schema of its type.
  return input as CheckedInput<C>
}

/**
 * Checks one value against a schema.
 *
 * @param rootName name of the value itself in `fields`, if it is not an object
 */
export function checkValue<S extends Schema>(schema: S, value: unknown, rootName: string): Checked<z.output<S>> {
  const result = z.safeParse(schema, value, { error: messageOf })
  if (result.success) return { ok: true, value: result.data }
  return { ok: false, fields: fieldsOf(result.error.issues, rootName) }
}

function fieldsOf(issues: readonly z.core.$ZodIssue[], rootName: string): Record<string, string> {
  const fields = new Map<string, string>()
  for (const issue of issues) {
    for (const path of pathsOf(issue)) {
      if (fields.size === FIELDS_MAX) return Object.fromEntries(fields)
      const name = path.length === 0 ? rootName : path.map(String).join('.').slice(0, FIELD_NAME_MAX)
      if (!fields.has(name)) fields.set(name, issue.message)
    }
  }
  return Object.fromEntries(fields)
}

/** The fields an issue is about: each unknown key is a separate field. */
function pathsOf(issue: z.core.$ZodIssue): readonly PropertyKey[][] {
  if (issue.code !== 'unrecognized_keys') return [issue.path]
  return issue.keys.slice(0, FIELDS_MAX).map((key) => [...issue.path, key])
}

/** The sentence for an issue whose schema has none of its own. */
function messageOf(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'unrecognized_keys') return 'Is not known here.'
  if (issue.code === 'invalid_value') return `Must be one of: ${issue.values.map(String).join(', ')}.`
  if (issue.code !== 'invalid_type') return 'Is not valid.'
  if (issue.input === undefined) return 'Is required.'
  return TYPE_MESSAGES[issue.expected] ?? 'Is not valid.'
}

const TYPE_MESSAGES: Readonly<Record<string, string>> = {
  string: 'Must be a text.',
  number: 'Must be a number.',
  int: 'Must be a whole number.',
  boolean: 'Must be true or false.',
  array: 'Must be a list.',
  object: 'Must be an object.',
}
