import type { ConfigAsRead } from './config.ts'
import type { Db } from './db/pool.ts'
import type { Runtime } from './runtime/runtime.ts'
import type { Seal } from './runtime/seal.ts'

/** A command of the operator that cannot be carried out. The message says why and what to do. */
export class CommandError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'CommandError'
  }
}

/** One command of `operator.ts`. */
export interface OperatorCommand {
  /** the names of its arguments, all needed */
  readonly args: readonly string[]
  /** one line of the list of commands */
  readonly summary: string
  /**
   * Carries it out on the migrated database.
   *
   * @returns what the operator reads then
   * @throws CommandError
   */
  run(
    house: { readonly db: Db; readonly runtime: Runtime; readonly seal: Seal; readonly config: ConfigAsRead },
    args: readonly string[],
  ): Promise<string>
}
