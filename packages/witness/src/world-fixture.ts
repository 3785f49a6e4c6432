/** A world for tests: files in memory that can fail at any write, a clock, an operator who answers without a network. */
import { type DrawFixture, fixedBytes } from '@fairball/domain/fairness/draw-fixture'
import { readLogged } from '@fairball/domain/fairness/log'
import { OperatorFixture } from '@fairball/domain/fairness/operator-fixture'
import type { Files, Runtime } from './runtime.ts'

/** The process ends here, as when the power fails. */
export class Crash extends Error {
  override readonly name = 'Crash'
}

/** Files in memory. With `crashAt` the so-manieth write does only a part of its work and ends everything. */
class MemoryFiles implements Files {
  readonly content = new Map<string, Uint8Array>()
  writes = 0
  crashAt = Number.POSITIVE_INFINITY
  /** which part of the failing write is done: 0 nothing of it, 1 all of it */
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
    this.#write(Buffer.from(text), (bytes) => this.content.set(path, bytes))
    return true
  }

  truncate(path: string, bytes: number): void {
    this.content.set(path, (this.content.get(path) ?? new Uint8Array()).slice(0, bytes))
  }

  remove(path: string): void {
    this.content.delete(path)
  }

  makeFolder(): void {
    // Folders need not be made in memory.
  }

  names(folder: string): string[] {
    return [...this.content.keys()]
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => path.slice(folder.length + 1))
  }

  text(path: string): string {
    return new TextDecoder().decode(this.content.get(path) ?? new Uint8Array())
  }

  rows(path: string): Record<string, unknown>[] {
    const lines = this.text(path).split('\n').slice(0, -1)
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>) // lines that this program wrote
  }

  #write(bytes: Uint8Array, put: (bytes: Uint8Array, isWhole: boolean) => void): void {
    this.writes += 1
    if (this.writes !== this.crashAt) return put(bytes, true)
    put(bytes.slice(0, Math.floor(bytes.length * this.part)), this.part === 1)
    throw new Crash(`write ${this.writes}`)
  }
}

/** Everything a program run in a test has. */
export class World implements Runtime {
  readonly files = new MemoryFiles()
  readonly outLines: string[] = []
  readonly errLines: string[] = []
  readonly commands: string[] = []
  readonly pid = 4711
  /** epoch seconds */
  at: number
  /** what an alarm command comes to */
  commandProblem: string | null = null
  /** called after each wait */
  onSleep: () => void = () => undefined
  readonly #operator: StandIn
  #randomCount = 0

  constructor(operator: StandIn, at: number) {
    this.#operator = operator
    this.at = at
  }

  readonly fetch: Runtime['fetch'] = async (input, init) => {
    const request = new Request(input, init)
    return await this.#operator.answer(request)
  }

  nowMs(): number {
    return this.at * 1000
  }

  async sleep(ms: number): Promise<void> {
    this.at += ms / 1000
    this.onSleep()
  }

  randomBytes(count: number): Uint8Array {
    this.#randomCount += 1
    return fixedBytes(`random ${this.#randomCount}`, count)
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

  /** Lines of alarms since the last time this was asked. */
  takeAlarms(): string[] {
    return this.errLines.splice(0).filter((line) => line.includes('ALARM: '))
  }
}

/** An operator's calls, honest until told otherwise. */
export class StandIn {
  readonly operator: OperatorFixture
  readonly draws: DrawFixture[] = []
  /** notes that witnesses handed over */
  readonly handedOver: string[] = []
  /** what is served as the log; the operator's own when null */
  shown: string[] | null = null
  /** answers in place of all others */
  instead: ((request: Request) => Response | Promise<Response> | null) | null = null
  /** an operator's clock, epoch seconds; none says nothing */
  now: number | null = null
  /** every request as `GET path` */
  readonly asked: string[] = []

  constructor(operator = new OperatorFixture()) {
    this.operator = operator
  }

  async answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const path = url.pathname.replace('/api/v1/fairness/', '')
    this.asked.push(`${request.method} ${path}${url.search}`)
    const other = (await this.instead?.(request)) ?? null
    if (other !== null) return other
    const headers: Record<string, string> = this.now === null ? {} : { 'x-fairball-now': String(this.now) }
    if (path === 'log') return Response.json(this.#page(Number(url.searchParams.get('from'))), { headers })
    if (path === 'witness') {
      this.handedOver.push(await request.text())
      return Response.json({ ok: true }, { headers })
    }
    const [kind = '', game = '', number = '', part] = path.split('/')
    if (kind === 'rules') return new Response(this.operator.rules.get(game) ?? '', { headers })
    const draw = this.draws.find((one) => one.game === game && one.number === Number(number))
    if (draw === undefined)
      return Response.json({ error: { code: 'NOT_FOUND', message: 'No such draw.' } }, { status: 404 })
    if (part === 'entries') return new Response(draw.entriesBytes as Uint8Array<ArrayBuffer>, { headers })
    const { beacon } = this.operator.bundle(draw)
    const notes = this.operator.notes.filter((note) => note.includes(draw.openHash) || isOpenOf(note, draw))
    return Response.json({
      notes,
      witnesses: this.handedOver
        .filter((note) => note.includes(draw.openHash))
        .map((note) => note.trimEnd().split('\n').at(-1)),
      beacon: beacon === null ? null : { round: Number(beacon.round), signature: beacon.signature },
    })
  }

  #page(from: number) {
    const notes = this.shown ?? this.operator.notes
    const page = notes.slice(from, from + 100)
    return { notes: page, next: from + 100 < notes.length ? from + 100 : null }
  }
}

function isOpenOf(note: string, draw: DrawFixture): boolean {
  const logged = readLogged(note)
  return typeof logged !== 'string' && logged.hash === draw.openHash
}
