import type { Db } from '../db/pool.ts'
import type { RowOf } from '../db/sql.ts'
import type { Dependency } from './job.ts'
import { leaseJob, leaseJobs, leaseManyJobs, leasePortion } from './queries.ts'
import type { OutsideHandler } from './retrying.ts'

/** Lease of an outside job, after which another worker takes it. */
const LEASE_SECONDS = 60

/**
 * Leases due jobs of one kind.
 *
 * @param how.isAlone one job only
 * @param how.ailing what did not answer this process the last time
 * @returns the jobs as they were before, the longest waiting first, and when their lease ends, in epoch seconds
 */
export async function lease(
  db: Db,
  handler: OutsideHandler,
  how: { readonly now: number; readonly isAlone: boolean; readonly ailing: ReadonlySet<Dependency> },
): Promise<{ rows: RowOf<typeof leaseJob>[]; untilAt: number }> {
  const untilAt = how.now + LEASE_SECONDS
  const statement = how.isAlone ? leaseJob : leaseOfSome(handler, how.ailing)
  const rows = await db.run(statement, [handler.kind, how.now, untilAt])
  // An update returns its rows in any order.
  return { rows: rows.toSorted((one, other) => one.runAt - other.runAt || (one.id < other.id ? -1 : 1)), untilAt }
}

/** How many jobs are taken at once: few while what they call does not answer, since each then waits for its limit. */
function leaseOfSome(
  { asks, mostlyWaits = false, sharesTransactions = false }: OutsideHandler,
  ailing: ReadonlySet<Dependency>,
): typeof leaseJob {
  if (mostlyWaits) return leaseManyJobs
  return sharesTransactions && (asks === undefined || !ailing.has(asks)) ? leasePortion : leaseJobs
}
