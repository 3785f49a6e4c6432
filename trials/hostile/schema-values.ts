import type { JsonObject } from '@fairball/contract/openapi'
import fc from 'fast-check'
import type { JsonValue } from './hostile-values.ts'

/**
 * Values that mean something to the attacked program, by `call.field`, or by `field` for all calls with that field. A
 * name with `!only` allows no other values; one with `!edges` lists the limits of the accepted range.
 */
export type KnownValues = ReadonlyMap<string, readonly JsonValue[]>

/** The parts of a document's schema that matter for input. */
interface InputSchema {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null'
  readonly $ref?: string
  readonly anyOf?: readonly InputSchema[]
  readonly const?: JsonValue
  readonly enum?: readonly JsonValue[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: InputSchema
  readonly properties?: Readonly<Record<string, InputSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
}

const KEYWORDS = new Set<string>([
  'type',
  '$ref',
  'anyOf',
  'const',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'items',
  'properties',
  'required',
  'additionalProperties',
])

/** The most items and characters of a generated value. The largest values are tested separately. */
const SOME_ITEMS = 4
const SOME_CHARACTERS = 40

/** Generates values that a schema of the document accepts, preferring meaningful ones. */
export class SchemaValues {
  readonly #named: Readonly<Record<string, JsonObject>>
  readonly #known: KnownValues

  constructor(named: Readonly<Record<string, JsonObject>>, known: KnownValues) {
    this.#named = named
    this.#known = known
  }

  /**
   * @param path the call's name and the fields down to the value, such as `createPayment.tickets[].numbers`
   * @throws Error for an unknown keyword, which the attack would otherwise silently ignore
   */
  of(schema: JsonObject, path: string): fc.Arbitrary<JsonValue> {
    return this.#of(this.#checked(schema), path)
  }

  /** The limits of what a schema accepts, and the values one beyond them. */
  edgesOf(schema: JsonObject, path: string): JsonValue[] {
    const { anyOf = [], ...checked } = this.#checked(schema)
    const { minimum, maximum, minLength, maxLength, minItems, maxItems } = checked
    const known = this.#known.get(`${path}!edges`)
    if (known !== undefined) return [...known]
    const numbers = [minimum, maximum].flatMap((end) => (end === undefined ? [] : [end - 1, end, end + 1, end + 0.5]))
    const texts = [minLength, maxLength].flatMap((end) => (end === undefined ? [] : [end - 1, end, end + 1]))
    const lists = [minItems, maxItems].flatMap((end) => (end === undefined ? [] : [end - 1, end, end + 1]))
    const of = (length: number): boolean => length >= 0
    return [
      ...numbers,
      ...texts.filter(of).map((length) => 'a'.repeat(length)),
      ...lists.filter(of).map((length) => Array.from({ length }, () => 1)),
      ...anyOf.flatMap((one) => this.edgesOf(one as JsonObject, path)),
    ]
  }

  /** The fields of an object's schema; empty for other schemas. */
  fieldsOf(schema: JsonObject): readonly (readonly [name: string, schema: JsonObject])[] {
    return Object.entries(this.#checked(schema).properties ?? {}) as unknown as [string, JsonObject][] // schemas are JSON
  }

  #checked(schema: JsonObject): InputSchema {
    const unknown = Object.keys(schema).filter((keyword) => !KEYWORDS.has(keyword))
    if (unknown.length > 0)
      throw new Error(`a schema has keywords that hostile input does not know: ${unknown.join(', ')}`)
    const checked = schema as unknown as InputSchema // it has no other keywords
    if (checked.$ref === undefined) return checked
    const named = this.#named[checked.$ref.replace('#/components/schemas/', '')]
    if (named === undefined) throw new Error(`the document has no ${checked.$ref}`)
    return this.#checked(named)
  }

  #of(schema: InputSchema, path: string): fc.Arbitrary<JsonValue> {
    const known = this.#known.get(path) ?? this.#known.get(path.split('.').at(-1) ?? '')
    const only = this.#known.get(`${path}!only`)
    if (only !== undefined) return fc.constantFrom(...only)
    const any = this.#ofAny(schema, path)
    if (known === undefined || known.length === 0) return any
    return fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: any })
  }

  #ofAny(schema: InputSchema, path: string): fc.Arbitrary<JsonValue> {
    if (schema.anyOf !== undefined)
      return fc.oneof(...schema.anyOf.map((one) => this.#of(this.#checked(one as JsonObject), path)))
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
    const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema
    switch (schema.type) {
      case 'string':
        return textOf(schema)
      case 'integer':
        return fc.integer({ min: minimum, max: maximum })
      case 'number':
        return fc.double({ min: minimum, max: maximum, noNaN: true })
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      case 'array':
        return fc.array(this.#of(this.#checked((schema.items ?? {}) as JsonObject), `${path}[]`), {
          minLength: schema.minItems ?? 0,
          maxLength: Math.min(schema.maxItems ?? SOME_ITEMS, Math.max(SOME_ITEMS, schema.minItems ?? 0)),
        })
      case 'object':
        return fc.record(
          Object.fromEntries(
            Object.entries(schema.properties ?? {}).map(([name, one]) => [
              name,
              this.#of(this.#checked(one as JsonObject), `${path}.${name}`),
            ]),
          ),
          { requiredKeys: [...(schema.required ?? [])] },
        )
      case undefined: // any value at all
      default:
        return fc.jsonValue() as fc.Arbitrary<JsonValue>
    }
  }
}

function textOf({ pattern, minLength = 0, maxLength = SOME_CHARACTERS }: InputSchema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, SOME_CHARACTERS)) })
}
