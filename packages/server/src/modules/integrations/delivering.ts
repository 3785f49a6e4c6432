import type { Db, Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import type { Job, JobHandler } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Seal } from '../../runtime/seal.ts'
import { DELIVER, deliverAt } from './events.ts'
import { tellOfAlarm } from './facts.ts'
import { type Answered, sendTo } from './receiver.ts'
import { signedHeaders } from './signature.ts'
import * as queries from './webhook-queries.ts'
import { SECRET_PURPOSE } from './webhooks.ts'

/** What telling webhooks needs: a worker has it. */
export interface DeliveringContext {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'monotonic' | 'outbound' | 'log'>
  readonly jobs: Jobs
  /** under the key for webhooks */
  readonly seal: Seal
  readonly isDemo: boolean
  /** Mails every owner. `key` tells one mail from others. */
  readonly mailOwners: (
    tx: Tx,
    news: { readonly subject: string; readonly paragraphs: readonly string[]; readonly key: string },
  ) => Promise<void>
}

type Delivery = RowOf<typeof queries.findDelivery>

const HOUR = 3600
/** Delay of each try after the first, from the one before it, in seconds. */
const RETRY_SECONDS = [5, 300, 1800, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]
/** A webhook whose every try has failed for this time is disabled. */
const FAILING_SECONDS = 5 * 86_400
/** The answer of a receiver that wants nothing any more. */
const GONE = 410

/** The jobs that tell webhooks. */
export function webhookJobs(ctx: DeliveringContext): JobHandler[] {
  return [
    {
      kind: DELIVER,
      mode: 'outside',
      mostlyWaits: true,
      run: (payload, job) => deliver(ctx, BigInt(String(payload['delivery'])), job),
    },
  ]
}

async function deliver(
  ctx: DeliveringContext,
  id: bigint,
  job: Job & { finish(tx: Tx): Promise<void> },
): Promise<void> {
  const delivery = await ctx.db.maybeOne(queries.findDelivery, [id])
  // It is over, or another job tries it.
  if (delivery === null || (delivery.nextAt ?? 0) > ctx.runtime.clock.now()) return
  if (!delivery.isActive) {
    await ctx.db.execute(queries.giveUp, [id, 'Its webhook is disabled or revoked.'])
    return
  }
  const answered = await send(ctx, delivery)
  await ctx.db.transaction(async (tx) => {
    await keep(ctx, tx, delivery, answered)
    await job.finish(tx)
  })
}

async function send(ctx: DeliveringContext, delivery: Delivery): Promise<Answered> {
  const { eventId: id, body, sealed, earlierSealed, earlierUntil, url } = delivery
  const at = ctx.runtime.clock.now()
  const areBoth = earlierSealed !== null && earlierUntil !== null && at < earlierUntil
  const secrets = [sealed, ...(areBoth ? [earlierSealed] : [])].map((one) => ctx.seal.open(one, SECRET_PURPOSE))
  const { outbound, monotonic } = ctx.runtime
  return await sendTo({ outbound, monotonic, isDemo: ctx.isDemo }, url, {
    headers: signedHeaders({ id, at, body }, secrets),
    body,
  })
}

/** Writes what became of a try, and adds the next one. */
async function keep(ctx: DeliveringContext, tx: Tx, delivery: Delivery, answered: Answered): Promise<void> {
  const { id, attempts, webhookId } = delivery
  const { status, problem } = answered
  const now = ctx.runtime.clock.now()
  const delay = problem === null || status === GONE ? undefined : RETRY_SECONDS[attempts]
  const nextAt = delay === undefined ? null : now + delay
  const state = problem === null ? 'delivered' : nextAt === null ? 'given-up' : 'waiting'
  if ((await tx.execute(queries.keepTry, { id, attempts, state, nextAt, now, status, problem })) === 0) return
  if (nextAt !== null) await deliverAt(ctx.jobs, tx, id, attempts + 1, nextAt)
  if (problem === null) {
    await tx.execute(queries.markWorking, [webhookId])
    return
  }
  const { failingSince } = await tx.one(queries.markFailing, [webhookId, now])
  if (status === GONE) await end(ctx, tx, delivery, 'It answered that it is gone (410).')
  else if (now - (failingSince ?? now) >= FAILING_SECONDS)
    await end(ctx, tx, delivery, `Every try failed for five days. The last: ${problem}`)
}

/** Disables a webhook, and says so to the others and to the owners. */
async function end(ctx: DeliveringContext, tx: Tx, { webhookId }: Delivery, because: string): Promise<void> {
  const at = ctx.runtime.clock.now()
  if ((await tx.execute(queries.disable, [webhookId, at, because])) === 0) return
  ctx.runtime.log.error({ webhook: String(webhookId), because }, 'a webhook is disabled')
  const text = `Webhook ${webhookId} gets no more messages. ${because}`
  await tellOfAlarm(ctx, tx, { alarm: 'WebhookDisabled', subject: `webhook:${webhookId}:${at}`, text })
  await ctx.mailOwners(tx, {
    subject: `Webhook ${webhookId} is disabled`,
    paragraphs: [text, 'Create another webhook in the console, under Integrations, once its receiver works.'],
    key: `webhook-disabled:${webhookId}:${at}`,
  })
}
