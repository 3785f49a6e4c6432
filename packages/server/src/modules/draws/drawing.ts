import { revealEndAt } from '@fairball/domain/draw-phase'
import { fromHex } from '@fairball/domain/fairness/bytes'
import { randomnessOf } from '@fairball/domain/fairness/chain'
import { drawKey, drawNumbers } from '@fairball/domain/fairness/sampler'
import { lineMask } from '@fairball/domain/lines'
import { DRAWS_CHANNEL, type DrawsDeps } from './draws-deps.ts'
import type { Following } from './following.ts'
import type { Postponing } from './postponing.ts'
import * as queries from './queries.ts'
import type { DrawRow } from './queries.ts'
import type { Voiding } from './voiding.ts'

/** Without a valid signature so long after its start a draw is void (fairness section 9). */
const VOID_AFTER_SECONDS = 7 * 86_400
/** A late round is asked for ever more seldom: after a twentieth of what it is late. */
const PATIENCE = 20
const LONGEST_PAUSE_SECONDS = 600

/** What drawing needs. */
export interface DrawingDeps extends Pick<DrawsDeps, 'db' | 'runtime' | 'jobs' | 'fairness' | 'beacons' | 'clock'> {
  readonly voiding: Voiding
  readonly following: Following
  readonly countWitnesses: Postponing['countWitnesses']
}

/** Draws the numbers of sealed draws (fairness section 8). */
export function createDrawing(deps: DrawingDeps) {
  const { db, runtime, jobs, fairness, beacons, clock, voiding, following } = deps

  /**
   * Draws the numbers of a closed draw from its beacon round, or waits for it, a week at most. The outside call comes
   * first, without a transaction. Again changes nothing.
   */
  async function draw(drawId: bigint): Promise<void> {
    const found = await db.one(queries.findDraw, [drawId])
    const { close_hash } = found
    if (found.status !== 'closed' || close_hash === null) return
    const now = runtime.clock.now()
    const dueAt = following.dueAtOf(found)
    if (now < dueAt) return // sealed again for a later round, whose own job comes
    const waitsUntil = await clock.waitsUntil(db)
    if (waitsUntil !== null) return await tryAgainAt(drawId, Math.max(waitsUntil, dueAt))
    if (!(await following.isWitnessed(db, { ...found, close_hash }))) {
      return await db.transaction((tx) => deps.countWitnesses(tx, drawId))
    }
    const stored = await db.maybeOne(queries.findRound, [found.chain_hash, found.round])
    const signature = stored?.signature ?? (await beacons.of(found.chain_hash).signatureOf(found.round))
    if (signature !== null) return await drawFrom(found, signature, dueAt)
    const voidAt = found.start_at + VOID_AFTER_SECONDS
    if (now >= voidAt) return await voidForBeacon(drawId)
    const pauseSeconds = Math.min(Math.max(1, Math.floor((now - dueAt) / PATIENCE)), LONGEST_PAUSE_SECONDS)
    const runAt = Math.min(now + pauseSeconds, voidAt)
    runtime.log.warn({ drawId, round: found.round, lateSeconds: now - dueAt, runAt }, 'a draw waits for its beacon')
    await tryAgainAt(drawId, runAt)
  }

  async function tryAgainAt(drawId: bigint, runAt: number): Promise<void> {
    await db.transaction((tx) => following.drawAt(tx, drawId, runAt))
  }

  /** @param signature the valid one of the round of `found`, which is due at `dueAt` */
  async function drawFrom(found: DrawRow, signature: string, dueAt: number): Promise<void> {
    await db.transaction(async (tx) => {
      const row = await tx.one(queries.lockDraw, [found.id])
      if (row.status !== 'closed' || row.close_hash === null || row.close_hash !== found.close_hash) return
      // The beacon took its time, in which the clock may have been set.
      const waitsUntil = await clock.waitsUntil(tx)
      if (waitsUntil !== null) return await following.drawAt(tx, row.id, Math.max(waitsUntil, dueAt))
      const now = runtime.clock.now()
      await tx.execute(queries.insertRound, [row.chain_hash, row.round, signature, now])
      await clock.learn(tx, beacons.of(row.chain_hash).chain, { round: row.round, signature })
      const key = drawKey({
        seed: fairness.openSeal(row.seed_sealed),
        openHash: fromHex(row.open_hash),
        closeHash: fromHex(row.close_hash),
        round: row.round,
        randomness: randomnessOf(fromHex(signature)),
      })
      const numbers = drawNumbers(key, { pick: row.pick, pool: row.pool })
      await tx.execute(queries.drawNumbers, [row.id, numbers, storedMask(numbers), signature, now])
      const { start_at: startAt, end_at: endAt, pick } = row
      const runAt = revealEndAt({ startAt, endAt, pick, revealFromAt: now })
      await jobs.add(tx, 'draws.settle', { drawId: String(row.id) }, { key: `draws.settle:${row.id}`, runAt })
      await tx.notify(DRAWS_CHANNEL, row.game_key)
    })
  }

  async function voidForBeacon(drawId: bigint): Promise<void> {
    await db.transaction(async (tx) => {
      const found = await tx.one(queries.findDraw, [drawId])
      await tx.one(queries.lockGame, [found.game_key])
      const row = await tx.one(queries.lockDraw, [drawId])
      if (row.status !== 'closed') return
      const brought = await tx.maybeOne(queries.findRound, [row.chain_hash, row.round])
      if (brought !== null) return await following.drawAt(tx, drawId, runtime.clock.now())
      await voiding.voidSealed(tx, row, 'beacon')
      await tx.notify(DRAWS_CHANNEL, row.game_key)
    })
  }

  return { draw }
}

/** A mask as PostgreSQL's signed bigint holds it: the same 64 bits. */
function storedMask(numbers: readonly number[]): bigint {
  return BigInt.asIntN(64, lineMask(numbers))
}
