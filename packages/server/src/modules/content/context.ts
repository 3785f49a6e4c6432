import type { Db } from '../../db/pool.ts'
import type { RateLimits } from '../../kernel/limits.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { MessagesContext } from '../messages/service.ts'
import type { Cause } from './operator-content.ts'
import type { RecentWin } from './service.ts'

/** What catalogues, winners, causes and the contact form work with. */
export interface ContentContext {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock'>
  readonly rateLimits: RateLimits
  readonly messages: MessagesContext
  /** Where contact messages are mailed to; null keeps them in the database alone. */
  readonly supportEmail: string | null
  /** The operator's good causes. */
  readonly causes: readonly Cause[]
  /** The newest wins whose draws are shown, of players who agree to it now, newest first. */
  readonly recentWins: () => Promise<readonly RecentWin[]>
}
