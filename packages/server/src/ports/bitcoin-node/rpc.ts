import { readFile } from 'node:fs/promises'
import type { Runtime } from '../../runtime/runtime.ts'
import { limitedText } from '../limited-text.ts'

/** Default time limit of a call. */
const CALL_TIMEOUT_MS = 10_000
/** `listsinceblock` over 200,000 payments has about this size. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024
/** Number of questions in one message. */
const BATCH = 100
/** Delay before a node that is warming up is asked again. */
const WARM_UP_PAUSE_MS = 250
/** Maximum part of a non-JSON answer that a message repeats. */
const LONGEST_EXCERPT = 200

const SATS_PER_BTC = 1e8
const MAX_SATS = 2_100_000_000_000_000

/** Error codes of Bitcoin Core that this program distinguishes (its `rpc/protocol.h`). */
export const RPC = {
  /** RPC_MISC_ERROR */
  misc: -1,
  /** RPC_WALLET_ERROR: also "already loaded", "currently rescanning" */
  wallet: -4,
  /** RPC_INVALID_ADDRESS_OR_KEY: also an unknown transaction or block */
  unknown: -5,
  /** RPC_INVALID_PARAMETER */
  badParameter: -8,
  /** RPC_WALLET_NOT_FOUND */
  walletNotFound: -18,
  /** RPC_VERIFY_ERROR: inputs are missing or spent */
  missingInputs: -25,
  /** RPC_VERIFY_REJECTED: against the rules of the network or of the mempool */
  rejected: -26,
  /** RPC_VERIFY_ALREADY_IN_UTXO_SET: mined, and not all of it is spent */
  alreadyMined: -27,
  /** RPC_IN_WARMUP */
  warmingUp: -28,
  /** RPC_WALLET_ALREADY_LOADED */
  walletAlreadyLoaded: -35,
} as const

/** The node answered with an error: it did not do what was requested. */
export class NodeError extends Error {
  override readonly name = 'NodeError'
  /** one of `RPC`, or another of Bitcoin Core's */
  readonly code: number
  readonly method: string

  constructor(code: number, message: string, method: string) {
    super(`${method}: ${message} (${code})`)
    this.code = code
    this.method = method
  }
}

/** The node gave no usable answer. Whether it did what was requested is unknown. */
export class NodeUnreachable extends Error {
  override readonly name = 'NodeUnreachable'
}

/** Where the node is and how to log in to it. */
export interface NodeOptions {
  /** `http://host:port`; a user and password in it are removed and sent as the login */
  readonly url: string
  /** The node's cookie file, read at every call, because a restart of the node writes a new one. */
  readonly cookieFile?: string
  readonly fetch: Runtime['fetch']
  /** Waits in real milliseconds: `runtime.monotonic.sleep`. */
  readonly sleep: Runtime['monotonic']['sleep']
  /** Size limit of an answer in bytes. Default: `MAX_ANSWER_BYTES`. */
  readonly largestAnswer?: number
}

/** How one call is made. */
export interface CallOptions {
  /** the wallet it is for; missing for the node itself */
  readonly wallet?: string
  /** Default: `CALL_TIMEOUT_MS`. */
  readonly timeoutMs?: number
}

/** A Bitcoin Core node. */
export interface BitcoinNode {
  /**
   * Calls the node. The call is made once; it is repeated only while the node says that it is warming up (−28), until
   * the time limit.
   *
   * @param params named arguments: positions differ between versions. Amounts as strings, see `satsToBtc`
   * @returns the result. `T` is what Bitcoin Core documents; code that depends on a member checks it
   * @throws NodeError what the node refused
   * @throws NodeUnreachable no answer in time, a refused login, or an invalid answer
   */
  call<T>(method: string, params?: object, options?: CallOptions): Promise<T>
  /**
   * Asks one thing about each of many, 100 in a message; otherwise as `call`, with the time limit for each message.
   *
   * @param params the named arguments of each
   * @returns in their order, the result or what the node refused it with
   */
  callEach<T>(method: string, params: readonly object[], options?: CallOptions): Promise<(T | NodeError)[]>
}

/** Makes the client of a node, without a call. */
export function createNode(options: NodeOptions): BitcoinNode {
  const { url, login } = splitLogin(options.url)
  const largestAnswer = options.largestAnswer ?? MAX_ANSWER_BYTES
  let lastId = 0

  async function authorization(): Promise<string> {
    const text = options.cookieFile === undefined ? login : await readCookie(options.cookieFile)
    return `Basic ${Buffer.from(text).toString('base64')}`
  }

  /** Sends a message. `T` is the caller's word for the answer. */
  async function send<T>(message: Message, read: (answer: Answer) => unknown, signal: AbortSignal): Promise<T> {
    const { method, wallet, body } = message
    const response = await options.fetch(wallet === undefined ? url : `${url}/wallet/${encodeURIComponent(wallet)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: await authorization() },
      body: JSON.stringify(body),
      redirect: 'error',
      signal,
    })
    if (response.status === 401) throw new NodeUnreachable(`${method}: the node refuses the login (HTTP 401)`)
    if (response.status === 403)
      throw new NodeUnreachable(`${method}: this login may not ask for it, see the node's rpcwhitelist (HTTP 403)`)
    const text = await limitedText(response, {
      largest: largestAnswer,
      tooLarge: () => new NodeUnreachable(`${method}: the answer is larger than ${largestAnswer} bytes`),
    })
    return read({ text, method, status: response.status }) as T // the caller's word for it, see above
  }

  return {
    async call<T>(method: string, params: object = {}, { wallet, timeoutMs = CALL_TIMEOUT_MS }: CallOptions = {}) {
      return await inTime(options.sleep, { method, timeoutMs }, async (signal) => {
        const id = ++lastId
        const message = { method, wallet, body: requestOf(id, method, params) }
        return await send<T>(message, (answer) => resultIn(answer, id), signal)
      })
    },

    async callEach<T>(
      method: string,
      params: readonly object[],
      { wallet, timeoutMs = CALL_TIMEOUT_MS }: CallOptions = {},
    ) {
      const results: (T | NodeError)[] = []
      for (let from = 0; from < params.length; from += BATCH) {
        const some = params.slice(from, from + BATCH)
        const ofSome = await inTime(options.sleep, { method, timeoutMs }, async (signal) => {
          const ids = some.map(() => ++lastId)
          const body = some.map((one, place) => requestOf(ids[place] ?? 0, method, one))
          return await send<(T | NodeError)[]>({ method, wallet, body }, (answer) => resultsIn(answer, ids), signal)
        })
        results.push(...ofSome)
      }
      return results
    },
  }
}

/** What is sent, and to which of the node's wallets. */
interface Message {
  readonly method: string
  readonly wallet: string | undefined
  readonly body: object
}

/** What came back. */
interface Answer {
  readonly text: string
  readonly method: string
  readonly status: number
}

/** Nodes before version 28 ignore `jsonrpc` and answer as they always did. */
function requestOf(id: number, method: string, params: object) {
  return { jsonrpc: '2.0', id, method, params }
}

/** Does something within a time limit, and again while the node is warming up. */
async function inTime<T>(
  sleep: Runtime['monotonic']['sleep'],
  { method, timeoutMs }: { readonly method: string; readonly timeoutMs: number },
  action: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const done = new AbortController()
  void sleep(timeoutMs, done.signal).then(
    () => limit.abort(),
    () => undefined, // the answer came first
  )
  try {
    for (;;) {
      try {
        return await action(limit.signal)
      } catch (error) {
        if (!(error instanceof NodeError) || error.code !== RPC.warmingUp) throw error
        await sleep(WARM_UP_PAUSE_MS, limit.signal).catch(() => Promise.reject(error))
      }
    }
  } catch (error) {
    if (error instanceof NodeError || error instanceof NodeUnreachable) throw error
    const reason = limit.signal.aborted ? `no answer within ${timeoutMs} ms` : 'the node cannot be reached'
    throw new NodeUnreachable(`${method}: ${reason}`, { cause: error })
  } finally {
    done.abort()
    limit.abort() // drops what was not read
  }
}

/**
 * An amount in the node's JSON, a number of bitcoins, in sats.
 *
 * @throws TypeError if it is none: a text, below −21 million or above 21 million
 */
export function satsOfBtc(amount: unknown): bigint {
  // Below 2^53 sats the nearest double of a decimal with 8 places is close enough to be rounded back exactly.
  const sats = typeof amount === 'number' ? Math.round(amount * SATS_PER_BTC) : NaN
  if (!Number.isSafeInteger(sats) || Math.abs(sats) > MAX_SATS)
    throw new TypeError(`${String(amount)} is no amount of bitcoins`)
  return BigInt(sats)
}

/** `fetch` accepts no login in an address. */
function splitLogin(text: string): { url: string; login: string } {
  const address = new URL(text)
  const login = `${decodeURIComponent(address.username)}:${decodeURIComponent(address.password)}`
  address.username = ''
  address.password = ''
  return { url: address.href.replace(/\/+$/, ''), login }
}

async function readCookie(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    throw new NodeUnreachable(`the node's cookie file cannot be read: ${file}; is the node running?`, { cause: error })
  }
}

/** The result in an answer of JSON-RPC 1.x (errors with their HTTP status) or 2.0 (errors with status 200). */
function resultIn(answer: Answer, id: number): unknown {
  return resultOf(parsedIn(answer), answer, id)
}

/** The results in an answer to many requests, which may be in any order. @throws NodeError while it is warming up */
function resultsIn(answer: Answer, ids: readonly number[]): unknown[] {
  const all = parsedIn(answer)
  if (!Array.isArray(all)) return ids.map((id) => resultOf(all, answer, id))
  const byId = new Map(all.map((one: unknown) => [recordOf(one)?.['id'], one]))
  return ids.map((id) => {
    try {
      return resultOf(byId.get(id), answer, id)
    } catch (error) {
      if (error instanceof NodeError && error.code !== RPC.warmingUp) return error
      throw error
    }
  })
}

function resultOf(value: unknown, { method, status }: Answer, id: number): unknown {
  const { error = null, ...answer } = recordOf(value) ?? {}
  if (typeof error === 'object' && error !== null) {
    const { code, message } = error as Readonly<Record<string, unknown>>
    if (typeof code === 'number') throw new NodeError(code, String(message), method)
  }
  if (answer['id'] !== id || error !== null || !('result' in answer))
    throw new NodeUnreachable(`${method}: an answer to something else (HTTP ${status})`)
  return answer['result']
}

/** The object or the list in an answer. */
function parsedIn({ text, method, status }: Answer): object {
  const value = parsed(text)
  if (typeof value === 'object' && value !== null) return value
  const excerpt = text.slice(0, LONGEST_EXCERPT).trim()
  throw new NodeUnreachable(`${method}: not an answer of a node (HTTP ${status}): ${excerpt}`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : null
}
