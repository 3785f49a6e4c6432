import type { Parameter } from '@fairball/contract/openapi'
import { jsonOf } from './hostile-values.ts'
import type { JsonValue, Members } from './hostile-values.ts'

/** The owner of a request's token, and the change made to it. */
export interface Bearer {
  readonly of: 'nobody' | 'player' | 'refresh'
  /** Turns a token into another one. */
  readonly change: ((token: string) => string) | null
}

/** A request under construction. */
export interface Draft {
  bearer: Bearer
  method: string
  params: Record<string, string>
  query: [name: string, value: string][]
  /** Raw text appended to the query. */
  rawQuery: string[]
  headers: [string, string][]
  contentType: string | null
  json: JsonValue | Members | undefined
  /** Replaces the JSON. */
  text: Uint8Array | null
  retarget: ((target: string) => string) | null
  isAstray: boolean
  isUnfinished: boolean
  flaws: string[]
}

export type Change = (draft: Draft) => void

/** A value in the form used in addresses. */
export function plainText(value: JsonValue): string {
  return typeof value === 'string' ? value : jsonOf(value)
}

export function setParameter(draft: Draft, place: Parameter['in'], name: string, value: string): void {
  if (place === 'path') draft.params = { ...draft.params, [name]: value }
  else if (place === 'query') draft.query = [...draft.query.filter(([one]) => one !== name), [name, value]]
  else draft.headers = [...draft.headers.filter(([one]) => one !== name), [name, headerText(value)]]
}

/** Text that can be sent in a header. Bytes that would end the header are removed; only dedicated flaws send them. */
export function headerText(text: string): string {
  return Buffer.from(text, 'utf8')
    .toString('latin1')
    .replaceAll(/[\r\n\0]/g, '')
    .slice(0, 8000)
}

/** Escapes every byte with a meaning in an address, also in text that is not valid Unicode. */
export function encoded(text: string): string {
  let written = ''
  for (const byte of Buffer.from(text, 'utf8')) {
    const letter = String.fromCharCode(byte)
    written += /[\w.~-]/.test(letter) ? letter : `%${byte.toString(16).padStart(2, '0').toUpperCase()}`
  }
  return written
}
