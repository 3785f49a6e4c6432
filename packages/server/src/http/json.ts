/** Nesting limit of arrays and objects; the deepest body of the contract has four levels. */
export const DEEPEST_JSON = 32

/**
 * Limit of commas and opening brackets in one body, at least as many as its values; 1,000 lines of seven numbers have
 * 10,000.
 */
export const MAX_JSON_PARTS = 20_000
/**
 * The spellings of a member `__proto__` or the character U+0000: plain, or with an escape of one of their characters.
 */
const DANGER = /__proto__|\\u00(?:00|5f|6f|7[024])/i

/** A text that is no JSON, or JSON that is meaningless for every call. */
export class UnreadableJson extends Error {
  constructor(reason: string, options?: { cause: unknown }) {
    super(reason, options)
    this.name = 'UnreadableJson'
  }
}

/**
 * Parses the JSON of a request.
 *
 * An empty text is `undefined`, because clients send `Content-Type: application/json` with a DELETE that has no body.
 * Depth and number of parts are checked before anything is built, since building is many times as expensive. A member
 * `__proto__` is refused: as an own property it is harmless, but it becomes the prototype in the first careless copy.
 * So is the character U+0000, which PostgreSQL cannot store. Only a text that could contain one of the two is searched
 * for them.
 *
 * @throws UnreadableJson
 */
export function readJson(text: string): unknown {
  if (text.trim() === '') return undefined
  assertSmall(text)
  const value = parsed(text)
  if (DANGER.test(text)) refuseDanger(value)
  return value
}

/** Whether a text contains the character that PostgreSQL's text type cannot store. */
export function hasNul(text: string): boolean {
  return text.includes('\0')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UnreadableJson('The body is not JSON.', { cause: error })
  }
}

/** Checks every name and text of a value, without recursion. */
function refuseDanger(body: unknown): void {
  const left: unknown[] = [body]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string') refuseNul(value)
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) {
        if (name === '__proto__') throw new UnreadableJson('The body has a member __proto__.')
        refuseNul(name)
        left.push(member)
      }
  }
}

function refuseNul(text: string): void {
  if (hasNul(text)) throw new UnreadableJson('The body has the character U+0000.')
}

/** Counts brackets and commas outside of strings; the parser later refuses a text with wrong ones. */
function assertSmall(text: string): void {
  let depth = 0
  let parts = 0
  let isInString = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (isInString) {
      if (character === '\\') index++
      else if (character === '"') isInString = false
      continue
    }
    if (character === '"') isInString = true
    else if (character === '}' || character === ']') depth -= 1
    else if (character === '{' || character === '[' || character === ',') {
      parts += 1
      if (character !== ',') depth += 1
      if (depth > DEEPEST_JSON) throw new UnreadableJson('The body is nested too deeply.')
      if (parts > MAX_JSON_PARTS) throw new UnreadableJson('The body has too many values.')
    }
  }
}
