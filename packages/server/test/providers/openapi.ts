/** A value of a JSON document, as far as an API description needs it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

/** What an OpenAPI 3.0 schema contains besides what is checked here, and what needs no check. */
const PASSED_OVER = new Set(['default', 'nullable'])
const CHECKED = new Set(
  '$ref allOf anyOf type enum format minimum maximum properties required additionalProperties items'.split(' '),
)
const FORMATS: Record<string, (value: Json) => boolean> = {
  decimal: (value) => typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value),
  int32: (value) => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31,
  minutes: (value) => Number.isInteger(value),
  double: (value) => typeof value === 'number',
}

/** Checks values against the schemas of one OpenAPI 3.0 document. */
export function schemasOf(document: JsonObject) {
  function resolved(schema: Json | undefined): JsonObject {
    const object = objectOf(schema)
    const ref = object['$ref']
    if (typeof ref !== 'string') return object
    const target = ref
      .split('/')
      .slice(1)
      .reduce<Json | undefined>((at, name) => objectOf(at)[name], document)
    if (target === undefined) throw new Error(`the document has no ${ref}`)
    return resolved(target)
  }

  /**
   * The parts of an `allOf` as one schema. Taken literally, `additionalProperties: false` in one part would forbid the
   * members of the others; these descriptions mean that no part has any other member.
   */
  function merged(schema: Json | undefined): JsonObject {
    const { allOf, ...own } = resolved(schema)
    const parts = [own, ...listOf(allOf).map(merged)]
    const whole: Record<string, Json> = {}
    for (const part of parts)
      for (const [keyword, value] of Object.entries(part)) {
        const known = whole[keyword]
        if (keyword === 'properties') whole[keyword] = { ...objectOf(known), ...objectOf(value) }
        else if (keyword === 'required') whole[keyword] = [...listOf(known), ...listOf(value)]
        else whole[keyword] ??= value
      }
    return whole
  }

  /** How a value breaks a schema, one sentence each; empty if it fits. */
  function problemsOf(schema: Json | undefined, value: Json | undefined, at = '$'): string[] {
    const rules = merged(schema)
    for (const keyword of Object.keys(rules))
      if (!CHECKED.has(keyword) && !PASSED_OVER.has(keyword)) throw new Error(`a schema says ${keyword}: check it too`)
    if (value === undefined) return [`${at} is missing`]
    if (value === null) return rules['nullable'] === true ? [] : [`${at} is null`]
    return [
      ...typeProblems(rules, value, at),
      ...memberProblems(rules, value, at),
      ...(Array.isArray(value) && rules['items'] !== undefined
        ? value.flatMap((item: Json, index) => problemsOf(rules['items'], item, `${at}[${index}]`))
        : []),
      ...choiceProblems(rules, value, at),
    ]
  }

  function memberProblems(rules: JsonObject, value: Json, at: string): string[] {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
    const members = objectOf(value)
    const known = objectOf(rules['properties'])
    const missing = listOf(rules['required']).filter((name) => !(textOf(name) in members))
    return [
      ...missing.map((name) => `${at}.${textOf(name)} is missing`),
      ...Object.entries(members).flatMap(([name, member]) => {
        if (known[name] !== undefined) return problemsOf(known[name], member, `${at}.${name}`)
        return rules['additionalProperties'] === false ? [`${at}.${name} is not described`] : []
      }),
    ]
  }

  function choiceProblems(rules: JsonObject, value: Json, at: string): string[] {
    const choices = listOf(rules['anyOf'])
    if (choices.length === 0 || choices.some((choice) => problemsOf(choice, value, at).length === 0)) return []
    return [`${at} fits none of ${choices.length} choices`]
  }

  return { problemsOf, resolved }
}

function typeProblems(rules: JsonObject, value: Json, at: string): string[] {
  const { type, format, minimum, maximum } = rules
  const problems: string[] = []
  const actual = Array.isArray(value) ? 'array' : typeof value
  if (typeof type === 'string' && type !== actual) problems.push(`${at} is of type ${actual}, not ${type}`)
  if (rules['enum'] !== undefined && !listOf(rules['enum']).includes(value))
    problems.push(`${at} is none of the values described: ${JSON.stringify(value)}`)
  if (typeof format === 'string') {
    const fits = FORMATS[format]
    if (fits === undefined) throw new Error(`a schema has the format ${format}: check it too`)
    if (!fits(value)) problems.push(`${at} is no ${format}: ${JSON.stringify(value)}`)
  }
  if (typeof minimum === 'number' && typeof value === 'number' && value < minimum) problems.push(`${at} is too small`)
  if (typeof maximum === 'number' && typeof value === 'number' && value > maximum) problems.push(`${at} is too large`)
  return problems
}

/** A value as an object; an empty one if it is none. */
export function objectOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

/** A value as a list; an empty one if it is none. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []
}

/** A value as a text; empty if it is none. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
