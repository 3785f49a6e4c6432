import type { JobHandler } from '../../jobs/job.ts'
import { CLEAN_UP, cleanUp } from './clean-up.ts'
import { FINISH_CLOSING, finishClosing } from './closing.ts'
import type { PrivacyContext } from './context.ts'

/** Background jobs of privacy: ending closed accounts, and removing expired data. */
export function privacyJobs(ctx: PrivacyContext): JobHandler[] {
  return [
    { kind: FINISH_CLOSING, mode: 'transaction', run: (tx, payload) => finishClosing(ctx, tx, payload) },
    { kind: CLEAN_UP, mode: 'transaction', run: (tx) => cleanUp(ctx, tx) },
  ]
}
