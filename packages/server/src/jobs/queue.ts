import type { Db, Tx } from '../db/pool.ts'
import type { RowOf } from '../db/sql.ts'
import { allInOrder } from '../runtime/all-in-order.ts'
import { withLogContext } from '../runtime/log-context.ts'
import type { Runtime } from '../runtime/runtime.ts'
import {
  type Dependency,
  type Job,
  type JobHandler,
  type JobMoment,
  type JobPayload,
  type JobRun,
  type LeasedJob,
  NoTimeLeft,
  type WantedJob,
} from './job.ts'
import { type Lane, LANES, takesKind } from './lanes.ts'
import { lease } from './leases.ts'
import { backoffSeconds, isLeftToNext, isWatch, type OutsideHandler, type TransactionHandler } from './retrying.ts'
import { Turns } from './turns.ts'
import {
  addJob,
  addJobsUnlessWaiting,
  dueKinds,
  giveBackJob,
  lockDueJob,
  nextJobAt,
  putOffJob,
  removeJob,
  removeLeasedJob,
  wakeJobs,
} from './queries.ts'

/** Longest time until a job that another process has just added is noticed. */
const POLL_MS = 1000
/** Delay before a lane looks for a job that this process adds in a transaction, which has mostly ended by then. */
const NUDGE_MS = 25
/** Delay before a due job that another process holds is checked again. */
const SHORTEST_PAUSE_MS = 5
/** How long `runDue` continues with work that its own work has added. */
const FOLLOWING_SECONDS = 5
/** Closing and settling a draw of a million entries takes longer than a request may. */
const JOB_STATEMENT_TIMEOUT_MS = 600_000

/** A job that this process has taken. */
interface ClaimedJob {
  readonly job: Job
  /** by the monotonic time */
  readonly sinceMs: number
}

/** Adds work inside the transaction of the fact it follows from. A key that already waits stays one job. */
export interface Jobs {
  add(tx: Tx, kind: string, payload: JobPayload, moment: JobMoment): Promise<void>
  /**
   * Adds jobs of one kind in one statement, except those whose key waits for that time or an earlier one. A job that a
   * worker is at counts as waiting, so the caller must hold a lock that the job takes before it reads: then the worker
   * that is at it sees what the caller did.
   */
  addUnlessWaiting(tx: Tx, kind: string, wanted: readonly WantedJob[]): Promise<void>
  /** Has every failed job that calls this capability retried now: it has answered. */
  wake(asked: Dependency): Promise<void>
}

/** What a queue needs. */
export interface JobQueueOptions {
  readonly db: Db
  readonly runtime: Runtime
  readonly onRun?: ((run: JobRun) => void) | undefined
  /** whether jobs of a kind are left to other processes now */
  readonly isHeld?: ((kind: string) => boolean) | undefined
}

/**
 * The queue of background work: a table, no broker. Claim, effects and removal of a `transaction` job are one database
 * transaction; an `outside` job is leased with a fencing number (see job.ts). Any number of processes may run it.
 */
export class JobQueue implements Jobs {
  readonly #options: JobQueueOptions
  readonly #handlers = new Map<string, JobHandler>()
  readonly #running = new Set<Job>()
  /** leases that were asked for and are not answered: their jobs may no longer be due, and do not run yet */
  #leasing = 0
  readonly #stopped = new AbortController()
  readonly #idleWaiters: (() => void)[] = []
  readonly #pausing = new Set<{ readonly lane: Lane; wake(): void }>()
  readonly #nudged = new Set<string>()
  /** the capabilities that did not answer this process the last time */
  readonly #ailing = new Set<Dependency>()
  readonly #turns: Turns
  #lanes: Promise<void>[] = []

  constructor(options: JobQueueOptions) {
    this.#options = options
    this.#turns = new Turns(options.runtime.monotonic)
  }

  register(handlers: readonly JobHandler[]): void {
    for (const handler of handlers) {
      if (this.#handlers.has(handler.kind)) throw new Error(`two handlers for the job ${handler.kind}`)
      this.#handlers.set(handler.kind, handler)
    }
  }

  async add(tx: Tx, kind: string, payload: JobPayload, { key, runAt = this.#now() }: JobMoment): Promise<void> {
    await tx.execute(addJob, { kind, key, payload, runAt })
    if (runAt <= this.#now()) this.#nudge(kind)
  }

  async addUnlessWaiting(tx: Tx, kind: string, wanted: readonly WantedJob[]): Promise<void> {
    if (wanted.length === 0) return
    const keys = wanted.map(({ key }) => key)
    const payloads = wanted.map(({ payload }) => JSON.stringify(payload))
    const times = wanted.map(({ runAt }) => runAt)
    await tx.execute(addJobsUnlessWaiting, { kind, keys, payloads, times })
    if (Math.min(...times) <= this.#now()) this.#nudge(kind)
  }

  async wake(asked: Dependency): Promise<void> {
    this.#ailing.delete(asked)
    const kinds = [...this.#handlers.values()].flatMap((one) =>
      one.mode === 'outside' && one.asks === asked ? one.kind : [],
    )
    const woken = await this.#options.db.execute(wakeJobs, [kinds, this.#now()])
    if (woken > 0) for (const kind of kinds) this.#nudge(kind)
  }

  /** Runs one due job to its end. False if none was due and free. */
  runOne(): Promise<boolean> {
    return this.#runNext('all', { isAlone: true })
  }

  /**
   * Runs everything that is due now, one job after the other, with what follows from it within some seconds, and waits
   * for what other lanes of this process are running of it. It does not wait for what others keep adding after that.
   */
  async runDue(): Promise<void> {
    const lastFollowAt = this.#now() + FOLLOWING_SECONDS
    const limit = (): number => Math.min(this.#now(), lastFollowAt)
    const isRunningDue = (): boolean => [...this.#running].some((job) => job.runAt <= limit())
    for (;;) {
      // Until the limit has passed, whatever is due is within it.
      const isWithin = this.#now() <= lastFollowAt || (await this.#isDueBy(limit()))
      if (isWithin && (await this.runOne())) continue
      if (!(await this.#isDueBy(limit())) && this.#leasing === 0 && !isRunningDue()) return
      // Due or running, yet nothing to claim: another lane or another process holds it.
      if (this.#running.size > 0) await new Promise<void>((resolve) => this.#idleWaiters.push(resolve))
      else await this.#options.runtime.monotonic.sleep(20)
    }
  }

  /** When the next job is due, in epoch seconds; null for none. */
  nextAt(): Promise<number | null> {
    return this.#nextAt('all')
  }

  /**
   * The next moment that a jump of the clock must not pass over, in epoch seconds; null for none. A watch of every
   * minute has none of its own: a jump of a year would stop half a million times for it.
   */
  async nextStopAt(): Promise<number | null> {
    const kinds = this.#kindsOf('all').filter((kind) => !isWatch(this.#handlerOf(kind)))
    return (await this.#options.db.one(nextJobAt, [kinds])).runAt
  }

  /** Whether every lane that was started still runs: true before the start, false after the end. */
  isAlive(): boolean {
    return !this.#stopped.signal.aborted && this.#turns.areRecent()
  }

  start(): void {
    this.#lanes = LANES.map((lane, place) => this.#work(lane, place))
  }

  /** Takes no more jobs and waits for the running ones. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    for (const { wake } of this.#pausing) wake()
    await Promise.all(this.#lanes)
  }

  #now(): number {
    return this.#options.runtime.clock.now()
  }

  async #work(lane: Lane, place: number): Promise<void> {
    const { clock, log } = this.#options.runtime
    const name = `${lane} ${place}`
    this.#turns.note(name, false)
    while (!this.#stopped.signal.aborted) {
      try {
        const isDone = await this.#runNext(lane, { onClaimed: () => this.#turns.note(name, true) })
        this.#turns.note(name, false)
        if (isDone) continue
        const next = await this.#nextAt(lane)
        const waitMs = next === null ? POLL_MS : Math.min(POLL_MS, Math.max(0, next * 1000 - clock.nowMs()))
        await this.#pause(lane, Math.max(waitMs, SHORTEST_PAUSE_MS))
      } catch (error) {
        if (this.#stopped.signal.aborted) return
        log.error({ err: error }, 'the job queue cannot reach the database')
        await this.#pause(lane, POLL_MS)
      }
    }
  }

  /** Waits on the system's clock, which a jump of the demo's clock ends, or until there is work or a stop. */
  async #pause(lane: Lane, ms: number): Promise<void> {
    if (this.#stopped.signal.aborted) return
    const woken = new AbortController()
    const pausingLane = { lane, wake: () => woken.abort() }
    this.#pausing.add(pausingLane)
    try {
      await this.#options.runtime.clock.sleep(ms, woken.signal)
    } catch (error) {
      if (!woken.signal.aborted) throw error
    } finally {
      this.#pausing.delete(pausingLane)
    }
  }

  /** Wakes a pausing lane of this process that takes the kind, if there is one: a job of it is due. */
  #nudge(kind: string): void {
    if (this.#lanes.length === 0 || this.#nudged.has(kind)) return
    this.#nudged.add(kind)
    void this.#options.runtime.monotonic.sleep(NUDGE_MS).then(() => {
      this.#nudged.delete(kind)
      for (const { lane, wake } of this.#pausing) if (this.#kindsOf(lane).includes(kind)) return wake()
    })
  }

  /** The kinds of job a lane takes now. */
  #kindsOf(lane: Lane): string[] {
    const { isHeld = () => false } = this.#options
    return [...this.#handlers.keys()].filter((kind) => !isHeld(kind) && takesKind(lane, kind))
  }

  #handlerOf(kind: string): JobHandler {
    const handler = this.#handlers.get(kind)
    if (handler === undefined) throw new Error(`no handler for the job ${kind}`)
    return handler
  }

  /** When the next job of a lane is due, in epoch seconds; null for none. */
  async #nextAt(lane: Lane): Promise<number | null> {
    return (await this.#options.db.one(nextJobAt, [this.#kindsOf(lane)])).runAt
  }

  async #isDueBy(at: number): Promise<boolean> {
    const next = await this.#nextAt('all')
    return next !== null && next <= at
  }

  /**
   * Runs the next due job of a lane to its end; an outside job together with some more of its kind, unless `isAlone`.
   * False if none was due and free.
   */
  async #runNext(
    lane: Lane,
    { isAlone = false, onClaimed = () => undefined }: { isAlone?: boolean; onClaimed?: () => void },
  ): Promise<boolean> {
    for (const { kind } of await this.#options.db.run(dueKinds, [this.#kindsOf(lane), this.#now()])) {
      const handler = this.#handlerOf(kind)
      const isDone =
        handler.mode === 'outside'
          ? await this.#runOutside(handler, isAlone, onClaimed)
          : await this.#runInTransaction(handler, onClaimed)
      if (isDone) return true
    }
    return false
  }

  async #runInTransaction(handler: TransactionHandler, onClaimed: () => void): Promise<boolean> {
    const claimed: ClaimedJob[] = [] // at most one
    try {
      await this.#options.db.transaction(
        async (tx) => {
          const row = await tx.maybeOne(lockDueJob, [handler.kind, this.#now()])
          if (row === null) return
          onClaimed()
          const one = this.#begin(row)
          claimed.push(one)
          // Removed first, so that the handler can add the next job of the same key.
          await tx.execute(removeJob, [one.job.id])
          await inContextOf(one.job, () => handler.run(tx, one.job.payload, one.job))
        },
        { statementTimeoutMs: JOB_STATEMENT_TIMEOUT_MS },
      )
      for (const one of claimed) this.#end(one)
    } catch (error) {
      if (claimed.length === 0) throw error
      for (const one of claimed) await this.#postpone(one, error)
    }
    return claimed.length > 0
  }

  async #runOutside(handler: OutsideHandler, isAlone: boolean, onClaimed: () => void): Promise<boolean> {
    const how = { now: this.#now(), isAlone, ailing: this.#ailing }
    this.#leasing += 1
    const { claimed, untilAt } = await lease(this.#options.db, handler, how)
      .then(({ rows, untilAt }) => ({ untilAt, claimed: rows.map((row) => this.#begin(row)) }))
      .finally(() => (this.#leasing -= 1))
    if (claimed.length === 0) return false
    onClaimed()
    const assertTimeLeft = (seconds: number): void => {
      const isEnding = !isAlone && this.#stopped.signal.aborted
      if (isEnding || this.#now() + seconds > untilAt) throw new NoTimeLeft()
    }
    await allInOrder(claimed.map((one) => this.#runLeased(handler, one, assertTimeLeft)))
    return true
  }

  /** Runs a leased outside job, and removes it. */
  async #runLeased(
    handler: OutsideHandler,
    claimed: ClaimedJob,
    assertTimeLeft: LeasedJob['assertTimeLeft'],
  ): Promise<void> {
    const { job } = claimed
    const held = { id: job.id, attempts: job.attempts + 1 }
    let isRemoved = false
    const finish = async (tx: Tx): Promise<void> => {
      await tx.execute(removeLeasedJob, held)
      isRemoved = true
    }
    try {
      await inContextOf(job, () => handler.run(job.payload, { ...job, finish, assertTimeLeft }))
      if (!isRemoved) await this.#options.db.execute(removeLeasedJob, held)
      this.#end(claimed)
    } catch (error) {
      if (error instanceof NoTimeLeft) return await this.#giveBack(claimed)
      if (handler.asks !== undefined) this.#ailing.add(handler.asks)
      return await (isLeftToNext(handler, job) ? this.#giveUp(claimed, error) : this.#postpone(claimed, error))
    }
    const { asks } = handler
    if (asks !== undefined && (job.attempts > 0 || this.#ailing.has(asks))) await this.wake(asks)
  }

  /** A claimed job counts as running. Two lanes that only look for work must not wait for each other. */
  #begin({ id, kind, key, payload, runAt, attempts }: RowOf<typeof lockDueJob>): ClaimedJob {
    // Only `add` writes the column, with a payload of this type.
    const job: Job = { id, kind, key, payload: payload as JobPayload, runAt, attempts }
    this.#running.add(job)
    return { job, sinceMs: this.#options.runtime.monotonic.nowMs() }
  }

  /** A job no longer runs. */
  #end({ job, sinceMs }: ClaimedJob, { isFailed = false } = {}): void {
    const seconds = (this.#options.runtime.monotonic.nowMs() - sinceMs) / 1000
    this.#options.onRun?.({ kind: job.kind, seconds, isFailed })
    this.#leave(job)
  }

  #leave(job: Job): void {
    this.#running.delete(job)
    for (const waiter of this.#idleWaiters.splice(0)) waiter()
  }

  /** A job was not begun: any worker may take it now. */
  async #giveBack({ job }: ClaimedJob): Promise<void> {
    try {
      await this.#options.db.execute(giveBackJob, [job.id, job.attempts, job.runAt])
    } finally {
      this.#leave(job)
    }
  }

  /** A job on a grid failed and the next one exists. */
  async #giveUp(claimed: ClaimedJob, error: unknown): Promise<void> {
    const { id, kind, key, attempts } = claimed.job
    const { db, runtime } = this.#options
    runtime.log.error({ job: kind, key, err: error }, 'a job failed, the next one of its grid follows')
    try {
      await db.execute(removeLeasedJob, { id, attempts: attempts + 1 })
    } finally {
      this.#end(claimed, { isFailed: true })
    }
  }

  /** A job failed: it is retried later. */
  async #postpone(claimed: ClaimedJob, error: unknown): Promise<void> {
    const { id, kind, key, attempts } = claimed.job
    const { db, runtime } = this.#options
    const message = error instanceof Error ? error.message : String(error)
    const retryAt = this.#now() + backoffSeconds(kind, attempts)
    runtime.log.error({ job: kind, key, attempts, err: error, retryAt }, 'a job failed')
    try {
      await db.execute(putOffJob, [id, attempts, retryAt, message.slice(0, 1000)])
    } finally {
      this.#end(claimed, { isFailed: true })
    }
  }
}

/** Every log line names its job. */
function inContextOf<T>(job: Job, work: () => Promise<T>): Promise<T> {
  return withLogContext({ job: job.kind, key: job.key }, work)
}
