import { LotteryError } from '@fairball/domain/errors'
import type { LightningDestination } from '@fairball/domain/lightning-destination'
import type { JobPayload } from '../../jobs/job.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { PayeeRefused } from '../../ports/lightning/payee-refused.ts'
import type { PayeeLimits } from '../../ports/lightning/payee.ts'
import type { PlayersContext } from './context.ts'
import * as queries from './destination-check-queries.ts'

// A worker looks at a destination before it is saved: the process that sells asks no server that a player names. The
// answer comes through a row, for which the player's request waits.

/** The kind of the job that looks at one destination. */
export const CHECK_DESTINATION = 'destinations.check'
/** How long a request waits for the answer, and how often it looks, in real ms. */
const WAIT_MS = 10_000
const LOOK_MS = 100

/**
 * What a destination takes, by a worker's look at it.
 *
 * @throws LotteryError INVALID_LIGHTNING_DESTINATION with the reason; TOO_MANY_REQUESTS
 */
export async function limitsOf(
  ctx: PlayersContext,
  playerId: bigint,
  { kind, value }: LightningDestination,
): Promise<PayeeLimits> {
  const { clock, monotonic } = ctx.runtime
  await ctx.rateLimits.take(LIMITS.destinationChecksOfPlayer, String(playerId))
  const { id } = await ctx.db.transaction(async (tx) => {
    const check = await tx.one(queries.insertCheck, [clock.now(), kind, value])
    const moment = { key: `${CHECK_DESTINATION}:${check.id}` }
    await ctx.jobs.add(tx, CHECK_DESTINATION, { checkId: String(check.id) }, moment)
    return check
  })
  const untilMs = monotonic.nowMs() + WAIT_MS
  let answer = await ctx.db.maybeOne(queries.findAnswer, [id])
  while (answer === null && monotonic.nowMs() < untilMs) {
    await monotonic.sleep(LOOK_MS)
    answer = await ctx.db.maybeOne(queries.findAnswer, [id])
  }
  await ctx.db.execute(queries.removeCheck, [id])
  const { minMsat, maxMsat, reason } = answer ?? { minMsat: null, maxMsat: null, reason: null }
  if (minMsat === null || maxMsat === null)
    throw new LotteryError(
      'INVALID_LIGHTNING_DESTINATION',
      reason ?? 'It could not be checked in time. Please try again.',
    )
  return { minMsat, maxMsat }
}

/** Looks at one destination. A request that waits no more has taken its row away. */
export async function checkDestination(ctx: PlayersContext, payload: JobPayload): Promise<void> {
  const id = BigInt(payload['checkId'] as string)
  const destination = await ctx.db.maybeOne(queries.findCheck, [id])
  if (destination === null) return
  await ctx.db.execute(queries.answerCheck, { id, now: ctx.runtime.clock.now(), ...(await lookAt(ctx, destination)) })
}

async function lookAt(ctx: PlayersContext, destination: LightningDestination) {
  try {
    if (ctx.payees === null) throw new PayeeRefused('Winnings are not paid over Lightning here.')
    return { ...(await ctx.payees.check(destination)), reason: null }
  } catch (error) {
    const isRefused = error instanceof PayeeRefused
    if (!isRefused) ctx.runtime.log.error({ err: error }, 'a destination could not be looked at')
    const reason = isRefused ? error.message : 'It could not be checked. Please try again later.'
    return { minMsat: null, maxMsat: null, reason }
  }
}
