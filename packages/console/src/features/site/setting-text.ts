/** A setting's value for people: a text as it is, anything else as JSON. */
export function shownValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

/** What was typed, as the setting's value; a text stays a text. */
export function typedValue(typed: string, before: unknown): { readonly value: unknown } | { readonly problem: string } {
  if (typeof before === 'string') return { value: typed }
  try {
    const value: unknown = JSON.parse(typed)
    return { value }
  } catch {
    return { problem: 'This is no JSON. A text needs quotation marks.' }
  }
}
