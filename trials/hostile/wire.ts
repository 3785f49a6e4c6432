import { connect, type Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'

/** A request as raw bytes: nothing is corrected or rejected on the way. */
export interface WireRequest {
  readonly method: string
  /** The text between the method and the version, one byte per character. */
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Its length is sent unless the headers already state one. */
  readonly body: Uint8Array | null
  /** Whether this is the last request on its connection. */
  readonly isLast?: boolean
  /** It announces more than it sends. After a while the connection ends, and then a missing answer is acceptable. */
  readonly isUnfinished?: boolean
}

/** The answer to a request. */
export interface WireAnswer {
  readonly status: number
  /** By lower-case name; a repeated header has all its values. */
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly body: string
  /** From the first byte sent to the last byte read. */
  readonly ms: number
}

/** The connection was closed without an answer. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** Time the program waits for the rest of an unfinished request, in ms. */
const UNFINISHED_MS = 250
/** Time after which an answer counts as missing, in ms. */
const LONGEST_WAIT_MS = 30_000

/** The bytes of a request. */
export function bytesOf({ method, target, headers, body }: WireRequest): Buffer {
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  const length =
    body === null || names.has('content-length') || names.has('transfer-encoding')
      ? ''
      : `content-length: ${body.length}\r\n`
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines}${length}\r\n`, 'latin1')
  return body === null ? head : Buffer.concat([head, body])
}

/**
 * One connection to the program, reused while the program keeps it open. An endless stream is read up to its first
 * event.
 */
export class Wire {
  readonly #port: number
  #socket: Socket | null = null

  constructor(port: number) {
    this.#port = port
  }

  /** Sends a request and reads its answer. @throws NoAnswer */
  async send(request: WireRequest): Promise<WireAnswer> {
    const isReused = this.#socket !== null
    try {
      return await this.#exchange(request)
    } catch (error) {
      // The program may have closed an idle connection just as it was reused.
      if (!isReused || !(error instanceof NoAnswer)) throw error
      return await this.#exchange(request)
    }
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = null
  }

  async #exchange(request: WireRequest): Promise<WireAnswer> {
    const socket = this.#socket ?? (await open(this.#port))
    this.#socket = null
    const startedMs = performance.now()
    const read = readAnswer(socket, request.method)
    socket.write(bytesOf(request))
    const ending = request.isUnfinished === true ? setTimeout(() => socket.end(), UNFINISHED_MS) : undefined
    try {
      const { isReusable, ...answer } = await read
      if (isReusable && request.isLast !== true && !socket.destroyed) this.#socket = socket
      else socket.destroy()
      return { ...answer, ms: performance.now() - startedMs }
    } catch (error) {
      socket.destroy()
      throw error
    } finally {
      clearTimeout(ending)
    }
  }
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  // `close` reports later errors, and readAnswer listens to it.
  socket.removeAllListeners('error')
  socket.on('error', () => undefined)
  return socket
}

type Read = Omit<WireAnswer, 'ms'> & { readonly isReusable: boolean }

function readAnswer(socket: Socket, method: string): Promise<Read> {
  return new Promise((resolve, reject) => {
    let got: Buffer = Buffer.alloc(0)
    const timer = setTimeout(() => end(new NoAnswer(`no answer within ${LONGEST_WAIT_MS} ms`)), LONGEST_WAIT_MS)
    const onData = (data: Buffer): void => {
      got = got.length === 0 ? data : Buffer.concat([got, data])
      const answer = parse(got, method, false)
      if (answer !== null) end(answer)
    }
    const onClose = (): void => end(parse(got, method, true) ?? new NoAnswer('the connection was closed'))
    function end(outcome: Read | NoAnswer): void {
      clearTimeout(timer)
      socket.off('data', onData).off('close', onClose).off('end', onClose)
      if (outcome instanceof NoAnswer) reject(outcome)
      else resolve(outcome)
    }
    socket.on('data', onData).on('close', onClose).on('end', onClose)
  })
}

/** The answer in `got`, or null while it is incomplete. */
function parse(got: Buffer, method: string, isEnd: boolean): Read | null {
  const headEnd = got.indexOf('\r\n\r\n')
  if (headEnd === -1) return null
  const [first = '', ...lines] = got.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1] ?? Number.NaN)
  const rest = got.subarray(headEnd + 4)
  if (status >= 100 && status < 200) return parse(rest, method, isEnd)

  const headers = new Map<string, string[]>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()])
  }
  const isReusable = headers.get('connection')?.[0] !== 'close'
  const whole = (body: Buffer, isLast = false): Read => ({
    status,
    headers,
    body: textOf(body, headers.get('content-encoding')?.[0]),
    isReusable: isReusable && !isLast,
  })

  if (method === 'HEAD' || status === 204 || status === 304) return whole(Buffer.alloc(0))
  if (headers.get('content-type')?.[0]?.startsWith('text/event-stream') === true)
    return rest.includes('\n\n') || isEnd ? whole(rest, true) : null
  const length = headers.get('content-length')?.[0]
  if (length !== undefined) return rest.length >= Number(length) ? whole(rest.subarray(0, Number(length))) : null
  if (headers.get('transfer-encoding')?.[0] === 'chunked') {
    const body = unchunked(rest)
    return body === null ? null : whole(body)
  }
  return isEnd ? whole(rest, true) : null
}

/** Decodes gzip, which clients that accept it may receive. */
function textOf(body: Buffer, coding: string | undefined): string {
  return (coding === 'gzip' && body.length > 0 ? gunzipSync(body) : body).toString('utf8')
}

/** The body of a chunked answer, or null while it is incomplete. */
function unchunked(rest: Buffer): Buffer | null {
  const pieces: Buffer[] = []
  for (let at = 0; ;) {
    const lineEnd = rest.indexOf('\r\n', at)
    if (lineEnd === -1) return null
    const size = Number.parseInt(rest.toString('latin1', at, lineEnd), 16)
    const from = lineEnd + 2
    if (rest.length < from + size + 2) return null
    if (size === 0) return Buffer.concat(pieces)
    pieces.push(rest.subarray(from, from + size))
    at = from + size + 2
  }
}
