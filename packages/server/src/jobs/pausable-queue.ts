import type { DatabaseClock } from '../db/database-clock.ts'
import type { Tx } from '../db/pool.ts'
import type { JobPayload } from './job.ts'
import { type JobMoment, JobQueue, type JobQueueOptions } from './queue.ts'

interface PausableQueueOptions extends JobQueueOptions {
  readonly databaseClock: DatabaseClock
  /** holds the clock against the database's */
  readonly compare: () => Promise<unknown>
}

/**
 * The queue of a process that takes up no work while its clock is fast (decision 37): what is due by that clock would be
 * done too early, and what fails be tried again when it is long too late. Other processes do it meanwhile.
 */
export class PausableQueue extends JobQueue {
  readonly #databaseClock: DatabaseClock
  readonly #compare: () => Promise<unknown>

  constructor({ databaseClock, compare, ...options }: PausableQueueOptions) {
    super({ ...options, runtime: { ...options.runtime, clock: databaseClock.ofWork } })
    this.#databaseClock = databaseClock
    this.#compare = compare
  }

  /** What is due at once is due at the time that the others have. */
  override add(
    tx: Tx,
    kind: string,
    payload: JobPayload,
    { key, runAt = this.#databaseClock.right.now() }: JobMoment,
  ): Promise<void> {
    return super.add(tx, kind, payload, { key, runAt })
  }

  override async runDue(): Promise<void> {
    // After a sleep of the computer the clock only seems to be fast.
    if (this.#databaseClock.isFast()) await this.#compare()
    await super.runDue()
  }

  /** A paused queue has nothing due; a jump of the demo's clock would wait for it for ever. */
  override async nextAt(): Promise<number | null> {
    return this.#databaseClock.isFast() ? null : await super.nextAt()
  }

  override async nextStopAt(): Promise<number | null> {
    return this.#databaseClock.isFast() ? null : await super.nextStopAt()
  }
}
