import type { Db, Tx } from '../db/pool.ts'
import type { Jobs } from '../jobs/queue.ts'
import { type DeliveringContext, noteEvent } from '../modules/integrations/service.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { type InstallationSeal, sealUnder } from '../runtime/seal.ts'

interface Ground {
  readonly db: Db
  readonly runtime: Runtime
  readonly queue: Jobs
  readonly seal: InstallationSeal
}

/** What tells webhooks of what happens. */
export function webhooksOf(isDemo: boolean, { db, runtime, queue, seal }: Ground): DeliveringContext {
  return { db, runtime, jobs: queue, isDemo, seal: sealUnder(seal.keyFor('webhookSecrets'), runtime.random) }
}

/** Webhooks are told of a stop of payouts once a day, however often its cause is found. */
export async function tellOfStop(
  { queue: jobs, runtime }: Pick<Ground, 'queue' | 'runtime'>,
  tx: Tx,
  reason: string,
): Promise<void> {
  const at = runtime.clock.now()
  const data = { alarm: 'PayoutsStopped', text: `Payouts are stopped: ${reason}.` }
  await noteEvent({ jobs }, tx, { type: 'alarm.raised', subject: `payouts:${at - (at % 86_400)}`, at, data })
}
