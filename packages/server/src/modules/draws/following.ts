import { latestCloseAt, witnessesCountedAt } from '@fairball/domain/draw-times'
import { roundDueAt } from '@fairball/domain/protocol/chain'
import type { Queries, Tx } from '../../db/pool.ts'
import { isInForce } from '../fairness/service.ts'
import type { DrawsContext } from './context.ts'
import type { DrawRow } from './queries.ts'

/** A draw that has a close. */
type SealedDraw = Pick<DrawRow, 'chainHash' | 'round' | 'openHash'> & { readonly closeHash: string }

/** When the round of a draw is due, epoch seconds. */
export function dueAtOf(ctx: DrawsContext, draw: Pick<DrawRow, 'chainHash' | 'round'>): number {
  return roundDueAt(ctx.beacons.of(draw.chainHash).chain, draw.round)
}

/** When the witnesses' signatures for a draw are counted, in epoch seconds. */
export function witnessDeadlineOf(ctx: DrawsContext, draw: Pick<DrawRow, 'chainHash' | 'round'>): number {
  return witnessesCountedAt(dueAtOf(ctx, draw))
}

/**
 * Whether a close is in force: a checkpoint that holds it met the policy of its open statement in time (fairness
 * section 7).
 */
export async function isWitnessed(ctx: DrawsContext, from: Queries, draw: SealedDraw): Promise<boolean> {
  const { openHash, closeHash } = draw
  return await isInForce(from, { openHash, closeHash, until: latestCloseAt(dueAtOf(ctx, draw)) })
}

/** Schedules a check of the draw. The moment is part of the key: a job that runs still holds its own. */
export async function drawAt(ctx: DrawsContext, tx: Tx, drawId: bigint, runAt: number): Promise<void> {
  await ctx.jobs.add(tx, 'draws.draw', { drawId: String(drawId) }, { key: `draws.draw:${drawId}:${runAt}`, runAt })
}

export async function scheduleWitnessCount(ctx: DrawsContext, tx: Tx, drawId: bigint, runAt: number): Promise<void> {
  const key = `draws.count-witnesses:${drawId}:${runAt}`
  await ctx.jobs.add(tx, 'draws.count-witnesses', { drawId: String(drawId) }, { key, runAt })
}

/** Adds what follows after a draw was sealed for a round, in the transaction of the seal. */
export async function afterSeal(ctx: DrawsContext, tx: Tx, draw: SealedDraw & Pick<DrawRow, 'id'>): Promise<void> {
  await drawAt(ctx, tx, draw.id, dueAtOf(ctx, draw) + ctx.beacons.of(draw.chainHash).delaySeconds)
  // No witness can have signed yet, so a close in force needs none.
  if (!(await isWitnessed(ctx, tx, draw))) await scheduleWitnessCount(ctx, tx, draw.id, witnessDeadlineOf(ctx, draw))
}
