import { AsyncLocalStorage } from 'node:async_hooks'
import { logContext } from '../src/runtime/log-context.ts'

/** What a step is taken for: one run of a job, or one request. Which job it is shows only once it was taken up. */
export interface Errand {
  /** the job's kind, or the request; null while it is not known, and where there was nothing to do */
  readonly name: string | null
  readonly isRequest: boolean
}

const storage = new AsyncLocalStorage<Errand>()

/** What the present code runs for; null where nobody said so. */
export function currentErrand(): Errand | null {
  return storage.getStore() ?? null
}

/** Does a request, so that each step which follows from it is taken for it. */
export function onErrand<T>(name: string, work: () => Promise<T>): Promise<T> {
  return storage.run({ name, isRequest: true }, work)
}

/**
 * A transaction begins: within a request or a job it belongs to that, and any other one looks for the next job. Whoever
 * began it goes on for what was found, until he looks again.
 */
export function takeUpErrand(): Errand {
  const present = currentErrand()
  if (present !== null && (present.isRequest || logContext()['job'] !== undefined)) return present
  const errand: Errand = { name: null, isRequest: false }
  storage.enterWith(errand)
  return errand
}

/** It shows what an errand is for. */
export function nameErrand(errand: Errand, name: string): void {
  Object.assign(errand, { name })
}
