import { createConnection } from 'node:net'
import type { MonotonicTime } from '../../runtime/runtime.ts'
import { NodeRefused, NodeSilent } from './lightning-node.ts'

/** Largest answer that is read: a node with thousands of invoices has some hundred kilobytes. */
const MAX_BYTES = 64 * 1024 * 1024
/** An answer ends with an empty line. */
const END = '\n\n'
const WHOLE_NUMBER = /^-?\d+$/
/** Longest part of a node's message that is repeated. */
const LONGEST_MESSAGE = 200

/** How one call is made. */
interface CallOptions {
  readonly timeoutMs: number
  /** ends the call early */
  readonly signal?: AbortSignal
}

/** A node of Core Lightning, reached through its socket. */
export interface ClnSocket {
  /** @throws NodeSilent, NodeRefused */
  call(method: string, params: object, options: CallOptions): Promise<unknown>
}

/**
 * Core Lightning's JSON-RPC on its unix socket, one connection for each call. A call is made once.
 *
 * @param path of the socket: `lightning-rpc` in the node's folder
 */
export function clnSocket(path: string, monotonic: Pick<MonotonicTime, 'sleep'>): ClnSocket {
  let lastId = 0
  return {
    async call(method, params, { timeoutMs, signal }) {
      const id = ++lastId
      const done = new AbortController()
      const limit = new AbortController()
      void monotonic.sleep(timeoutMs, done.signal).then(
        () => limit.abort(),
        () => undefined, // the answer came first
      )
      const ends = signal === undefined ? limit.signal : AbortSignal.any([limit.signal, signal])
      try {
        const text = await exchange(path, JSON.stringify({ jsonrpc: '2.0', id, method, params }), ends)
        return resultIn(text, method)
      } catch (error) {
        if (error instanceof NodeRefused || error instanceof NodeSilent) throw error
        const why = limit.signal.aborted ? `no answer within ${timeoutMs} ms` : 'its socket cannot be used'
        throw new NodeSilent(`the Lightning node did not answer ${method}: ${why}`, { cause: error })
      } finally {
        done.abort()
      }
    },
  }
}

function exchange(path: string, request: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ path, signal })
    let text = ''
    socket.setEncoding('utf8')
    socket.on('connect', () => socket.write(request))
    socket.on('data', (piece: string) => {
      text += piece
      if (text.length > MAX_BYTES) socket.destroy(new Error('the answer is too large'))
      if (!text.endsWith(END)) return
      resolve(text)
      socket.destroy()
    })
    socket.on('error', reject)
    // A node that dies in the middle of a call just goes.
    socket.on('close', () => reject(new Error('closed without an answer')))
  })
}

function resultIn(text: string, method: string): unknown {
  const answer = parsed(text)
  if (typeof answer === 'object' && answer !== null && 'result' in answer) return answer.result
  const error = typeof answer === 'object' && answer !== null && 'error' in answer ? answer.error : null
  if (typeof error !== 'object' || error === null || !('code' in error))
    throw new NodeSilent(`the Lightning node answered ${method} with what is no answer`)
  const message = 'message' in error ? String(error.message).slice(0, LONGEST_MESSAGE) : ''
  throw new NodeRefused(`${method}: ${message} (${String(error.code)})`, Number(error.code))
}

/** Some of the node's numbers are larger than a JavaScript number can be exact: those become bigints. */
function parsed(text: string): unknown {
  try {
    // The third argument is not in the type yet.
    return JSON.parse(text, ((_key: string, value: unknown, context?: { source?: string }) => {
      const source = context?.source ?? ''
      const isInexact = typeof value === 'number' && !Number.isSafeInteger(value) && WHOLE_NUMBER.test(source)
      return isInexact ? BigInt(source) : value
    }) as Parameters<typeof JSON.parse>[1])
  } catch {
    return null
  }
}
