import type { JobHandler } from '../../jobs/job.ts'
import type { PlayersContext } from './context.ts'
import { CHECK_DESTINATION, checkDestination } from './destination-check.ts'
import { MAIL_RESET_LINK, mailResetLink } from './password-changes.ts'

/** Background jobs of players: mailing links that reset passwords, and looking at destinations over Lightning. */
export function playersJobs(ctx: PlayersContext): JobHandler[] {
  return [
    {
      kind: MAIL_RESET_LINK,
      mode: 'transaction',
      run: (tx, payload) => mailResetLink(ctx, tx, String(payload['email'])),
    },
    { kind: CHECK_DESTINATION, mode: 'outside', run: (payload) => checkDestination(ctx, payload) },
  ]
}
