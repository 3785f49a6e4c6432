/** A world for tests: files in memory that can fail at any write, a clock, and logs served without a network. */
import { asciiBytes } from '@fairball/domain/protocol/bytes'
import { nobleHash } from '@fairball/domain/protocol/hash'
import type { Answering, Files, Listening, Runtime, WebAnswer } from './runtime.ts'

/** The process ends here, as in a power failure. */
export class Crash extends Error {
  override readonly name = 'Crash'
}

/** Files in memory. With `crashAt` the write of that number is only partly done, and nothing is written after it. */
export class MemoryFiles implements Files {
  readonly content = new Map<string, Uint8Array>()
  writes = 0
  crashAt = Number.POSITIVE_INFINITY
  /** fraction of the failing write that is done, from 0 to 1 */
  part = 0.5

  read(path: string): Uint8Array | null {
    return this.content.get(path) ?? null
  }

  append(path: string, text: string): void {
    const before = this.content.get(path) ?? new Uint8Array()
    this.#write(Buffer.from(text), (bytes) => this.content.set(path, Buffer.concat([before, bytes])))
  }

  replace(path: string, text: string): void {
    this.#write(Buffer.from(text), (bytes, isWhole) => {
      if (isWhole) this.content.set(path, bytes)
    })
  }

  create(path: string, text: string): boolean {
    if (this.content.has(path)) return false
    this.replace(path, text)
    return true
  }

  truncate(path: string, bytes: number): void {
    this.content.set(path, (this.content.get(path) ?? new Uint8Array()).slice(0, bytes))
  }

  remove(path: string): void {
    if (this.writes < this.crashAt) this.content.delete(path)
  }

  makeFolder(): void {
    // Folders need not be created in memory.
  }

  names(folder: string): string[] {
    const below = [...this.content.keys()].filter((path) => path.startsWith(`${folder}/`))
    return [...new Set(below.map((path) => path.slice(folder.length + 1).split('/')[0] ?? ''))].toSorted()
  }

  text(path: string): string {
    return new TextDecoder().decode(this.content.get(path) ?? new Uint8Array())
  }

  rows(path: string): Record<string, unknown>[] {
    const lines = this.text(path).split('\n').slice(0, -1)
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>) // this program wrote the lines
  }

  #write(bytes: Uint8Array, put: (bytes: Uint8Array, isWhole: boolean) => void): void {
    this.writes += 1
    if (this.writes > this.crashAt) throw new Crash('the process has ended')
    if (this.writes < this.crashAt) return put(bytes, true)
    put(bytes.slice(0, Math.floor(bytes.length * this.part)), this.part === 1)
    throw new Crash(`write ${this.writes}`)
  }
}

/** Answers of operators by address. */
type Network = (url: string) => Promise<Response> | Response

/** The runtime of a program in a test. */
export class World implements Runtime {
  readonly files: MemoryFiles
  readonly outLines: string[] = []
  readonly errLines: string[] = []
  readonly commands: string[] = []
  /** bodies posted to webhooks */
  readonly posted: string[] = []
  readonly pid: number
  /** epoch seconds */
  at: number
  /** result of an alarm command */
  commandProblem: string | null = null
  #answering: Answering | null = null
  #onSleep: () => void = () => undefined
  #wake: () => void = () => undefined
  readonly #network: Network
  #randomCount = 0

  constructor(network: Network, at: number, files = new MemoryFiles(), pid = 4711) {
    this.#network = network
    this.at = at
    this.files = files
    this.pid = pid
  }

  readonly fetch: Runtime['fetch'] = async (input, init) => {
    const request = new Request(input, init)
    if (request.method === 'POST') this.posted.push(await request.text())
    return await this.#network(request.url)
  }

  nowMs(): number {
    return this.at * 1000
  }

  sleep(_: number, signal?: AbortSignal): Promise<void> {
    this.#onSleep()
    return new Promise((resolve) => {
      this.#wake = resolve
      signal?.addEventListener('abort', () => resolve())
    })
  }

  /** Resolves when the program next waits. */
  asleep(): Promise<void> {
    return new Promise((resolve) => (this.#onSleep = resolve))
  }

  /** Wakes the program, and resolves when it waits again. */
  async look(): Promise<void> {
    const asleep = this.asleep()
    this.#wake()
    await asleep
  }

  async listen(_: object, answer: Answering): Promise<Listening> {
    this.#answering = answer
    return { port: 8480, close: async () => undefined }
  }

  /** Sends a request as if over HTTP. */
  async request(method: string, path: string, body: string | Uint8Array | null): Promise<WebAnswer> {
    if (this.#answering === null) throw new Error('the program is not listening')
    return await this.#answering({ method, path, body: typeof body === 'string' ? Buffer.from(body) : body })
  }

  async post(body: string): Promise<WebAnswer> {
    return await this.request('POST', '/add-checkpoint', body)
  }

  randomBytes(count: number): Uint8Array {
    this.#randomCount += 1
    return nobleHash(asciiBytes(`random ${this.#randomCount}`)).slice(0, count)
  }

  async run(program: string, argument: string): Promise<string | null> {
    this.commands.push(`${program}: ${argument}`)
    return this.commandProblem
  }

  isRunning(pid: number): boolean {
    return pid === 1
  }

  out(line: string): void {
    this.outLines.push(line)
  }

  err(line: string): void {
    this.errLines.push(line)
  }
}
