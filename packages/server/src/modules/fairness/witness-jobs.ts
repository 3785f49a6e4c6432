import type { StatementType } from '@fairball/domain/protocol/statements'
import type { Tx } from '../../db/pool.ts'
import type { JobHandler, JobPayload } from '../../jobs/job.ts'
import type { FairnessContext, LogContext } from './context.ts'
import { findCheckpoint, findNewestAsked } from './witness-queries.ts'
import { cosign, type MissingCosignature } from './witnesses.ts'

/** The statements that witnesses are asked about immediately; they are asked about the rest within an hour. */
export const COSIGNED_AT_ONCE: readonly StatementType[] = ['open', 'close', 'postpone', 'void', 'key']
const AT_ONCE = 'fairness.witness'
const HOURLY = 'fairness.witness-hourly'
const HOUR_SECONDS = 3600
/** How long a failing witness is retried; after that it is asked hourly. */
const INSIST_SECONDS = 900

/**
 * Has all witnesses asked for their cosignatures as soon as this transaction has ended.
 *
 * @param size of the newest head
 */
export async function askWitnesses({ jobs }: Pick<LogContext, 'jobs'>, tx: Tx, size: number): Promise<void> {
  await jobs.add(tx, AT_ONCE, { size }, { key: `${AT_ONCE}:${size}` })
}

/** Adds the next hourly round: one in each hour, however many processes ask. */
export async function askHourly({ jobs, runtime }: Pick<LogContext, 'jobs' | 'runtime'>, tx: Tx): Promise<void> {
  const runAt = (Math.floor(runtime.clock.now() / HOUR_SECONDS) + 1) * HOUR_SECONDS
  await jobs.add(tx, HOURLY, {}, { key: `${HOURLY}:${runAt}`, runAt })
}

/** Jobs that ask witnesses (docs/fairness.md, section 3). */
export function witnessJobs(ctx: FairnessContext): JobHandler[] {
  return [
    { kind: AT_ONCE, mode: 'outside', run: (payload) => cosignAtOnce(ctx, payload) },
    {
      kind: HOURLY,
      mode: 'outside',
      everySeconds: HOUR_SECONDS,
      run: async () => {
        await ctx.db.transaction((tx) => askHourly(ctx, tx))
        logMissing(ctx, await cosign(ctx))
      },
    },
  ]
}

async function cosignAtOnce(ctx: FairnessContext, payload: JobPayload): Promise<void> {
  // The head of a later job holds this one's statement too: that job asks for both, and retries.
  const newest = await ctx.db.one(findNewestAsked, [[...COSIGNED_AT_ONCE]])
  if (Number(payload['size']) < newest.size) return
  const missing = await cosign(ctx)
  if (missing.length === 0) return
  logMissing(ctx, missing)
  const { at } = await ctx.db.one(findCheckpoint, [Number(payload['size'])])
  if (ctx.runtime.clock.now() > at + INSIST_SECONDS) return
  throw new Error(`not cosigned yet by ${missing.map(({ witness }) => witness).join(', ')}`)
}

function logMissing({ runtime }: FairnessContext, missing: readonly MissingCosignature[]): void {
  for (const { witness, error } of missing)
    runtime.log.warn({ err: error, witness }, 'a witness did not cosign the log')
}
