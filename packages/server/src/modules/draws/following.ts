import { latestCloseAt, plannedCloseAt, witnessesCountedAt } from '@fairball/domain/draw-times'
import { roundDueAt } from '@fairball/domain/fairness/chain'
import type { Queries, Tx } from '../../db/pool.ts'
import type { DrawsContext } from './context.ts'
import type { DrawRow } from './queries.ts'

/** A draw whose close is in force. */
type SealedDraw = Pick<DrawRow, 'chain_hash' | 'round' | 'open_hash'> & { readonly close_hash: string }

/** When the round of a draw is due, epoch seconds. */
export function dueAtOf(ctx: DrawsContext, draw: Pick<DrawRow, 'chain_hash' | 'round'>): number {
  return roundDueAt(draw.round, ctx.beacons.of(draw.chain_hash).chain)
}

/** When it is decided whether the witnesses of a draw have signed, epoch seconds. */
export function witnessDeadlineOf(ctx: DrawsContext, draw: Pick<DrawRow, 'chain_hash' | 'round'>): number {
  return witnessesCountedAt(dueAtOf(ctx, draw))
}

/** Whether the close in force is valid: as many witnesses have signed in time as the open statement asks for. */
export async function isWitnessed(ctx: DrawsContext, from: Queries, draw: SealedDraw): Promise<boolean> {
  return await ctx.fairness.hasEnoughWitnesses(from, {
    openHash: draw.open_hash,
    closeHash: draw.close_hash,
    before: latestCloseAt(dueAtOf(ctx, draw)),
  })
}

/** The draw is looked at then. The moment is in the key: a job that runs still holds its own. */
export async function drawAt(ctx: DrawsContext, tx: Tx, drawId: bigint, runAt: number): Promise<void> {
  await ctx.jobs.add(tx, 'draws.draw', { drawId: String(drawId) }, { key: `draws.draw:${drawId}:${runAt}`, runAt })
}

export async function scheduleWitnessCount(ctx: DrawsContext, tx: Tx, drawId: bigint, runAt: number): Promise<void> {
  const key = `draws.count-witnesses:${drawId}:${runAt}`
  await ctx.jobs.add(tx, 'draws.count-witnesses', { drawId: String(drawId) }, { key, runAt })
}

/** Adds what comes after a draw was sealed for a round, in the transaction of the seal. */
export async function afterSeal(ctx: DrawsContext, tx: Tx, draw: SealedDraw & Pick<DrawRow, 'id'>): Promise<void> {
  await drawAt(ctx, tx, draw.id, dueAtOf(ctx, draw) + ctx.beacons.of(draw.chain_hash).delaySeconds)
  // Nobody can have signed yet: what is witnessed now needs nobody.
  if (!(await isWitnessed(ctx, tx, draw))) await scheduleWitnessCount(ctx, tx, draw.id, witnessDeadlineOf(ctx, draw))
}

/** When the close of a draw is planned, epoch seconds. */
export function plannedCloseOf(draw: Pick<DrawRow, 'start_at' | 'scheduled_at' | 'closes_at'>): number {
  return plannedCloseAt({ startAt: draw.start_at, scheduledAt: draw.scheduled_at, closesAt: draw.closes_at })
}
