// A client that can put more load on a server than Node's own client: raw connections that stay open, each with one
// request in flight. Requests are bytes, so pass a function to vary the key or player per request. Its CPU time is
// small compared with the server's, and the same for baselines and product.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Latencies } from './latencies.ts'

/** A raw answer. */
export interface RawAnswer {
  /** 0 if the connection was cut before an answer */
  readonly status: number
  readonly body: Buffer
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const CUT: RawAnswer = { status: 0, body: Buffer.alloc(0) }
const LONGEST_PACED_MS = 5

/** The parts of a request. */
interface RequestParts {
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The bytes of a request, as a browser with a persistent connection sends it. */
export function requestBytes({ method = 'GET', path, headers = {}, body }: RequestParts): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const aboutBody =
    body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${lines.join('')}${aboutBody}\r\n${text}`)
}

/** One connection, reopened when it is cut. */
class Connection {
  readonly #port: number
  #socket: Socket | null = null
  #read: Buffer | null = null
  #waiting: ((answer: RawAnswer) => void) | null = null

  constructor(port: number) {
    this.#port = port
  }

  get isBusy(): boolean {
    return this.#waiting !== null
  }

  /** @param onAnswer called exactly once */
  send(bytes: Buffer, onAnswer: (answer: RawAnswer) => void): void {
    if (this.#waiting !== null) throw new Error('a request is already in flight')
    this.#waiting = onAnswer
    this.#socket ??= this.#open()
    this.#socket.write(bytes)
  }

  close(): void {
    this.#socket?.destroy()
  }

  #open(): Socket {
    const socket = connect({ host: '127.0.0.1', port: this.#port, noDelay: true })
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('error', () => undefined) // `close` follows
    socket.on('close', () => {
      this.#socket = null
      this.#read = null
      this.#end(CUT)
    })
    return socket
  }

  #take(chunk: Buffer): void {
    const read = this.#read === null ? chunk : Buffer.concat([this.#read, chunk])
    const answer = parsed(read)
    this.#read = answer === null ? read : null
    if (answer !== null) this.#end(answer)
  }

  #end(answer: RawAnswer): void {
    const waiting = this.#waiting
    this.#waiting = null
    waiting?.(answer)
  }
}

/** Returns the answer once it is complete. Answers without a content length cannot be measured. */
function parsed(read: Buffer): RawAnswer | null {
  const headEnd = read.indexOf(END_OF_HEAD)
  if (headEnd < 0) return null
  const head = read.toString('latin1', 0, headEnd)
  const status = Number(head.slice(9, 12))
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined && status !== 204 && status !== 304)
    throw new Error(`an answer without a length cannot be measured: ${head}`)
  const bodyAt = headEnd + END_OF_HEAD.length
  const end = bodyAt + Number(length ?? 0)
  return read.length < end ? null : { status, body: read.subarray(bodyAt, end) }
}

/** Settings of a load. */
interface LoadSettings {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** Gives the next request. */
  readonly next: () => Buffer
  /** whether a status counts as success. Default: 200 only */
  readonly isGood?: (status: number) => boolean
  /** Receives every good answer, including those of the warm-up. */
  readonly onAnswer?: (answer: RawAnswer) => void
}

const isOk = (status: number): boolean => status === 200

/** The result of a load. */
export interface LoadResult {
  readonly perSecond: number
  readonly answers: number
  readonly latencies: Latencies
  /** answers with an unexpected status, by status; 0 is a cut connection */
  readonly errors: ReadonlyMap<number, number>
  /** the body of the first error */
  readonly firstError: string
}

/** Settings of a load by connections that are never idle. */
interface ClosedSettings extends LoadSettings {
  /** warm-up time, in which nothing is counted */
  readonly warmUpSeconds?: number
}

/** Every connection sends its next request as soon as it has an answer, so the server is fully loaded. */
export async function closedLoop(settings: ClosedSettings): Promise<LoadResult> {
  const { port, next, seconds, warmUpSeconds = 2, isGood = isOk } = settings
  const counted = new Counted(isGood)
  const connections = Array.from({ length: settings.connections }, () => new Connection(port))
  const beginMs = performance.now() + warmUpSeconds * 1000
  const endMs = beginMs + seconds * 1000
  const lives = connections.map(
    (connection) =>
      new Promise<void>((resolve) => {
        const turn = (): void => {
          const startMs = performance.now()
          if (startMs >= endMs) return resolve()
          connection.send(next(), (answer) => {
            const nowMs = performance.now()
            if (isGood(answer.status)) settings.onAnswer?.(answer)
            // A request that spans the end of the warm-up or of the measurement would count in part, so it is left out.
            if (startMs >= beginMs && nowMs <= endMs) counted.add(answer, nowMs - startMs)
            // A pause, so that a server that is down is not polled in a tight loop.
            if (answer.status === 0) setTimeout(turn, 10)
            else turn()
          })
        }
        turn()
      }),
  )
  await Promise.all(lives)
  for (const connection of connections) connection.close()
  return counted.result(seconds)
}

/** Settings of a paced load. */
interface PacedSettings extends LoadSettings {
  readonly perSecond: number
}

/**
 * Sends requests at a fixed rate, however long the answers take. If all connections are busy, a request waits, and its
 * time counts from when it was due. A stalled server is therefore charged for the requests of that time.
 */
export async function pacedLoop(settings: PacedSettings): Promise<LoadResult> {
  const { port, next, seconds, perSecond, isGood = isOk } = settings
  const counted = new Counted(isGood)
  const connections = Array.from({ length: settings.connections }, () => new Connection(port))
  const free = [...connections]
  const due: number[] = []
  let underWay = 0
  const startMs = performance.now()
  const total = Math.round(seconds * perSecond)
  const serve = (): void => {
    while (due.length > 0 && free.length > 0) {
      const [connection, dueMs] = [free.pop(), due.shift()]
      if (connection === undefined || dueMs === undefined) return
      underWay += 1
      connection.send(next(), (answer) => {
        underWay -= 1
        free.push(connection)
        if (isGood(answer.status)) settings.onAnswer?.(answer)
        counted.add(answer, performance.now() - dueMs)
        serve()
      })
    }
  }
  for (let begun = 0; begun < total;) {
    const nowMs = performance.now()
    for (; begun < total && startMs + (begun * 1000) / perSecond <= nowMs; begun += 1)
      due.push(startMs + (begun * 1000) / perSecond)
    serve()
    await sleep(Math.min(LONGEST_PACED_MS, 1000 / perSecond))
  }
  while (underWay > 0 || due.length > 0) await sleep(LONGEST_PACED_MS)
  for (const connection of connections) connection.close()
  return counted.result((performance.now() - startMs) / 1000)
}

/** Sends one request at a time over its own connection, for callers with their own timing. */
export class Asker {
  readonly #connection: Connection

  constructor(port: number) {
    this.#connection = new Connection(port)
  }

  get isBusy(): boolean {
    return this.#connection.isBusy
  }

  ask(bytes: Buffer, onAnswer: (answer: RawAnswer) => void): void {
    this.#connection.send(bytes, onAnswer)
  }

  close(): void {
    this.#connection.close()
  }
}

class Counted {
  readonly #isGood: (status: number) => boolean
  readonly #latencies = new Latencies()
  readonly #errors = new Map<number, number>()
  #firstError = ''

  constructor(isGood: (status: number) => boolean) {
    this.#isGood = isGood
  }

  add({ status, body }: RawAnswer, ms: number): void {
    if (this.#isGood(status)) return this.#latencies.add(ms)
    if (this.#errors.size === 0) this.#firstError = `${status} ${body.toString().slice(0, 300)}`
    this.#errors.set(status, (this.#errors.get(status) ?? 0) + 1)
  }

  result(seconds: number): LoadResult {
    const answers = this.#latencies.count
    return {
      perSecond: answers / seconds,
      answers,
      latencies: this.#latencies,
      errors: this.#errors,
      firstError: this.#firstError,
    }
  }
}

/** Server-sent events over one connection. */
interface EventStream {
  /** Resolves once the server starts to answer. */
  readonly opened: Promise<void>
  close(): void
}

/** Opens a stream of events. @param onText receives data as it arrives */
export function openEvents(port: number, request: Buffer, onText: (text: string) => void): EventStream {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  socket.on('error', () => undefined) // a stream that never opened fails below; a later cut only ends the events
  const opened = once(socket, 'data').then(([chunk]: Buffer[]) => {
    const text = String(chunk)
    if (!text.startsWith('HTTP/1.1 200')) throw new Error(`the stream was refused: ${text.slice(0, 300)}`)
  })
  socket.on('data', (chunk: Buffer) => onText(chunk.toString()))
  socket.write(request)
  return { opened, close: () => socket.destroy() }
}
