import type { Db, Tx } from '../db/pool.ts'
import type { Jobs } from '../jobs/queue.ts'
import { type DeliveringContext, tellOfAlarm } from '../modules/integrations/service.ts'
import { mailOwners } from '../modules/console/owners.ts'
import type { MailQueue } from '../modules/messages/service.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { type InstallationSeal, sealUnder } from '../runtime/seal.ts'

interface Ground {
  readonly db: Db
  readonly runtime: Runtime
  readonly queue: Jobs
  readonly seal: InstallationSeal
}

/** What tells webhooks of what happens. */
export function webhooksOf(isDemo: boolean, { db, runtime, queue, seal }: Ground, mail: MailQueue): DeliveringContext {
  return {
    db,
    runtime,
    jobs: queue,
    isDemo,
    seal: sealUnder(seal.keyFor('webhookSecrets'), runtime.random),
    mailOwners: (tx, news) => mailOwners({ mail }, tx, news),
  }
}

/** Webhooks are told of a stop of payouts once a day, however often its cause is found. */
export async function tellOfStop(
  { queue: jobs, runtime }: Pick<Ground, 'queue' | 'runtime'>,
  tx: Tx,
  reason: string,
): Promise<void> {
  const at = runtime.clock.now()
  const news = { alarm: 'PayoutsStopped', subject: `payouts:${at - (at % 86_400)}` }
  await tellOfAlarm({ jobs, runtime }, tx, { ...news, text: `Payouts are stopped: ${reason}.` })
}
