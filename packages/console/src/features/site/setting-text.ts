import { isRecord } from '../../shared/api.ts'

/** More signs of a text than this are a picture's or a document's. */
const LONG = 2000

/** A setting's value for people: a text as it is, anything else as JSON, without the bytes of pictures. */
export function shownValue(value: unknown): string {
  if (value === null) return 'not set'
  if (typeof value === 'string') return value
  if (isRecord(value) && typeof value['markdown'] === 'string')
    return `${String(value['date'])}\n\n${value['markdown']}`
  return JSON.stringify(value, (_name, part: unknown) => (isLong(part) ? `${part.length} signs` : part), 2)
}

function isLong(part: unknown): part is string {
  return typeof part === 'string' && part.length > LONG
}
