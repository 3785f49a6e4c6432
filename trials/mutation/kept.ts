import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/**
 * Cached answers of the curve libraries, which are never mutated and take nearly all of the time. They are computed
 * once, before any mutant exists. Answers that are not cached are computed.
 */
const { MUTATION_KEEP, MUTATION_KEPT = '' } = process.env
const answers = new Map<string, string>(
  existsSync(MUTATION_KEPT)
    ? readFileSync(MUTATION_KEPT, 'latin1')
        .split('\n')
        .map((line) => [line.slice(0, 40), line.slice(40)])
    : [],
)

/**
 * The result of a pure function for the arguments in `key`: bytes, or whether something holds. Exceptions are not
 * cached.
 */
export function kept<T extends Uint8Array | boolean>(key: readonly unknown[], compute: () => T): T {
  const id = createHash('sha1').update(key.map(textOf).join(' ')).digest('hex')
  const known = answers.get(id)
  // Each id belongs to one function, so a cached answer has that function's return type.
  if (known !== undefined) return (known === 'true' || known === 'false' ? known === 'true' : bytesOf(known)) as T
  const answer = compute()
  answers.set(id, textOf(answer))
  if (MUTATION_KEEP === '1') appendFileSync(MUTATION_KEPT, `${id}${textOf(answer)}\n`)
  return answer
}

export function textOf(value: unknown): string {
  return isBytes(value) ? Buffer.from(value).toString('hex') : JSON.stringify(value)
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'hex'))
}

/** Also bytes of another realm, as where each file of tests has its own. */
function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value)
}
