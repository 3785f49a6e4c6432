import type { Tx } from '../db/pool.ts'

/** The payload of a job: plain JSON, ids as text. A handler reads everything again, so keep it to the subject's id. */
export type JobPayload = Readonly<Record<string, string | number | boolean | null>>

/** What distinguishes a job from others of its kind, and when it is due, in epoch seconds. Default: now. */
export interface JobMoment {
  readonly key: string
  readonly runAt?: number
}

/** A job that is wanted by a time, in epoch seconds. */
export interface WantedJob {
  readonly key: string
  readonly payload: JobPayload
  readonly runAt: number
}

/** A claimed job, as its handler gets it. */
export interface Job {
  readonly id: bigint
  readonly kind: string
  readonly key: string
  readonly payload: JobPayload
  /** epoch seconds at which it became due */
  readonly runAt: number
  /** number of earlier tries; also the fencing number of an outside job */
  readonly attempts: number
}

/** The outcome of one run of a job. */
export interface JobRun {
  readonly kind: string
  /** in real time */
  readonly seconds: number
  readonly isFailed: boolean
}

/** An outside job while its handler has it. */
export interface LeasedJob extends Job {
  /**
   * Removes the job in the transaction with which its work ends, which saves a commit. A worker that lost the lease
   * meanwhile removes nothing. A job that is not removed this way is removed when its handler has ended.
   */
  finish(tx: Tx): Promise<void>
  /**
   * For work whose turn comes late: called before what nobody else may do at the same time.
   *
   * @throws NoTimeLeft if less than this many seconds of the lease are left, or the process ends. The handler passes it
   *   on, and the job is given back as it was taken
   */
  assertTimeLeft(seconds: number): void
}

/** A job was taken and not begun: the next worker may have it. */
export class NoTimeLeft extends Error {
  override readonly name = 'NoTimeLeft'
}

/** What jobs call outside of this program: the payout wallet, the payment provider, the Lightning node. */
export type Dependency = 'wallet' | 'provider' | 'lightning'

/**
 * One kind of background work.
 *
 * - `transaction`: claim, effects and removal are one database transaction, so the effects happen exactly once. The
 *   handler makes no outside call.
 * - `outside`: the job is leased, the handler runs without a transaction, and the job is removed afterwards. It may run
 *   twice (a crash, a lost lease), so it is idempotent: intent row before, outside call by that row's id, outcome row
 *   after. Several due jobs of one kind are leased together and run at the same time.
 */
export type JobHandler =
  | { readonly kind: string; readonly mode: 'transaction'; run(tx: Tx, payload: JobPayload, job: Job): Promise<void> }
  | {
      readonly kind: string
      readonly mode: 'outside'
      /** What it calls: the first success after a failure wakes all failed jobs that call the same. */
      readonly asks?: Dependency
      /** Its time is mostly spent waiting for others: many are leased together. */
      readonly mostlyWaits?: boolean
      /** Its runs share their transactions (see `SharedTransactions`): as many as fit are leased together. */
      readonly sharesTransactions?: boolean
      /**
       * Each run first adds the next one, on a grid of this many seconds. A failed run is retried until the next one is
       * due and then dropped, so failures do not pile up.
       */
      readonly everySeconds?: number
      run(payload: JobPayload, job: LeasedJob): Promise<void>
    }
