/** JSON in the one form of RFC 8785: keys in the order of their UTF-16 units, no spaces, numbers as ECMAScript writes. */

/** What JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/**
 * A value in the form of RFC 8785.
 *
 * @throws RangeError for a number that is not finite, or a text with half of a surrogate pair
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError('a number of JSON is finite')
  if (typeof value === 'string' && !value.isWellFormed()) throw new RangeError('a text of JSON has whole characters')
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${canonicalJson(key)}:${canonicalJson(value[key] ?? null)}`)
  return `{${members.join(',')}}`
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
