import type { DatabaseClock } from '../db/database-clock.ts'
import type { JobQueue } from './queue.ts'

/**
 * The queue of a process that takes up no work while its clock is fast (decision 37): what is due by that clock would be
 * done too early, and what fails be tried again when it is long too late. Other processes do it meanwhile.
 *
 * @param queue one that lives by `databaseClock.ofWork`
 * @param compare holds the clock against the database's
 */
export function restingQueue(
  queue: JobQueue,
  databaseClock: Pick<DatabaseClock, 'isFast' | 'right'>,
  compare: () => Promise<unknown>,
): JobQueue {
  return {
    ...queue,
    async runDue() {
      // After a sleep of the computer the clock only seems to be fast.
      if (databaseClock.isFast()) await compare()
      await queue.runDue()
    },
    // What is due at once is due at the time that the others have.
    add: (tx, kind, payload, { key, runAt = databaseClock.right.now() }) =>
      queue.add(tx, kind, payload, { key, runAt }),
    // Nothing is due for who rests; a jump of the demo's clock would wait for it for ever.
    nextAt: async () => (databaseClock.isFast() ? null : await queue.nextAt()),
  }
}
