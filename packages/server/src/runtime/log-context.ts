import { AsyncLocalStorage } from 'node:async_hooks'

/** The context of each log line: the request or the job. */
type LogContext = Readonly<Record<string, string>>

const storage = new AsyncLocalStorage<LogContext>()

/** Runs `work`, and whatever follows from it, so that each line written meanwhile has `fields`. */
export function withLogContext<T>(fields: LogContext, work: () => T): T {
  return storage.run({ ...storage.getStore(), ...fields }, work)
}

/** The fields of a line written now. */
export function logContext(): LogContext {
  return storage.getStore() ?? {}
}
