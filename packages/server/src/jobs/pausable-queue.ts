import type { DatabaseClock } from '../db/database-clock.ts'
import type { Tx } from '../db/pool.ts'
import type { JobMoment, JobPayload } from './job.ts'
import { JobQueue, type JobQueueOptions } from './queue.ts'

interface PausableQueueOptions extends JobQueueOptions {
  readonly databaseClock: DatabaseClock
  /** compares the clock with the database's */
  readonly compare: () => Promise<unknown>
}

/**
 * The queue of a process that starts no work while its clock is fast (decision 37): what is due by that clock would be
 * done too early, and failures would be retried far too late. Other processes do the work meanwhile.
 */
export class PausableQueue extends JobQueue {
  readonly #databaseClock: DatabaseClock
  readonly #compare: () => Promise<unknown>

  constructor({ databaseClock, compare, ...options }: PausableQueueOptions) {
    super({ ...options, runtime: { ...options.runtime, clock: databaseClock.ofWork } })
    this.#databaseClock = databaseClock
    this.#compare = compare
  }

  /** Work that is due immediately is due at the other processes' time. */
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

  /** A paused queue has nothing due; otherwise a jump of the demo's clock would wait for it for ever. */
  override async nextAt(): Promise<number | null> {
    return this.#databaseClock.isFast() ? null : await super.nextAt()
  }

  override async nextStopAt(): Promise<number | null> {
    return this.#databaseClock.isFast() ? null : await super.nextStopAt()
  }
}
