/**
 * Reads parsed JSON of a fixed shape, and collects what is wrong with its places. After a problem it returns a value of
 * the right type, so that reading continues to the next one; the result counts only if there are no problems.
 */
export class JsonReader {
  readonly problems: { readonly at: string; readonly problem: string }[] = []

  /** Notes a problem. @param at its place, as `games[0].name` */
  refuse(at: string, problem: string): void {
    this.problems.push({ at, problem })
  }

  /** An object with exactly these keys; null if it is none, and then its values are not worth reading. */
  object(value: unknown, at: string, keys: readonly string[]): Record<string, unknown> | null {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      // A value that is missing was refused with its object.
      if (value !== undefined) this.refuse(at, 'This is not an object.')
      return null
    }
    for (const key of Object.keys(value)) {
      if (!keys.includes(key)) this.refuse(placeOf(at, key), 'This key is not known.')
    }
    for (const key of keys) if (!Object.hasOwn(value, key)) this.refuse(placeOf(at, key), 'This is missing.')
    return value as Record<string, unknown>
  }

  /** @param read reads one of the list, at its place */
  list<T>(value: unknown, at: string, read: (value: unknown, at: string) => T): T[] {
    if (Array.isArray(value)) return value.map((one, index) => read(one, `${at}[${index}]`))
    if (value !== undefined) this.refuse(at, 'This is not a list.')
    return []
  }

  /** A whole number from 0. */
  whole(value: unknown, at: string): number {
    if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number
    if (value !== undefined) this.refuse(at, 'This is not a whole number from 0.')
    return 0
  }

  /** @param wanted a sentence that says what the pattern takes */
  text(value: unknown, at: string, pattern: RegExp, wanted: string): string {
    if (typeof value === 'string' && pattern.test(value)) return value
    if (value !== undefined) this.refuse(at, wanted)
    return ''
  }

  oneOf<const T extends readonly [string, ...string[]]>(value: unknown, at: string, known: T): T[number] {
    const found = known.find((one) => one === value)
    if (found === undefined && value !== undefined) this.refuse(at, `This is one of: ${known.join(', ')}.`)
    return found ?? known[0]
  }
}

function placeOf(at: string, key: string): string {
  return at === '' ? key : `${at}.${key}`
}
