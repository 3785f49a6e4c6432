import type { Db } from '../../db/pool.ts'
import type { RateLimits } from '../../kernel/limits.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { MessagesContext } from '../messages/service.ts'
import type { Cause } from './operator-content.ts'
import type { RecentWin } from './service.ts'

/** What catalogues, winners, causes and the contact form need. */
export interface ContentContext {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock'>
  readonly rateLimits: RateLimits
  readonly messages: MessagesContext
  /** Address for contact messages; null keeps them only in the database. */
  readonly supportEmail: () => string | null
  /** The operator's good causes. */
  readonly causes: () => readonly Cause[]
  /** The newest wins in shown draws, of players with present consent, newest first. */
  readonly recentWins: () => Promise<readonly RecentWin[]>
}
