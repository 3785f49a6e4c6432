import type { Parameter } from '@fairball/contract/openapi'
import { jsonOf } from './hostile-values.ts'
import type { JsonValue, Members } from './hostile-values.ts'

/** Whose token goes with a request, and what was done to it. */
export interface Bearer {
  readonly of: 'nobody' | 'player' | 'refresh'
  /** Makes another token of the one it is given. */
  readonly change: ((token: string) => string) | null
}

/** A request in the making. */
export interface Draft {
  bearer: Bearer
  method: string
  params: Record<string, string>
  query: [name: string, value: string][]
  /** Raw pieces that stand behind the query. */
  rawQuery: string[]
  headers: [string, string][]
  contentType: string | null
  json: JsonValue | Members | undefined
  /** In place of the JSON. */
  text: Uint8Array | null
  retarget: ((target: string) => string) | null
  isAstray: boolean
  isUnfinished: boolean
  flaws: string[]
}

export type Change = (draft: Draft) => void

/** A value as an address carries it. */
export function plainText(value: JsonValue): string {
  return typeof value === 'string' ? value : jsonOf(value)
}

export function setParameter(draft: Draft, place: Parameter['in'], name: string, value: string): void {
  if (place === 'path') draft.params = { ...draft.params, [name]: value }
  else if (place === 'query') draft.query = [...draft.query.filter(([one]) => one !== name), [name, value]]
  else draft.headers = [...draft.headers.filter(([one]) => one !== name), [name, headerText(value)]]
}

/** Bytes that a header can be sent with: those that end it are left to the flaws that mean to. */
export function headerText(text: string): string {
  return Buffer.from(text, 'utf8')
    .toString('latin1')
    .replaceAll(/[\r\n\0]/g, '')
    .slice(0, 8000)
}

/** Every byte that means something in an address is escaped, also of a text that is no Unicode. */
export function encoded(text: string): string {
  let written = ''
  for (const byte of Buffer.from(text, 'utf8')) {
    const letter = String.fromCharCode(byte)
    written += /[\w.~-]/.test(letter) ? letter : `%${byte.toString(16).padStart(2, '0').toUpperCase()}`
  }
  return written
}
