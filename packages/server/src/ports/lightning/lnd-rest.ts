import type { MonotonicTime } from '../../runtime/runtime.ts'
import { askOwnTls, type OwnTlsServer } from '../../runtime/own-tls.ts'
import { NodeRefused, NodeSilent } from './lightning-node.ts'

/** Largest answer, and largest line of a stream, that is read. */
const MAX_BYTES = 64 * 1024 * 1024
/** Longest part of a node's message that is repeated. */
const LONGEST_MESSAGE = 200
/** Codes of gRPC after which nobody knows what was done: cancelled, too late, in trouble, away. */
const UNKNOWN_OUTCOME: readonly unknown[] = [1, 4, 8, 13, 14]

/** A node of lnd, and the right to use it. */
export interface LndServer extends OwnTlsServer {
  /** hex; it enters no log and no message */
  readonly macaroon: string
}

/** A call of the node's API. */
interface LndCall {
  readonly path: string
  /** a POST with this; without it a GET */
  readonly body?: object
  readonly timeoutMs: number
  /** ends the call early */
  readonly signal?: AbortSignal
}

/** lnd's REST API. Each call is made once, on a connection of its own. */
export interface LndRest {
  /** @throws NodeSilent, NodeRefused */
  call(asked: LndCall): Promise<unknown>
  /** The messages of a stream, until it or its time ends. @throws NodeSilent, NodeRefused */
  stream(asked: LndCall): AsyncGenerator<unknown, void, undefined>
}

/** The API of a node. */
export function lndRest(server: LndServer, monotonic: Pick<MonotonicTime, 'sleep'>): LndRest {
  return {
    async call(asked) {
      let text = ''
      for await (const piece of pieces(server, monotonic, asked)) text = grown(text, piece.text)
      return parsed(text, asked)
    },

    async *stream(asked) {
      let text = ''
      for await (const piece of pieces(server, monotonic, asked)) {
        text = grown(text, piece.text)
        const lines = text.split('\n')
        text = lines.pop() ?? ''
        for (const line of lines) if (line.trim() !== '') yield messageIn(line, asked)
      }
      if (text.trim() !== '') yield messageIn(text, asked)
    },
  }
}

/** What arrives of an answer, if it is no refusal. */
async function* pieces(
  server: LndServer,
  monotonic: Pick<MonotonicTime, 'sleep'>,
  asked: LndCall,
): AsyncGenerator<{ readonly text: string }, void, undefined> {
  const { path, body, timeoutMs, signal } = asked
  const done = new AbortController()
  const limit = new AbortController()
  void monotonic.sleep(timeoutMs, done.signal).then(
    () => limit.abort(),
    () => undefined, // the answer came first
  )
  const ends = AbortSignal.any([limit.signal, done.signal, ...(signal === undefined ? [] : [signal])])
  try {
    const { status, body: answer } = await askOwnTls(server, {
      method: body === undefined ? 'GET' : 'POST',
      path,
      headers: {
        accept: 'application/json',
        'grpc-metadata-macaroon': server.macaroon,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: ends,
    })
    const decoder = new TextDecoder()
    let refusal = ''
    for await (const piece of answer) {
      const text = decoder.decode(piece, { stream: true })
      if (status >= 400) refusal = grown(refusal, text)
      else yield { text }
    }
    if (status >= 400) throw refusalIn(refusal, asked, status)
  } catch (error) {
    if (error instanceof NodeRefused || error instanceof NodeSilent) throw error
    const why = limit.signal.aborted ? `no answer within ${timeoutMs} ms` : 'it cannot be reached'
    throw new NodeSilent(`the Lightning node did not answer ${nameOf(asked)}: ${why}`, { cause: error })
  } finally {
    done.abort()
  }
}

/** The path without what is asked about: hashes stay out of messages. */
function nameOf({ path }: LndCall): string {
  return (path.split('?')[0] ?? '').replace(/\/[^/]{40,}$/, '/…')
}

function grown(text: string, more: string): string {
  if (text.length + more.length > MAX_BYTES) throw new NodeSilent('the answer of the Lightning node is too large')
  return text + more
}

function parsed(text: string, asked: LndCall): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new NodeSilent(`the Lightning node answered ${nameOf(asked)} with what is no JSON`)
  }
}

/** A message of a stream, or the error that ends it. */
function messageIn(line: string, asked: LndCall): unknown {
  const message = parsed(line, asked)
  if (typeof message === 'object' && message !== null && 'result' in message) return message.result
  throw refusalIn(line, asked, 200)
}

/** An error is the whole answer, or in it where a stream was asked for. */
function refusalIn(text: string, asked: LndCall, status: number): NodeRefused | NodeSilent {
  const answer = parsed(text, asked)
  const error = isObject(answer) && isObject(answer['error']) ? answer['error'] : answer
  const code = isObject(error) ? error['code'] : undefined
  if (!isObject(error) || typeof code !== 'number' || UNKNOWN_OUTCOME.includes(code))
    return new NodeSilent(`the Lightning node answered ${nameOf(asked)} with ${status} (${String(code)})`)
  return new NodeRefused(`${nameOf(asked)}: ${String(error['message']).slice(0, LONGEST_MESSAGE)} (${code})`, code)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
