import { userInfo } from 'node:os'
import type { Db } from '../../db/pool.ts'
import { JobQueue } from '../../jobs/queue.ts'
import type { BitcoinSettings } from '../../ports/bitcoin.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { InstallationSeal } from '../../runtime/seal.ts'
import type { SiteDefaults } from '../settings/service.ts'
import type { OperatorContext } from './action.ts'

/** What the commands of the modules read of the configuration. */
interface OperatorSettings extends BitcoinSettings, SiteDefaults {
  /** null if it follows from a free port that is still to be found */
  readonly publicUrl: string | null
  readonly dataDir: string
}

/** The installation that a command works on: its migrated database, and its configuration. */
export interface Installation<Settings = OperatorSettings> {
  readonly db: Db
  readonly runtime: Runtime
  readonly seal: InstallationSeal
  readonly config: Settings
  /** who runs an acting command, and why; missing for one that only reads */
  readonly by?: CommandBy
}

/** Who runs a command, in the words of the console. */
export interface CommandBy {
  /** null while nobody of the staff is enrolled */
  readonly staffId: bigint | null
  readonly reason: string
}

/** The person who runs a command acts in the name of the computer's user. */
export function operatorOf({ db, runtime, by }: Pick<Installation, 'db' | 'runtime' | 'by'>): OperatorContext {
  const people = by === undefined ? {} : { people: { ...by, approverId: null, request: null } }
  return { db, runtime, jobs: new JobQueue({ db, runtime }), actor: userName(), ...people }
}

/** The name of the computer's user; a container's user may have none. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.()}`
  }
}

/** One command of the operator. `Settings` is what it reads of the configuration. */
export interface OperatorCommand<Settings = OperatorSettings> {
  /** the names of its arguments, all required */
  readonly args: readonly string[]
  /** the names of its options, each with a text, all required, beside the reason of an acting one; default none */
  readonly options?: readonly string[]
  /** the names of its options without a text, which may be left out; default none */
  readonly flags?: readonly string[]
  /**
   * How many people the console asks for the same, for any arguments or for those given; missing for a command that only
   * reads. It is run for a reason.
   */
  readonly signatures?: 1 | 2 | ((args: readonly string[]) => 1 | 2)
  /** one line of the list of commands */
  readonly summary: string
  /**
   * Runs it on the migrated database.
   *
   * @param options the text of each option by name; a flag that was given has one too
   * @returns what the operator reads then
   * @throws Refused
   */
  run(
    installation: Installation<Settings>,
    args: readonly string[],
    options?: Readonly<Record<string, string>>,
  ): Promise<string>
}
