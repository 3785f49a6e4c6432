import type { CollectHint } from '@fairball/domain/protocol/collect-bundle'
import type { GetFile } from '@fairball/domain/protocol/remote-log'

/** An operator could not be reached, or its answer is unusable. The message is for people. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

/** Maximum length of a file, in bytes: a seal has at most 10,000 statements. */
const MAX_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 120_000

/** The platform's `fetch`. */
export type Fetch = (address: string, options: { redirect: 'error'; signal: AbortSignal }) => Promise<Response>

/** The files that an operator serves under `/fairball/` (section 3). */
export function operatorFiles(operator: string, fetchFrom: Fetch): GetFile {
  return (path) => ask(`${operator}/fairball/${path}`, fetchFrom)
}

/**
 * The operator's hint for the indexes of a draw's statements; null if there is no usable one. The hint is not trusted.
 */
export async function hintOf(
  operator: string,
  { game, draw }: { readonly game: string; readonly draw: number },
  fetchFrom: Fetch,
): Promise<CollectHint | null> {
  try {
    const bytes = await ask(`${operator}/api/v1/fairness/draws/${game}/${draw}`, fetchFrom)
    const { statements } = JSON.parse(new TextDecoder().decode(bytes ?? undefined)) as Record<string, unknown>
    const areIndexes =
      Array.isArray(statements) && statements.every((index) => Number.isSafeInteger(index) && index >= 0)
    return areIndexes ? { statements: statements as number[] } : null
  } catch {
    return null // the log is searched instead
  }
}

/** The bytes of an answer; null if the file does not exist. */
async function ask(address: string, fetchFrom: Fetch): Promise<Uint8Array | null> {
  const response = await answerOf(fetchFrom, address)
  if (response.status === 404) return null
  if (!response.ok) throw new OperatorError(`The operator answered with status ${response.status}.`)
  return bytesOf(response)
}

async function answerOf(fetchFrom: Fetch, address: string): Promise<Response> {
  try {
    return await fetchFrom(address, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
  } catch (error) {
    throw new OperatorError(`The operator could not be reached: ${address}`, { cause: error })
  }
}

async function bytesOf(response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for await (const part of response.body ?? []) {
      length += part.length
      if (length > MAX_BYTES) break
      parts.push(part)
    }
  } catch (error) {
    throw new OperatorError('The answer of the operator broke off.', { cause: error })
  }
  if (length > MAX_BYTES) throw new OperatorError('The operator sends more than any file has.')
  return Uint8Array.from(Buffer.concat(parts))
}
