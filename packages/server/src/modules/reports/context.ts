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
   * @throws CodedRefusal SIGN_IN_NEEDED, or LotteryError ACCESS_DENIED
   */
  readonly requireStaff: (request: FastifyRequest, scope: 'reports:read') => unknown
  /** Has a worker look at a month's statement itself: it raises the alarm, or ends it. */
  readonly noteMonth: (month: string) => Promise<void>
}
