import { revealEndAt } from '@fairball/domain/draw-phase'
import { fromHex } from '@fairball/domain/fairness/bytes'
import { randomnessOf } from '@fairball/domain/fairness/chain'
import { drawKey, drawNumbers } from '@fairball/domain/fairness/sampler'
import { lineMask } from '@fairball/domain/lines'
import { DRAWS_CHANNEL, type DrawsDeps } from './draws-deps.ts'
import * as queries from './queries.ts'

/** Draws the numbers of sealed draws (fairness.md section 8). */
export function createDrawing(deps: Pick<DrawsDeps, 'db' | 'runtime' | 'jobs' | 'fairness' | 'beacon'>) {
  const { db, runtime, jobs, fairness, beacon } = deps

  /**
   * Draws the numbers of a closed draw from its beacon round. The outside call comes first, without a transaction.
   *
   * @throws Error while the round's signature cannot be had: the job tries again
   */
  async function draw(drawId: bigint): Promise<void> {
    const found = await db.one(queries.findDraw, [drawId])
    if (found.status !== 'closed') return
    const stored = await db.maybeOne(queries.findRound, [found.chain_hash, found.round])
    const signature = stored?.signature ?? (await beacon.signatureOf(found.round))
    if (signature === null) throw new Error(`the beacon has not published round ${found.round} yet`)
    await db.transaction(async (tx) => {
      const row = await tx.one(queries.lockDraw, [drawId])
      if (row.status !== 'closed' || row.close_hash === null) return
      const now = runtime.clock.now()
      await tx.execute(queries.insertRound, [row.chain_hash, row.round, signature, now])
      const key = drawKey({
        seed: fairness.openSeal(row.seed_sealed),
        openHash: fromHex(row.open_hash),
        closeHash: fromHex(row.close_hash),
        round: row.round,
        randomness: randomnessOf(fromHex(signature)),
      })
      const numbers = drawNumbers(key, { pick: row.pick, pool: row.pool })
      await tx.execute(queries.drawNumbers, [drawId, numbers, storedMask(numbers), signature, now])
      const { start_at: startAt, end_at: endAt, pick } = row
      const runAt = revealEndAt({ startAt, endAt, pick, revealFromAt: now })
      await jobs.add(tx, 'draws.settle', { drawId: String(drawId) }, { key: `draws.settle:${drawId}`, runAt })
      await tx.notify(DRAWS_CHANNEL, row.game_key)
    })
  }

  return { draw }
}

/** A mask as PostgreSQL's signed bigint holds it: the same 64 bits. */
function storedMask(numbers: readonly number[]): bigint {
  return BigInt.asIntN(64, lineMask(numbers))
}
