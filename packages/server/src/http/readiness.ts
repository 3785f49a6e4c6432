import type { Db } from '../db/pool.ts'
import type { Logger } from '../runtime/runtime.ts'
import { findSchemaVersion } from './queries.ts'

/**
 * What keeps a process from doing its work while other processes may be unaffected. A process that has not started yet
 * has no port to answer.
 */
export type Hindrance = 'stopping' | 'database' | 'schema' | 'clock' | 'jobs'

/** All of them, as the metric names them. */
export const HINDRANCES = ['stopping', 'database', 'schema', 'clock', 'jobs'] as const satisfies Hindrance[]

export interface ReadinessDeps {
  readonly db: Db
  readonly log: Logger
  /** The number of the newest migration that this program needs. */
  readonly schemaVersion: number
  /** Finds the number of the newest one in the database. Default: in its table. */
  readonly findVersion?: typeof findSchemaVersion
  /** How far this process's clock may be behind, in seconds. */
  readonly slowestClockSeconds: number
  readonly behindSeconds: (db: Db) => Promise<number>
  /** Whether it is ahead of the database's, as the query for the seconds behind has found. */
  readonly isClockFast: () => boolean
  readonly isStopping: () => boolean
  /** Whether the jobs of this process are running; true if it has none. */
  readonly areJobsAlive: () => boolean
}

/** This process should get no traffic. The reason is in its log and in its metrics. */
export class NotReady extends Error {
  override readonly name = 'NotReady'
  readonly hindrance: Hindrance

  constructor(hindrance: Hindrance, cause?: unknown) {
    super(`this process is not ready: ${hindrance}`, { cause })
    this.hindrance = hindrance
  }
}

/**
 * Says whether this process can do its work. It is only about this process. What affects all of them (a bitcoin node,
 * rates or a beacon that do not answer) is in the metrics, because it would not help to take every process away from
 * players who only read (decision 32).
 */
export class Readiness {
  readonly #deps: ReadinessDeps
  #asking: Promise<Hindrance | null> | null = null

  constructor(deps: ReadinessDeps) {
    this.#deps = deps
  }

  /** What keeps this process from its work; null for nothing. Concurrent requests share one answer. */
  hindrance(): Promise<Hindrance | null> {
    this.#asking ??= this.#look().finally(() => (this.#asking = null))
    return this.#asking
  }

  /** @throws NotReady */
  async assertReady(): Promise<void> {
    const found = await this.hindrance()
    if (found !== null) throw new NotReady(found)
  }

  async #look(): Promise<Hindrance | null> {
    const deps = this.#deps
    if (deps.isStopping()) return 'stopping'
    try {
      const { version } = await deps.db.one(deps.findVersion ?? findSchemaVersion, [])
      // A newer one belongs to another process, in a rolling update.
      if ((version ?? 0) < deps.schemaVersion) return 'schema'
      if ((await deps.behindSeconds(deps.db)) > deps.slowestClockSeconds) return 'clock'
      if (deps.isClockFast()) return 'clock'
    } catch (error) {
      deps.log.warn({ err: error }, 'the database does not answer: this process is not ready')
      return 'database'
    }
    return deps.areJobsAlive() ? null : 'jobs'
  }
}
