import type { Job, JobHandler } from './job.ts'
import { isMail } from './lanes.ts'

export type OutsideHandler = Extract<JobHandler, { readonly mode: 'outside' }>
export type TransactionHandler = Extract<JobHandler, { readonly mode: 'transaction' }>

/** Maximum delay of a retry: a draw, a payment or a prize may wait for it. */
const LONGEST_BACKOFF_SECONDS = 60
const LONGEST_MAIL_BACKOFF_SECONDS = 3600
/** A job on a grid of at most this many seconds is a watch, and does not stop a jump of the clock. */
const WATCH_SECONDS = 60

/** 1, 2, 4, … seconds after the first, second, third failure, at most a minute; for mail an hour. */
export function backoffSeconds(kind: string, attempts: number): number {
  const longest = isMail(kind) ? LONGEST_MAIL_BACKOFF_SECONDS : LONGEST_BACKOFF_SECONDS
  return Math.min(2 ** Math.min(attempts, 20), longest)
}

/** Whether the next job of a grid is due before the retry of this one: the delays so far add up to about the next. */
export function isLeftToNext({ everySeconds = Infinity }: OutsideHandler, { attempts }: Job): boolean {
  return 2 ** (attempts + 1) > everySeconds
}

/** Whether a job only watches something, each minute or more often. */
export function isWatch(handler: JobHandler): boolean {
  return handler.mode === 'outside' && (handler.everySeconds ?? Infinity) <= WATCH_SECONDS
}
