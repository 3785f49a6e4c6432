import type { BeaconChain } from '../../ports/beacon/chains.ts'
import type { DatabaseClock } from '../../db/database-clock.ts'
import type { Db } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { InstallationSeal } from '../../runtime/seal.ts'
import type { LogKeys } from './keys.ts'
import type { KnownHead } from './known-head.ts'

/** What keeping the log needs (docs/fairness.md). */
export interface LogContext {
  readonly db: Db
  readonly runtime: Runtime
  readonly databaseClock: DatabaseClock
  readonly jobs: Jobs
  /** `<operator>/fairball`: names the log, and its keys */
  readonly origin: string
  readonly keys: LogKeys
  /** what the database's log has to continue */
  readonly known: KnownHead
}

/** What binds draws: the log, its witnesses, and the chain of the beacon. */
export interface FairnessContext extends LogContext {
  readonly seal: InstallationSeal
  /** of the beacon for draws opened from now on */
  readonly chain: BeaconChain
  /** text of the policy (C2SP tlog-policy) that newly opened draws name */
  readonly policy: string
  /** the head of the log that a new one follows after a loss of data; null for none */
  readonly after: { readonly origin: string; readonly size: number; readonly root: string } | null
  /** path of the file that keeps the log's head outside the database; null for none */
  readonly headFile: string | null
}
