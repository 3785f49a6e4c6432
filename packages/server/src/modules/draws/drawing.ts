import { revealEndAt } from '@fairball/domain/draw-phase'
import { nextRoundRequestAt } from '@fairball/domain/draw-times'
import { fromHex } from '@fairball/domain/protocol/bytes'
import { randomnessOf } from '@fairball/domain/protocol/chain'
import { VOID_AFTER_SECONDS } from '@fairball/domain/protocol/numbers'
import { maskOf } from '@fairball/domain/protocol/plays'
import { drawKey, drawNumbers } from '@fairball/domain/protocol/sampler'
import { SEED_PURPOSE } from '../fairness/service.ts'
import { DRAWS_CHANNEL, type DrawsContext } from './context.ts'
import { drawAt, dueAtOf, isWitnessed } from './following.ts'
import { countWitnesses } from './postponing.ts'
import * as queries from './queries.ts'
import type { DrawRow } from './queries.ts'
import { voidSealed } from './voiding.ts'

/**
 * Draws the numbers of a closed draw from its beacon round, or waits for it, a week at most. The outside call comes
 * first, without a transaction. Idempotent.
 */
export async function runDraw(ctx: DrawsContext, drawId: bigint): Promise<void> {
  const found = await ctx.db.one(queries.findDraw, [drawId])
  const { closeHash } = found
  if (found.status !== 'closed' || closeHash === null) return
  const now = ctx.runtime.clock.now()
  const dueAt = dueAtOf(ctx, found)
  if (now < dueAt) return // sealed again for a later round, which has its own job
  const waitsUntil = await ctx.clock.waitsUntil(ctx.db)
  if (waitsUntil !== null) return await tryAgainAt(ctx, drawId, Math.max(waitsUntil, dueAt))
  if (!(await isWitnessed(ctx, ctx.db, { ...found, closeHash }))) {
    return await ctx.db.transaction((tx) => countWitnesses(ctx, tx, drawId))
  }
  const stored = await ctx.db.maybeOne(queries.findRound, [found.chainHash, found.round])
  const signature = stored?.signature ?? (await ctx.beacons.of(found.chainHash).signatureOf(found.round))
  if (signature !== null) return await drawFrom(ctx, found, signature, dueAt)
  const voidAt = found.startAt + VOID_AFTER_SECONDS
  if (now >= voidAt) return await voidForBeacon(ctx, drawId)
  const runAt = nextRoundRequestAt({ now, dueAt, voidAt })
  ctx.runtime.log.warn({ drawId, round: found.round, lateSeconds: now - dueAt, runAt }, 'a draw waits for its beacon')
  await tryAgainAt(ctx, drawId, runAt)
}

async function tryAgainAt(ctx: DrawsContext, drawId: bigint, runAt: number): Promise<void> {
  await ctx.db.transaction((tx) => drawAt(ctx, tx, drawId, runAt))
}

/** @param signature the valid one of the round of `found`, which is due at `dueAt` */
async function drawFrom(ctx: DrawsContext, found: DrawRow, signature: string, dueAt: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const row = await tx.one(queries.lockDraw, [found.id])
    if (row.status !== 'closed' || row.closeHash === null || row.closeHash !== found.closeHash) return
    // The clock may have been set while the beacon answered.
    const waitsUntil = await ctx.clock.waitsUntil(tx)
    if (waitsUntil !== null) return await drawAt(ctx, tx, row.id, Math.max(waitsUntil, dueAt))
    const now = ctx.runtime.clock.now()
    await tx.execute(queries.insertRound, [row.chainHash, row.round, signature, now])
    await ctx.clock.learn(tx, ctx.beacons.of(row.chainHash).chain, { round: row.round, signature })
    const key = drawKey({
      seed: ctx.fairness.seal.open(row.seedSealed, SEED_PURPOSE),
      openHash: fromHex(row.openHash),
      closeHash: fromHex(row.closeHash),
      round: row.round,
      randomness: randomnessOf(fromHex(signature)),
    })
    const numbers = drawNumbers(key, { pick: row.pick, pool: row.pool })
    await tx.execute(queries.drawNumbers, { id: row.id, numbers, drawnMask: storedMask(numbers), signature, now })
    const runAt = revealEndAt({ ...row, revealFromAt: now })
    await ctx.jobs.add(tx, 'draws.settle', { drawId: String(row.id) }, { key: `draws.settle:${row.id}`, runAt })
    await tx.notify(DRAWS_CHANNEL, row.gameKey)
  })
}

async function voidForBeacon(ctx: DrawsContext, drawId: bigint): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const found = await tx.one(queries.findDraw, [drawId])
    const game = await tx.one(queries.lockGame, [found.gameKey])
    const { closeHash, ...row } = await tx.one(queries.lockDraw, [drawId])
    if (row.status !== 'closed' || closeHash === null) return
    const brought = await tx.maybeOne(queries.findRound, [row.chainHash, row.round])
    if (brought !== null) return await drawAt(ctx, tx, drawId, ctx.runtime.clock.now())
    await voidSealed(ctx, tx, game, { ...row, closeHash }, 'beacon')
    await tx.notify(DRAWS_CHANNEL, row.gameKey)
  })
}

/** A mask as PostgreSQL's signed bigint holds it: the same 64 bits. */
function storedMask(numbers: readonly number[]): bigint {
  return BigInt.asIntN(64, maskOf(numbers))
}
