import type { JobHandler } from '../../jobs/job.ts'
import { FINISH_CLOSING } from './closing.ts'
import { MAIL_RESET_LINK } from './password-changes.ts'
import { CLEAN_UP, type Accounts } from './service.ts'

/** The background work of the accounts module: mailing reset links, ending closed accounts, removing what has run out. */
export function accountsJobs(accounts: Accounts): JobHandler[] {
  return [
    {
      kind: MAIL_RESET_LINK,
      mode: 'transaction',
      run: (tx, payload) => accounts.passwordChanges.mailResetLink(tx, String(payload['email'])),
    },
    { kind: FINISH_CLOSING, mode: 'transaction', run: (tx, payload) => accounts.closing.finish(tx, payload) },
    { kind: CLEAN_UP, mode: 'transaction', run: (tx) => accounts.cleanUp(tx) },
  ]
}
