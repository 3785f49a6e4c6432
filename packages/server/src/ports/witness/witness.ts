import { toBase64 } from '@fairball/domain/protocol/bytes'
import type { Runtime } from '../../runtime/runtime.ts'
import { limitedText } from '../limited-text.ts'

/** Time limit for a witness's answer. */
const TIMEOUT_MS = 10_000
/** Several times the size of some cosignatures. */
const MAX_ANSWER_BYTES = 16_384
const LIMIT = {
  largest: MAX_ANSWER_BYTES,
  tooLarge: () => new WitnessFailed('its answer is too large'),
}
/** Maximum length of a witness's reason in messages. */
const LONGEST_REASON = 200
const SIZE = /^(0|[1-9][0-9]{0,15})\n?$/
const CONFLICT = 409

/** A witness did not cosign. The message says why, and may be logged. */
export class WitnessFailed extends Error {
  override readonly name = 'WitnessFailed'
}

/** A request for a cosignature (C2SP tlog-witness). */
interface CheckpointRequest {
  /** the size that the witness saw last, as far as we know */
  readonly old: number
  /** proof that the checkpoint continues the tree of that size */
  readonly proof: readonly Uint8Array[]
  /** note signed by the log */
  readonly checkpoint: string
}

/** Its unverified cosignature lines, or the size that it saw last, if that differs from the size in the request. */
type WitnessAnswer = { readonly lines: readonly string[] } | { readonly knows: number }

/**
 * Asks a witness to cosign a checkpoint.
 *
 * @param url of the witness, without a slash at its end
 * @throws WitnessFailed if it refuses, does not answer, or gives an unreadable answer
 */
export async function addCheckpoint(
  runtime: Pick<Runtime, 'fetch' | 'monotonic'>,
  url: string,
  request: CheckpointRequest,
): Promise<WitnessAnswer> {
  const limit = new AbortController()
  const done = new AbortController()
  // The answer may come first.
  void runtime.monotonic.sleep(TIMEOUT_MS, done.signal).then(
    () => limit.abort(),
    () => undefined,
  )
  try {
    const response = await runtime.fetch(`${url}/add-checkpoint`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: bodyOf(request),
      redirect: 'error',
      signal: limit.signal,
    })
    const text = await limitedText(response, LIMIT)
    if (response.status === CONFLICT) return { knows: sizeIn(text) }
    if (!response.ok) throw new WitnessFailed(`it answered ${response.status} ${text.trim()}`.slice(0, LONGEST_REASON))
    return { lines: text.split('\n').filter((line) => line !== '') }
  } catch (error) {
    if (error instanceof WitnessFailed) throw error
    const reason = limit.signal.aborted ? `it did not answer within ${TIMEOUT_MS / 1000} seconds` : reasonOf(error)
    throw new WitnessFailed(reason.slice(0, LONGEST_REASON), { cause: error })
  } finally {
    done.abort()
    limit.abort() // drops what was not read
  }
}

function bodyOf({ old, proof, checkpoint }: CheckpointRequest): string {
  return [`old ${old}`, ...proof.map(toBase64), '', checkpoint].join('\n')
}

function sizeIn(text: string): number {
  const size = SIZE.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(size)) throw new WitnessFailed('it answered 409 without the size that it knows')
  return size
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it cannot be reached'
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
