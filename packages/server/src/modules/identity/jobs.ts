import type { JobHandler } from '../../jobs/job.ts'
import { MAIL_WAITING_NOTICES, sendWaitingNotices } from './account-mail.ts'
import type { IdentityContext } from './context.ts'
import { RELEASE_UNVERIFIED, releaseUnverified } from './exclusions.ts'

/** Background jobs of identity: mailing merged notices, and releasing never-verified addresses. */
export function identityJobs(ctx: IdentityContext): JobHandler[] {
  return [
    {
      kind: MAIL_WAITING_NOTICES,
      mode: 'transaction',
      run: (tx, payload) => sendWaitingNotices(ctx, tx, BigInt(String(payload['playerId']))),
    },
    { kind: RELEASE_UNVERIFIED, mode: 'transaction', run: (tx) => releaseUnverified(ctx, tx) },
  ]
}
