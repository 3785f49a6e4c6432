import type { Tx } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'

/**
 * Has an order's payments looked at at `runAt`. The key carries the moment, because a job that is running still holds its
 * own key when it asks for the next look.
 */
export async function addLook(tx: Tx, jobs: Jobs, orderId: string, runAt: number): Promise<void> {
  await jobs.add(tx, 'payments.refresh', { orderId }, { key: `payments.refresh:${orderId}:${runAt}`, runAt })
}
