import type { Db } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import * as queries from './queries.ts'
import { differing, type Digests, digestsOf, inForce, type Replacements, type SharedSettings } from './settings.ts'

/** How often a process publishes its settings and compares, in real time. */
const COMPARE_MS = 5_000
/** Silence after which a process counts as ended, in seconds. */
const LIVE_SECONDS = 60n
/** How long its row is kept after that, in seconds: a process that returns is not taken for the newest. */
const KEPT_SECONDS = 86_400n
/** The jobs that a process leaves to the others while its settings differ: those that move money. */
const HELD = /^(?:payouts|payments)\./u

interface ProcessesDeps {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'random' | 'monotonic' | 'log'>
  readonly settings: SharedSettings
  /** What settings of the database say in place of variables, now. Default: none may. */
  readonly replacements?: () => Promise<Replacements>
  readonly secretKey: Uint8Array
  readonly isWorker: boolean
  /** what it is and runs, for the console */
  readonly role: string
  readonly version: string
}

/**
 * Keeps processes with differing settings from moving money. Each process publishes digests of the settings that all
 * have to share; one that differs from the newest worker takes no job of payouts and payments until both are the same
 * again.
 */
export class Processes {
  readonly #deps: ProcessesDeps
  readonly #id: string
  #replacements: Replacements = {}
  readonly #stopped = new AbortController()
  #comparing: Promise<void> = Promise.resolve()
  /** the variables in which this process differs; null before it has compared */
  #others: readonly string[] | null = null

  constructor(deps: ProcessesDeps) {
    this.#deps = deps
    this.#id = deps.runtime.random.uuid()
  }

  /** The running processes, and the settings of the newest worker among them. */
  async #live(): Promise<{ all: Digests[]; newest: Digests | null }> {
    const rows = await this.#deps.db.run(queries.listLive, [LIVE_SECONDS])
    // Only `publish` writes the column.
    const digests = rows.map((row) => row.digests as Digests)
    return { all: digests, newest: digests[rows.findLastIndex((row) => row.isWorker)] ?? null }
  }

  /** Publishes and compares now. @throws if the database does not answer */
  async compare(): Promise<void> {
    const { db, settings, secretKey, isWorker, role, version, replacements } = this.#deps
    this.#replacements = (await replacements?.()) ?? {}
    const own = digestsOf(inForce(settings, this.#replacements), secretKey)
    await db.execute(queries.publish, { id: this.#id, isWorker, digests: own, role, version })
    const { newest } = await this.#live()
    const found = newest === null ? [] : this.#differing(own, newest)
    if (found.length > 0 && found.join() !== this.#others?.join())
      this.#deps.runtime.log.error(
        { variables: found },
        'settings differ from the newest worker: payments and payouts are left to it',
      )
    if (found.length === 0 && this.#others !== null && this.#others.length > 0)
      this.#deps.runtime.log.info({ variables: this.#others }, 'settings are those of the newest worker again')
    this.#others = found
  }

  async #compareOn(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      await this.#deps.runtime.monotonic.sleep(COMPARE_MS, this.#stopped.signal).catch(() => undefined) // stopped
      if (this.#stopped.signal.aborted) return
      await this.compare().catch((error: unknown) =>
        this.#deps.runtime.log.warn({ err: error }, 'the settings could not be compared with those of other processes'),
      )
    }
  }

  /** Whether jobs of a kind are left to other processes; before the first comparison those that move money are. */
  isHeld(kind: string): boolean {
    return HELD.test(kind) && (this.#others === null || this.#others.length > 0)
  }

  /** Publishes and compares from now on, until it is stopped. */
  start(): void {
    this.#comparing = this.#compareOn()
  }

  /** The process ends: its settings no longer count. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#comparing
    await this.#deps.db.execute(queries.forget, [this.#id, KEPT_SECONDS])
  }

  /** The number of processes whose settings differ from the newest worker's, by variable. */
  async differences(): Promise<ReadonlyMap<string, number>> {
    const { all, newest } = await this.#live()
    const apart = newest === null ? [] : all.flatMap((one) => this.#differing(one, newest))
    return new Map(this.#names.map((name) => [name, apart.filter((other) => other === name).length]))
  }

  get #names(): string[] {
    return Object.keys(this.#deps.settings)
  }

  #differing(one: Digests, other: Digests): string[] {
    return differing(this.#names, [one, other], this.#replacements)
  }
}
