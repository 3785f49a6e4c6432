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

const TIMEOUT_MS = 20_000
const MOST_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** What is asked for, and how much of an answer is read. */
interface Asking {
  readonly mostBytes: number
  readonly timeoutMs?: number
  /** text that is posted; a GET without one */
  readonly body?: string
}

/** What the operator answered. */
export interface OperatorAnswer {
  readonly status: number
  readonly bytes: Uint8Array
}

/** The way to an operator who is not trusted: every answer has a limit of time and size, and comes from the same host. */
export class OperatorConnection {
  readonly #runtime: Pick<Runtime, 'fetch' | 'nowMs'>
  readonly #base: string
  #heard: { readonly at: number; readonly ms: number } | null = null

  /** @param base where the lottery is, without a slash at the end */
  constructor(runtime: Pick<Runtime, 'fetch' | 'nowMs'>, base: string) {
    this.#runtime = runtime
    this.#base = base
  }

  /** @throws OperatorProblem where nothing usable comes */
  async ask(path: string, options: Asking): Promise<OperatorAnswer> {
    let url = new URL(`${this.#base}/api/v1/fairness/${path}`)
    const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)
    for (let redirects = 0; ; redirects += 1) {
      const response = await this.#request(url, options, signal)
      const next = redirectOf(response, url)
      if (next === null) return await this.#answerOf(response, options.mostBytes)
      await response.body?.cancel()
      if (redirects === MOST_REDIRECTS) throw new OperatorProblem('It redirects without end.')
      url = next
    }
  }

  async #request(url: URL, { body }: Asking, signal: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { 'cache-control': 'no-cache', 'user-agent': 'fairball-witness' }
    if (body !== undefined) headers['content-type'] = 'text/plain; charset=utf-8'
    try {
      return await this.#runtime.fetch(url, {
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

  async #answerOf(response: Response, mostBytes: number): Promise<OperatorAnswer> {
    const at = response.headers.get('x-fairball-now')
    if (at !== null && /^[0-9]{1,12}$/.test(at)) this.#heard = { at: Number(at), ms: this.#runtime.nowMs() }
    return { status: response.status, bytes: await readBody(response, mostBytes) }
  }

  /** The operator's clock by the last answer, epoch seconds; null where it never said. */
  operatorNow(): number | null {
    if (this.#heard === null) return null
    return this.#heard.at + Math.floor((this.#runtime.nowMs() - this.#heard.ms) / 1000)
  }
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

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed'
  if (error.name === 'TimeoutError') return 'it took too long'
  const { cause } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message
}

/** @throws OperatorProblem always */
export function fail(message: string): never {
  throw new OperatorProblem(message)
}
