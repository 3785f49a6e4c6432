import type { FairnessSource } from '@fairball/domain/fairness/collect-bundle'
import { ENTRY_RECORD_BYTES } from '@fairball/domain/fairness/entry'
import { STATEMENT_MAX_BYTES } from '@fairball/domain/fairness/statements'
import { parseObject } from './journal.ts'
import type { Runtime } from './runtime.ts'

/** Why nothing usable came from the operator. */
export class OperatorProblem extends Error {
  override readonly name = 'OperatorProblem'
  /** the status of the answer; null without one */
  readonly status: number | null

  constructor(message: string, { status = null, cause }: { status?: number | null; cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}

/** Some notes of the log; `next` is the `seq` to go on from, null at its end. */
export interface LogPage {
  readonly notes: readonly string[]
  readonly next: number | null
}

/** What is asked of an operator who is not trusted: every answer has a limit of time and size, and a shape. */
export interface OperatorClient extends FairnessSource {
  log(from: number): Promise<LogPage>
  /** Hands a signed note over. @returns null when it was taken, else what the operator said */
  handOver(note: string): Promise<string | null>
  /** the operator's clock by its last answer, epoch seconds; null where it never said */
  operatorNow(): number | null
}

const TIMEOUT_MS = 20_000
const ENTRIES_TIMEOUT_MS = 300_000
const MOST_PAGE_BYTES = 4 * 1024 * 1024
const MOST_TEXT_BYTES = 64 * 1024
/** 2,000,000 entries: twice the largest draw a lottery is built for. */
const MOST_ENTRIES_BYTES = 2_000_000 * ENTRY_RECORD_BYTES
const MOST_NOTES_A_PAGE = 1000
/** A statement, and signature lines of some hundred bytes each. */
const LONGEST_NOTE = STATEMENT_MAX_BYTES + 32 * 1024
const MOST_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** @param base where the lottery is, without a slash at the end */
export function createOperatorClient(runtime: Pick<Runtime, 'fetch' | 'nowMs'>, base: string): OperatorClient {
  let heard: { readonly at: number; readonly ms: number } | null = null

  async function ask(path: string, options: Asking): Promise<Answer> {
    let url = new URL(`${base}/api/v1/fairness/${path}`)
    const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)
    for (let redirects = 0; ; redirects += 1) {
      const response = await request(url, options, signal)
      const next = redirectOf(response, url)
      if (next === null) return await answerOf(response, options.mostBytes)
      await response.body?.cancel()
      if (redirects === MOST_REDIRECTS) throw new OperatorProblem('It redirects without end.')
      url = next
    }
  }

  async function request(url: URL, { body }: Asking, signal: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { 'cache-control': 'no-cache', 'user-agent': 'fairball-witness' }
    if (body !== undefined) headers['content-type'] = 'text/plain; charset=utf-8'
    try {
      return await runtime.fetch(url, {
        method: body === undefined ? 'GET' : 'POST',
        headers,
        redirect: 'manual',
        signal,
        ...(body === undefined ? {} : { body }),
      })
    } catch (error) {
      throw new OperatorProblem(`No answer: ${reasonOf(error)}.`, { cause: error })
    }
  }

  async function answerOf(response: Response, mostBytes: number): Promise<Answer> {
    const at = response.headers.get('x-fairball-now')
    if (at !== null && /^[0-9]{1,12}$/.test(at)) heard = { at: Number(at), ms: runtime.nowMs() }
    return { status: response.status, bytes: await readBody(response, mostBytes) }
  }

  async function getObject(path: string): Promise<Record<string, unknown>> {
    const answer = await ask(path, { mostBytes: MOST_PAGE_BYTES })
    assertFound(answer)
    return parseObject(decode(answer.bytes)) ?? fail('Its answer is not JSON.')
  }

  return {
    async log(from) {
      const { notes, next } = await getObject(`log?from=${from}`)
      const isEnd = next === null
      if (!isNotes(notes)) return fail('Its answer is not a page of a log.')
      if (!isEnd && (next !== from + notes.length || notes.length === 0))
        return fail('Its pages do not follow each other.')
      return { notes, next: isEnd ? null : from + notes.length }
    },

    async handOver(note) {
      const { status, bytes } = await ask('witness', { mostBytes: MOST_TEXT_BYTES, body: note })
      return status === 200 || status === 201 ? null : `${status} ${refusalOf(bytes)}`
    },

    async record(game, draw) {
      const { notes, witnesses, beacon } = await getObject(`draws/${encodeURIComponent(game)}/${draw}`)
      if (!isNotes(notes) || !isNotes(witnesses)) return fail('Its record of a draw has another shape.')
      return { notes, witnesses, beacon: readBeacon(beacon) }
    },

    async rules(hash) {
      const answer = await ask(`rules/${hash}`, { mostBytes: MOST_TEXT_BYTES })
      assertFound(answer)
      return decode(answer.bytes)
    },

    async entries(game, draw) {
      const path = `draws/${encodeURIComponent(game)}/${draw}/entries`
      const answer = await ask(path, { mostBytes: MOST_ENTRIES_BYTES, timeoutMs: ENTRIES_TIMEOUT_MS })
      if (answer.status === 404) return null
      assertFound(answer)
      return answer.bytes
    },

    operatorNow: () => (heard === null ? null : heard.at + Math.floor((runtime.nowMs() - heard.ms) / 1000)),
  }
}

interface Asking {
  readonly mostBytes: number
  readonly timeoutMs?: number
  /** text that is posted; a GET without one */
  readonly body?: string
}

interface Answer {
  readonly status: number
  readonly bytes: Uint8Array
}

/** Where an answer sends us: to the same host alone, or from http to https there. Null where it is an answer. */
function redirectOf(response: Response, from: URL): URL | null {
  const location = response.headers.get('location')
  if (!REDIRECTS.has(response.status) || location === null) return null
  const to = URL.canParse(location, from.href) ? new URL(location, from.href) : fail('It redirects to no address.')
  const isSafer = from.protocol === 'http:' && to.protocol === 'https:' && to.hostname === from.hostname
  if (to.origin !== from.origin && !isSafer) return fail(`It redirects to another host, ${to.host}.`)
  return to
}

async function readBody(response: Response, mostBytes: number): Promise<Uint8Array> {
  const tooMuch = (): never => fail(`It sends more than ${Math.ceil(mostBytes / 1024)} KiB.`)
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    // The type of a body leaves open what its parts are; they are bytes (Fetch standard, "body").
    for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += part.length
      if (bytes > mostBytes) tooMuch() // leaving the loop ends the connection
      parts.push(part)
    }
  } catch (error) {
    if (error instanceof OperatorProblem) throw error
    throw new OperatorProblem(`Its answer broke off: ${reasonOf(error)}.`, { cause: error })
  }
  return Buffer.concat(parts, bytes)
}

function assertFound({ status }: Answer): void {
  if (status !== 200) throw new OperatorProblem(`It answers with status ${status}.`, { status })
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

function isNotes(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= MOST_NOTES_A_PAGE &&
    value.every((note) => typeof note === 'string' && note.length <= LONGEST_NOTE)
  )
}

function readBeacon(value: unknown): { round: number; signature: string } | null {
  if (typeof value !== 'object' || value === null) return null
  const { round, signature } = value as { round?: unknown; signature?: unknown }
  if (typeof round !== 'number' || !Number.isSafeInteger(round) || round < 1 || typeof signature !== 'string') {
    return fail('Its beacon round has another shape.')
  }
  return { round, signature: signature.slice(0, 1000) }
}

/** What the operator says when it does not take a signature, for a line on a screen. */
function refusalOf(bytes: Uint8Array): string {
  const error = parseObject(decode(bytes))?.['error']
  if (typeof error !== 'object' || error === null) return ''
  const { code, message, fields } = error as { code?: unknown; message?: unknown; fields?: unknown }
  const note = typeof fields === 'object' && fields !== null ? (fields as { note?: unknown }).note : undefined
  return [code, message, note]
    .filter((part) => typeof part === 'string')
    .join(' ')
    .slice(0, 300)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed'
  if (error.name === 'TimeoutError') return 'it took too long'
  const { cause } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message
}

function fail(message: string): never {
  throw new OperatorProblem(message)
}
