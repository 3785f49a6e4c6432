import type { Tx } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'

/**
 * Schedules a check of an order's payments at `runAt`. The key includes the moment, because a running job still holds
 * its own key when it asks for the next check.
 */
export async function addLook(tx: Tx, jobs: Jobs, orderId: string, runAt: number): Promise<void> {
  await jobs.add(tx, 'payments.refresh', { orderId }, { key: `payments.refresh:${orderId}:${runAt}`, runAt })
}
