/** What a value of JSON looks like, so that a form can be made of it. */
export type Shape =
  | {
      readonly kind: 'text'
      readonly type?: 'text' | 'email' | 'url' | 'date' | 'color'
      readonly isLong?: true
      /** nothing typed is null */
      readonly isNullable?: true
    }
  /** a whole number; with `digits`, of the smallest unit, shown with that many decimals */
  | { readonly kind: 'number'; readonly digits?: number; readonly isNullable?: true }
  /** epoch seconds */
  | { readonly kind: 'moment' }
  | {
      readonly kind: 'choice'
      readonly options: readonly { readonly value: string | number; readonly label: string }[]
    }
  /** base64 of a picture's file */
  | { readonly kind: 'picture'; readonly isNullable?: true }
  | { readonly kind: 'object'; readonly fields: readonly ShapeField[]; readonly isNullable?: true }
  | { readonly kind: 'list'; readonly item: string; readonly of: Shape }

/** A named part of an object. */
export interface ShapeField {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly shape: Shape
  /** whether an object has it; default: always */
  readonly isIn?: (value: Readonly<Record<string, unknown>>) => boolean
}

/** A record of JSON; empty for anything else. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

/** What a form begins with where there is nothing yet. */
export function emptyOf(shape: Shape): unknown {
  switch (shape.kind) {
    case 'text':
      return shape.isNullable === true ? null : shape.type === 'color' ? '#000000' : ''
    case 'number':
      return shape.isNullable === true ? null : 0
    case 'choice':
      return shape.options[0]?.value ?? ''
    case 'list':
      return []
    case 'object':
      return withFields(shape.fields, {})
    case 'moment':
    case 'picture':
      return null
  }
}

/** An object with just the parts that it has: new ones are empty, and those that no longer belong to it are gone. */
export function withFields(
  fields: readonly ShapeField[],
  value: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const known = new Set(fields.map(({ name }) => name))
  const others = Object.entries(value).filter(([name]) => !known.has(name))
  const own = fields
    .filter(({ isIn }) => isIn?.(value) !== false)
    .map(({ name, shape }) => [name, value[name] ?? emptyOf(shape)] as const)
  return Object.fromEntries([...own, ...others])
}

/** A number as it is typed. */
export function numberText(value: unknown, digits = 0): string {
  if (typeof value !== 'number') return typeof value === 'string' ? value : ''
  return digits === 0 ? String(value) : (value / 10 ** digits).toFixed(digits)
}

/** What was typed, as a number of the smallest unit; null for nothing, and the text itself where it is no number. */
export function typedNumber(typed: string, digits = 0): number | string | null {
  const text = typed.trim()
  if (text === '') return null
  const [, whole = '', part = ''] = /^(\d{1,16})(?:\.(\d+))?$/u.exec(text) ?? []
  if (whole === '' || part.length > digits) return text
  return Number(whole + part.padEnd(digits, '0'))
}

/** A moment as a field of the browser has it, in UTC; empty for none. */
export function momentField(value: unknown): string {
  return typeof value === 'number' ? new Date(value * 1000).toISOString().slice(0, 16) : ''
}

/** What such a field says, in epoch seconds; null for none. */
export function momentOfField(text: string): number | null {
  const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/u.test(text) ? Date.parse(`${text}:00Z`) : Number.NaN
  return Number.isNaN(at) ? null : at / 1000
}
