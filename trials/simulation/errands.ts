import { AsyncLocalStorage } from 'node:async_hooks'
import { logContext } from '@fairball/server/testing/runtime'

/** What a step is taken for: one run of a job, or one request. Which job it is shows only once it was taken up. */
export interface Errand {
  /** the job's kind, or the request; null while it is not known, and where there was nothing to do */
  readonly name: string | null
  readonly isRequest: boolean
  /** where several jobs were taken up together: each one's own, by its key */
  readonly parts: Map<string, Errand> | null
}

const storage = new AsyncLocalStorage<Errand>()

/** What the present code runs for; null where nobody said so. */
export function currentErrand(): Errand | null {
  const present = storage.getStore() ?? null
  const { key } = logContext()
  if (present === null || present.parts === null || typeof key !== 'string') return present
  const part = present.parts.get(key) ?? { name: present.name, isRequest: false, parts: null }
  present.parts.set(key, part)
  return part
}

/** Does a request, so that each step which follows from it is taken for it. */
export function onErrand<T>(name: string, work: () => Promise<T>): Promise<T> {
  return storage.run({ name, isRequest: true, parts: null }, work)
}

/** A lane looks for the next job, and works for what it found until it looks again; a request or a job works for itself. */
export function takeUpErrand(): void {
  const present = currentErrand()
  if (present !== null && (present.isRequest || logContext()['job'] !== undefined)) return
  storage.enterWith({ name: null, isRequest: false, parts: null })
}

/** It shows what an errand is for. @param isShared several jobs of the kind may have been taken up at once */
export function nameErrand(errand: Errand | null, name: string, isShared = false): void {
  if (errand !== null) Object.assign(errand, { name, parts: isShared ? new Map() : null })
}
