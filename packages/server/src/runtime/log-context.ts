import { AsyncLocalStorage } from 'node:async_hooks'

/** What every line says that is written while something is done: whose request, which job. */
type LogContext = Readonly<Record<string, string>>

const storage = new AsyncLocalStorage<LogContext>()

/** Does `work`, and whatever follows from it, so that each line written meanwhile carries `fields`. */
export function withLogContext<T>(fields: LogContext, work: () => T): T {
  return storage.run({ ...storage.getStore(), ...fields }, work)
}

/** The fields that a line written now carries. */
export function logContext(): LogContext {
  return storage.getStore() ?? {}
}
