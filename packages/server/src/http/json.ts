/** Arrays and objects inside one another; the deepest body of the contract has four levels. */
export const DEEPEST_JSON = 32

/** A text that is no JSON, or JSON that no call of ours could mean. */
export class UnreadableJson extends Error {
  constructor(reason: string, options?: { cause: unknown }) {
    super(reason, options)
    this.name = 'UnreadableJson'
  }
}

/**
 * Reads the JSON of a request.
 *
 * An empty text is `undefined`, because clients send `Content-Type: application/json` with a DELETE that has no body.
 * The depth is looked at before anything is built. A member `__proto__` is refused: as an own property it is harmless,
 * and becomes the prototype in the first careless copy. So is the character U+0000, which PostgreSQL cannot store.
 *
 * @throws UnreadableJson
 */
export function readJson(text: string): unknown {
  if (text.trim() === '') return undefined
  assertShallow(text)
  try {
    return JSON.parse(text, refuseDanger)
  } catch (error) {
    if (error instanceof UnreadableJson) throw error
    throw new UnreadableJson('The body is not JSON.', { cause: error })
  }
}

/** Whether a text holds the character that PostgreSQL's text type cannot hold. */
export function hasNul(text: string): boolean {
  return text.includes('\0')
}

function refuseDanger(name: string, value: unknown): unknown {
  if (name === '__proto__') throw new UnreadableJson('The body has a member __proto__.')
  if (hasNul(name) || (typeof value === 'string' && hasNul(value)))
    throw new UnreadableJson('The body has the character U+0000.')
  return value
}

/** Counts brackets outside of strings; a text with wrong ones is refused by the parser later. */
function assertShallow(text: string): void {
  let depth = 0
  let isInString = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (isInString) {
      if (character === '\\') index++
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character === '{' || character === '[') {
      depth += 1
      if (depth > DEEPEST_JSON) throw new UnreadableJson('The body is nested too deeply.')
    } else if (character === '}' || character === ']') depth -= 1
  }
}
