import type { JobHandler } from '../../jobs/job.ts'
import type { LedgerAccountKind } from './accounts.ts'
import { checkpointAccount } from './service.ts'

/**
 * Shortens the sum over one busy account; one account per transaction, so that no two wait for each other in a circle.
 */
export function ledgerJobs(): JobHandler[] {
  return [
    {
      kind: 'ledger.checkpoint',
      mode: 'transaction',
      run: (tx, payload) =>
        // Every job of this kind was added with an account's kind and subject.
        checkpointAccount(tx, { kind: payload['kind'] as LedgerAccountKind, subject: String(payload['subject']) }),
    },
  ]
}
