import type { FairnessSource } from '@fairball/domain/fairness/collect-bundle'

/** An operator that could not be asked, or answered with something else. The message is for people. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

/** The most bytes of any answer: four million entries and something. */
const MOST_BYTES = 256 * 1024 * 1024
const TIMEOUT_MS = 120_000

/** What fetches an address: the `fetch` of the platform. */
export type Fetch = (address: string, options: { redirect: 'error'; signal: AbortSignal }) => Promise<Response>

/** The operator's public calls under `/api/v1` (fairness section 10). */
export function operatorSource(operator: string, fetchFrom: Fetch): FairnessSource {
  const ask = async (path: string): Promise<Uint8Array | null> => {
    const response = await answerOf(fetchFrom, `${operator}/api/v1/fairness/${path}`)
    if (response.status === 404) return null
    if (!response.ok) throw new OperatorError(`The operator answered with status ${response.status}.`)
    return await bytesOf(response)
  }
  const text = async (path: string): Promise<string> => {
    const bytes = await ask(path)
    if (bytes === null) throw new OperatorError(`The operator does not know ${path}.`)
    return new TextDecoder().decode(bytes)
  }
  return {
    log: async (from) => {
      const { notes, next } = fields(await text(`log?from=${from}`))
      return { notes: texts(notes), next: next === null ? null : numberOf(next) }
    },
    rules: (hash) => text(`rules/${hash}`),
    record: async (game, number) => {
      const { notes, witnesses, beacon } = fields(await text(`draws/${game}/${number}`))
      return { notes: texts(notes), witnesses: texts(witnesses), beacon: beacon === null ? null : beaconOf(beacon) }
    },
    entries: (game, number) => ask(`draws/${game}/${number}/entries`),
  }
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
      if (length > MOST_BYTES) break
      parts.push(part)
    }
  } catch (error) {
    throw new OperatorError('The answer of the operator broke off.', { cause: error })
  }
  if (length > MOST_BYTES) throw new OperatorError('The operator sends more than any draw has.')
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

function fields(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text) as unknown
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Said below: an answer that is no JSON is as good as one that is no object.
  }
  throw new OperatorError('The operator answered with something that is no record of a draw.')
}

function texts(value: unknown): string[] {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value
  throw new OperatorError('The operator answered with something that is no list of statements.')
}

function numberOf(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw new OperatorError('The operator answered with something that is no number.')
}

function beaconOf(value: unknown): { round: number; signature: string } {
  const { round, signature } = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  if (typeof signature !== 'string') throw new OperatorError('The operator answered with a beacon that is none.')
  return { round: numberOf(round), signature }
}
