import type { Db, Tx } from '../db/pool.ts'
import type { RowOf } from '../db/sql.ts'
import { withLogContext } from '../runtime/log-context.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { Job, JobHandler, JobPayload } from './job.ts'
import {
  addJob,
  dueKinds,
  leaseJob,
  leaseJobs,
  lockDueJob,
  nextJobAt,
  putOffJob,
  removeJob,
  removeLeasedJob,
} from './queries.ts'

/** How long an outside job may take before another worker takes it up. */
const LEASE_SECONDS = 60
/** A job that another process has just added is noticed within this time; one that waits for its moment is started at that moment. */
const POLL_MS = 1000
/** A lane looks for a job that this process has added after this: by then the transaction it was added in has nearly always ended. */
const NUDGE_MS = 25
/** A due job that nobody may take (another process holds it) is looked at again after this. */
const SHORTEST_PAUSE_MS = 5
/** Lanes that take whatever is due, except what leaves by a lane of its own alone. */
const COMMON_LANES = 3
/**
 * Capabilities that have a lane to themselves beside these: however many payments wait for a provider that takes its time, draws are closed and
 * prizes leave when they are due.
 */
const OWN_LANES = ['draws', 'payouts'] as const
/** Leaves by a lane of its own alone: however much mail waits for a server that takes its time, it holds up nothing else. */
const MAIL = 'messages'
/** How long `runDue` goes on with work that its own work has added. */
const FOLLOWING_SECONDS = 5
/** Closing and settling a draw of a million entries takes longer than a request may. */
const JOB_STATEMENT_TIMEOUT_MS = 600_000
const LONGEST_BACKOFF_SECONDS = 3600

/** A lane that found neither work nor an empty table for so long hangs, or cannot reach the database. */
const QUIET_MS = 60_000
/** No job takes longer, see `JOB_STATEMENT_TIMEOUT_MS`: a lane that works on one for so long hangs. */
const LONGEST_JOB_MS = 900_000

/** What became of one run of a job. */
export interface JobRun {
  readonly kind: string
  /** in real time */
  readonly seconds: number
  readonly isFailed: boolean
}

type OutsideHandler = Extract<JobHandler, { readonly mode: 'outside' }>
type TransactionHandler = Extract<JobHandler, { readonly mode: 'transaction' }>
/** Whose jobs are taken: those of one capability, those of the common lanes, or all. */
type Lane = 'all' | 'common' | (typeof OWN_LANES)[number] | typeof MAIL

/** A job that this process has taken up. */
interface ClaimedJob {
  readonly job: Job
  /** It runs no longer. */
  end(isFailed?: boolean): void
}

/** 1, 2, 4, … seconds after the first, second, third failure, an hour at most. */
export function backoffSeconds(attempts: number): number {
  return Math.min(2 ** Math.min(attempts, 20), LONGEST_BACKOFF_SECONDS)
}

/** Waits until each has ended. @throws what the first of those that failed has thrown */
async function allEnded(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** Adds work inside the transaction of the fact it follows. A key that already waits stays one job. */
export interface Jobs {
  add(tx: Tx, kind: string, payload: JobPayload, options: { key: string; runAt?: number }): Promise<void>
}

export type JobQueue = ReturnType<typeof createJobQueue>

/**
 * The queue of background work: a table, no broker. Claim, effects and removal of a `transaction` job are one database
 * transaction; an `outside` job is leased with a fencing number (see job.ts). Any number of processes may run it.
 */
export function createJobQueue(deps: { db: Db; runtime: Runtime; onRun?: (run: JobRun) => void }) {
  const { db, runtime } = deps
  const handlers = new Map<string, JobHandler>()
  const running = new Set<Job>()
  let lanes: Promise<void>[] = []
  const stopped = new AbortController()
  const idleWaiters: (() => void)[] = []
  const pausing = new Set<{ readonly lane: Lane; wake(): void }>()
  const nudged = new Set<string>()
  /** When each lane last knew how to go on, and whether it is in a job since then; real time. */
  const turns = new Map<string, { atMs: number; isWorking: boolean }>()

  const now = (): number => runtime.clock.now()

  function register(list: readonly JobHandler[]): void {
    for (const handler of list) {
      if (handlers.has(handler.kind)) throw new Error(`two handlers for the job ${handler.kind}`)
      handlers.set(handler.kind, handler)
    }
  }

  async function add(tx: Tx, kind: string, payload: JobPayload, options: { key: string; runAt?: number }) {
    const runAt = options.runAt ?? now()
    await tx.run(addJob, [kind, options.key, payload, runAt])
    if (runAt <= now()) nudge(kind)
  }

  /** Wakes a pausing lane of this process that takes the kind: a job of it is due. Without such a lane it does nothing. */
  function nudge(kind: string): void {
    if (lanes.length === 0 || nudged.has(kind)) return
    nudged.add(kind)
    void runtime.steady.sleep(NUDGE_MS).then(() => {
      nudged.delete(kind)
      for (const { lane, wake } of pausing) if (kindsOf(lane).includes(kind)) return wake()
    })
  }

  /** The kinds of job a lane takes. */
  function kindsOf(lane: Lane): string[] {
    return [...handlers.keys()].filter((kind) => {
      if (lane === 'all') return true
      if (lane === 'common') return !kind.startsWith(`${MAIL}.`)
      return kind.startsWith(`${lane}.`)
    })
  }

  /**
   * Runs the next due job of a lane to its end; where it is an outside job, with some more of its kind unless `isAlone`.
   * False when none was due and free.
   */
  async function runNext(lane: Lane, isAlone: boolean, onClaimed: () => void = () => undefined): Promise<boolean> {
    for (const { kind } of await db.run(dueKinds, [kindsOf(lane), now()])) {
      const handler = handlerOf(kind)
      const isDone =
        handler.mode === 'outside'
          ? await runOutside(handler, isAlone, onClaimed)
          : await runInTransaction(handler, onClaimed)
      if (isDone) return true
    }
    return false
  }

  async function runInTransaction(handler: TransactionHandler, onClaimed: () => void): Promise<boolean> {
    const claimed: ClaimedJob[] = [] // one at most
    try {
      await db.transaction(
        async (tx) => {
          const row = await tx.maybeOne(lockDueJob, [handler.kind, now()])
          if (row === null) return
          onClaimed()
          const one = begin(row)
          claimed.push(one)
          // Removed first, so that the handler can add the next job of the same key.
          await tx.run(removeJob, [one.job.id])
          await told(one.job, () => handler.run(tx, one.job.payload, one.job))
        },
        { statementTimeoutMs: JOB_STATEMENT_TIMEOUT_MS },
      )
      for (const { end } of claimed) end()
    } catch (error) {
      if (claimed.length === 0) throw error
      for (const one of claimed) await putOff(one, error)
    }
    return claimed.length > 0
  }

  async function runOutside(handler: OutsideHandler, isAlone: boolean, onClaimed: () => void): Promise<boolean> {
    const rows = await db.run(isAlone ? leaseJob : leaseJobs, [handler.kind, now(), now() + LEASE_SECONDS])
    if (rows.length === 0) return false
    onClaimed()
    // An update tells its rows in any order; who has waited longest begins.
    const inOrder = rows.toSorted((one, other) => one.run_at - other.run_at || (one.id < other.id ? -1 : 1))
    await allEnded(inOrder.map(begin).map((one) => runLeased(handler, one)))
    return true
  }

  /** A job was claimed: from now on it counts as running. Two that merely look for work must not wait for each other. */
  function begin({ id, kind, key, payload, run_at: runAt, attempts }: RowOf<typeof lockDueJob>): ClaimedJob {
    // Only `add` writes the column, with a payload of this type.
    const job: Job = { id, kind, key, payload: payload as JobPayload, runAt, attempts }
    const sinceMs = runtime.steady.nowMs()
    running.add(job)
    return {
      job,
      end(isFailed = false) {
        deps.onRun?.({ kind, seconds: (runtime.steady.nowMs() - sinceMs) / 1000, isFailed })
        running.delete(job)
        for (const waiter of idleWaiters.splice(0)) waiter()
      },
    }
  }

  /** Runs an outside job that is leased, and removes it. */
  async function runLeased(handler: OutsideHandler, claimed: ClaimedJob): Promise<void> {
    const { job } = claimed
    const lease = [job.id, job.attempts + 1] as const
    let isRemoved = false
    const finish = async (tx: Tx): Promise<void> => {
      await tx.run(removeLeasedJob, lease)
      isRemoved = true
    }
    try {
      await told(job, () => handler.run(job.payload, { ...job, finish }))
      if (!isRemoved) await db.run(removeLeasedJob, lease)
      claimed.end()
    } catch (error) {
      await putOff(claimed, error)
    }
  }

  /** Every line that is written for a job says for which. */
  function told<T>(job: Job, work: () => Promise<T>): Promise<T> {
    return withLogContext({ job: job.kind, key: job.key }, work)
  }

  function handlerOf(kind: string): JobHandler {
    const handler = handlers.get(kind)
    if (handler === undefined) throw new Error(`no handler for the job ${kind}`)
    return handler
  }

  /** A job failed: it is tried again later. */
  async function putOff({ job, end }: ClaimedJob, error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error)
    const retryAt = now() + backoffSeconds(job.attempts)
    runtime.log.error({ job: job.kind, key: job.key, attempts: job.attempts, err: error, retryAt }, 'a job failed')
    try {
      await db.run(putOffJob, [job.id, job.attempts, retryAt, message.slice(0, 1000)])
    } finally {
      end(true)
    }
  }

  /** When the next job of a lane is due, in epoch seconds; null when it has none. */
  async function nextAt(lane: Lane): Promise<number | null> {
    const row = await db.one(nextJobAt, [kindsOf(lane)])
    return row.run_at
  }

  /**
   * Runs everything that is due now, one job after the other, with what follows from it within some seconds, and waits for what other lanes of
   * this process are running of it. What others keep adding after that is not waited for.
   */
  async function runDue(): Promise<void> {
    const lastFollowAt = now() + FOLLOWING_SECONDS
    const limit = (): number => Math.min(now(), lastFollowAt)
    while ((await nextDueBy(limit())) || [...running].some((job) => job.runAt <= limit())) {
      if (await runNext('all', true)) continue
      // Due or running, yet nothing to claim: another lane or another process holds it.
      if (running.size > 0) await new Promise<void>((resolve) => idleWaiters.push(resolve))
      else await runtime.steady.sleep(20)
    }
  }

  async function nextDueBy(at: number): Promise<boolean> {
    const next = await nextAt('all')
    return next !== null && next <= at
  }

  /** Waits on the system's clock, so that a jump of the demo's clock ends it, or until there is work or the queue is stopped. */
  async function pause(lane: Lane, ms: number): Promise<void> {
    if (stopped.signal.aborted) return
    const woken = new AbortController()
    const pausingLane = { lane, wake: () => woken.abort() }
    pausing.add(pausingLane)
    try {
      await runtime.clock.sleep(ms, woken.signal)
    } catch (error) {
      if (!woken.signal.aborted) throw error
    } finally {
      pausing.delete(pausingLane)
    }
  }

  async function work(lane: Lane, place: number): Promise<void> {
    const name = `${lane} ${place}`
    const turn = (isWorking: boolean): void => void turns.set(name, { atMs: runtime.steady.nowMs(), isWorking })
    turn(false)
    while (!stopped.signal.aborted) {
      try {
        const isDone = await runNext(lane, false, () => turn(true))
        turn(false)
        if (isDone) continue
        const next = await nextAt(lane)
        const waitMs = next === null ? POLL_MS : Math.min(POLL_MS, Math.max(0, next * 1000 - runtime.clock.nowMs()))
        await pause(lane, Math.max(waitMs, SHORTEST_PAUSE_MS))
      } catch (error) {
        if (stopped.signal.aborted) return
        runtime.log.error({ err: error }, 'the job queue cannot reach the database')
        await pause(lane, POLL_MS)
      }
    }
  }

  return {
    register,
    add,
    /** Runs one due job to its end. False when none was due and free. */
    runOne: () => runNext('all', true),
    runDue,
    nextAt: () => nextAt('all'),
    /** Whether every lane that was started goes on: true before the start, false after the end. */
    isAlive(): boolean {
      if (stopped.signal.aborted) return false
      const nowMs = runtime.steady.nowMs()
      return [...turns.values()].every(({ atMs, isWorking }) => nowMs - atMs < (isWorking ? LONGEST_JOB_MS : QUIET_MS))
    },
    start(): void {
      const started: Lane[] = [...Array.from({ length: COMMON_LANES }, () => 'common' as const), ...OWN_LANES, MAIL]
      lanes = started.map(work)
    },
    /** Takes no further job and waits for those that run. */
    async stop(): Promise<void> {
      stopped.abort()
      for (const { wake } of pausing) wake()
      await Promise.all(lanes)
    },
  }
}
