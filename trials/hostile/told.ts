/** The value at a place inside an answer. @throws Error if there is none */
function valueAt(answer: unknown, ...place: readonly (string | number)[]): unknown {
  let value = answer
  for (const name of place) value = (value as Record<string | number, unknown> | null | undefined)?.[name] // by name, or undefined
  if (value === undefined || value === null) throw new Error(`an answer has nothing at ${place.join('.')}`)
  return value
}

/** The same as text: ids and keys, which may be numbers. */
export function textAt(answer: unknown, ...place: readonly (string | number)[]): string {
  const value = valueAt(answer, ...place)
  if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`there is no text at ${place.join('.')}`)
  return String(value)
}
