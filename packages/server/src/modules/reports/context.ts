import type { FastifyRequest } from 'fastify'
import type { Db } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'

/** What the reports are read with. */
export interface ReportsContext {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'log'>
  /**
   * Lets a person of the operator read, or a key with the scope. What it returns is not needed here.
   *
   * @throws Unauthorized, or LotteryError ACCESS_DENIED
   */
  readonly requireStaff: (request: FastifyRequest, scope: 'reports:read') => unknown
  /** Raises the alarm; the log has it in any case. */
  readonly onAlarm?: (what: string) => Promise<void> | void
}
