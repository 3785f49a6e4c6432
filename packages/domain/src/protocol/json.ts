import { BUNDLE_LIMITS } from './numbers.ts'

/**
 * Strict JSON (section 12): no duplicate keys, integers only, no lone surrogates, limited depth. Every program reads a
 * text the same way, or rejects it.
 */

/** A JSON value, as bundles use it. Objects are maps, so that no key has a special meaning in JavaScript. */
export type Json = string | number | boolean | null | readonly Json[] | ReadonlyMap<string, Json>

/** A text is not strict JSON. The message gives the reason, for people. */
export class JsonError extends Error {
  override readonly name = 'JsonError'
}

const SPACE = /[ \t\n\r]*/y
const PLAIN = /[^"\\\u0000-\u001f]*/y
const INTEGER = /(?:0|[1-9][0-9]{0,15})(?![0-9.eE+-])/y
const UNIT = /\\u[0-9a-fA-F]{4}/y
const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])
const WORDS = { true: true, false: false, null: null } as const

/**
 * Reads a text that is exactly one JSON value. Callers decode bytes as strict UTF-8 and keep a byte order mark, which is
 * rejected here (`new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })`).
 *
 * @throws JsonError for anything else
 */
export function readJson(text: string): Json {
  if (text.length > BUNDLE_LIMITS.characters) throw new JsonError('The file is too large.')
  if (text.startsWith('\ufeff')) throw new JsonError('The file begins with a byte order mark.')
  const reader = new Reader(text)
  const value = reader.value(1)
  reader.end()
  return value
}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(depth: number): Json {
    if (depth > BUNDLE_LIMITS.depth) throw new JsonError('The file is nested too deeply.')
    this.#skipSpace()
    const next = this.#text[this.#at]
    if (next === '{') return this.#object(depth)
    if (next === '[') return this.#list(depth)
    if (next === '"') return this.#string()
    return this.#wordOrInteger()
  }

  end(): void {
    this.#skipSpace()
    if (this.#at !== this.#text.length) throw this.#error('something follows the value')
  }

  #object(depth: number): ReadonlyMap<string, Json> {
    const entries = new Map<string, Json>()
    this.#at += 1
    if (this.#takes('}')) return entries
    do {
      this.#skipSpace()
      const key = this.#string()
      if (entries.has(key)) throw new JsonError(`The file has the key "${key.slice(0, 40)}" twice in one object.`)
      this.#expect(':')
      entries.set(key, this.value(depth + 1))
    } while (this.#takes(','))
    this.#expect('}')
    return entries
  }

  #list(depth: number): readonly Json[] {
    const items: Json[] = []
    this.#at += 1
    if (this.#takes(']')) return items
    do items.push(this.value(depth + 1))
    while (this.#takes(','))
    this.#expect(']')
    return items
  }

  #string(): string {
    if (this.#text[this.#at] !== '"') throw this.#error('a text was expected')
    this.#at += 1
    let value = this.#match(PLAIN)
    while (this.#text[this.#at] === '\\') value += this.#escape() + this.#match(PLAIN)
    if (this.#text[this.#at] !== '"') throw this.#error('a text does not end')
    this.#at += 1
    if (!value.isWellFormed()) throw this.#error('a text has half a character')
    return value
  }

  #escape(): string {
    const unit = this.#match(UNIT)
    if (unit !== '') return String.fromCharCode(Number.parseInt(unit.slice(2), 16))
    const character = ESCAPED.get(this.#text.charAt(this.#at + 1))
    if (character === undefined) throw this.#error('an escape is not valid')
    this.#at += 2
    return character
  }

  #wordOrInteger(): Json {
    for (const [word, value] of Object.entries(WORDS)) {
      if (!this.#text.startsWith(word, this.#at)) continue
      this.#at += word.length
      return value
    }
    const digits = this.#match(INTEGER)
    if (digits === '' || !Number.isSafeInteger(Number(digits)))
      throw this.#error('a value is no whole number from 0 to 2^53 − 1')
    return Number(digits)
  }

  /** Consumes what a pattern matches here, the empty text if that is nothing. */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #skipSpace(): void {
    this.#match(SPACE)
  }

  /** Consumes a character if it comes next. @returns whether it did */
  #takes(character: string): boolean {
    this.#skipSpace()
    if (this.#text[this.#at] !== character) return false
    this.#at += 1
    return true
  }

  #expect(character: string): void {
    if (!this.#takes(character)) throw this.#error(`"${character}" was expected`)
  }

  #error(what: string): JsonError {
    return new JsonError(`The file is not strict JSON: ${what}, at character ${this.#at}.`)
  }
}
