import { AsyncLocalStorage } from 'node:async_hooks'
import { logContext } from '@fairball/server/testing/runtime'

/** The reason for a step: one run of a job, or one request. The job is only known once it was taken up. */
export interface Errand {
  /** the job's kind, or the request; null until it is known, or if there was nothing to do */
  readonly name: string | null
  readonly isRequest: boolean
  /** the errand of each job by its key, if several jobs were taken up together */
  readonly parts: Map<string, Errand> | null
}

const storage = new AsyncLocalStorage<Errand>()

/** The errand of the running code; null if there is none. */
export function currentErrand(): Errand | null {
  const present = storage.getStore() ?? null
  const { key } = logContext()
  if (present === null || present.parts === null || typeof key !== 'string') return present
  const part = present.parts.get(key) ?? { name: present.name, isRequest: false, parts: null }
  present.parts.set(key, part)
  return part
}

/** Runs a request, so that every step that follows from it belongs to it. */
export function onErrand<T>(name: string, work: () => Promise<T>): Promise<T> {
  return storage.run({ name, isRequest: true, parts: null }, work)
}

/** A lane starts a new errand whenever it looks for the next job. A request or a job keeps its own errand. */
export function takeUpErrand(): void {
  const present = currentErrand()
  if (present !== null && (present.isRequest || logContext()['job'] !== undefined)) return
  storage.enterWith({ name: null, isRequest: false, parts: null })
}

/**
 * Names an errand once its purpose is known.
 *
 * @param isShared whether several jobs of the kind may have been taken up at once
 */
export function nameErrand(errand: Errand | null, name: string, isShared = false): void {
  if (errand !== null) Object.assign(errand, { name, parts: isShared ? new Map() : null })
}
