import { roundDueAt } from '@fairball/domain/fairness/chain'
import type { Tx } from '../../db/pool.ts'
import type { DrawsDeps } from './draws-deps.ts'
import type { DrawRow } from './queries.ts'

/** A close needs its witnesses' signatures dated so long before its round is due (fairness section 5). */
export const WITNESSED_BEFORE_ROUND_SECONDS = 60
/** Signatures made at the last moment have so long to arrive. */
const WITNESS_GRACE_SECONDS = 15

export type Following = ReturnType<typeof createFollowing>

/** What follows a seal: its witnesses are counted and its round is asked for. */
export function createFollowing({ jobs, fairness, beacons }: Pick<DrawsDeps, 'jobs' | 'fairness' | 'beacons'>) {
  /** When the round of a draw is due, epoch seconds. */
  function dueAtOf(draw: Pick<DrawRow, 'chain_hash' | 'round'>): number {
    return roundDueAt(draw.round, beacons.of(draw.chain_hash).chain)
  }

  /** When it is decided whether the witnesses of a draw have signed, epoch seconds. */
  function countsWitnessesAt(draw: Pick<DrawRow, 'chain_hash' | 'round'>): number {
    return dueAtOf(draw) - WITNESSED_BEFORE_ROUND_SECONDS + WITNESS_GRACE_SECONDS
  }

  /** Whether the close in force is valid: as many witnesses have signed in time as the open statement asks for. */
  async function isWitnessed(
    from: Parameters<typeof fairness.hasEnoughWitnesses>[0],
    draw: Pick<DrawRow, 'chain_hash' | 'round' | 'open_hash'> & { readonly close_hash: string },
  ): Promise<boolean> {
    return await fairness.hasEnoughWitnesses(from, {
      openHash: draw.open_hash,
      closeHash: draw.close_hash,
      before: dueAtOf(draw) - WITNESSED_BEFORE_ROUND_SECONDS,
    })
  }

  /** The draw is looked at then. The moment is in the key: a job that runs still holds its own. */
  async function drawAt(tx: Tx, drawId: bigint, runAt: number): Promise<void> {
    await jobs.add(tx, 'draws.draw', { drawId: String(drawId) }, { key: `draws.draw:${drawId}:${runAt}`, runAt })
  }

  async function countWitnessesAt(tx: Tx, drawId: bigint, runAt: number): Promise<void> {
    const key = `draws.count-witnesses:${drawId}:${runAt}`
    await jobs.add(tx, 'draws.count-witnesses', { drawId: String(drawId) }, { key, runAt })
  }

  /** Adds what comes after a draw was sealed for a round, in the transaction of the seal. */
  async function afterSeal(tx: Tx, draw: Parameters<typeof isWitnessed>[1] & Pick<DrawRow, 'id'>): Promise<void> {
    await drawAt(tx, draw.id, dueAtOf(draw) + beacons.of(draw.chain_hash).delaySeconds)
    // Nobody can have signed yet: what is witnessed now needs nobody.
    if (!(await isWitnessed(tx, draw))) await countWitnessesAt(tx, draw.id, countsWitnessesAt(draw))
  }

  return { dueAtOf, countsWitnessesAt, isWitnessed, drawAt, countWitnessesAt, afterSeal }
}
