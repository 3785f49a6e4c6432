import type { JobHandler } from '../../jobs/job.ts'
import type { PlayersContext } from './context.ts'
import { MAIL_RESET_LINK, mailResetLink } from './password-changes.ts'

/** Background jobs of players: mailing links that reset passwords. */
export function playersJobs(ctx: PlayersContext): JobHandler[] {
  return [
    {
      kind: MAIL_RESET_LINK,
      mode: 'transaction',
      run: (tx, payload) => mailResetLink(ctx, tx, String(payload['email'])),
    },
  ]
}
